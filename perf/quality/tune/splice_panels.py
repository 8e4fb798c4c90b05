#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Panels to train the splicing network on: pictures of the tuning part, recorded anew and spliced in many ways.

A splice is known by what two recordings do not share, so every picture is first "recorded": cut out, scaled,
lit, blurred, given noise and compression of its own. Donor and host share some of that, all of it or none. Half of
the panels stay authentic. All of it follows from the seed.
"""
import math

import cv2
import numpy


class Recorder:
    """What happens to a picture between the scene and the file; one object is one laboratory."""

    def __init__(self, random, gentle):
        self.scale = random.choice([1, 1, 1, random.uniform(0.4, 1), random.uniform(0.5, 1), random.uniform(1, 1.6)])
        self.gamma = 1 if random.random() < 0.5 else math.exp(random.normal(0, 0.3))
        self.contrast = 1 if random.random() < 0.5 else random.uniform(0.5, 1.3)
        self.lift = 0 if random.random() < 0.6 else random.uniform(-25, 25)
        self.blur = 0 if random.random() < 0.65 else random.uniform(0.3, 1.5)
        self.shade = 0 if random.random() < 0.75 else random.uniform(0.05, 0.35)
        self.depth = 0 if random.random() < 0.8 else random.uniform(0.6, 2.5)
        self.noise = (0, 0) if random.random() < 0.5 else (math.exp(random.uniform(-1.5, 2)),
                                                           random.choice([0, math.exp(random.uniform(-3.5, 0.5))]))
        self.grain = 0 if random.random() < 0.6 else random.uniform(0.3, 0.9)
        self.coloured = random.random() < 0.4
        self.sharpen = 0 if random.random() < 0.88 else random.uniform(0.3, 1.5)
        self.median = random.random() < 0.05
        self.grey = random.random() < 0.35
        self.jpeg = 0 if random.random() < 0.65 else int(random.integers(60, 98))
        self.stretch = 0 if random.random() < 0.85 else random.uniform(1.1, 2)
        if gentle:  # the picture as it is, in its own noise
            self.scale = random.choice([1, 1, self.scale])
            self.gamma, self.contrast, self.lift, self.blur, self.shade, self.noise, self.sharpen = 1, 1, 0, 0, 0, (0, 0), 0
            self.median, self.jpeg, self.stretch, self.grey, self.depth = False, 0, 0, False, 0

    def record(self, picture, size, random):
        """A panel of `size` = (height, width)."""
        picture = turned(picture, random)
        scale = max(self.scale, (size[0] + 8) / picture.shape[0], (size[1] + 8) / picture.shape[1])
        if scale != 1:
            how = cv2.INTER_AREA if scale < 1 else random.choice([cv2.INTER_LINEAR, cv2.INTER_CUBIC])
            picture = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=int(how))
        top, left = (int(random.integers(0, picture.shape[k] - size[k] - 7)) for k in (0, 1))
        panel = picture[top:top + size[0] + 8, left:left + size[1] + 8].astype(numpy.float32)
        if self.grey:
            panel = numpy.repeat(panel.mean(axis=2, keepdims=True), 3, axis=2)
        if self.gamma != 1:
            panel = 255 * (panel / 255) ** self.gamma
        panel = panel * self.contrast + self.lift
        if self.shade:
            panel = panel * numpy.exp(self.shade * smooth_field(panel, random))
        if self.blur:
            panel = cv2.GaussianBlur(panel, None, self.blur)
        if self.depth:  # part of the scene is out of focus
            share = 1 / (1 + numpy.exp(-6 * smooth_field(panel, random)))
            panel = share * cv2.GaussianBlur(panel, None, self.depth) + (1 - share) * panel
        if self.noise != (0, 0):
            shape = panel.shape if self.coloured else panel.shape[:2] + (1,)
            noise = random.normal(0, 1, shape).astype(numpy.float32)
            if self.grain:
                noise = cv2.GaussianBlur(noise, None, self.grain).reshape(shape)
                noise /= noise.std()
            level = numpy.sqrt(self.noise[0] ** 2 * 0.5 + self.noise[1] * numpy.clip(panel, 0, 255))
            panel = panel + noise * level
        if self.sharpen:
            panel += self.sharpen * (panel - cv2.GaussianBlur(panel, None, 1))
        panel = rounded(panel)
        if self.median:
            panel = cv2.medianBlur(panel, 3)
        if self.stretch:
            panel = rounded((panel.astype(numpy.float32) - random.uniform(0, 30)) * self.stretch)
        if self.jpeg:
            panel = compressed(panel, self.jpeg)
        top, left = random.integers(0, 8, 2)  # blocks begin anywhere
        return panel[top:top + size[0], left:left + size[1]]


def smooth_field(panel, random):
    field = random.normal(0, 1, (3, 3)).astype(numpy.float32)
    return cv2.resize(field, panel.shape[1::-1], interpolation=cv2.INTER_CUBIC)[..., None]


def rounded(panel):
    return numpy.clip(numpy.rint(panel), 0, 255).astype(numpy.uint8)


def compressed(panel, quality):
    _, data = cv2.imencode(".jpg", panel, [cv2.IMWRITE_JPEG_QUALITY, int(quality)])
    return cv2.imdecode(data, cv2.IMREAD_COLOR)


def turned(picture, random):
    picture = numpy.rot90(picture, random.integers(0, 4))
    return numpy.ascontiguousarray(picture[:, ::-1] if random.random() < 0.5 else picture)


def largest_component(binary):
    square = numpy.ones((5, 5), numpy.uint8)
    binary = cv2.morphologyEx(cv2.morphologyEx(binary, cv2.MORPH_CLOSE, square), cv2.MORPH_OPEN, square)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(binary, connectivity=8)
    if count < 2:
        return numpy.zeros_like(binary)
    component = (labels == 1 + stats[1:, cv2.CC_STAT_AREA].argmax()).astype(numpy.uint8)
    outlines, _ = cv2.findContours(component, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    return cv2.drawContours(numpy.zeros_like(component), outlines, -1, 1, cv2.FILLED)


def object_mask(donor, random, by_the_book=False):
    """What is cut out: mostly what Otsu's threshold gives, in its several readings."""
    height, width = donor.shape[:2]
    grey = cv2.cvtColor(donor, cv2.COLOR_BGR2GRAY)
    kind = random.random() * (0.6 if by_the_book else 1)
    if kind < 0.7:
        blur = random.choice([0, 0, 1.5, 3, 6])
        smooth = cv2.GaussianBlur(grey, None, blur) if blur else grey
        if kind < 0.6:
            _, binary = cv2.threshold(smooth, 0, 1, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
        else:
            binary = cv2.adaptiveThreshold(smooth, 1, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY,
                                           min(height, width) // 4 * 2 + 1, 0)
        reading = random.random()
        border = numpy.concatenate([binary[0], binary[-1], binary[:, 0], binary[:, -1]]).mean()
        if (reading < 0.5 and border > 0.5) or reading > 0.85:
            binary = 1 - binary
        mask = largest_component(binary)
        if random.random() < 0.4:
            mask = (cv2.GaussianBlur(mask.astype(numpy.float32), None, 2.5) > 0.5).astype(numpy.uint8)
        return mask
    mask = numpy.zeros((height, width), numpy.uint8)
    if kind < 0.85:
        angles = numpy.linspace(0, 2 * math.pi, 48, endpoint=False)
        radius = 1 + sum(random.normal(0, 0.3 / k) * numpy.cos(k * angles + random.uniform(0, 7)) for k in range(2, 6))
        size = random.uniform(0.1, 0.32)
        points = numpy.stack([random.uniform(0.25, 0.75) * width + size * width * radius * numpy.cos(angles),
                              random.uniform(0.25, 0.75) * height + size * height * radius * numpy.sin(angles)], 1)
        return cv2.fillPoly(mask, [points.astype(numpy.int32)], 1)
    w, h = random.uniform(0.12, 0.6) * width, random.uniform(0.12, 0.6) * height
    if kind > 0.95:  # a lane
        w, h = (w / 2, 0.8 * height) if random.random() < 0.5 else (0.8 * width, h / 2)
    x, y = random.uniform(0, width - w), random.uniform(0, height - h)
    return cv2.rectangle(mask, (int(x), int(y)), (int(x + w), int(y + h)), 1, cv2.FILLED)


def shifted(image, dx, dy):
    return cv2.warpAffine(image, numpy.float32([[1, 0, dx], [0, 1, dy]]), image.shape[1::-1], flags=cv2.INTER_NEAREST)


def alpha_of(mask, random, by_the_book=False):
    kind = random.random() * (0.8 if by_the_book else 1)
    if kind < 0.4:
        return mask.astype(numpy.float32)
    if kind < 0.8:
        feather = random.choice([1, 2, 3, 3, 3, 4, 5, 6])
        return numpy.minimum(1, cv2.distanceTransform(mask, cv2.DIST_L2, cv2.DIST_MASK_PRECISE) / (feather + 1))
    return cv2.GaussianBlur(mask.astype(numpy.float32), None, random.uniform(0.6, 2.5))


def likeness(a, b):
    """As THEMIS searches pairs, less the sizes."""
    a, b = (cv2.resize(cv2.cvtColor(one, cv2.COLOR_BGR2GRAY), (96, 96)) for one in (a, b))
    counts = [cv2.calcHist([one], [0], None, [256], [0, 256]) for one in (a, b)]
    a, b = a / 255, b / 255
    means, spread = 2 * a.mean() * b.mean() + 1e-4, 2 * ((a - a.mean()) * (b - b.mean())).mean() + 9e-4
    ssim = means * spread / ((a.mean() ** 2 + b.mean() ** 2 + 1e-4) * (a.var() + b.var() + 9e-4))
    return 0.2 * (cv2.compareHist(counts[0], counts[1], cv2.HISTCMP_CORREL) + 1) + 0.4 * max(ssim, 0)


def annotate(panel, random):
    """Scale bars and letters, which are no splices."""
    panel = panel.copy()
    height, width = panel.shape[:2]
    ink = tuple(int(v) for v in random.choice([[255] * 3, [0] * 3, [0, 255, 255]]))
    if random.random() < 0.6:
        x, y = int(random.uniform(0.05, 0.7) * width), int(random.uniform(0.85, 0.95) * height)
        cv2.rectangle(panel, (x, y), (x + int(random.uniform(0.1, 0.25) * width), y + int(random.integers(2, 8))), ink, -1)
    for _ in range(int(random.integers(0, 3))):
        words = random.choice(["A", "b", "50 um", "control", "KDa 75", "24 h"])
        cv2.putText(panel, str(words), (int(random.uniform(0.02, 0.7) * width), int(random.uniform(0.06, 0.95) * height)),
                    int(random.choice([cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX])), random.uniform(0.4, 1), ink,
                    int(random.integers(1, 3)), cv2.LINE_AA if random.random() < 0.7 else cv2.LINE_8)
    return panel


class Handling:
    """What may happen on the way from the forger to the reader."""

    def __init__(self, random, by_the_book=False):
        fate = random.random() * (2 if by_the_book else 1)
        self.jpeg = int(random.integers(60, 96)) if fate < 0.13 else 0
        self.blur = random.uniform(0.5, 1.2) if 0.13 <= fate < 0.23 else 0
        self.shrink = random.uniform(0.5, 0.9) if 0.23 <= fate < 0.4 else 1
        self.how = int(random.choice([cv2.INTER_AREA, cv2.INTER_LINEAR]))
        self.back = random.random() < 0.5  # to the old size

    def size_before(self, size):
        return size if self.shrink == 1 or self.back else tuple(round(side / self.shrink) for side in size)

    def handle(self, panel, mask, size):
        if self.jpeg:
            panel = compressed(panel, self.jpeg)
        if self.blur:
            panel = cv2.GaussianBlur(panel, None, self.blur)
        if self.shrink != 1:
            small = tuple(round(side * self.shrink) for side in size[::-1]) if self.back else size[::-1]
            panel = cv2.resize(panel, small, interpolation=self.how)
            if self.back:
                panel = cv2.resize(panel, size[::-1], interpolation=cv2.INTER_LINEAR)
            mask = cv2.resize(mask, size[::-1], interpolation=cv2.INTER_NEAREST)
        return panel, mask


class Forger:
    """Makes panels of pictures by kind: {kind: [image]}. A kind is as frequent as the square root of its number."""

    def __init__(self, pictures):
        self.pictures = pictures
        self.kinds = sorted(pictures)
        weights = numpy.sqrt([len(pictures[kind]) for kind in self.kinds])
        self.shares = weights / weights.sum()

    def kind(self, random):
        return self.kinds[random.choice(len(self.kinds), p=self.shares)]

    def picture(self, kind, random):
        return self.pictures[kind][random.integers(0, len(self.pictures[kind]))]

    def panel(self, random, size, spliced, by_the_book=False):
        """(panel, mask): the mask is all 0 for authentic panels. None when a forgery did not work out. By the book:
        mostly pictures as they are, objects by Otsu's threshold, nothing afterwards."""
        gentle = 0.75 if by_the_book else 0.35
        handling, wanted = Handling(random, by_the_book), size
        size = handling.size_before(size)
        kind = self.kind(random)
        laboratory = Recorder(random, random.random() < gentle)
        host = laboratory.record(self.picture(kind, random), size, random)
        mask = numpy.zeros(size, numpy.uint8)
        panel = host
        if spliced:
            other = kind if by_the_book or random.random() < 0.75 else self.kind(random)
            same = random.random() < 0.25
            donors = []
            for _ in range(int(random.choice([1, 1, 3]))):
                there = laboratory if same else Recorder(random, random.random() < gentle)
                resized = random.random() < 0.4
                there_size = tuple(int(s * random.uniform(0.6, 1.6)) for s in size) if resized else size
                donors.append(there.record(self.picture(other, random), there_size, random))
            donor = max(donors, key=lambda one: likeness(one, host)) if len(donors) > 1 else donors[0]
            before = donor.shape[0] < 0.9 * size[0] or random.random() < 0.5
            how = int(random.choice([cv2.INTER_NEAREST, cv2.INTER_NEAREST, cv2.INTER_LINEAR, cv2.INTER_AREA, cv2.INTER_CUBIC]))
            cut = object_mask(donor, random, by_the_book) if before else None
            donor = cv2.resize(donor, size[::-1], interpolation=how)
            cut = cv2.resize(cut, size[::-1], interpolation=cv2.INTER_NEAREST) if before else object_mask(donor, random, by_the_book)
            if random.random() < 0.25:
                levels = donor.astype(numpy.float32)
                spread = min(2, max(0.5, host.std() / max(1, levels.std())))
                donor = rounded((levels - levels.mean()) * spread + host.mean())
            if random.random() < 0.6:
                dx, dy = (int(random.uniform(-0.15, 0.15) * s) for s in (size[1], size[0]))
                donor, cut = shifted(donor, dx, dy), shifted(cut, dx, dy)
            share = cut.mean()
            if not 0.012 < share < 0.65:
                return None
            alpha = alpha_of(cut, random, by_the_book)[..., None]
            panel = rounded(alpha * donor + (1 - alpha) * host)
            mask = (alpha[..., 0] > 0.3).astype(numpy.uint8)
            if numpy.abs(panel.astype(numpy.float32) - host)[mask > 0].mean() < 4:
                return None
        if random.random() < 0.15:
            panel = annotate(panel, random)
        return handling.handle(panel, mask, wanted)
