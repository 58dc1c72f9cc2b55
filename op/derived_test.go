package op_test

import (
	"sync"
	"testing"

	"paddle/op"
)

// newVariable returns a variable of n elements that has a value.
func newVariable(t *testing.T, n int) *op.Variable {
	t.Helper()
	v := new(op.Variable)
	if err := v.Define(op.Float32, nil, n); err != nil {
		t.Fatal(err)
	}
	if err := v.Allocate(nil, 0, "v"); err != nil {
		t.Fatal(err)
	}
	return v
}

// ask is what a run does that wants a form: it returns whether the form was there, and makes it if it is to.
func ask(v *op.Variable, f *op.Form, value any) (ready, made bool) {
	v.RLock()
	defer v.RUnlock()
	if f.Ready() {
		return true, false
	}
	if !f.Begin() {
		return false, false
	}
	f.Value = value
	f.End()
	return false, true
}

func TestFormIsMadeWhenAValueIsWantedTwice(t *testing.T) {
	v := newVariable(t, 2)
	f := op.NewDerived(v).Form(op.FormKey{Name: "copy", Rows: 1, Columns: 2})
	changes := map[string]func(){
		"a lock":    func() { v.Lock(); v.Unlock() }, //lint:ignore SA2001 that it was locked says that it may have changed
		"Assign":    func() { noError(t, v.Assign(op.NewBuffer(op.Float32, 2))) },
		"AssignAll": func() { noError(t, op.AssignAll([]*op.Variable{v}, []op.Buffer{op.NewBuffer(op.Float32, 2)})) },
	}
	for name, change := range changes {
		for range 5 { // each value is wanted once
			change()
			if ready, made := ask(v, f, 0); ready || made {
				t.Errorf("after %s: ready %v, made %v at the first time, want neither", name, ready, made)
			}
		}
		if _, made := ask(v, f, 1); !made {
			t.Errorf("after %s: it is not made at the second time", name)
		}
		for range 3 {
			if ready, _ := ask(v, f, 2); !ready || f.Value != 1 {
				t.Errorf("after %s: ready %v with %v, want what was made once", name, ready, f.Value)
			}
		}
	}
}

func noError(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Of memory that somebody else may write to nothing is kept, nor what was made before.
func TestNothingIsMadeOfExposedMemory(t *testing.T) {
	for name, expose := range map[string]func(v *op.Variable){
		"Dense":  func(v *op.Variable) { v.Dense().Float32s()[0] = 1 },
		"Expose": func(v *op.Variable) { v.Expose().Float32s()[0] = 1 },
	} {
		v := newVariable(t, 2)
		f := op.NewDerived(v).Form(op.FormKey{Name: "copy"})
		ask(v, f, 1)
		ask(v, f, 1)
		if ready, _ := ask(v, f, 1); !ready {
			t.Fatalf("%s: not made at first", name)
		}
		expose(v)
		for range 3 {
			if ready, made := ask(v, f, 2); ready || made {
				t.Errorf("after %s: ready %v, made %v", name, ready, made)
			}
		}
	}
}

// Readers share a form while another goroutine changes the variable: none sees a form of another value than it reads.
func TestFormsFollowAVariableThatChanges(t *testing.T) {
	v := newVariable(t, 1)
	d := op.NewDerived(v)
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			for range 500 {
				v.RLock()
				f, now := d.Form(op.FormKey{Name: "number"}), v.Memory().Float32s()[0]
				if !f.Ready() && f.Begin() {
					f.Value = now
					f.End()
				}
				if f.Ready() && f.Value != now {
					t.Errorf("the form is %v, the value %v", f.Value, now)
				}
				v.RUnlock()
			}
		})
	}
	for i := range 100 {
		v.Lock()
		v.Memory().Float32s()[0] = float32(i)
		v.Unlock()
	}
	readers.Wait()
}

// A part of a variable that does not begin where the variable does must not be taken for it.
func TestRowsOfABufferHaveNothingDerived(t *testing.T) {
	d := op.NewDerived(newVariable(t, 6))
	b := op.NewBuffer(op.Float32, 3, 2).WithDerived(d)
	if b.Reshaped([]int{6}).Derived() != d || b.Rows(0, 2, make([]int, 2)).Derived() != d {
		t.Error("what begins with the variable has lost its place")
	}
	var part op.Buffer
	if part.PointAt(&b, 1); b.Rows(1, 3, make([]int, 2)).Derived() != nil || part.Derived() != nil || b.Clone().Derived() != nil {
		t.Error("rows from the second on, or a copy, have the place of the variable")
	}
	if part.PointAt(&b, 0); part.Derived() != d {
		t.Error("a buffer that is pointed at the variable does not have its place")
	}
}
