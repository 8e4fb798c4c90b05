#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The official MVTec procedure, straight in numpy: reference.py MAPS -> values and times as JSON.

Every pixel of every image is sorted by score; false positives and region overlap are accumulated over the
sorted pixels, ties are merged, and the curves are integrated by trapezoids.
"""
import json
import struct
import sys
import time
from pathlib import Path

import numpy as np
from scipy.ndimage import label

LIMIT = 0.3


def read_float_tiff(path):
    """The uncompressed single-strip TIFF that measure_maps writes."""
    with open(path, "rb") as file:
        _, _, directory = struct.unpack("<2sHI", file.read(8))
        file.seek(directory)
        (entries,) = struct.unpack("<H", file.read(2))
        tags = {}
        for _ in range(entries):
            name, _, _, value = struct.unpack("<HHII", file.read(12))
            tags[name] = value
    return np.fromfile(path, np.float32, tags[256] * tags[257], offset=tags[273]).reshape(tags[257], tags[256])


def read_class(folder):
    maps, masks = [], []
    for path in sorted(Path(folder).glob("*/*.tiff")):
        maps.append(read_float_tiff(path))
        mask = path.with_suffix(".mask")
        masks.append(np.fromfile(mask, np.uint8).reshape(maps[-1].shape) if mask.exists()
                     else np.zeros(maps[-1].shape, np.uint8))
    return np.stack(maps), np.stack(masks)


def area_up_to(x, y, limit):
    """Trapezoids under (x, y), ending exactly at the limit."""
    inside = x <= limit
    area = np.trapz(y[inside], x[inside])
    last = np.count_nonzero(inside) - 1
    if last + 1 < len(x) and x[last] < limit:
        share = (limit - x[last]) / (x[last + 1] - x[last])
        at_limit = y[last] + share * (y[last + 1] - y[last])
        area += (limit - x[last]) * (y[last] + at_limit) / 2
    return area


def pixel_metrics(maps, masks):
    false_positive = np.zeros(maps.shape, np.uint32)
    overlap = np.zeros(maps.shape, np.float64)
    regions = 0
    for i, mask in enumerate(masks):
        labels, count = label(mask, structure=np.ones((3, 3), int))
        false_positive[i][labels == 0] = 1
        for region in range(1, count + 1):
            inside = labels == region
            overlap[i][inside] = 1 / np.count_nonzero(inside)
        regions += count
    scores, false_positive, overlap = maps.ravel(), false_positive.ravel(), overlap.ravel()
    order = np.argsort(scores)[::-1]
    scores, false_positive, overlap = scores[order], false_positive[order], overlap[order]
    true_positives = np.cumsum(1 - false_positive, dtype=np.uint64)
    false_positives = np.cumsum(false_positive, dtype=np.uint64)
    covered = np.cumsum(overlap)
    last_of_tie = np.append(np.diff(scores) != 0, True)
    fpr = np.append(0, false_positives[last_of_tie] / false_positives[-1])
    tpr = np.append(0, true_positives[last_of_tie] / true_positives[-1])
    pro = np.append(0, covered[last_of_tie] / regions)
    return {"p_auroc": np.trapz(tpr, fpr), "au_pro": area_up_to(fpr, pro, LIMIT) / LIMIT}


def image_metric(maps, masks):
    scores, labels = maps.max(axis=(1, 2)), masks.any(axis=(1, 2))
    wins = scores[labels][:, None] > scores[~labels][None, :]
    ties = scores[labels][:, None] == scores[~labels][None, :]
    return {"i_auroc": (wins + ties / 2).mean()}


def main():
    maps, masks = read_class(sys.argv[1])
    start, processor_start = time.perf_counter(), time.process_time()
    values = {**pixel_metrics(maps, masks), **image_metric(maps, masks)}
    print(json.dumps({"seconds": time.process_time() - processor_start,
                      "wall_seconds": time.perf_counter() - start, **values}))


main()
