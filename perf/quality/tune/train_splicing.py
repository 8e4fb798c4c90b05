#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""train_splicing.py PICTURES PRINT_TRACES OUT.weights [--more FOLDER...] [--views N] [--start CHECKPOINT]

Trains the splicing network on panels spliced from the pictures that make_pictures wrote, prints how well it does on
pictures it has not seen, and writes the weights that trace_network.cc reads. README.md says what the figures mean."""
import argparse
import copy
import glob
import os
import subprocess
import sys

import cv2
import numpy
import torch
from torch.nn import functional

from splice_network import SpliceNetwork
from splice_panels import Forger

CELL = 8
SIZES = [(256, 256), (320, 320), (384, 384)]
SPLICED = 0.6  # of the panels
BATCH = 16
# Whole series, so that no judged picture has a sibling among those trained on.
HELD_OUT = ("real_blot-TSCC", "real_gel-gel_25", "real_gel-gel_28", "real_micrograph-data_bana")
# Traces by number, as trace_cells.cc lists them.
DIAGONALS = [27, 28]  # a mirror exchanges them
RED, BLUE = [33, 34], [35, 36]
LOGARITHMS = [1, *range(3, 14), 34, 36, 37]  # strengths: another camera shifts them all
CORRELATIONS = list(range(23, 29))


class Tracer:
    """The detector's own traces of a panel."""

    def __init__(self, program):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def traces(self, panel):
        height, width = panel.shape[:2]
        self.process.stdin.write(numpy.array([width, height], "<i4").tobytes())
        self.process.stdin.write(numpy.ascontiguousarray(panel[..., ::-1]).tobytes())
        self.process.stdin.flush()
        shape = numpy.frombuffer(self.process.stdout.read(12), "<i4")
        return numpy.frombuffer(self.process.stdout.read(4 * int(shape.prod())), "<f4").reshape(shape)


class Panels:
    """Traces and truths, by size."""

    def __init__(self):
        self.by_size = {}

    def add(self, tracer, panel, mask):
        cells = tuple(side // CELL for side in panel.shape[:2])
        share = cv2.resize(mask.astype(numpy.float32), cells[::-1], interpolation=cv2.INTER_AREA)
        traces, shares = self.by_size.setdefault(panel.shape[:2], ([], []))
        traces.append(tracer.traces(panel).astype(numpy.float16))
        shares.append((255 * share).astype(numpy.uint8))

    def finished(self):
        return {size: (numpy.stack(traces), numpy.stack(shares)) for size, (traces, shares) in self.by_size.items()}


def is_held_out(name):
    return name.startswith(HELD_OUT)


def read_pictures(folder, more, held_out, painted):
    """Pictures by kind; gels and blots are one."""
    pictures = {}
    for path in sorted(glob.glob(os.path.join(folder, "*.png"))):
        name = os.path.basename(path)
        if name.startswith("real_"):
            if is_held_out(name) == held_out:
                kind = name[5:].split("-")[0]
                pictures.setdefault("blot" if kind == "gel" else kind, []).append(cv2.imread(path))
        elif painted and name.count("-") == 1:
            pictures.setdefault(name.split("-")[0], []).append(cv2.imread(path))
    for place in more:  # the last quarter of what else there is is held out as well
        paths = sorted(glob.glob(os.path.join(place, "*")))[:11]
        chosen = paths[3 * len(paths) // 4:] if held_out else paths[:3 * len(paths) // 4]
        images = [image for image in map(cv2.imread, chosen) if image is not None]
        images = [cv2.resize(image, None, fx=0.6, fy=0.6, interpolation=cv2.INTER_AREA) if min(image.shape[:2]) > 900
                  else image for image in images]
        pictures.setdefault(os.path.basename(place), []).extend(images)
    return pictures


def forge(panels, tracer, pictures, count, seed, by_the_book):
    forger = Forger(pictures)
    for i in range(count):
        attempt, made = 0, None
        while made is None:
            random = numpy.random.default_rng([seed, i, attempt])
            made = forger.panel(random, SIZES[i % 3], i // 3 % 5 < 5 * SPLICED, by_the_book)
            attempt += 1
        panels.add(tracer, *made)


def add_painted(panels, tracer, folder, held_out):
    """Painted panels as the forger made them: donor and host by one painter in one style."""
    random = numpy.random.default_rng(5)
    for path in sorted(glob.glob(os.path.join(folder, "painted_*.png"))):
        number = int(os.path.basename(path).split("-")[1].split(".")[0])
        if path.endswith("-mask.png") or (number % 4 == 3) != held_out:
            continue
        panel = cv2.imread(path)
        mask = numpy.zeros(panel.shape[:2], numpy.uint8)
        if path.endswith("-spliced.png"):
            mask = (cv2.imread(path.replace("-spliced", "-mask"), cv2.IMREAD_GRAYSCALE) > 0).astype(numpy.uint8)
        side = next((size[0] for size in reversed(SIZES) if min(panel.shape[:2]) >= size[0]), 0)
        if not side:
            continue
        windows = [tuple(random.integers(0, whole - side + 1) for whole in panel.shape[:2]) for _ in range(2)]
        windows = [(y, x) for y, x in windows if mask[y:y + side, x:x + side].sum() >= 0.5 * mask.sum()]
        y, x = (windows + [tuple((whole - side) // 2 for whole in panel.shape[:2])])[0]
        window = mask[y:y + side, x:x + side]
        if not mask.any() or window.mean() >= 0.012:
            panels.add(tracer, panel[y:y + side, x:x + side], window)


def losses(network, traces, shares):
    places, verdict = network(traces)
    spliced = (shares.amax((1, 2)) > 0.5).float()
    by_cell = functional.binary_cross_entropy_with_logits(places, shares, reduction="none").mean((1, 2))
    probability = torch.sigmoid(places)
    common, both = (probability * shares).sum((1, 2)), probability.sum((1, 2)) + shares.sum((1, 2))
    overlap = 1 - (2 * common + 1) / (both + 1)
    whole = functional.binary_cross_entropy_with_logits(verdict, spliced)
    return (by_cell + 0.5 * overlap * spliced).mean() + 0.5 * whole, places, verdict, spliced


@torch.no_grad()
def evaluate(network, panels):
    network.eval()
    total, verdicts, truths, overlaps = 0, [], [], []
    for traces, shares in panels.values():
        for i in range(0, len(traces), BATCH):
            x = torch.from_numpy(traces[i:i + BATCH].astype(numpy.float32))
            y = torch.from_numpy(shares[i:i + BATCH].astype(numpy.float32) / 255)
            loss, places, verdict, spliced = losses(network, x, y)
            total += loss.item() * len(x)
            verdicts += verdict.tolist()
            truths += spliced.tolist()
            found, true = places > 0, y > 0.5
            overlap = (found & true).sum((1, 2)) / (found | true).sum((1, 2)).clamp(min=1)
            overlaps += overlap[spliced > 0].tolist()
    network.train()
    verdicts, spliced = numpy.array(verdicts), numpy.array(truths) > 0
    return total / len(verdicts), verdicts[spliced], numpy.sort(verdicts[~spliced])[::-1], numpy.mean(overlaps)


def describe(name, judged):
    loss, spliced, authentic, overlap = judged
    if not len(spliced) or not len(authentic):
        return f"{name}: too few panels"
    auroc = (spliced[:, None] > authentic[None]).mean()
    at = {share: authentic[int(share * len(authentic))] for share in (0.01, 0.05)}
    return (f"{name}: loss {loss:.3f}, AUROC {auroc:.3f}, cell IoU {overlap:.3f}, "
            + ", ".join(f"found at {100 * share:.0f}% alarms {(spliced > level).mean():.3f}"
                        for share, level in at.items()))


def as_if_by_another_camera(traces, scale, random):
    """Only differences within a panel are to count."""
    count = len(traces)
    if random.random() < 0.3:
        traces = traces.clone()
        traces[:, RED + BLUE] = traces[:, BLUE + RED]
    shift = torch.zeros(count, traces.shape[1], 1, 1)
    shift[:, LOGARITHMS] = 0.35 * torch.randn(count, 1, 1, 1) + 0.12 * torch.randn(count, len(LOGARITHMS), 1, 1)
    shift[:, [0]] = 0.3 * torch.randn(count, 1, 1, 1)
    shift[:, CORRELATIONS] = 0.05 * torch.randn(count, len(CORRELATIONS), 1, 1)
    return traces + shift + 0.07 * torch.randn_like(traces) * scale[:, None, None]


@torch.no_grad()
def follow(mean, network, step):
    """The running mean of the weights, over about 200 steps."""
    share = min(0.995, (1 + step) / (10 + step))
    for kept, new in zip(mean.state_dict().values(), network.state_dict().values()):
        if kept.dtype.is_floating_point:
            kept.mul_(share).add_(new, alpha=1 - share)


def train(network, panels, held_out, views, rate, checkpoint):
    """Returns the running mean, which is what is to be used."""
    averaged = copy.deepcopy(network)
    random = numpy.random.default_rng(1)
    optimizer = torch.optim.AdamW([p for p in network.parameters() if p.requires_grad], lr=rate, weight_decay=1e-2)
    sizes = sorted(panels)
    shares_of_sizes = numpy.array([len(panels[size][0]) for size in sizes]) / sum(len(panels[s][0]) for s in sizes)
    for step in range(views // BATCH):
        done = step * BATCH / views
        for group in optimizer.param_groups:
            group["lr"] = rate * min(1, step / 100 + 0.05) * (0.5 * (1 + numpy.cos(numpy.pi * done)) + 0.01)
        traces, shares = panels[sizes[random.choice(len(sizes), p=shares_of_sizes)]]
        chosen = random.choice(len(traces), BATCH, replace=False)
        x, y = traces[chosen].astype(numpy.float32), shares[chosen].astype(numpy.float32) / 255
        across, down = random.random(2) < 0.5
        if across:
            x, y = x[..., ::-1], y[..., ::-1]
        if down:
            x, y = x[..., ::-1, :], y[..., ::-1, :]
        if across != down:
            x = x.copy()
            x[:, DIAGONALS] = x[:, DIAGONALS[::-1]]
        x, y = torch.from_numpy(numpy.ascontiguousarray(x)), torch.from_numpy(numpy.ascontiguousarray(y))
        x = as_if_by_another_camera(x, network.scale, random)
        kept = (torch.rand(BATCH, x.shape[1], 1, 1) > 0.05).float()  # no single trace is to be relied on
        mean = network.mean[:, None, None]
        loss = losses(network, (x - mean) * kept + mean, y)[0]
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 5)
        optimizer.step()
        follow(averaged, network, step)
        if step % 300 == 299:
            torch.save(averaged.state_dict(), checkpoint)
            print(f"{(step + 1) * BATCH} views", *(describe(*one) for one in
                  ((name, evaluate(averaged, panels)) for name, panels in held_out.items())), sep="\n  ", flush=True)
    return averaged


def folded(block):
    convolution, norm = block
    gain = norm.weight / torch.sqrt(norm.running_var + norm.eps)
    return convolution.weight * gain[:, None, None, None], norm.bias - norm.running_mean * gain


def layers_of(network):
    """(weights, bias) in the order of trace_network.cc."""
    def level(name):
        return [folded(getattr(network, name).first), folded(getattr(network, name).second)]

    def matrix(layer):
        return (layer.weight, layer.bias)

    layers = []
    for number in "1234":
        layers += level("in" + number) + [matrix(getattr(network, "context" + number).mix)]
    for number in "321":
        layers += level("out" + number)
    return layers + [matrix(network.place), matrix(network.whole), matrix(network.verdict)]


@torch.no_grad()
def write_weights(network, path):
    """Means and scales of the traces, then for each layer the step of every output, its bias, and its weights in
    steps, as bytes."""
    network.eval()
    data = [network.mean.numpy().astype("<f4"), network.scale.numpy().astype("<f4")]
    for weights, bias in layers_of(network):
        weights = weights.reshape(len(weights), -1)
        steps = weights.abs().amax(1).clamp(min=1e-12) / 127
        data += [steps.numpy().astype("<f4"), bias.numpy().astype("<f4"),
                 torch.round(weights / steps[:, None]).numpy().astype("i1")]
    with open(path, "wb") as file:
        file.write(b"".join(one.tobytes() for one in data))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pictures")
    parser.add_argument("print_traces")
    parser.add_argument("out")
    parser.add_argument("--more", nargs="*", default=[], help="folders of further authentic photographs")
    parser.add_argument("--views", type=int, default=60_000, help="panels shown in all")
    parser.add_argument("--panels", type=int, default=5400, help="forged for training; a tenth of it for judging")
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--start", help="go on from this checkpoint")
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    torch.manual_seed(1)
    tracer = Tracer(arguments.print_traces)
    real, mixed = (read_pictures(arguments.pictures, arguments.more, False, painted) for painted in (False, True))
    unseen = read_pictures(arguments.pictures, arguments.more, True, False)
    training, count = Panels(), arguments.panels
    forge(training, tracer, real, 4 * count // 9, 11, False)
    forge(training, tracer, mixed, 5 * count // 18, 21, False)
    forge(training, tracer, real, 5 * count // 18, 31, True)
    add_painted(training, tracer, arguments.pictures, False)
    judged = {"real, forged in many ways": Panels(), "real, by the book": Panels(), "painted": Panels()}
    forge(judged["real, forged in many ways"], tracer, unseen, count // 10, 12, False)
    forge(judged["real, by the book"], tracer, unseen, count // 18, 32, True)
    add_painted(judged["painted"], tracer, arguments.pictures, True)
    judged = {name: panels.finished() for name, panels in judged.items()}
    training = training.finished()
    some = numpy.concatenate([t[:200].astype(numpy.float32).transpose(1, 0, 2, 3).reshape(t.shape[1], -1)
                              for t, _ in training.values()], 1)
    network = SpliceNetwork(len(some))
    if arguments.start:
        network.load_state_dict(torch.load(arguments.start))
    else:
        network.mean.data = torch.from_numpy(some.mean(1))
        network.scale.data = torch.from_numpy(numpy.maximum(some.std(1), 0.05))
    print(sum(p.numel() for p in network.parameters()), "weights,", sum(len(t) for t, _ in training.values()), "panels",
          flush=True)
    network = train(network, training, judged, arguments.views, arguments.rate, arguments.out + ".checkpoint")
    write_weights(network, arguments.out)
    for name, panels in judged.items():
        result = evaluate(network, panels)
        print(describe(name, result))
        if len(result[2]):
            print("  verdicts exceeded by 10%, 5%, 2% and 1% of authentic panels:",
                  *(f"{numpy.quantile(result[2], 1 - share):.2f}" for share in (0.1, 0.05, 0.02, 0.01)))


if __name__ == "__main__":
    sys.exit(main())
