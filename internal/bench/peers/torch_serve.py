#!/usr/bin/python3
"""Predictions of one sample in PyTorch, on the models of ../serve.go: torch_serve.py THREADS SECONDS MODEL... (the model is serve).

Needs PyTorch (Debian: python3-torch). See torch_serve.sh, which runs it. Each model is timed as it is, traced and frozen, and in channels_last
where it has convolutions, all without gradients; compare.sh takes the best. Timing follows ../measure.go.
"""
import sys
import time

import torch
import torch.nn as nn

import torch_vision

THREADS, SECONDS = int(sys.argv[1]), float(sys.argv[2])
SHORTEST = 200e-6  # seconds that are timed together
torch.set_num_threads(THREADS)
torch.manual_seed(0)
clock = time.process_time if THREADS == 1 else time.perf_counter


def measure(name, step):
    def together(n):
        t = clock()
        for _ in range(n):
            step()
        return (clock() - t) / n

    least = min(together(1) for _ in range(20))  # many, because a traced model is compiled in its first runs
    n, times, start = max(1, int(SHORTEST / max(least, 1e-6))), [], time.perf_counter()
    while len(times) < 5 or (time.perf_counter() - start < SECONDS and len(times) < 2000):
        times.append(together(n) * 1e3)
    times.sort()
    print(f"torch serve {name} T={THREADS} min {times[0]:.5g} ms med {times[len(times) // 2]:.5g} ms n={len(times)}", flush=True)


def predictions(name, model, x):
    model.eval()
    measure(f"{name} b1", lambda: model(x))
    for layout in ("", " channels_last") if x.dim() == 4 else ("",):
        if layout:
            model, x = model.to(memory_format=torch.channels_last), x.to(memory_format=torch.channels_last)
        frozen = torch.jit.freeze(torch.jit.trace(model, x))
        measure(f"{name} b1{layout} frozen", lambda: frozen(x))
        optimized = torch.jit.optimize_for_inference(torch.jit.trace(model, x))
        measure(f"{name} b1{layout} optimized", lambda: optimized(x))


def serve():
    predictions("mlp", nn.Sequential(nn.Linear(784, 256), nn.ReLU(), nn.Linear(256, 128), nn.ReLU(), nn.Linear(128, 10)), torch.rand(1, 784))
    predictions("lenet", nn.Sequential(nn.Conv2d(1, 20, 5), nn.MaxPool2d(2), nn.Conv2d(20, 50, 5), nn.MaxPool2d(2),
                                       nn.Flatten(), nn.Linear(800, 500), nn.ReLU(), nn.Linear(500, 10)), torch.rand(1, 1, 28, 28))
    predictions("resnet20", torch_vision.resnet(), torch.rand(1, 3, 32, 32))
    predictions("mobilenet", torch_vision.mobilenet(), torch.rand(1, 3, 64, 64))


if "serve" in sys.argv[3:]:
    with torch.inference_mode():
        serve()
