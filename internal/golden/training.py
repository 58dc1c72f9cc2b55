"""Training for some steps, in float64 and, to see what that does, in float32."""

import math

import torch

from formula import Given, digest, number

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
