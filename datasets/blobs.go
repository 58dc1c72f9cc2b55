package datasets

import (
	"fmt"
	"math"

	"paddle/op"
)

// Blobs draws a set for classification: one cloud of points for each class. The centre of class c is a corner of a grid of step 1
// about the origin: its coordinate j is digit j of c in base k, less (k−1)/2, where k is the least base with k^Features ≥ Classes.
// A point is its class's centre plus Spread times a standard normal number in every coordinate. Neighbouring centres are 1 apart,
// so the best classifier tells a neighbour apart with the error Φ(−1/(2·Spread)): none to speak of at 0.1, 16 % at 0.5.
type Blobs struct {
	// Records, Features and Classes are the sizes, each at least 1.
	Records, Features, Classes int
	// Spread is the standard deviation of a cloud; 0 is 0.1.
	Spread float64
	// Seed selects the points. Record i depends on Seed and i only, so a longer set begins with a shorter one.
	Seed uint64
	// Point and Label name the inputs; "" is "point" and "label".
	Point, Label string
}

// Set draws the set: Point float32 (records, features) and Label int32 (records). The class of record i is i modulo Classes, so that
// every slice is balanced.
func (b Blobs) Set() (*Set, error) {
	if b.Records < 1 || b.Features < 1 || b.Classes < 1 {
		return nil, fmt.Errorf("datasets.Blobs: %d records of %d features in %d classes, want at least 1 of each", b.Records, b.Features, b.Classes)
	}
	if b.Records > op.MaxBytes/4/b.Features || b.Classes > math.MaxInt32 {
		return nil, fmt.Errorf("datasets.Blobs: %d records of %d features in %d classes are more than memory or a label can hold", b.Records, b.Features, b.Classes)
	}
	if b.Spread == 0 {
		b.Spread = 0.1
	}
	if !(b.Spread > 0) || math.IsInf(b.Spread, 0) {
		return nil, fmt.Errorf("datasets.Blobs: the spread is %v, want a positive number", b.Spread)
	}
	name, label, err := inputNames(b.Point, "point", b.Label)
	if err != nil {
		return nil, fmt.Errorf("datasets.Blobs: %w", err)
	}
	points, classes := op.NewBuffer(op.Float32, b.Records, b.Features), op.NewBuffer(op.Int32, b.Records)
	base := gridBase(b.Features, b.Classes)
	for i, x := 0, points.Float32s(); i < b.Records; i, x = i+1, x[b.Features:] {
		class := i % b.Classes
		classes.Int32s()[i] = int32(class)
		rng := Random{Seed: b.Seed}.Sample(i)
		for j, rest := 0, class; j < b.Features; j, rest = j+1, rest/base {
			centre := float64(rest%base) - float64(base-1)/2
			x[j] = float32(centre + b.Spread*rng.NormFloat64())
		}
	}
	return pairSet(name, points, label, classes), nil
}

// gridBase returns the least k ≥ 1 with k^features ≥ classes.
func gridBase(features, classes int) int {
	if classes == 1 {
		return 1
	}
	root := int(math.Pow(float64(classes), 1/float64(features))) // may be one off
	for k := max(2, root-1); ; k++ {
		corners := int64(1)
		for j := 0; j < features && corners < int64(classes); j++ {
			corners *= int64(k)
		}
		if corners >= int64(classes) {
			return k
		}
	}
}

// inputNames returns the names of a set's inputs, which must differ.
func inputNames(name, byDefault, label string) (string, string, error) {
	if name == "" {
		name = byDefault
	}
	if label == "" {
		label = "label"
	}
	if name == label {
		return "", "", fmt.Errorf("both inputs have the name %q", name)
	}
	return name, label, nil
}
