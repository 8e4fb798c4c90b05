#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""check_weights.py FILE.weights: what PyTorch makes of the weights the detector reads, on the waves of
trace_network_test.cc: log odds of the whole image, then of the four corners."""
import sys

import numpy
import torch
from torch import nn

from splice_network import SpliceNetwork

CHANNELS = 56


def take(data, kind, shape):
    count = int(numpy.prod(shape))
    values, rest = numpy.frombuffer(data, kind, count), data[count * numpy.dtype(kind).itemsize:]
    return torch.from_numpy(values.astype(numpy.float32)).reshape(tuple(shape)), rest


@torch.no_grad()
def main():
    network = SpliceNetwork(CHANNELS).eval()
    for block in network.modules():
        if isinstance(block, nn.BatchNorm2d):  # folded into the convolution before it: only its bias is left
            block.running_var.fill_(1 - block.eps)
    with open(sys.argv[1], "rb") as file:
        data = file.read()
    network.mean.data, data = take(data, "<f4", [CHANNELS])
    network.scale.data, data = take(data, "<f4", [CHANNELS])
    for weight, bias in parameters_of(network):
        steps, data = take(data, "<f4", [len(weight)])
        values, data = take(data, "<f4", [len(weight)])
        bias.data.copy_(values)
        values, data = take(data, "i1", weight.shape)
        weight.data.copy_(values * steps.reshape(-1, *[1] * (weight.dim() - 1)))
    channel, row, column = numpy.meshgrid(range(CHANNELS), range(7), range(11), indexing="ij")
    waves = numpy.sin(0.37 * channel + 0.91 * row + 0.53 * column).astype(numpy.float32)
    places, verdict = network(torch.from_numpy(waves)[None])
    print(f"{verdict.item():.4f}", *(f"{places[0, y, x].item():.4f}" for y in (0, -1) for x in (0, -1)))


def parameters_of(network):
    """Weights and biases to set, in the order of layers_of."""
    def level(name):
        return [(block[0].weight, block[1].bias) for block in (getattr(network, name).first, getattr(network, name).second)]

    parameters = []
    for number in "1234":
        mix = getattr(network, "context" + number).mix
        parameters += level("in" + number) + [(mix.weight, mix.bias)]
    for number in "321":
        parameters += level("out" + number)
    return parameters + [(layer.weight, layer.bias) for layer in (network.place, network.whole, network.verdict)]


if __name__ == "__main__":
    main()
