package main

import (
	"os"
	"regexp"
	"strconv"
	"testing"

	"paddle"
)

// The arithmetic of a perceptron's step is its products forward, again for the weights' gradients, and for those of all layers' inputs but
// the first's; everything else is little.
func TestFLOPsOfAPerceptron(t *testing.T) {
	const batch = 64
	first, others := 784*256, 256*128+128*10
	want := int64(2 * batch * (2*first + 3*others))
	c := classifier("mlp", perceptron(), 10, paddle.Adam{LearningRate: 1e-3}, batch, 784)
	var f flops
	if _, err := paddle.NewTrainer(c.loss, c.optimizer, &f); err != nil {
		t.Fatal(err)
	}
	if got := f.of(c.batches[0]); got < want || got > want+want/100 {
		t.Errorf("a step has %d floating-point operations, want %d and less than 1 %% more", got, want)
	}
}

func TestPeak(t *testing.T) {
	if p := peak(); p < 1e8 || p > 1e13 {
		t.Errorf("a core does %g floating-point operations a second", p)
	}
}

func TestProductsAreThoseOfThePeers(t *testing.T) {
	text, err := os.ReadFile("peers/measure.h")
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile(`\{(\d+), (\d+), (\d+), (true|false), (true|false)\}`).FindAllStringSubmatch(string(text), -1)
	if len(rows) != len(shapes) {
		t.Fatalf("the peers have %d products, want %d", len(rows), len(shapes))
	}
	number := func(s string) int { n, _ := strconv.Atoi(s); return n }
	for i, r := range rows {
		peers := product{number(r[1]), number(r[2]), number(r[3]), r[4] == "true", r[5] == "true"}
		if peers != shapes[i] {
			t.Errorf("product %d of the peers is %v, want %v", i, peers, shapes[i])
		}
	}
}
