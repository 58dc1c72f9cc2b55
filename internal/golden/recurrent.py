"""Recurrent networks over sequences of mixed lengths, packed, in float64: results for every token, final states, and gradients of their products with
numbers by formula."""

import torch
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence

from formula import Given, numbers, values

LENGTHS = [3, 1, 6, 2, 6]
WIDTH = 3
SIZE = 4

cases = []


def add(name, kind, layers=1, directions=1, init=False, projection=0, **options):
    """Adds a network of PyTorch: kind is one of its classes. With init the states before the first token are given too."""
    if projection:
        options["proj_size"] = projection
    net = kind(WIDTH, SIZE, layers, bidirectional=directions == 2, dtype=torch.float64, **options)
    given = {key: Given(f"{name}/{key}", tuple(p.shape), 0.5) for key, p in net.named_parameters()}
    for key, p in net.named_parameters():
        p.data.copy_(given[key].tensor)
    x = Given(f"{name}/x", (sum(LENGTHS), WIDTH))
    rows = x.tensor.requires_grad_()
    packed = pack_padded_sequence(pad_sequence(rows.split(LENGTHS), batch_first=True), LENGTHS, batch_first=True, enforce_sorted=False)
    count = 2 if kind is torch.nn.LSTM else 1
    states = []
    for i in range(count if init else 0):
        width = projection if projection and i == 0 else SIZE
        states.append(Given(f"{name}/state{i}", (layers * directions, len(LENGTHS), width)))
    leaves = [s.tensor.requires_grad_() for s in states]
    out, last = net(packed, (tuple(leaves) if count == 2 else leaves[0]) if init else None)
    padded, _ = pad_packed_sequence(out, batch_first=True)
    y = torch.cat([padded[i, :n] for i, n in enumerate(LENGTHS)])
    results = [y, *(last if count == 2 else [last])]
    loss = sum((r * values(f"{name}/d{i}", tuple(r.shape))).sum() for i, r in enumerate(results))
    loss.backward()
    cases.append({
        "name": name,
        "kind": kind.__name__.lower(),
        "relu": options.get("nonlinearity") == "relu",
        "layers": layers,
        "directions": directions,
        "projection": projection,
        "size": SIZE,
        "lengths": LENGTHS,
        "x": x.description,
        "states": [s.description for s in states],
        "parameters": [{"name": key, **a.description} for key, a in given.items()],
        "results": [numbers(r) for r in results],
        "gradX": numbers(rows.grad),
        "gradStates": [numbers(s.grad) for s in leaves],
        "gradParameters": {key: numbers(p.grad) for key, p in net.named_parameters()},
    })  # fmt: skip


add("lstm", torch.nn.LSTM)
add("lstm from states", torch.nn.LSTM, init=True)
add("projected lstm", torch.nn.LSTM, init=True, projection=2)
add("two bidirectional lstms", torch.nn.LSTM, layers=2, directions=2, init=True)
add("two bidirectional projected lstms", torch.nn.LSTM, layers=2, directions=2, projection=2)
add("gru", torch.nn.GRU)
add("two bidirectional grus", torch.nn.GRU, layers=2, directions=2, init=True)
add("rnn", torch.nn.RNN, init=True)
add("two bidirectional rnns", torch.nn.RNN, layers=2, directions=2, nonlinearity="relu")
