package paddle

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"paddle/internal/atomicfile"
	"paddle/internal/safetensors"
	"paddle/op"
)

// Metadata of the files that Save and Trainer.Save write. The conventions say what running statistics mean, because libraries differ.
const (
	formatKey     = "paddle.format"
	formatVersion = "1"
	trainerKey    = "paddle.trainer/" // and the trainer's name: its state besides tensors, as JSON
)

func metadata() map[string]string {
	return map[string]string{
		formatKey:                    formatVersion,
		"library":                    "paddle",
		"paddle.batch_norm.momentum": "fraction of the running value that a step keeps",
		"paddle.batch_norm.variance": "divided by n",
	}
}

// fileType returns the file format's name of an element type.
func fileType(d op.DType) safetensors.DType {
	switch d {
	case op.Float32:
		return safetensors.F32
	case op.Float64:
		return safetensors.F64
	case op.BFloat16:
		return safetensors.BF16
	case op.Float16:
		return safetensors.F16
	case op.Int32:
		return safetensors.I32
	case op.Int64:
		return safetensors.I64
	case op.Uint8:
		return safetensors.U8
	case op.Bool:
		return safetensors.Bool
	}
	return ""
}

// elementType is the reverse of fileType; InvalidDType for types of the format that the library does not compute with.
func elementType(name safetensors.DType) op.DType {
	for d := op.Float32; d <= op.Bool; d++ {
		if fileType(d) == name {
			return d
		}
	}
	return op.InvalidDType
}

// writeVariables writes the values of variables, all of one moment, to a file in one step.
func writeVariables(path string, variables []op.Named, meta map[string]string) error {
	return atomicfile.Write(path, func(w io.Writer) error {
		return op.ViewAll(variablesOf(variables), func(values []op.Buffer) error {
			tensors := make([]safetensors.Tensor, len(values))
			for i, v := range values {
				tensors[i] = safetensors.Tensor{Name: variables[i].Name, DType: fileType(v.DType), Shape: v.Shape, Data: v.Bytes()}
			}
			return safetensors.Write(w, tensors, meta)
		})
	})
}

func variablesOf(named []op.Named) []*op.Variable {
	out := make([]*op.Variable, len(named))
	for i, n := range named {
		out[i] = n.Variable
	}
	return out
}

// readFile opens a file that Save, Trainer.Save or another program wrote.
func readFile(path string, use func(f *safetensors.File) error) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	f, err := safetensors.Open(file, info.Size())
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	switch v, ours := f.Metadata()[formatKey]; {
	case ours && v != formatVersion:
		return fmt.Errorf("%s: has the format %q, want %q", path, v, formatVersion)
	case ours && !f.HasSums():
		return fmt.Errorf("%s: file is damaged: its checksums are gone", path)
	}
	return use(f)
}

// readValues reads the tensors of the given names into memory of their own.
func readValues(f *safetensors.File, named []op.Named) ([]op.Buffer, error) {
	values := make([]op.Buffer, len(named))
	for i, n := range named {
		info, _ := f.Tensor(n.Name)
		values[i] = op.NewBuffer(elementType(info.DType), info.Shape...)
		if err := f.ReadInto(n.Name, values[i].Bytes()); err != nil {
			return nil, err
		}
	}
	return values, nil
}

// Differences lists where a file and a model do not agree.
type Differences struct {
	Missing   []string // names that the model has and the file lacks
	Surplus   []string // names that the file has and the model lacks
	Misshapen []string // "conv1.weight is float32 (1, 64), want float32 (32, 64)"
}

// None reports whether there are no differences.
func (d Differences) None() bool { return len(d.Missing)+len(d.Surplus)+len(d.Misshapen) == 0 }

// String returns all differences in one line.
func (d Differences) String() string {
	parts := slices.Clone(d.Misshapen)
	if len(d.Missing) > 0 {
		parts = append(parts, "missing in the file: "+strings.Join(d.Missing, ", "))
	}
	if len(d.Surplus) > 0 {
		parts = append(parts, "not in the model: "+strings.Join(d.Surplus, ", "))
	}
	return strings.Join(parts, "; ")
}

// match compares the tensors of a file with the variables that want them. It returns those that can have theirs, those without a shape
// for which there is none, and the differences; tensors whose name ignore accepts are not surplus.
func match(f *safetensors.File, wanted []op.Named, ignore func(name string) bool) (found, open []op.Named, d Differences) {
	known := map[string]bool{}
	for _, w := range wanted {
		known[w.Name] = true
		info, ok := f.Tensor(w.Name)
		switch {
		case !ok && !w.Variable.Defined():
			open = append(open, w)
			continue
		case !ok:
			d.Missing = append(d.Missing, w.Name)
			continue
		}
		if err := fits(w.Variable, info); err != nil {
			d.Misshapen = append(d.Misshapen, fmt.Sprintf("%s %v", w.Name, err))
			continue
		}
		found = append(found, w)
	}
	for _, name := range f.Names() {
		if !known[name] && !ignore(name) {
			d.Surplus = append(d.Surplus, name)
		}
	}
	return found, open, d
}

// fits returns an error unless a tensor of a file can be assigned to v.
func fits(v *op.Variable, info safetensors.Info) error {
	d := elementType(info.DType)
	if d == op.InvalidDType {
		return fmt.Errorf("has the type %s, which the library does not compute with", info.DType)
	}
	return v.Fits(d, info.Shape)
}
