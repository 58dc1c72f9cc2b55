package op

// ActivationFunc is the type of the functions that layers take as their activation: ReLU, Tanh, Sigmoid, or one of the user's.
type ActivationFunc func(*Node) *Node

// ReLU returns max(x, 0); its derivative at 0 is 0, and NaN stays NaN.
func ReLU(x *Node) *Node { return unaryOf(UnaryReLU, x) }

// LeakyReLU returns x for x ≥ 0, else slope·x (Maas, Hannun and Ng, 2013).
func LeakyReLU(x *Node, slope float64) *Node { return apply1(unary{UnaryLeakyReLU, slope, 0}, x) }

// ELU returns x for x ≥ 0, else alpha·(eˣ−1) (Clevert, Unterthiner and Hochreiter, 2016).
func ELU(x *Node, alpha float64) *Node { return apply1(unary{UnaryELU, alpha, 0}, x) }

// Sigmoid returns 1/(1+e⁻ˣ).
func Sigmoid(x *Node) *Node { return unaryOf(UnarySigmoid, x) }

// Tanh returns the hyperbolic tangent of x.
func Tanh(x *Node) *Node { return unaryOf(UnaryTanh, x) }

// STanh returns a·tanh(b·x); a = 1.7159 and b = 2/3 are the constants of LeCun et al. (1998), which Paddle calls STanh.
func STanh(x *Node, a, b float64) *Node { return apply1(unary{UnarySTanh, a, b}, x) }

// GELU returns x·Φ(x) with the normal distribution function Φ (Hendrycks and Gimpel, 2016).
func GELU(x *Node) *Node { return unaryOf(UnaryGELU, x) }

// GELUTanh returns ½x(1+tanh(√(2/π)(x+0.044715x³))), the approximation of GELU that several published models were trained with.
func GELUTanh(x *Node) *Node { return unaryOf(UnaryGELUTanh, x) }

// SiLU returns x·sigmoid(x), also called swish (Elfwing, Uchibe and Doya, 2018).
func SiLU(x *Node) *Node { return unaryOf(UnarySiLU, x) }

// Softplus returns log(1+eˣ) without overflow; Paddle calls it SoftReLU.
func Softplus(x *Node) *Node { return unaryOf(UnarySoftplus, x) }

// Softsign returns x/(1+|x|).
func Softsign(x *Node) *Node { return unaryOf(UnarySoftsign, x) }
