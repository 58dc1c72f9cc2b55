package op_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"paddle/internal/cpu"
	"paddle/op"
)

func TestVariableDefine(t *testing.T) {
	v := new(op.Variable)
	if v.Defined() || v.DType() != op.InvalidDType || v.Shape() != nil || v.Allocated() {
		t.Error("a new variable has a type, a shape or memory")
	}
	if err := v.Define(op.Float32, nil, 2, -1); err == nil || err.Error() != "shape [2 -1] has a negative size" {
		t.Errorf("got %v", err)
	}
	if err := v.Define(op.Float32, nil, 2, 3); err != nil {
		t.Fatal(err)
	}
	if err := v.Define(op.Float32, nil, 2, 3); err != nil {
		t.Errorf("the same again: %v", err)
	}
	for want, err := range map[string]error{
		"has float32 (2, 3), want float32 (3, 2)": v.Define(op.Float32, nil, 3, 2),
		"has float32 (2, 3), want float64 (2, 3)": v.Define(op.Float64, nil, 2, 3),
	} {
		if err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if first, again := v.ID(), v.ID(); first != again || first == new(op.Variable).ID() {
		t.Error("an ID changes, or is that of another variable")
	}
	g := op.NewGraph(nil)
	if got, want := message(t, g.Read(&op.Variable{}).Err()), "op.Graph.Read: variable variable#"; len(got) < len(want) || got[:len(want)] != want {
		t.Errorf("reading a variable without shape: got %q", got)
	}
}

func buffer32(shape []int, x ...float32) op.Buffer {
	b := op.NewBuffer(op.Float32, shape...)
	copy(b.Float32s(), x)
	return b
}

// A value may be assigned before the shape is known, before there is memory, or later; it wins over the initial value.
func TestVariableAssign(t *testing.T) {
	early, late := new(op.Variable), new(op.Variable)
	value := buffer32([]int{2}, 5, 6)
	if err := early.Assign(value); err != nil {
		t.Fatal(err)
	}
	value.Float32s()[0] = 99 // it was copied
	if d, shape, ok := early.Staged(); !ok || d != op.Float32 || !slices.Equal(shape, []int{2}) {
		t.Errorf("staged is %v %v %v", d, shape, ok)
	}
	for _, v := range []*op.Variable{early, late} {
		if err := v.Define(op.Float32, op.InitConstant(1), 2); err != nil {
			t.Fatal(err)
		}
		if err := v.Allocate(cpu.New(), 1, "v"); err != nil {
			t.Fatal(err)
		}
	}
	read := func(v *op.Variable) string {
		b, ok := v.Snapshot()
		return fmt.Sprint(b.Float32s(), ok)
	}
	if got := read(early) + read(late); got != "[5 6] true[1 1] true" {
		t.Errorf("got %s", got)
	}
	if err := late.Assign(buffer32([]int{2}, 7, 8)); err != nil || read(late) != "[7 8] true" {
		t.Errorf("assigned: %s (%v)", read(late), err)
	}
	if err := late.Allocate(cpu.New(), 1, "v"); err != nil || read(late) != "[7 8] true" {
		t.Errorf("a second allocation leaves %s (%v)", read(late), err)
	}
	if err := late.Assign(buffer32([]int{1, 2})); err == nil || err.Error() != "is float32 (1, 2), want float32 (2,)" {
		t.Errorf("got %v", err)
	}
	if err := late.Fits(op.Float64, []int{2}); err == nil || err.Error() != "is float64 (2,), want float32 (2,)" {
		t.Errorf("got %v", err)
	}
	if got := late.Dense().Float32s(); !slices.Equal(got, []float32{7, 8}) {
		t.Errorf("as a tensor: %v", got)
	}
	late.Dense().Float32s()[1] = 9 // the variable's own memory
	if got := read(late); got != "[7 9] true" {
		t.Errorf("got %s", got)
	}
	wrong := new(op.Variable)
	if err := wrong.Assign(buffer32([]int{3})); err != nil {
		t.Fatal(err)
	}
	if err := wrong.Define(op.Float32, nil, 2); err != nil {
		t.Fatal(err)
	}
	if err := wrong.Allocate(cpu.New(), 1, "w"); err == nil || err.Error() != "variable w: the loaded value is float32 (3,), want float32 (2,)" {
		t.Errorf("got %v", err)
	}
}

// The parts of a sharded variable start as the rows of the whole, whatever fills it.
func TestVariableShards(t *testing.T) {
	for name, init := range map[string]op.Init{
		"constant": op.InitConstant(3), "uniform": op.InitUniform{Low: -1, High: 2}, "normal": op.InitNormal{Mean: 1, Deviation: 2},
		"xavier": op.InitXavier{}, "kaiming": op.InitKaiming{},
	} {
		whole := new(op.Variable)
		if err := whole.Define(op.Float32, init, 7, 5); err != nil {
			t.Fatal(err)
		}
		if err := whole.Allocate(cpu.New(), 42, "table"); err != nil {
			t.Fatal(err)
		}
		var joined []float32
		for _, r := range [][2]int{{0, 3}, {3, 3}, {3, 7}} {
			part := new(op.Variable)
			if err := part.Define(op.Float32, init, 7, 5); err != nil {
				t.Fatal(err)
			}
			if err := part.SetLocal(r[0], r[1]); err != nil {
				t.Fatal(err)
			}
			if err := part.Allocate(cpu.New(), 42, "table"); err != nil {
				t.Fatal(err)
			}
			if part.LocalOffset() != r[0] || !slices.Equal(part.LocalShape(), []int{r[1] - r[0], 5}) || !slices.Equal(part.Shape(), []int{7, 5}) {
				t.Errorf("the part has rows from %d of shape %v of %v", part.LocalOffset(), part.LocalShape(), part.Shape())
			}
			joined = append(joined, part.Memory().Float32s()...)
		}
		if !slices.Equal(joined, whole.Memory().Float32s()) {
			t.Errorf("%s: the parts are %v\nwant %v", name, joined, whole.Memory().Float32s())
		}
	}
	v := new(op.Variable)
	if err := v.Define(op.Float32, nil, 4, 2); err != nil {
		t.Fatal(err)
	}
	for want, r := range map[string][2]int{"rows -1 to 2 of 4": {-1, 2}, "rows 3 to 2 of 4": {3, 2}, "rows 0 to 5 of 4": {0, 5}} {
		if err := v.SetLocal(r[0], r[1]); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if err := v.Allocate(cpu.New(), 1, "v"); err != nil {
		t.Fatal(err)
	}
	if err := v.SetLocal(0, 2); err == nil || err.Error() != "the variable has a value already" {
		t.Errorf("got %v", err)
	}
}

// Initial values have the bounds and moments of their papers, and depend on seed and name only.
func TestInit(t *testing.T) {
	fill := func(init op.Init, seed uint64, name string, shape ...int) []float64 {
		v := new(op.Variable)
		if err := v.Define(op.Float64, init, shape...); err != nil {
			t.Fatal(err)
		}
		if err := v.Allocate(cpu.New(), seed, name); err != nil {
			t.Fatal(err)
		}
		return v.Memory().Float64s()
	}
	moments := func(x []float64) (mean, deviation, low, high float64) {
		low, high = math.Inf(1), math.Inf(-1)
		for _, v := range x {
			mean += v / float64(len(x))
			low, high = min(low, v), max(high, v)
		}
		for _, v := range x {
			deviation += (v - mean) * (v - mean) / float64(len(x))
		}
		return mean, math.Sqrt(deviation), low, high
	}
	for name, c := range map[string]struct {
		init            op.Init
		shape           []int
		mean, deviation float64
		bound           float64 // 0: none
	}{
		"xavier matrix":  {op.InitXavier{}, []int{200, 100}, 0, math.Sqrt(6.0/300) / math.Sqrt(3), math.Sqrt(6.0 / 300)},
		"xavier filter":  {op.InitXavier{}, []int{20, 10, 5, 5}, 0, math.Sqrt(6.0/750) / math.Sqrt(3), math.Sqrt(6.0 / 750)},
		"kaiming matrix": {op.InitKaiming{}, []int{200, 100}, 0, math.Sqrt(2.0 / 200), 0},
		"kaiming filter": {op.InitKaiming{}, []int{20, 10, 5, 5}, 0, math.Sqrt(2.0 / 250), 0},
		"normal":         {op.InitNormal{Mean: 3, Deviation: 0.5}, []int{20000}, 3, 0.5, 0},
		"uniform":        {op.InitUniform{Low: -2, High: 2}, []int{20000}, 0, 2 / math.Sqrt(3), 2},
		"constant":       {op.InitConstant(4), []int{10}, 4, 0, 4},
	} {
		x := fill(c.init, 7, "w", c.shape...)
		mean, deviation, low, high := moments(x)
		if math.Abs(mean-c.mean) > 0.05*(c.deviation+1e-9) || math.Abs(deviation-c.deviation) > 0.05*(c.deviation+1e-9) {
			t.Errorf("%s: mean %v and deviation %v, want %v and %v", name, mean, deviation, c.mean, c.deviation)
		}
		if c.bound > 0 && (low < -c.bound || high > c.bound || high < 0.95*c.bound) {
			t.Errorf("%s: values from %v to %v, want ±%v", name, low, high, c.bound)
		}
		if !slices.Equal(x, fill(c.init, 7, "w", c.shape...)) {
			t.Errorf("%s: the same seed and name give other numbers", name)
		}
		if name != "constant" && (slices.Equal(x, fill(c.init, 8, "w", c.shape...)) || slices.Equal(x, fill(c.init, 7, "v", c.shape...))) {
			t.Errorf("%s: another seed or name gives the same numbers", name)
		}
	}
}

// Several variables are read and assigned as of one moment, all or none.
func TestViewAndAssignAll(t *testing.T) {
	vars := []*op.Variable{new(op.Variable), new(op.Variable), new(op.Variable)}
	for _, v := range vars[:2] {
		if err := v.Define(op.Float32, op.InitConstant(1), 2); err != nil {
			t.Fatal(err)
		}
		if err := v.Allocate(cpu.New(), 1, "v"); err != nil {
			t.Fatal(err)
		}
	}
	if err := op.AssignAll(vars[:2], []op.Buffer{buffer32([]int{2}, 3, 4), buffer32([]int{3})}); err == nil || err.Error() != "value 1 is float32 (3,), want float32 (2,)" {
		t.Errorf("got %v", err)
	}
	if err := op.AssignAll(vars, nil); err == nil || err.Error() != "0 values for 3 variables" {
		t.Errorf("got %v", err)
	}
	view := func() (out []string) {
		err := op.ViewAll([]*op.Variable{vars[1], vars[0], vars[2], vars[0]}, func(values []op.Buffer) error {
			for _, b := range values {
				out = append(out, fmt.Sprint(b.DType, b.Float32s()))
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	if got, want := view(), []string{"float32 [1 1]", "float32 [1 1]", "invalid []", "float32 [1 1]"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v: a failed assignment changes nothing", got, want)
	}
	if err := op.AssignAll([]*op.Variable{vars[0], vars[2]}, []op.Buffer{buffer32([]int{2}, 3, 4), buffer32([]int{1}, 9)}); err != nil {
		t.Fatal(err)
	}
	if got, want := view(), []string{"float32 [1 1]", "float32 [3 4]", "float32 [9]", "float32 [3 4]"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// A value that is required is not replaced by a random one.
func TestVariableRequire(t *testing.T) {
	v := new(op.Variable)
	v.Require("is missing in the file")
	if err := v.Define(op.Float32, op.InitConstant(1), 2); err != nil {
		t.Fatal(err)
	}
	if err := v.Ready(); err == nil || err.Error() != "is missing in the file" {
		t.Errorf("got %v", err)
	}
	if err := v.Allocate(cpu.New(), 1, "v"); err == nil {
		t.Error("it was initialised all the same")
	}
	if err := v.Assign(buffer32([]int{2}, 1, 2)); err != nil {
		t.Fatal(err)
	}
	if err := v.Ready(); err != nil {
		t.Error(err)
	}
	if err := v.Allocate(cpu.New(), 1, "v"); err != nil {
		t.Error(err)
	}
}
