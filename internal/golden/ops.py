"""Single operations in float64: results, and gradients of the product of the result with numbers by formula."""

import torch
import torch.nn.functional as F

from formula import Given, Listed, numbers, plain, values

cases = []


def add(name, op, inputs, f, attrs=None, gradient=True):
    """Adds a case and returns it. inputs maps a name to a shape, for numbers by formula, or to a tensor. f is the operation in PyTorch."""
    arrays = {key: Given(f"{name}/{key}", x) if isinstance(x, tuple) else Listed(x) for key, x in inputs.items()}
    xs = [a.tensor.requires_grad_(a.tensor.is_floating_point()) for a in arrays.values()]
    y = f(*xs)
    wrt = [x for x in xs if gradient and x.requires_grad]
    found = iter(torch.autograd.grad(y, wrt, values(f"{name}/dy", tuple(y.shape))) if wrt else [])
    cases.append({
        "name": name,
        "op": op,
        "attrs": attrs or {},
        "in": [{"name": key, **a.description} for key, a in arrays.items()],
        "shape": list(y.shape),
        "out": numbers(y),
        "grad": [numbers(next(found)) if gradient and x.requires_grad else None for x in xs],
    })  # fmt: skip
    return cases[-1]


def f64(*x):
    return torch.tensor(x, dtype=torch.float64)


def i64(*x):
    return torch.tensor(x, dtype=torch.int64)


def conv(name, x, w, **a):
    """Adds a convolution with the attributes of our op."""

    def f(x, w):
        x = F.pad(x, (a.get("PadLeft", 0), a.get("PadRight", 0), a.get("PadTop", 0), a.get("PadBottom", 0)))
        pair = lambda key, otherwise: (a.get(key, otherwise), a.get(key + "Width", a.get(key, otherwise)))
        padding = "same" if a.get("Same") else a.get("Padding", 0)
        return F.conv2d(x, w, None, pair("Stride", 1), padding, pair("Dilation", 1), a.get("Groups", 1))

    add("conv2d/" + name, "conv2d", {"x": x, "w": w}, f, a)


conv("plain", (2, 3, 6, 5), (4, 3, 3, 2))
conv("stride", (2, 3, 7, 6), (4, 3, 3, 3), Stride=2, Padding=1)
conv("stride leaves a remainder", (1, 2, 8, 9), (2, 2, 3, 3), Stride=3)
conv("dilation", (1, 2, 8, 7), (3, 2, 3, 3), Dilation=2, Padding=2)
conv("groups", (2, 4, 5, 5), (6, 2, 3, 3), Groups=2, Padding=1)
conv("depthwise", (1, 3, 6, 6), (3, 1, 3, 3), Groups=3, Stride=2)
conv("pointwise", (2, 3, 5, 4), (4, 3, 1, 1), Stride=2)
conv("same", (1, 2, 5, 6), (2, 2, 4, 2), Same=True)
conv("one side", (1, 2, 4, 5), (3, 2, 3, 3), PadLeft=1, PadBottom=2)
conv("all", (2, 4, 9, 8), (4, 2, 3, 2), Stride=2, StrideWidth=1, Dilation=2, DilationWidth=3, Groups=2, PadTop=1, PadBottom=1, PadLeft=2, PadRight=2)


def pool(kind, name, x, **a):
    """Adds a pooling with the attributes of our op."""
    size = (a["Size"], a.get("Width", a["Size"]))
    stride = (a.get("Stride", size[0]), a.get("StrideWidth", a.get("Stride", size[1])))
    padding = (a.get("PadTop", a.get("Padding", 0)), a.get("PadLeft", a.get("Padding", 0)))
    ceil = a.get("Ceil", False)
    if kind == "max_pool2d":
        f = lambda x: F.max_pool2d(x, size, stride, padding, ceil_mode=ceil)
    else:
        f = lambda x: F.avg_pool2d(x, size, stride, padding, ceil, a.get("CountPadding", False))
    add(f"{kind}/{name}", kind, {"x": x}, f, a)


for kind in ("max_pool2d", "avg_pool2d"):
    pool(kind, "halves", (2, 2, 5, 6), Size=2)
    pool(kind, "overlap", (1, 2, 7, 6), Size=3, Stride=2, Padding=1)
    pool(kind, "ceil", (1, 2, 6, 6), Size=3, Stride=2, Ceil=True)
    pool(kind, "ceil and padding", (1, 1, 6, 7), Size=3, Stride=2, Padding=1, Ceil=True)
    pool(kind, "ceil without a window in the padding", (1, 1, 4, 5), Size=2, Stride=3, Padding=1, Ceil=True)
    pool(kind, "rectangle", (1, 2, 6, 7), Size=3, Width=2, Stride=1, StrideWidth=2, PadTop=1, PadBottom=1)
pool("avg_pool2d", "padding counts", (1, 2, 7, 6), Size=3, Stride=2, Padding=1, CountPadding=True)
pool("avg_pool2d", "padding counts, ceil", (1, 1, 6, 7), Size=3, Stride=2, Padding=1, Ceil=True, CountPadding=True)
pool("max_pool2d", "equals", torch.floor(values("equals", (1, 2, 7, 7), 1.5)), Size=3, Stride=2, Padding=1)
nan = values("not a number", (1, 1, 5, 5))
nan[0, 0, 1, 1] = float("nan")
nan[0, 0, 3, 3] = float("-inf")
pool("max_pool2d", "not a number", nan, Size=3, Stride=2)

for name, shape in (("rows", (6, 3)), ("images", (4, 3, 3, 2)), ("series", (2, 2, 5))):
    c = (shape[1],)
    norm = lambda x, w, b: F.batch_norm(x, None, None, w, b, training=True, eps=1e-5)
    add("batch_norm/" + name, "batch_norm", {"x": shape, "weight": c, "bias": c}, norm, {"Epsilon": 1e-5})
add(
    "batch_norm/hardly any variance", "batch_norm", {"x": 3 + values("hardly", (5, 2), 2**-10), "weight": (2,), "bias": (2,)},
    lambda x, w, b: F.batch_norm(x, None, None, w, b, training=True, eps=1e-3), {"Epsilon": 1e-3},
)

inf = float("inf")
special = f64(
    0.0, -0.0, 2**-1000, -(2**-1000), 2**-27, -(2**-27), 0.125, -0.125, 0.5, -0.5, 1, -1, 1.5, -1.5, 2.5, -2.5, 3, -3, 5.5, -5.5, 9, -9, 19.5, -19.5,
    40, -40, 90, -90, 700, -700, 1e4, -1e4, 1e300, -1e300, inf, -inf,
)  # fmt: skip


def unary(name, f, attrs=None, instead=None):
    """Adds a function of one number at special values, and of NaN, where there is no gradient to speak of. instead gives the value and the derivative for
    arguments where PyTorch finds something else than the limit, or than what ours promises."""
    key = f"unary/{name}" if not attrs else f"unary/{name} " + " ".join(f"{v:g}" for v in attrs.values())
    case = add(key, name, {"x": special.clone()}, f, attrs)
    for i, (x, dy) in enumerate(zip(special.tolist(), values(f"{key}/dy", special.shape).tolist())):
        if instead and x in instead:
            value, derivative = instead[x]
            case["out"][i], case["grad"][0][i] = plain(value), plain(derivative * dy)
    case = add(f"{key} of NaN", name, {"x": f64(float("nan"))}, f, attrs, gradient=False)
    if name == "sign":
        case["out"] = ["NaN"]  # PyTorch: 0


# PyTorch multiplies 0 with ∞ in the tails of these.
tails = {inf: (inf, 1), 1e300: (1e300, 1), -1e300: (-0.0, 0), -inf: (-0.0, 0)}
unary("relu", F.relu)
unary("leaky_relu", lambda x: F.leaky_relu(x, 0.125), {"A": 0.125})
unary("elu", F.elu, {"A": 1})
unary("elu", lambda x: F.elu(x, 0.75), {"A": 0.75}, {0: (0, 1)})  # x for x ≥ 0; in PyTorch 0 is on the other side
unary("sigmoid", torch.sigmoid)
unary("tanh", torch.tanh)
unary("stanh", lambda x: 1.7159 * torch.tanh(2 / 3 * x), {"A": 1.7159, "B": 2 / 3})
unary("gelu", F.gelu, None, tails)
unary("gelu_tanh", lambda x: F.gelu(x, approximate="tanh"), None, tails)
unary("silu", F.silu, None, tails)
unary("softplus", lambda x: F.softplus(x, threshold=600))
unary("softsign", F.softsign, None, {inf: (1, 0), -inf: (-1, 0)})
unary("clip", lambda x: torch.clamp(x, -1, 2.5), {"A": -1, "B": 2.5})
unary("neg", torch.neg)
unary("abs", torch.abs)
unary("sign", torch.sign)
unary("square", torch.square)
unary("sqrt", torch.sqrt)
unary("rsqrt", torch.rsqrt)
unary("reciprocal", torch.reciprocal)
unary("exp", torch.exp)
unary("expm1", torch.expm1)
unary("log", torch.log)
unary("log1p", torch.log1p)
unary("sin", torch.sin)
unary("cos", torch.cos)
unary("erf", torch.erf)
unary("floor", torch.floor)
unary("ceil", torch.ceil)
unary("round", torch.round)
unary("add_const", lambda x: x + 0.25, {"A": 0.25})
unary("mul_const", lambda x: x * -0.75, {"A": -0.75})
for power in (-1, 0, 2, 3):
    unary("pow_const", lambda x: torch.pow(x, power), {"A": power})
unary("pow_const", lambda x: torch.pow(x, 0.5), {"A": 0.5}, {-inf: (inf, 0)})  # as pow in C
unary("pow_const", lambda x: torch.pow(x, 1.25), {"A": 1.25})

for name, f in (("add", torch.add), ("sub", torch.sub), ("mul", torch.mul), ("div", torch.div), ("maximum", torch.maximum), ("minimum", torch.minimum)):
    add(f"binary/{name}", name, {"a": (2, 3, 4), "b": (3, 1)}, f)
    add(f"binary/{name} of a scalar", name, {"a": (), "b": (2, 3)}, f)
add("binary/pow", "pow", {"a": 1 + values("base", (2, 3), 0.5), "b": (2, 3)}, torch.pow)
add("binary/pow of zero", "pow", {"a": f64(0, 0, 0, 2), "b": f64(2, 1, 0, 0)}, torch.pow)

for name, a, b, f in (
    ("matmul", (3, 4), (4, 5), torch.matmul), ("matmul", (2, 3, 4), (2, 4, 5), torch.matmul), ("matmul", (2, 3, 4), (4, 5), torch.matmul),
    ("matmul_t", (3, 4), (5, 4), lambda a, b: a @ b.T), ("t_matmul", (4, 3), (4, 5), lambda a, b: a.T @ b),
):  # fmt: skip
    add(f"{name}/{a}·{b}", name, {"a": a, "b": b}, f)

large = f64(1e3, 1e3 + 1, -1e3, 0, -1e3, -1e3, -1e3, -1e3 + 2, 1e-9, 0, -1e-9, 40).reshape(3, 4)
lost = f64(0, float("-inf"), 1, 2, float("-inf"), 3).reshape(2, 3)
for name, f in (("softmax", lambda x: F.softmax(x, -1)), ("log_softmax", lambda x: F.log_softmax(x, -1)), ("log_sum_exp", lambda x: torch.logsumexp(x, -1))):
    add(f"{name}/rows", name, {"x": (2, 3, 5)}, f)
    add(f"{name}/large", name, {"x": large.clone()}, f)
    add(f"{name}/impossible classes", name, {"x": lost.clone()}, f)
    add(f"{name}/one class", name, {"x": (3, 1)}, f)

ignoring = i64(2, -100, 0, 3, -100, 1)
add("cross_entropy/rows", "cross_entropy", {"logits": (5, 4), "label": i64(3, 0, 1, 1, 2)}, F.cross_entropy)
add("cross_entropy/ignored", "cross_entropy", {"logits": (6, 4), "label": ignoring}, F.cross_entropy)
add("cross_entropy/large", "cross_entropy", {"logits": large.clone(), "label": i64(2, 3, 0)}, F.cross_entropy)
add("cross_entropy/each row", "cross_entropy_rows", {"logits": (6, 4), "label": ignoring}, lambda x, t: F.cross_entropy(x, t, reduction="none"))
add(
    "cross_entropy/more axes", "cross_entropy", {"logits": (2, 3, 4), "label": i64(3, -100, 1, 1, 2, 0).reshape(2, 3)},
    lambda x, t: F.cross_entropy(x.reshape(-1, 4), t.reshape(-1)),
)
add("nll/rows", "nll", {"log_probabilities": (6, 4), "label": ignoring}, F.nll_loss)

batch_mean = lambda rows: rows.reshape(len(rows), -1).sum(1).mean()
yes = lambda name, shape: values(name, shape, 0.5, 0.5)
bce = lambda x, t: batch_mean(F.binary_cross_entropy_with_logits(x, t, reduction="none"))
add("binary_cross_entropy/soft", "binary_cross_entropy", {"logits": (4, 3), "target": yes("soft", (4, 3))}, bce)
add("binary_cross_entropy/large", "binary_cross_entropy", {"logits": f64(800, -800, 800, -800, 0, 30), "target": f64(1, 0, 0, 1, 0.5, 0)}, bce)
add("soft_cross_entropy/rows", "soft_cross_entropy", {"logits": (4, 3), "target": F.softmax(values("target", (4, 3)), -1)}, F.cross_entropy)
add("square_error/rows", "square_error", {"prediction": (4, 3), "target": (4, 3)}, lambda x, t: batch_mean((x - t) ** 2))
add("mean_square_error/rows", "mean_square_error", {"prediction": (4, 3), "target": (4, 3)}, F.mse_loss)

ids = i64(2, 0, 2, 4, 1, 2).reshape(2, 3)
add("gather/repeated", "gather", {"table": (5, 3), "ids": ids}, lambda t, i: F.embedding(i, t), {"Padding": -1})


def padded(t, i):
    """A lookup in which the padding id stands for the zero vector: PyTorch stops its gradient only."""
    return F.embedding(i, torch.where(torch.arange(5)[:, None] == 2, torch.zeros(()).double(), t), padding_idx=2)


add("gather/padding", "gather", {"table": (5, 3), "ids": ids}, padded, {"Padding": 2})

for axes in ([], [0], [1, 2], [2]):
    add(f"sum/{axes}", "sum", {"x": (2, 3, 4)}, lambda x: x.sum(axes) if axes else x.sum(), {"Axes": axes})
    add(f"mean/{axes}", "mean", {"x": (2, 3, 4)}, lambda x: x.mean(axes) if axes else x.mean(), {"Axes": axes})
    add(f"max/{axes}", "max", {"x": (2, 3, 4)}, lambda x: x.amax(axes), {"Axes": axes})
    add(f"min/{axes}", "min", {"x": (2, 3, 4)}, lambda x: x.amin(axes), {"Axes": axes})
