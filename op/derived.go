package op

import (
	"sync"
	"sync/atomic"
)

// Derived is where a Backend keeps what it has made of the value of a variable that many runs read and few change, such as a weight in the
// order in which a product reads it. A program that writes no variables has one for each variable that it reads, for all of its runs, and
// shows it to the Backend with the variable's buffer (Buffer.Derived).
//
// What is kept holds until the variable changes: by a program that writes it, or by a value that is assigned to it. Of a variable whose memory has been given
// away (Variable.Dense, Variable.Expose) nothing is kept, for it may change at any time.
type Derived struct {
	variable *Variable
	mu       sync.Mutex
	forms    atomic.Pointer[[]*Form] // grows only; replaced under mu
}

// NewDerived returns an empty place for what is made of v.
func NewDerived(v *Variable) *Derived { return &Derived{variable: v} }

// FormKey names something that is made of a value: what it is, and the sizes of the matrix that the value is taken for.
type FormKey struct {
	Name          string
	Rows, Columns int
}

// Form returns the place of what key names.
func (d *Derived) Form(key FormKey) *Form {
	if f := find(d.forms.Load(), key); f != nil {
		return f
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	list := d.forms.Load()
	if f := find(list, key); f != nil {
		return f
	}
	f := &Form{key: key, variable: d.variable}
	longer := []*Form{f}
	if list != nil {
		longer = append(longer, *list...)
	}
	d.forms.Store(&longer)
	return f
}

func find(forms *[]*Form, key FormKey) *Form {
	if forms == nil {
		return nil
	}
	for _, f := range *forms {
		if f.key == key {
			return f
		}
	}
	return nil
}

// Form is one thing that is made of a variable's value. Its methods are for runs that keep others from writing the variable. Where many
// runs want it at a time one of them makes it, and the others do without.
type Form struct {
	// Value is what was made. It is written between Begin and End, and read where Ready is true.
	Value any

	key      FormKey
	variable *Variable
	made     atomic.Uint64 // version of the variable that Value was made of
	met      atomic.Uint64 // version of the variable at the last Begin
	making   sync.Mutex
}

// Ready reports whether Value was made of the value that the variable has now.
func (f *Form) Ready() bool {
	v := f.variable.changes()
	return v != 0 && f.made.Load() == v
}

// Begin reports whether the caller is to make Value, after which it calls End. It is when a value is wanted for the second time: one that
// changes before is not worth it, such as that of a weight which a trainer changes after each prediction.
func (f *Form) Begin() bool {
	v := f.variable.changes()
	if v == 0 || f.met.Swap(v) != v || !f.making.TryLock() {
		return false
	}
	if f.made.Load() == v {
		f.making.Unlock()
		return false
	}
	return true
}

// End says that Value is made.
func (f *Form) End() {
	f.made.Store(f.variable.changes())
	f.making.Unlock()
}
