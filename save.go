package paddle

import (
	"errors"
	"fmt"
	"strings"

	"paddle/internal/safetensors"
	"paddle/op"
)

// Save writes the parameters and the running statistics of a model to a file, each under the path of its field, such as "conv1.weight". net is
// what op.NewGraph was given. The file is in the safetensors format, which other libraries read, with checksums, and replaces an older
// one in one step: whatever happens while it is written, path is the whole old file or the whole new one.
//
// A parameter that several fields share is saved once, under the first. Fields that no graph has used, such as the bias of a layer without
// one, are left out; it is an error if a graph has given a parameter its shape but no program has given it a value, and nobody has loaded
// one. All values are of one moment, between two steps of any trainer, whose next step waits meanwhile.
func Save(path string, net any) error {
	variables, err := savable(net)
	if err == nil {
		err = writeVariables(path, variables, metadata())
	}
	if err != nil {
		return fmt.Errorf("paddle.Save: %w", err)
	}
	return nil
}

// savable returns the variables of a model that have a value.
func savable(net any) ([]op.Named, error) {
	all, err := op.Walk(net)
	if err != nil {
		return nil, err
	}
	var variables []op.Named
	var empty []string
	for _, n := range all {
		_, _, loaded := n.Variable.Staged()
		switch {
		case loaded || n.Variable.Allocated():
			variables = append(variables, n)
		case n.Variable.Defined():
			empty = append(empty, n.Name)
		}
	}
	switch {
	case len(empty) > 0:
		return nil, fmt.Errorf("%s without a value: compile a trainer or a predictor that uses it, or load the model, before it is saved", strings.Join(empty, ", "))
	case len(all) == 0:
		return nil, fmt.Errorf("%T has no parameters", net)
	case len(variables) == 0:
		return nil, fmt.Errorf("%T has no values yet: build its graph and compile a trainer or a predictor, or load the model, before it is saved", net)
	}
	return variables, checkWhole(variables)
}

// checkWhole returns an error if this process holds only a part of a variable.
func checkWhole(variables []op.Named) error {
	for _, n := range variables {
		v := n.Variable
		if whole, part := v.Shape(), v.LocalShape(); len(whole) > 0 && whole[0] != part[0] {
			return fmt.Errorf("%s: this process holds the rows %d to %d of %d, want all", n.Name, v.LocalOffset(), v.LocalOffset()+part[0]-1, whole[0])
		}
	}
	return nil
}

// Load reads a file that Save or Trainer.Save wrote, or another program in the safetensors format, into a model. It may come before the
// model's graph is built, after, or after training: the values of the file are then those of the model, and running predictors see them
// all at once.
//
// Every parameter must be in the file, with its type and shape, and the file must have nothing else (a trainer's state is passed over). All
// differences are in one error, and nothing has changed after one. Where there is no graph yet, the shapes, and which parameters are used, are
// checked when one is compiled.
func Load(path string, net any) error {
	_, err := load(path, net, true)
	if err != nil {
		return fmt.Errorf("paddle.Load: %w", err)
	}
	return nil
}

// LoadPartial is Load for a file and a model that agree in part, such as a trained network and one with another last layer: it reads what
// has the same name, type and shape, leaves the other parameters as they are, and returns the differences. It is an error if nothing
// agrees.
func LoadPartial(path string, net any) (Differences, error) {
	d, err := load(path, net, false)
	if err != nil {
		return d, fmt.Errorf("paddle.LoadPartial: %w", err)
	}
	return d, nil
}

func load(path string, net any, strict bool) (d Differences, err error) {
	wanted, err := op.Walk(net)
	if err != nil {
		return d, err
	}
	err = readFile(path, func(f *safetensors.File) error {
		found, open, differences := match(f, wanted, trainerState(f))
		d = differences
		switch {
		case strict && !d.None():
			return fmt.Errorf("%s does not fit the model: %s", path, d)
		case len(found) == 0:
			return errors.New(path + " has nothing for the model")
		}
		values, err := readValues(f, found)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if err := op.AssignAll(variablesOf(found), values); err != nil {
			return err
		}
		for _, n := range open {
			if strict {
				n.Variable.Require("is missing in " + path)
			}
		}
		return nil
	})
	return d, err
}

// trainerState returns a function that knows the tensors which belong to trainers.
func trainerState(f *safetensors.File) func(name string) bool {
	var prefixes []string
	for key := range f.Metadata() {
		if name, ok := strings.CutPrefix(key, trainerKey); ok {
			prefixes = append(prefixes, name+"/")
		}
	}
	return func(name string) bool {
		for _, p := range prefixes {
			if strings.HasPrefix(name, p) {
				return true
			}
		}
		return false
	}
}
