package gorgop

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"gorgonia.org/gorgonia"
)

// stock returns the name of a stock op's type, such as "maxPool", and "" for other ops.
func stock(o gorgonia.Op) string {
	t := reflect.TypeOf(o)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.PkgPath() != "gorgonia.org/gorgonia" {
		return ""
	}
	return strings.TrimSuffix(t.Name(), "Op")
}

// nameOf returns what an op calls itself; its type if it cannot tell.
func nameOf(o gorgonia.Op) (name string) {
	defer func() {
		if recover() != nil {
			name = kindOf(o)
		}
	}()
	if stock(o) == "elemBin" {
		name, _, _ := strings.Cut(o.String(), " ") // "+ false": the rest says of which type a comparison is
		return name
	}
	return o.String()
}

// kindOf names an op that is not the same at all sizes, and may say so in its name.
func kindOf(o gorgonia.Op) string {
	if s := stock(o); s != "" {
		return s
	}
	return strings.TrimLeft(reflect.TypeOf(o).String(), "*")
}

// broken are the stock ops of Gorgonia 0.9.18 that are not used, and why.
var broken = map[string]string{
	"avgPool":       "it divides by the width of the image in place of the size of the window (use op.AvgPool2D)",
	"avgPoolDiff":   "it divides by the width of the image in place of the size of the window",
	"BatchNorm":     "its running statistics and its mode are hidden in the op, where no program sets and saves them (use op.BatchNorm)",
	"batchnormDiff": "its running statistics and its mode are hidden in the op",
	"clamp":         "it computes nothing",
	"devTrans":      "it is no function",
	"dropout":       "its random numbers are seeded by the clock, and its gradient divides by the wrong probability (use op.Dropout)",
	"dropoutDiff":   "it divides by the wrong probability",
	"let":           "it is no function",
	"random":        "its random numbers are seeded by the clock",
	"read":          "it is no function",
	"yolo":          "it takes the first anchors in place of those of its mask",
}

// refuse returns why a stock op must not compute on inputs of these shapes, "" if it may.
func refuse(o gorgonia.Op, in [][]int, out []int) string {
	kind := stock(o)
	if reason := broken[kind]; reason != "" {
		return reason
	}
	switch kind {
	case "max", "sum":
		return refuseReduction(ints(o, "along"), len(in[0]))
	case "maxPool", "maxPoolDiff":
		if number(o, "padNorth") != number(o, "padSouth") || number(o, "padWest") != number(o, "padEast") {
			return "it mixes up the paddings of the two sides"
		}
	case "reshape":
		if count(in[0]) != count(out) {
			return fmt.Sprintf("it makes %v of %v", out, in[0])
		}
	case "softmax":
		if number(o, "axis") < 0 && len(in[0]) == 2 && in[0][1] == 1 {
			return "without an axis it takes the first of a column and the last of a matrix: state the axis"
		}
	case "sparsemax":
		if number(o, "axis") >= 0 {
			return "it transposes its input for an axis, and does not transpose back"
		}
	}
	return ""
}

// refuseReduction returns why a reduction must not be used. package tensor reduces one axis after another, and axes between the second and
// the last wrongly.
func refuseReduction(along []int, rank int) string {
	if !slices.IsSorted(along) {
		return fmt.Sprintf("it reduces the axes %v in ascending order, and its gradient in that order: sort them", along)
	}
	for k, axis := range along {
		if axis -= k; axis >= 2 && axis < rank-k-1 {
			return fmt.Sprintf("reducing axis %d of %d gives wrong sums (use op.Sum or op.Max)", along[k], rank)
		}
	}
	return ""
}

// refuseGradient returns why the SymDiff of a stock op must not be used, "" if it may.
func refuseGradient(o gorgonia.Op) string {
	switch kind := stock(o); {
	case kind == "elemUnary" && o.String() == "log2":
		return "its SymDiff divides by ln 2 where it has to multiply (use Log and a constant)"
	case kind == "elemUnary" && o.String() == "invSqrt":
		return "its SymDiff divides by the cube of the result where it has to multiply (use Inverse and Sqrt)"
	case kind == "linAlgBin" && number(o, "āBinaryOperator") == outerProduct:
		return "its SymDiff mixes up the two vectors (use op.MatMul)"
	case kind == "sliceIncr":
		return "its SymDiff is that of another function"
	case kind == "byIndices" && number(o, "axis") != 0:
		return "its SymDiff is right for axis 0 only (use op.GatherRows)"
	case kind == "GroupNorm":
		return "the op of its SymDiff writes every gradient to the log"
	case kind == "ctcLoss":
		return "its SymDiff is right only together with the LogSoftMax before it"
	}
	return ""
}

const outerProduct = 3 // the position of the outer product among Gorgonia's linear algebra ops

// flat reports whether a stock op that says of an input that it is not differentiable is constant almost everywhere, so that the
// gradient is zero: comparisons, rounding, sizes, counts and indices.
func flat(o gorgonia.Op, input int) bool {
	switch stock(o) {
	case "elemBin", "elemUnary", "size":
		return true
	case "repeat", "byIndices":
		return input == 1
	}
	return false
}

// readsForward reports whether a gradient reads what the op that it belongs to has left in itself when it ran last.
func readsForward(o gorgonia.Op) bool { return stock(o) == "maxPoolDiff" }

// field returns a field of a stock op or solver, which has no other way to tell its attributes; an invalid value if there is none.
func field(o any, name string) reflect.Value {
	v := reflect.Indirect(reflect.ValueOf(o))
	if v.Kind() != reflect.Struct {
		return reflect.Value{}
	}
	return v.FieldByName(name)
}

func number(o gorgonia.Op, name string) int {
	switch v := field(o, name); {
	case v.IsValid() && v.CanInt():
		return int(v.Int())
	case v.IsValid() && v.CanUint():
		return int(v.Uint())
	}
	return 0
}

func flag(o any, name string) bool {
	v := field(o, name)
	return v.Kind() == reflect.Bool && v.Bool()
}

func ints(o gorgonia.Op, name string) []int {
	v := field(o, name)
	if v.Kind() != reflect.Slice {
		return nil
	}
	out := make([]int, v.Len())
	for i := range out {
		out[i] = int(v.Index(i).Int())
	}
	return out
}

func count(shape []int) int {
	n := 1
	for _, d := range shape {
		n *= d
	}
	return n
}
