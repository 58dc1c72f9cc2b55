// Command gorgonia times training steps of Gorgonia's TapeMachine on two models of ../..: gorgonia THREADS SECONDS MODEL..., the models are
// mlp and lenet, others are ignored. See ../gorgonia.sh, which builds and runs it.
//
// The graphs are those that are fastest in Gorgonia: float32, Gorgonia's specialised engine for it, gradients bound to the parameters once,
// one machine for all steps, assembly for element-wise arithmetic (the build tag avx). Its products are Gonum's, as by default.
package main

import (
	"fmt"
	"os"
	"runtime"
	"strconv"

	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"paddle/internal/bench/timing"
)

const batch = 64

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: gorgonia THREADS SECONDS MODEL...")
		os.Exit(2)
	}
	threads, err := strconv.Atoi(os.Args[1])
	fail(err)
	seconds, err := strconv.ParseFloat(os.Args[2], 64)
	fail(err)
	runtime.GOMAXPROCS(threads)
	for _, name := range os.Args[3:] {
		switch name {
		case "mlp":
			measure("mlp b64 adam", perceptron(), G.NewAdamSolver(G.WithLearnRate(1e-3)), threads, seconds)
		case "lenet":
			measure("lenet momentum b64", lenet(), G.NewMomentum(G.WithLearnRate(0.01), G.WithMomentum(0.9)), threads, seconds)
		}
	}
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "gorgonia:", err)
		os.Exit(1)
	}
}

// measure times steps: forward, backward, update.
func measure(name string, m *model, solver G.Solver, threads int, seconds float64) {
	loss := m.finish()
	machine := G.NewTapeMachine(m.graph, G.BindDualValues(m.parameters...), G.WithEngine(tensor.Float32Engine{}))
	defer machine.Close()
	gradients := G.NodesToValueGrads(m.parameters)
	times, err := timing.Measure(threads, seconds, func() error {
		defer machine.Reset()
		if err := machine.RunAll(); err != nil {
			return err
		}
		return solver.Step(gradients)
	})
	fail(err)
	if v, ok := (*loss).Data().(float32); !ok || v != v {
		fail(fmt.Errorf("%s: the loss is %v", name, (*loss).Data()))
	}
	fmt.Printf("gorgonia %s T=%d %v\n", name, threads, times)
}
