package paddle

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"paddle/internal/safetensors"
	"paddle/op"
)

// Save writes the whole state of the training to a file, in one step as the function Save does: the parameters and running statistics
// that the trainer reaches, by their paths; the optimizer's state, by the trainer's name and the parameters' paths; the counters that
// random numbers and schedules depend on; the seed; and how far Fit has come. with are further trainers of the same model whose
// state belongs to the same moment, such as the second of a GAN; each needs a name of its own (Named).
//
// It may be called at any time, from any goroutine and from the handler of Fit: the state is that between two steps.
func (t *Trainer) Save(path string, with ...*Trainer) error {
	if err := saveTrainers(path, append([]*Trainer{t}, with...)); err != nil {
		return fmt.Errorf("paddle.Trainer.Save: %w", err)
	}
	return nil
}

func saveTrainers(path string, trainers []*Trainer) error {
	variables, err := stateOf(trainers)
	if err != nil {
		return err
	}
	if err := checkWhole(variables); err != nil {
		return err
	}
	defer lockTrainers(trainers)()
	meta := metadata()
	for _, t := range trainers {
		if meta[trainerKey+t.name], err = t.position.encode(t.seed()); err != nil {
			return err
		}
	}
	return writeVariables(path, variables, meta)
}

// Load restores what Save wrote, bit for bit, into trainers of a model with the same parameters, usually new ones in another process: the
// training goes on as if it had never stopped. Everything is matched by name, so that the order of the model's fields does not matter.
// The settings of optimizers, schedules and passes are those of the program, not of the file. with are the trainers that Save was given.
//
// All differences between the file and the trainers are in one error; after an error nothing has changed.
func (t *Trainer) Load(path string, with ...*Trainer) error {
	if err := loadTrainers(path, append([]*Trainer{t}, with...)); err != nil {
		return fmt.Errorf("paddle.Trainer.Load: %w", err)
	}
	return nil
}

func loadTrainers(path string, trainers []*Trainer) error {
	wanted, err := stateOf(trainers)
	if err != nil {
		return err
	}
	return readFile(path, func(f *safetensors.File) error {
		positions, seeds, err := decodePositions(f, trainers)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		found, _, d := match(f, wanted, func(string) bool { return false })
		if !d.None() {
			return fmt.Errorf("%s does not fit the training: %s", path, d)
		}
		values, err := readValues(f, found)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		defer lockTrainers(trainers)()
		for _, t := range trainers {
			if t.fitting {
				return fmt.Errorf("trainer %q is in Fit", t.name)
			}
		}
		if err := op.AssignAll(variablesOf(found), values); err != nil {
			return err
		}
		for i, t := range trainers {
			t.position = positions[i]
			t.program.Graph().Seed = seeds[i]
		}
		return nil
	})
}

func decodePositions(f *safetensors.File, trainers []*Trainer) (positions []position, seeds []uint64, err error) {
	for _, t := range trainers {
		text, ok := f.Metadata()[trainerKey+t.name]
		if !ok {
			return nil, nil, fmt.Errorf("has no state of a trainer named %q", t.name)
		}
		p, seed, err := decodePosition(text)
		if err != nil {
			return nil, nil, fmt.Errorf("state of trainer %q: %w", t.name, err)
		}
		positions, seeds = append(positions, p), append(seeds, seed)
	}
	return positions, seeds, nil
}

// lockTrainers holds off the steps of trainers and returns what lets them go on. They are locked in an order of their own, so that two
// calls cannot wait for each other.
func lockTrainers(trainers []*Trainer) (unlock func()) {
	ordered := slices.SortedFunc(slices.Values(trainers), func(a, b *Trainer) int { return cmp.Compare(a.updates.ID(), b.updates.ID()) })
	for _, t := range ordered {
		t.mu.Lock()
	}
	return func() {
		for _, t := range ordered {
			t.mu.Unlock()
		}
	}
}

func (t *Trainer) seed() uint64 { return t.program.Graph().Seed }

// stateOf lists all variables of trainers with the names that files have for them.
func stateOf(trainers []*Trainer) ([]op.Named, error) {
	var all []op.Named
	names := map[string]*op.Variable{}
	taken := map[string]bool{}
	for _, t := range trainers {
		if err := t.made(); err != nil {
			return nil, err
		}
		if taken[t.name] {
			return nil, fmt.Errorf("two trainers have the name %q: give them names of their own with paddle.Named", t.name)
		}
		taken[t.name] = true
		for _, n := range t.variables() {
			switch v, ok := names[n.Name]; {
			case strings.HasPrefix(n.Name, "variable#"):
				return nil, fmt.Errorf("%s has no name to be saved under: make it a field of the model", n.Name)
			case !ok:
				names[n.Name] = n.Variable
				all = append(all, n)
			case v != n.Variable:
				return nil, fmt.Errorf("two variables have the name %s", n.Name)
			}
		}
	}
	return all, nil
}

// variables lists what the program uses: the model's part by its paths, the trainer's own with the trainer's name in front.
func (t *Trainer) variables() []op.Named {
	own := map[*op.Variable]string{}
	for _, s := range t.graph.State {
		own[s.Variable] = t.name + "/" + s.Name
	}
	all := t.program.Variables()
	for i, n := range all {
		if name, ok := own[n.Variable]; ok {
			all[i].Name = name
		} else if name := t.graph.Graph.NameOf(n.Variable); !strings.HasPrefix(name, "variable#") {
			all[i].Name = name
		}
	}
	return all
}
