#!/usr/bin/python3
"""Training steps of the convolutional networks of ../vision.go in PyTorch: torch_vision.py THREADS SECONDS MODEL... (resnet, mobilenet).

Needs PyTorch (Debian: python3-torch). See torch_vision.sh, which runs it. Each model is timed in NCHW and in channels_last; compare.sh takes the
best. Timing follows ../measure.go. torch_serve.py predicts with the same models.
"""
import sys
import time

import torch
import torch.nn as nn
import torch.nn.functional as F


class Residual(nn.Module):
    def __init__(self, body, around=None, act=None):
        super().__init__()
        self.body, self.around, self.act = body, around or nn.Identity(), act or nn.Identity()

    def forward(self, x):
        return self.act(self.body(x) + self.around(x))


def normed(channels, kernel, filters, stride, groups, act):
    layers = [nn.Conv2d(channels, filters, kernel, stride, kernel // 2, groups=groups, bias=False), nn.BatchNorm2d(filters)]
    return nn.Sequential(*layers, act(inplace=True)) if act else nn.Sequential(*layers)


def head(channels):
    return nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(channels, 10))


def resnet():
    net, channels = [normed(3, 3, 16, 1, 1, nn.ReLU)], 16
    for filters in (16, 32, 64):
        for _ in range(3):
            stride = filters // channels
            around = normed(channels, 1, filters, 2, 1, None) if stride == 2 else None
            body = nn.Sequential(normed(channels, 3, filters, stride, 1, nn.ReLU), normed(filters, 3, filters, 1, 1, None))
            net.append(Residual(body, around, nn.ReLU(inplace=True)))
            channels = filters
    return nn.Sequential(*net, head(channels))


def mobilenet():
    net, channels = [normed(3, 3, 16, 2, 1, nn.ReLU6)], 16
    for filters, stride in ((16, 1), (24, 2), (24, 1), (32, 2), (32, 1), (32, 1), (64, 2), (64, 1), (64, 1)):
        wide = 4 * channels
        body = nn.Sequential(normed(channels, 1, wide, 1, 1, nn.ReLU6), normed(wide, 3, wide, stride, wide, nn.ReLU6), normed(wide, 1, filters, 1, 1, None))
        net.append(Residual(body) if stride == 1 and filters == channels else body)
        channels = filters
    return nn.Sequential(*net, normed(channels, 1, 256, 1, 1, nn.ReLU6), head(256))


def train(name, model, size, threads, seconds, batch=32):
    clock = time.process_time if threads == 1 else time.perf_counter
    for layout in (torch.contiguous_format, torch.channels_last):
        m = model().to(memory_format=layout)
        x, y = torch.rand(batch, 3, size, size).to(memory_format=layout), torch.randint(0, 10, (batch,))
        optimizer = torch.optim.SGD(m.parameters(), 0.01, momentum=0.9, foreach=True)

        def step():
            optimizer.zero_grad(set_to_none=True)
            F.cross_entropy(m(x), y).backward()
            optimizer.step()

        for _ in range(3):
            step()
        times, start = [], time.perf_counter()
        while len(times) < 5 or (time.perf_counter() - start < seconds and len(times) < 2000):
            t = clock()
            step()
            times.append((clock() - t) * 1e3)
        times.sort()
        last = " channels_last" if layout is torch.channels_last else ""
        print(f"torch {name} momentum b{batch}{last} T={threads} min {times[0]:.5g} ms med {times[len(times) // 2]:.5g} ms n={len(times)}", flush=True)


def main():
    threads, seconds = int(sys.argv[1]), float(sys.argv[2])
    torch.set_num_threads(threads)
    torch.manual_seed(0)
    cases = {"resnet": ("resnet20", resnet, 32), "mobilenet": ("mobilenet", mobilenet, 64)}
    for model in sys.argv[3:]:
        train(*cases[model], threads, seconds)


if __name__ == "__main__":
    main()
