# SPDX-License-Identifier: Apache-2.0
"""The splicing network, as inspectors/forensics/trace_network.cc runs it: a small U over the cells of an image.

Every convolution is 3x3, padded with zeros. Halving averages two by two cells (fewer at odd edges), doubling repeats
them. After the first level the mean and the spread of the whole image are mixed into every cell, so that a cell is
always compared with the rest."""
import torch
from torch import nn
from torch.nn import functional

WIDTHS = (32, 48, 56, 56)


def convolution(inputs, outputs):
    return nn.Sequential(nn.Conv2d(inputs, outputs, 3, padding=1, bias=False), nn.BatchNorm2d(outputs))


class Level(nn.Module):
    def __init__(self, inputs, width):
        super().__init__()
        self.first, self.second = convolution(inputs, width), convolution(width, width)

    def forward(self, x):
        x = functional.relu(self.first(x))
        return functional.relu(x + self.second(x))


class Context(nn.Module):
    """Mean and spread over the image, through one matrix, added everywhere."""

    def __init__(self, width):
        super().__init__()
        self.mix = nn.Linear(2 * width, width)

    def forward(self, x):
        mean = x.mean((2, 3))
        spread = ((x - mean[..., None, None]) ** 2).mean((2, 3)).add(1e-4).sqrt()
        return functional.relu(x + self.mix(torch.cat([mean, spread], 1))[..., None, None])


def halved(x):
    return functional.avg_pool2d(x, 2, ceil_mode=True, count_include_pad=False)


def doubled(x, like):
    return functional.interpolate(x, scale_factor=2, mode="nearest")[..., :like.shape[2], :like.shape[3]]


class SpliceNetwork(nn.Module):
    def __init__(self, channels):
        super().__init__()
        a, b, c, d = WIDTHS
        self.mean, self.scale = (nn.Parameter(torch.zeros(channels), False), nn.Parameter(torch.ones(channels), False))
        self.in1, self.context1 = Level(channels, a), Context(a)
        self.in2, self.in3, self.in4 = Level(a, b), Level(b, c), Level(c, d)
        self.context2, self.context3, self.context4 = Context(b), Context(c), Context(d)
        self.out3, self.out2, self.out1 = Level(c + d, c), Level(b + c, b), Level(a + b, a)
        self.place = nn.Conv2d(a, 1, 1)   # log odds that a cell was pasted
        self.whole = nn.Linear(2 * d + a + 2, 24)
        self.verdict = nn.Linear(24, 1)   # log odds that anything was

    def forward(self, x):
        x = ((x - self.mean[:, None, None]) / self.scale[:, None, None]).clamp(-6, 6)
        x1 = self.context1(self.in1(x))
        x2 = self.context2(self.in2(halved(x1)))
        x3 = self.context3(self.in3(halved(x2)))
        x4 = self.context4(self.in4(halved(x3)))
        y3 = self.out3(torch.cat([doubled(x4, x3), x3], 1))
        y2 = self.out2(torch.cat([doubled(y3, x2), x2], 1))
        y1 = self.out1(torch.cat([doubled(y2, x1), x1], 1))
        places = self.place(y1)
        # What the suspicious cells are like, and the rest.
        odds = places.flatten(2)
        weight = torch.softmax(odds, 2)
        suspicious = (y1.flatten(2) * weight).sum(2)
        most = (odds * weight).sum(2)
        share = torch.sigmoid(odds).mean(2)
        whole = torch.cat([x4.mean((2, 3)), x4.amax((2, 3)), suspicious, most, share], 1)
        return places[:, 0], self.verdict(functional.relu(self.whole(whole)))[:, 0]
