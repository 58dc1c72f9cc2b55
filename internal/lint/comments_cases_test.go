package lint

const goodComments = `// Package op is good.
package op

// F does.
func F() {}

func private() {}

type hidden struct{ Field int }

func (hidden) Method() {}

// T is a type with one block, which its comment covers.
type T struct {
	A, B int
	C    int
}

// Mixed has blocks.
type Mixed struct {
	X, Y int // input
	Z    int

	// W is alone.
	W int

	private int
}

// Get gets.
func (t *Mixed) Get() {}

// Get gets.
func (g G[P]) Get() {}

// G is generic.
type G[P any] struct{ V P }

// The modes.
const (
	M1 = iota
	M2 // two
)

const (
	// K is one.
	K = 1

	k2 = 2
)

// V is a variable.
var V, W int

// Alias is one.
type Alias = T

// I is an interface.
type I interface {
	// Run runs.
	Run()
	Stop() // stops
}

// Small is covered by its own comment.
type Small interface {
	Run()
}
`

const badComments = `// Package op is bad.
package op

func NoComment() {}

// Does something else.
func Other() {}

// PrefixLonger is not it.
func Prefix() {}

type T struct {
	// A is one.
	A int

	Alone int
}

func (t *T) M() {}
func (g G[P]) P() {}

// G is generic.
type G[P any] struct{}

const (
	A = 1
)

var V = 1

// I is an interface.
type I interface {
	Run()

	// Stop stops.
	Stop()
}
`
