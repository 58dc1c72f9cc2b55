package datasets_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"

	"paddle/datasets"
	"paddle/op"

	"gorgonia.org/tensor"
)

// A training set is a function from the epoch to a pass. A run that stopped in epoch 3 after 2 batches goes on with the batches that
// it would have seen.
func Example() {
	set, err := datasets.Blobs{Records: 10, Features: 2, Classes: 2, Seed: 1}.Set()
	if err != nil {
		fmt.Println(err)
		return
	}
	train := set.Shuffled(7, datasets.BatchOptions{Size: 4, Live: 1})

	print := func(r iter.Seq2[op.Feeds, error]) {
		for batch, err := range r {
			if err != nil {
				fmt.Println(err)
				return
			}
			fmt.Println(batch["point"].Shape(), batch["label"])
		}
	}
	print(train(3))
	fmt.Println("resumed:")
	print(datasets.Skip(train(3), 2))
	// Output:
	// (4, 2) [0  1  0  0]
	// (4, 2) [0  0  1  1]
	// (2, 2) [1  1]
	// resumed:
	// (2, 2) [1  1]
}

// Records go through random augmentation in four goroutines. What is drawn depends on the seed, the epoch and the record only.
func ExampleMap() {
	jitter := func(rng *rand.Rand, x float64) (float64, error) {
		if x < 0 {
			return 0, errors.New("negative")
		}
		return x + rng.Float64()/10, nil
	}
	records := datasets.FromSlice([]float64{1, 2, 3, -1})
	random := datasets.Random{Seed: 1, Epoch: 0}
	for y, err := range datasets.Map(records, jitter, datasets.MapOptions{Workers: 4, Random: random}) {
		fmt.Printf("%.3f %v\n", y, err)
	}
	// Output:
	// 1.014 <nil>
	// 2.011 <nil>
	// 3.091 <nil>
	// 0.000 datasets.Map: record 3: negative
}

// A stream of records that is too large for memory: mixed in a window, read one by one, stacked into batches, and read ahead.
func ExampleStack() {
	lines := datasets.FromSlice([]string{"a", "bb", "ccc", "dddd", "eeeee"})
	random := datasets.Random{Seed: 3, Epoch: 0}

	read := func(_ *rand.Rand, line string) (op.Feeds, error) {
		return op.Feeds{"length": tensor.New(tensor.FromScalar(int32(len(line))))}, nil
	}
	stack := func(_ *rand.Rand, records []op.Feeds) (op.Feeds, error) { return datasets.Stack(records) }

	records := datasets.Map(datasets.ShuffleWindow(lines, 3, random), read, datasets.MapOptions{Workers: 2})
	batches := datasets.Map(datasets.Batch(records, datasets.BatchOptions{Size: 2}), stack, datasets.MapOptions{})
	for batch, err := range datasets.Prefetch(batches, 2) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(batch["length"])
	}
	// Output:
	// [3  1]
	// [4  2]
	// [5]
}

func ExampleShuffle() {
	for epoch := range 3 {
		order, err := datasets.Collect(datasets.Shuffle([]string{"a", "b", "c", "d"}, datasets.Random{Seed: 1, Epoch: epoch}))
		fmt.Println(order, err)
	}
	// Output:
	// [a c d b] <nil>
	// [d a b c] <nil>
	// [a d c b] <nil>
}

func ExampleBatch() {
	records := datasets.FromSlice([]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
	kept, _ := datasets.Collect(datasets.Batch(records, datasets.BatchOptions{Size: 4}))
	dropped, _ := datasets.Collect(datasets.Batch(records, datasets.BatchOptions{Size: 4, DropLast: true}))
	fmt.Println(kept)
	fmt.Println(dropped)
	// Output:
	// [[0 1 2 3] [4 5 6 7] [8 9]]
	// [[0 1 2 3] [4 5 6 7]]
}

func ExampleZip() {
	for pair, err := range datasets.Zip(datasets.FromSlice([]string{"ein", "zwei", "drei"}), datasets.FromSlice([]string{"one", "two"})) {
		fmt.Println(pair.A, pair.B, err)
	}
	// Output:
	// ein one <nil>
	// zwei two <nil>
	//   datasets.Zip: the second reader ended after 2 records, the first has more
}

func ExampleShard() {
	records := datasets.FromSlice([]int{0, 1, 2, 3, 4, 5, 6})
	for rank := range 3 {
		part, _ := datasets.Collect(datasets.Shard(records, rank, 3))
		fmt.Println(rank, part)
	}
	// Output:
	// 0 [0 3 6]
	// 1 [1 4]
	// 2 [2 5]
}

func ExampleChain() {
	records := datasets.Chain(datasets.FromSlice([]int{1, 2}), datasets.FromSlice([]int{3}))
	fmt.Println(datasets.Collect(datasets.First(records, 2)))
	fmt.Println(datasets.Collect(datasets.Skip(records, 2)))
	// Output:
	// [1 2] <nil>
	// [3] <nil>
}

func ExampleWithContext() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	for x, err := range datasets.WithContext(ctx, datasets.FromSlice([]int{1, 2, 3})) {
		fmt.Println(x, err)
		cancel()
	}
	// Output:
	// 1 <nil>
	// 0 context canceled
}

// The digits, or where this machine does not have the files and must not fetch them, drawn ones in the same form.
func ExampleMNIST() {
	train, err := datasets.MNIST{Offline: true, Mean: 0.1307, Std: 0.3081}.Train(context.Background())
	if err != nil {
		train, err = datasets.Digits{Records: 1000, Noise: 0.1, Seed: 1}.Set()
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	for batch, err := range train.Shuffled(1, datasets.BatchOptions{Size: 64, Live: 1})(0) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(batch["image"].Dtype(), batch["image"].Shape(), batch["label"].Dtype(), batch["label"].Shape())
		break
	}
	// Output:
	// float32 (64, 1, 28, 28) int32 (64)
}

func ExampleBlobs() {
	set, err := datasets.Blobs{Records: 5, Features: 2, Classes: 2, Seed: 1}.Set()
	if err != nil {
		fmt.Println(err)
		return
	}
	for batch := range set.InOrder(5) {
		fmt.Printf("%.2f\n%v\n", batch["point"].Data(), batch["label"])
	}
	// Output:
	// [-0.56 -0.58 0.41 -0.63 -0.45 -0.59 0.54 -0.54 -0.59 -0.49]
	// [0  1  0  1  0]
}

func ExampleDigits() {
	set, err := datasets.Digits{Records: 10, Seed: 4}.Set()
	if err != nil {
		fmt.Println(err)
		return
	}
	digit, err := set.Gather(4)
	if err != nil {
		fmt.Println(err)
		return
	}
	pixels := digit["image"].Data().([]float32)
	for row := 2; row < 26; row += 2 {
		for column := 4; column < 24; column++ {
			fmt.Print([]string{".", "+", "#"}[min(int(3*pixels[28*row+column]), 2)])
		}
		fmt.Println()
	}
	// Output:
	// ....................
	// ....................
	// .........++.........
	// .......++##+........
	// .....++++##+........
	// ....+++..+#+........
	// ..+#+....+#+........
	// ..+##########+......
	// .........+#+........
	// .........+#+........
	// ....................
	// ....................
}
