package datasets

import (
	"slices"
	"testing"

	"paddle/op"

	"gorgonia.org/tensor"
)

// testSet has n records: x float32 (n, 2), where record i is (i, i+½), and y int32 (n), where it is −i.
func testSet(t *testing.T, n int) *Set {
	t.Helper()
	x, y := make([]float32, 2*n), make([]int32, n)
	for i := range n {
		x[2*i], x[2*i+1], y[i] = float32(i), float32(i)+0.5, int32(-i)
	}
	s, err := NewSet(op.Feeds{
		"x": tensor.New(tensor.WithShape(n, 2), tensor.WithBacking(x)),
		"y": tensor.New(tensor.WithShape(n), tensor.WithBacking(y)),
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// recordsOf returns the numbers of the records in a batch of testSet, and fails if a value is not the record's.
func recordsOf(t *testing.T, batch op.Feeds) []int {
	t.Helper()
	x, y := batch["x"].Data().([]float32), batch["y"].Data().([]int32)
	if len(batch) != 2 || !batch["x"].Shape().Eq(tensor.Shape{len(y), 2}) || !batch["y"].Shape().Eq(tensor.Shape{len(y)}) {
		t.Fatalf("the batch is %v", batch)
	}
	var records []int
	for k, v := range y {
		i := int(-v)
		if x[2*k] != float32(i) || x[2*k+1] != float32(i)+0.5 {
			t.Fatalf("row %d has y of record %d and x %v", k, i, x[2*k:2*k+2])
		}
		records = append(records, i)
	}
	return records
}

func TestNewSetErrors(t *testing.T) {
	ints := func(n int) *tensor.Dense { return tensor.New(tensor.WithBacking(make([]int32, n))) }
	masked := tensor.New(tensor.WithShape(2), tensor.WithBacking([]float32{1, 2}, []bool{true, false}))
	for want, columns := range map[string]op.Feeds{
		`datasets.NewSet: "b" has 3 records, "a" has 2`:                     {"a": ints(2), "b": ints(3)},
		`datasets.NewSet: "a" is a scalar, want a first axis of records`:    {"a": tensor.New(tensor.FromScalar(float32(1)))},
		`datasets.NewSet: "a": the tensor is nil`:                           {"a": nil},
		`datasets.NewSet: "a": the tensor is masked, want one without a ma`: {"a": masked},
		`datasets.NewSet: "a": tensor has type`:                             {"a": tensor.New(tensor.WithBacking([]string{"x", "y"}))},
	} {
		_, err := NewSet(columns)
		contains(t, err, want)
	}
}

// TestNewSetOfViews: a transposed tensor and a block of columns give what their copies give.
func TestNewSetOfViews(t *testing.T) {
	whole := func() *tensor.Dense {
		return tensor.New(tensor.WithShape(2, 3), tensor.WithBacking([]float64{0, 1, 2, 3, 4, 5}))
	}
	transposed := whole()
	if err := transposed.T(); err != nil {
		t.Fatal(err)
	}
	columns, err := whole().Slice(nil, tensor.S(1, 3))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		view *tensor.Dense
		want []float64
	}{
		{transposed, []float64{2, 5, 0, 3}}, // records 2 and 0 of (3, 2)
		{columns.(*tensor.Dense), []float64{4, 5, 1, 2}},
	} {
		s, err := NewSet(op.Feeds{"x": test.view})
		if err != nil {
			t.Fatal(err)
		}
		batch, err := s.Gather(s.Len()-1, 0)
		if err != nil {
			t.Fatal(err)
		}
		same(t, "records", batch["x"].Data().([]float64), test.want)
	}
}

func TestSetOfEveryType(t *testing.T) {
	for _, backing := range []any{[]float32{1, 2, 3}, []float64{1, 2, 3}, []int32{1, 2, 3}, []int64{1, 2, 3}, []uint8{1, 2, 3}, []bool{true, false, true}} {
		column := tensor.New(tensor.WithShape(3), tensor.WithBacking(backing))
		s, err := NewSet(op.Feeds{"x": column})
		if err != nil {
			t.Fatal(err)
		}
		batch, err := s.Gather(0, 1, 2)
		if err != nil {
			t.Fatal(err)
		}
		if got := batch["x"]; got.Dtype() != column.Dtype() || !got.Eq(column) {
			t.Errorf("%v: got %v", column, got)
		}
	}
}

func TestGather(t *testing.T) {
	s := testSet(t, 5)
	batch, err := s.Gather(4, 0, 4)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "records", recordsOf(t, batch), []int{4, 0, 4})
	for want, index := range map[string][]int{"index 5 of 5 records": {0, 5}, "index -1 of 5 records": {-1}, "there are no indices": nil} {
		_, err := s.Gather(index...)
		contains(t, err, "datasets.Set.Gather: "+want)
	}
}

func TestSlice(t *testing.T) {
	s := testSet(t, 10)
	part, err := s.Slice(3, 7)
	if err != nil || part.Len() != 4 {
		t.Fatal(part.Len(), err)
	}
	batch, _ := part.Gather(0, 3)
	same(t, "records", recordsOf(t, batch), []int{3, 6})
	part, _ = part.Slice(1, 2)
	batch, _ = part.Gather(0)
	same(t, "a slice of a slice", recordsOf(t, batch), []int{4})
	for lo := range 11 {
		empty, err := s.Slice(lo, lo)
		if err != nil || empty.Len() != 0 || len(collect(t, empty.InOrder(4))) != 0 || len(collect(t, empty.Shuffled(1, BatchOptions{Size: 4})(0))) != 0 {
			t.Errorf("Slice(%d, %d): %v, or it has batches", lo, lo, err)
		}
	}
	for _, r := range [][2]int{{-1, 2}, {3, 2}, {0, 11}} {
		_, err := s.Slice(r[0], r[1])
		contains(t, err, "datasets.Set.Slice: records")
	}
}

func TestStack(t *testing.T) {
	record := func(x ...float32) op.Feeds {
		return op.Feeds{"x": tensor.New(tensor.WithShape(len(x)), tensor.WithBacking(x)), "y": tensor.New(tensor.FromScalar(int32(len(x))))}
	}
	batch, err := Stack([]op.Feeds{record(1, 2), record(3, 4), record(5, 6)})
	if err != nil {
		t.Fatal(err)
	}
	if !batch["x"].Shape().Eq(tensor.Shape{3, 2}) || !batch["y"].Shape().Eq(tensor.Shape{3}) {
		t.Fatalf("shapes %v and %v", batch["x"].Shape(), batch["y"].Shape())
	}
	same(t, "x", batch["x"].Data().([]float32), []float32{1, 2, 3, 4, 5, 6})
	same(t, "y", batch["y"].Data().([]int32), []int32{2, 2, 2})

	other := record(1, 2)
	other["x"] = tensor.New(tensor.WithBacking([]float64{1, 2}))
	renamed := record(1, 2)
	renamed["z"] = renamed["y"]
	delete(renamed, "y")
	for want, records := range map[string][]op.Feeds{
		`datasets.Stack: "x" of record 1 is float32 of shape (3), want float32 of shape (2)`: {record(1, 2), record(1, 2, 3)},
		`datasets.Stack: "x" of record 1 is float64 of shape (2), want float32 of shape (2)`: {record(1, 2), other},
		`datasets.Stack: record 1 has inputs ["x" "z"], want ["x" "y"]`:                      {record(1, 2), renamed},
		`datasets.Stack: record 2 has inputs [], want ["x" "y"]`:                             {record(1, 2), record(1, 2), {}},
		`datasets.Stack: "x" of record 0: the tensor is nil`:                                 {{"x": nil}},
	} {
		_, err := Stack(records)
		contains(t, err, want)
	}
}

// TestStackIsGather: reading records one by one and stacking them is gathering them.
func TestStackIsGather(t *testing.T) {
	s := testSet(t, 9)
	for _, order := range [][]int{{1}, {0, 8, 3}} {
		var records []op.Feeds
		for _, i := range order {
			one, err := s.Slice(i, i+1)
			if err != nil {
				t.Fatal(err)
			}
			records = append(records, slices.Collect(values(one.InOrder(1)))...)
		}
		batch, err := Stack(records)
		if err != nil {
			t.Fatal(err)
		}
		if err := batch["x"].Reshape(len(order), 2); err != nil { // Stack gave (n, 1, 2)
			t.Fatal(err)
		}
		if err := batch["y"].Reshape(len(order)); err != nil {
			t.Fatal(err)
		}
		same(t, "records", recordsOf(t, batch), order)
	}
}
