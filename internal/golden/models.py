"""Models that are trained for some steps in float64: losses, and how far the parameters moved.

The inputs have names for which no argument of a ReLU and no difference of two elements in a window lies so close to 0 that float32 gets its sign
wrong: one such element alone changes the gradients in the third digit, in any library ("deviation32" shows it).
"""

import math

import torch
import torch.nn.functional as F

from formula import Given, Listed, digest, labels, number, numbers

STEPS = 10

cases = []


class Model:
    """Parameters by the names that ours have, with values by formula: their shapes, scales and offsets; inputs, of which each step takes so many rows
    as a batch has; and the loss."""

    def __init__(self, name, loss, batch, inputs, parameters):
        self.name, self.loss, self.size, self.inputs = name, loss, batch, inputs
        self.parameters = {key: Given(f"{name}/{key}", *how) for key, how in parameters.items()}

    def start(self, dtype):
        return {key: given.tensor.to(dtype, copy=True).requires_grad_() for key, given in self.parameters.items()}

    def batch(self, i, dtype):
        """Returns the inputs of step i, from 0."""
        tensors = [a.tensor for a in self.inputs.values()]
        first = i * self.size % len(tensors[0])
        return [(x.to(dtype) if x.is_floating_point() else x)[first : first + self.size] for x in tensors]


def train(model, optimizer, dtype, clip=None):
    """Returns the losses of the steps, the changes of the parameters after the first and the last one, and the norms of the gradients."""
    p = model.start(dtype)
    begin = {key: x.detach().clone() for key, x in p.items()}
    step = optimizer(p)
    losses, norms, changes = [], [], {}
    for i in range(STEPS):
        loss = model.loss(p, *model.batch(i, dtype))
        for x in p.values():
            x.grad = None
        loss.backward()
        if clip:
            norms.append(clip_exactly(p.values(), clip))
        step()
        losses.append(loss.item())
        if i + 1 in (1, STEPS):
            changes[str(i + 1)] = {key: digest(key, x.detach().double() - begin[key].double()) for key, x in p.items()}
    return losses, changes, norms, p


def clip_exactly(parameters, bound):
    """Clips to bound/norm, where PyTorch clips to bound/(norm + 1e-6)."""
    norm = torch.nn.utils.clip_grad_norm_(parameters, math.inf)
    torch.nn.utils.clip_grad_norm_(parameters, bound * (norm + 1e-6) / norm)
    return norm.item()


def add(model, name, optimizer, clip=None):
    """Adds the training of a model. The deviations are those of PyTorch's own float32 from float64: what can be asked of anybody's."""
    losses, changes, norms, _ = train(model, optimizer, torch.float64, clip)
    losses32, changes32, _, _ = train(model, optimizer, torch.float32, clip)
    case = {
        "name": f"{model.name}/{name}",
        "batch": model.size,
        "in": [{"name": key, **a.description} for key, a in model.inputs.items()],
        "parameters": [{"name": key, **a.description} for key, a in model.parameters.items()],
        "losses": [number(x) for x in losses],
        "changes": changes,
        "deviation32": {
            "loss": float(f"{max(abs(a - b) / abs(a) for a, b in zip(losses, losses32)):.2g}"),
            "change": float(f"{max(apart(changes[i][k], changes32[i][k]) for i in changes for k in changes[i]):.2g}"),
        },
    }
    if norms:
        case["norms"] = [number(x) for x in norms]
    cases.append(case)
    return case


def apart(a, b):
    """Returns by how much two digests differ, against the norm."""
    pairs = [(a["norm"], b["norm"]), (a["dot"], b["dot"]), *zip(a["samples"], b["samples"])]
    return max(abs(x - y) for x, y in pairs) / a["norm"]


def using(kind, **options):
    return lambda p: kind(list(p.values()), **options).step


def excluding_biases(kind, **options):
    """Is using, without decay for biases."""

    def make(p):
        biases = [x for key, x in p.items() if key.endswith("bias")]
        weights = [x for key, x in p.items() if not key.endswith("bias")]
        return kind([{"params": weights}, {"params": biases, "weight_decay": 0}], **options).step

    return make


def lenet(p, image, label):
    x = F.max_pool2d(F.relu(F.conv2d(image, p["conv1.weight"], p["conv1.bias"])), 2)
    x = F.max_pool2d(F.relu(F.conv2d(x, p["conv2.weight"], p["conv2.bias"])), 2)
    x = F.relu(x.flatten(1) @ p["hidden.weight"] + p["hidden.bias"])
    return F.cross_entropy(x @ p["out.weight"] + p["out.bias"], label)


LENET = Model(
    "lenet",
    lenet,
    8,
    {"image": Given("lenet/images", (8, 1, 28, 28), 0.5, 0.5), "label": Listed(labels("lenet/label", 8, 10))},
    {
        "conv1.weight": ((20, 1, 5, 5), 2**-2), "conv1.bias": ((20,), 2**-4), "conv2.weight": ((50, 20, 5, 5), 2**-3), "conv2.bias": ((50,), 2**-4),
        "hidden.weight": ((800, 500), 2**-4), "hidden.bias": ((500,), 2**-4), "out.weight": ((500, 10), 2**-3), "out.bias": ((10,), 2**-4),
    },
)  # fmt: skip
add(LENET, "momentum", using(torch.optim.SGD, lr=0.01, momentum=0.9))


def mlp(p, image, label):
    x = F.relu(image.flatten(1) @ p["hidden1.weight"] + p["hidden1.bias"])
    x = F.relu(x @ p["hidden2.weight"] + p["hidden2.bias"])
    return F.cross_entropy(x @ p["out.weight"] + p["out.bias"], label)


MLP = Model(
    "mlp",
    mlp,
    16,
    {"image": Given("mlp/image", (16, 1, 28, 28), 0.5, 0.5), "label": Listed(labels("mlp/label", 16, 10))},
    {
        "hidden1.weight": ((784, 256), 2**-4), "hidden1.bias": ((256,), 2**-4), "hidden2.weight": ((256, 128), 2**-3), "hidden2.bias": ((128,), 2**-4),
        "out.weight": ((128, 10), 2**-3), "out.bias": ((10,), 2**-4),
    },
)  # fmt: skip
add(MLP, "adam", using(torch.optim.Adam, lr=1e-3))


class BatchNormNet(Model):
    """A small net like VGG. Its running statistics belong to one training."""

    CHANNELS = {"norm1": 8, "norm2": 8, "norm3": 16}

    def start(self, dtype):
        self.running = {key: (torch.zeros(n, dtype=dtype), torch.ones(n, dtype=dtype)) for key, n in self.CHANNELS.items()}
        return super().start(dtype)

    def norm(self, p, x, key, training):
        mean, variance = self.running[key]
        return F.relu(F.batch_norm(x, mean, variance, p[key + ".weight"], p[key + ".bias"], training, momentum=0.1, eps=1e-5))

    def logits(self, p, image, training):
        x = self.norm(p, F.conv2d(image, p["conv1.weight"], padding=1), "norm1", training)
        x = self.norm(p, F.conv2d(x, p["conv2.weight"], padding=1, groups=2), "norm2", training)
        x = F.avg_pool2d(x, 2)
        x = self.norm(p, F.conv2d(x, p["conv3.weight"], stride=2, padding=2, dilation=2), "norm3", training)
        x = F.avg_pool2d(x, 3, 2, 1, ceil_mode=True, count_include_pad=False)
        return x.flatten(1) @ p["out.weight"] + p["out.bias"]

    def cross_entropy(self, p, image, label):
        return F.cross_entropy(self.logits(p, image, True), label)


NET = BatchNormNet(
    "batchnorm",
    None,
    4,
    {"image": Given("batchnorm/image", (4, 3, 18, 18)), "label": Listed(labels("batchnorm/label", 4, 10))},
    {
        "conv1.weight": ((8, 3, 3, 3), 2**-2), "norm1.weight": ((8,), 2**-2, 1), "norm1.bias": ((8,), 2**-2),
        "conv2.weight": ((8, 4, 3, 3), 2**-2), "norm2.weight": ((8,), 2**-2, 1), "norm2.bias": ((8,), 2**-2),
        "conv3.weight": ((16, 8, 3, 3), 2**-2), "norm3.weight": ((16,), 2**-2, 1), "norm3.bias": ((16,), 2**-2),
        "out.weight": ((144, 10), 2**-3), "out.bias": ((10,), 2**-4),
    },
)  # fmt: skip
NET.loss = NET.cross_entropy
COUNTS = {"norm1": 4 * 18 * 18, "norm2": 4 * 18 * 18, "norm3": 4 * 5 * 5}


def add_batch_norm():
    """Adds the batch norm net, with its running statistics and what it predicts by them.

    PyTorch divides the running variance by n−1 and ours by n, with n values in a channel. Both start at 1 and keep 0.9 of it in each step, so that
    what the batches added to ours is (n−1)/n of what they added to PyTorch's.
    """
    optimizer = using(torch.optim.SGD, lr=0.05, momentum=0.9)
    case = add(NET, "momentum", optimizer)
    *_, p = train(NET, optimizer, torch.float64)
    case["mean"] = {key: numbers(mean) for key, (mean, _) in NET.running.items()}
    case["unbiasedVariance"] = {key: numbers(variance) for key, (_, variance) in NET.running.items()}
    case["counts"] = COUNTS
    kept = 0.9**STEPS
    for key, n in COUNTS.items():
        mean, variance = NET.running[key]
        NET.running[key] = (mean, kept + (variance - kept) * (n - 1) / n)
    case["logits"] = numbers(NET.logits(p, NET.inputs["image"].tensor, False))


add_batch_norm()


def bag(sparse):
    """Returns the mean of rows looked up, then a linear layer; the gradient of the table may be sparse. Every batch has ids that come twice."""
    ids = labels("bag/ids", 120, 40).reshape(20, 6)
    ids[:, 5] = ids[:, 0]

    def loss(p, ids, label):
        rows = F.embedding(ids, p["words.weight"], sparse=sparse)
        return F.cross_entropy(rows.mean(1) @ p["out.weight"] + p["out.bias"], label)

    return Model(
        "bag",
        loss,
        4,
        {"ids": Listed(ids), "label": Listed(labels("bag/label", 20, 5))},
        {"words.weight": ((40, 8), 1), "out.weight": ((8, 5), 0.5), "out.bias": ((5,), 2**-4)},
    )


def sparse_adam(p):
    """Adam that moves the moments of the rows at hand only. SparseAdam adds epsilon before it corrects the bias of the moments, ours behind it: with
    one so small both are the same."""
    table = torch.optim.SparseAdam([p["words.weight"]], lr=0.05, eps=1e-20)
    dense = torch.optim.Adam([p["out.weight"], p["out.bias"]], lr=0.05, eps=1e-20)
    return lambda: (table.step(), dense.step())


add(bag(sparse=False), "sgd", using(torch.optim.SGD, lr=0.5))
add(bag(sparse=False), "clipped", using(torch.optim.SGD, lr=0.5), clip=0.25)
add(bag(sparse=False), "adagrad", using(torch.optim.Adagrad, lr=0.1))
add(bag(sparse=True), "adam", sparse_adam)


def small(p, x, label):
    return F.cross_entropy(torch.tanh(x @ p["hidden.weight"] + p["hidden.bias"]) @ p["out.weight"] + p["out.bias"], label)


SMALL = Model(
    "small",
    small,
    7,
    {"x": Given("small/x", (7, 6)), "label": Listed(labels("small/label", 7, 5))},
    {
        "hidden.weight": ((6, 12), 0.5), "hidden.bias": ((12,), 2**-2), "out.weight": ((12, 5), 0.5), "out.bias": ((5,), 2**-2),
    },
)  # fmt: skip
add(SMALL, "adamw", using(torch.optim.AdamW, lr=0.02, weight_decay=0.1))
add(SMALL, "adamw without biases", excluding_biases(torch.optim.AdamW, lr=0.02, weight_decay=0.1))
add(SMALL, "adam and l2", using(torch.optim.Adam, lr=0.02, weight_decay=0.1))
add(SMALL, "adam and l2 without biases", excluding_biases(torch.optim.Adam, lr=0.02, weight_decay=0.1))
add(SMALL, "adam's constants", using(torch.optim.Adam, lr=0.02, betas=(0.8, 0.95), eps=1e-3))
add(SMALL, "nesterov", using(torch.optim.SGD, lr=0.1, momentum=0.8, nesterov=True))
add(SMALL, "adagrad", using(torch.optim.Adagrad, lr=0.1, eps=1e-2))
add(SMALL, "clipped momentum", using(torch.optim.SGD, lr=0.5, momentum=0.9), clip=0.5)
add(SMALL, "clipped, then l2", using(torch.optim.SGD, lr=0.5, weight_decay=0.1), clip=0.5)
