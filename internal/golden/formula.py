"""Numbers that both sides of the comparison make for themselves, and how results are written down."""

import json
import math

import numpy as np
import torch


def hashes(name, n):
    """Returns n 32-bit numbers that depend on the name: the FNV-1a hash of the name selects a place in a Weyl sequence, and the finaliser of
    MurmurHash3 mixes it."""
    seed = 2166136261
    for byte in name.encode():
        seed = (seed ^ byte) * 16777619 & 0xFFFFFFFF
    mask = np.uint64(0xFFFFFFFF)
    x = (np.arange(n, dtype=np.uint64) * np.uint64(0x9E3779B9) + np.uint64(seed)) & mask
    for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35)):
        x = (x ^ (x >> np.uint64(shift))) * np.uint64(factor) & mask
    return x ^ (x >> np.uint64(16))


def values(name, shape, scale=1.0, offset=0.0):
    """Returns numbers in [offset − scale, offset + scale) as float64. They have 16 bits: with a power of two as scale, and 0 or the scale as
    offset, they are exact in float32 too."""
    h = hashes(name, math.prod(shape)) >> np.uint64(16)
    x = (h.astype(np.float64) - 32768) * (scale / 32768) + offset
    return torch.from_numpy(x).reshape(shape)


def labels(name, n, classes):
    """Returns n numbers from 0 to classes−1."""
    return torch.from_numpy((hashes(name, n) >> np.uint64(16)).astype(np.int64) % classes)


class Given:
    """An array by its formula, of the given name."""

    def __init__(self, name, shape, scale=1.0, offset=0.0):
        self.tensor = values(name, shape, scale, offset)
        self.description = {"by": name, "shape": list(shape), "scale": scale, "offset": offset}


class Listed:
    """An array by its elements."""

    def __init__(self, tensor):
        self.tensor = tensor
        data = tensor.reshape(-1).tolist()
        self.description = {"shape": list(tensor.shape), "integer": not tensor.is_floating_point(), "data": [plain(x) for x in data]}


def digest(name, x):
    """Returns what is kept of a large array: its norm; its product with signs that depend on the name, to which each element in its place
    counts; and up to 16 of its elements."""
    x = x.detach().reshape(-1).to(torch.float64)
    signs = torch.sign(values(name + ".sign", x.shape) + 0.5 / 32768)
    n = len(x)
    picked = range(n) if n <= 16 else [k * (n - 1) // 15 for k in range(16)]
    return {"norm": number(x.norm().item()), "dot": number((x * signs).sum().item()), "samples": [number(x[i].item()) for i in picked]}


def number(x):
    """Returns a number with 13 digits, as JSON can hold it."""
    return plain(float(f"{x:.13g}"))


def plain(x):
    """Returns a number as JSON can hold it."""
    if math.isfinite(x):
        return x
    return "NaN" if math.isnan(x) else "Infinity" if x > 0 else "-Infinity"


def numbers(x):
    """Returns the elements of a tensor, row-major."""
    return [number(v) for v in x.detach().to(torch.float64).reshape(-1).tolist()]


def write(path, header, cases):
    """Writes cases, one a line."""
    with open(path, "w") as f:
        f.write('{"made": ' + json.dumps(header) + ',\n"cases": [\n')
        f.write(",\n".join(json.dumps(c, separators=(",", ":"), allow_nan=False) for c in cases))
        f.write("\n]}\n")
