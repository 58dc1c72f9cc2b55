package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"io"
	"slices"
)

// The registers that functions use: all vector registers, and the general ones but those that Go and the platform keep for themselves
// (R18, R28 and above), and R16, R17 and R27, which the linker and the assembler use.
const vectorRegisters = 32

var generalRegisters = []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 19, 20, 21, 22, 23, 24, 25, 26}

// register is a value that gets a register when the function is complete.
type register struct {
	vector      bool
	constant    *constantKey // a value in memory, which gets a register where it is used
	number      int
	first, last int // the instructions that mention it first and last, counted from 1
}

// String returns the name that Go's assembler has for the register.
func (r *register) String() string {
	if r.vector {
		return fmt.Sprintf("F%d", r.number)
	}
	return fmt.Sprintf("R%d", r.number)
}

// lane is an element of a vector register, such as S[2].
type lane struct {
	of   *register
	name string
}

func (l lane) String() string { return fmt.Sprintf("V%d.%s", l.of.number, l.name) }

// arranged is a vector register with its arrangement, such as S4.
type arranged struct {
	of   *register
	name string
}

func (a arranged) String() string { return fmt.Sprintf("V%d.%s", a.of.number, a.name) }

// instruction is a line of the function: an instruction of Go's assembler, or one that it does not know, as a word.
type instruction struct {
	format    string // of the arguments; of a word, that of the GNU assembler for the numbers of the registers
	arguments []any
	word      uint32      // with 0 for the registers
	registers []*register // of a word: at bit 0, 5 and 16
	label     string      // here
	target    string      // of a branch
	isCopy    bool        // of the second register to the first
}

// routine is a function that is being written.
type routine struct {
	file             *neonFile
	name             string
	parameters       map[string]parameter
	frame            int // bytes of the parameters and results
	kept             int // constants that stay in registers, at most
	start            []*instruction
	code             []*instruction
	labels           int
	constantsAddress *register
	inRegisters      map[constantKey]*register
}

// parameter is where a parameter or a result lies, and its type.
type parameter struct {
	at   int
	kind string
}

// newRoutine begins a function.
func newRoutine(f *neonFile, name, signature string, kept int) *routine {
	r := &routine{file: f, name: name, kept: kept, parameters: map[string]parameter{}, inRegisters: map[constantKey]*register{}}
	expression, err := parser.ParseExpr(signature)
	if err != nil {
		panic(name + ": " + err.Error())
	}
	types := expression.(*ast.FuncType)
	r.lay(types.Params)
	if types.Results != nil {
		r.frame = roundUpTo(r.frame, 8)
		r.lay(types.Results)
	}
	return r
}

// lay gives parameters their places.
func (r *routine) lay(list *ast.FieldList) {
	sizes := map[string]int{"int": 8, "int32": 4, "int64": 8, "uint32": 4, "uint64": 8, "float32": 4, "float64": 8, "slice": 24, "pointer": 8, "bool": 1}
	for _, field := range list.List {
		kind := ""
		switch t := field.Type.(type) {
		case *ast.Ident:
			kind = t.Name
		case *ast.ArrayType:
			kind = "slice"
		case *ast.StarExpr:
			kind = "pointer"
		}
		size := sizes[kind]
		for _, name := range field.Names {
			r.frame = roundUpTo(r.frame, min(size, 8))
			r.parameters[name.Name] = parameter{r.frame, kind}
			r.frame += size
		}
	}
}

// roundUpTo returns the least multiple of n that is not less than v.
func roundUpTo(v, n int) int { return (v + n - 1) / n * n }

// general and vector return new registers.
func (r *routine) general() *register { return &register{} }
func (r *routine) vector() *register  { return &register{vector: true} }

// emit adds an instruction of Go's assembler.
func (r *routine) emit(format string, arguments ...any) {
	r.code = append(r.code, &instruction{format: format, arguments: arguments})
}

// encode adds an instruction that Go's assembler does not know.
func (r *routine) encode(e encoding, registers ...*register) {
	r.code = append(r.code, &instruction{format: e.syntax, word: e.word, registers: registers})
}

// label marks a place that branches go to.
func (r *routine) label(name string) { r.code = append(r.code, &instruction{label: name}) }

// fresh returns the name of a label that no other has.
func (r *routine) fresh(name string) string {
	r.labels++
	return fmt.Sprintf("%s%d", name, r.labels)
}

// branch adds a branch to a label. Arguments are what the instruction looks at, if it does.
func (r *routine) branch(name, label string, arguments ...any) {
	format := name + " "
	for range arguments {
		format += "%v, "
	}
	r.code = append(r.code, &instruction{format: format + label, arguments: arguments, target: label})
}

// argument returns where a parameter lies; of a slice, its part base or len.
func (r *routine) argument(name, part string) string {
	p, ok := r.parameters[name]
	if !ok {
		panic(r.name + " has no parameter " + name)
	}
	switch part {
	case "len":
		p.at += 8
		name += "_len"
	case "base":
		name += "_base"
	}
	return fmt.Sprintf("%s+%d(FP)", name, p.at)
}

// param, base and length load a number, and the address and the length of a slice.
func (r *routine) param(name string) *register  { return r.loadArgument(name, "") }
func (r *routine) base(name string) *register   { return r.loadArgument(name, "base") }
func (r *routine) length(name string) *register { return r.loadArgument(name, "len") }

func (r *routine) loadArgument(name, part string) *register {
	x := r.general()
	r.emit("MOVD %v, %v", r.argument(name, part), x)
	return x
}

// bytes loads a number of elements as bytes.
func (r *routine) bytes(name string, size int) *register {
	x := r.param(name)
	r.emit("LSL $%d, %v, %v", log2(size), x, x)
	return x
}

// log2 returns the logarithm of a power of two.
func log2(n int) (bits int) {
	for ; n > 1; n /= 2 {
		bits++
	}
	return bits
}

// mentions returns the registers of an instruction.
func (i *instruction) mentions() []*register {
	all := slices.Clone(i.registers)
	for _, a := range i.arguments {
		switch a := a.(type) {
		case *register:
			all = append(all, a)
		case lane:
			all = append(all, a.of)
		case arranged:
			all = append(all, a.of)
		}
	}
	return all
}

// print writes the function.
func (r *routine) print(w io.Writer) {
	fmt.Fprintf(w, "\n// func %s\nTEXT ·%[1]s(SB), NOSPLIT, $0-%d\n", r.name, r.frame)
	for _, i := range r.code {
		switch {
		case i.label != "":
			fmt.Fprintf(w, "\n%s:\n", i.label)
		case i.registers == nil:
			fmt.Fprintf(w, "\t"+i.format+"\n", i.arguments...)
		case !i.isCopy || i.registers[0].number != i.registers[1].number:
			word, numbers := i.word, make([]any, len(i.registers))
			for at, x := range i.registers {
				numbers[at] = x.number
				word |= uint32(x.number) << [...]int{0, 5, 16}[at]
			}
			fmt.Fprintf(w, "\tWORD $%#08x // "+i.format+"\n", append([]any{word}, numbers...)...)
		}
	}
}
