"""Models that are trained for some steps in float64: losses, and how far the parameters moved.

The inputs have names for which no argument of a ReLU and no difference of two elements in a window lies so close to 0 that float32 gets its sign
wrong: one such element alone changes the gradients in the third digit, in any library ("deviation32" shows it).
"""

import torch
import torch.nn.functional as F

from formula import Given, Listed, labels, numbers
from training import STEPS, Model, add, excluding_biases, train, using


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


def bag(sparse=False, padding=None):
    """Returns the mean of rows looked up, then a linear layer; the gradient of the table may be sparse. Every batch has ids that come twice. A padding id
    stands for the zero vector, whatever the table holds."""
    ids = labels("bag/ids", 120, 40).reshape(20, 6)
    ids[:, 5] = ids[:, 0]

    def loss(p, ids, label):
        table = p["words.weight"]
        if padding is not None:
            table = torch.where(torch.arange(40)[:, None] == padding, torch.zeros_like(table), table)
        rows = F.embedding(ids, table, sparse=sparse)
        return F.cross_entropy(rows.mean(1) @ p["out.weight"] + p["out.bias"], label)

    return Model(
        "bag" if padding is None else "padded",
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


add(bag(), "sgd", using(torch.optim.SGD, lr=0.5))
add(bag(), "clipped", using(torch.optim.SGD, lr=0.5), clip=0.25)
add(bag(), "adagrad", using(torch.optim.Adagrad, lr=0.1))
add(bag(sparse=True), "adam", sparse_adam)
add(bag(padding=22), "clipped adagrad", using(torch.optim.Adagrad, lr=0.1), clip=0.25)


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
