package op

import (
	"errors"
	"fmt"
	"slices"
)

// ViewAll calls use with the values of variables, in their order, all as of one moment: no program changes any of them meanwhile. The
// buffers are the variables' own memory, not to be changed and valid during the call only. A variable without memory has the value that was
// loaded for it; one that has neither gives a Buffer of InvalidDType. use must not assign to the variables nor train them.
func ViewAll(variables []*Variable, use func(values []Buffer) error) error {
	ordered := lockOrder(variables)
	for _, v := range ordered {
		v.mu.RLock()
	}
	defer func() {
		for _, v := range ordered {
			v.mu.RUnlock()
		}
	}()
	values := make([]Buffer, len(variables))
	for i, v := range variables {
		if values[i] = v.value; v.value.isZero() {
			values[i] = v.staged
		}
	}
	return use(values)
}

// AssignAll assigns values[i] to variables[i], all at one moment: a program sees every new value or none. If one of them does not fit
// (Variable.Fits) nothing changes. The values belong to the variables from then on.
func AssignAll(variables []*Variable, values []Buffer) error {
	if len(variables) != len(values) {
		return fmt.Errorf("%d values for %d variables", len(values), len(variables))
	}
	ordered := lockOrder(variables)
	for _, v := range ordered {
		v.mu.Lock()
	}
	defer func() {
		for _, v := range ordered {
			v.mu.Unlock()
		}
	}()
	for i, v := range variables {
		if v.dtype == InvalidDType {
			continue
		}
		if err := v.fits(values[i]); err != nil {
			return fmt.Errorf("value %d %w", i, err)
		}
	}
	for i, v := range variables {
		v.lacking = ""
		if v.value.isZero() {
			v.staged = values[i]
		} else {
			copy(v.value.Bytes(), values[i].Bytes())
			v.version++
		}
	}
	return nil
}

// lockOrder returns each variable once, in the order in which programs lock them.
func lockOrder(variables []*Variable) []*Variable {
	ordered := slices.Clone(variables)
	slices.SortFunc(ordered, func(a, b *Variable) int {
		if a.ID() < b.ID() {
			return -1
		} else if a.ID() > b.ID() {
			return 1
		}
		return 0
	})
	return slices.Compact(ordered)
}

// Require makes it an error to give v an initial value: it has to be assigned one before. A model whose file has no value for v must not
// go on with a random one. reason goes on after v's name, such as "is missing in m.safetensors". Where v has a value it does nothing.
func (v *Variable) Require(reason string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.value.isZero() && v.staged.isZero() {
		v.lacking = reason
	}
}

// Ready returns an error unless v can be given memory: a value that was loaded must fit, and one that is required must be there.
func (v *Variable) Ready() error {
	v.mu.RLock()
	defer v.mu.RUnlock()
	switch {
	case !v.value.isZero():
		return nil
	case v.lacking != "":
		return errors.New(v.lacking)
	case !v.staged.isZero():
		return v.fits(v.staged)
	}
	return nil
}
