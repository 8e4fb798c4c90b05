#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""seam_evidence.py SET...: how much of a splice's seam is there to be seen, if one knew where to look?

Blending averages the grains of two recordings, so that along the outline there is less fine detail than on either side.
For every splice of the sets (folders that measure_quality wrote) this measures that lack along its true outline, and
along the same outline moved to 40 other places of the panel. A detector has to find the outline as well, so it cannot
be expected to do better by this trace than what is printed here:

  lowest   the true outline lacks more detail than every moved one
  clear    it lies more than 3 deviations below their mean
"""
import argparse
import json
import sys
from pathlib import Path

import cv2
import numpy as np

GRAINS = np.float32([[1, -2, 1], [-2, 4, -2], [1, -2, 1]]) / 4  # blind to slopes and to edges along the grid
MOVES, LEAST_MOVE, LEAST_PLACES = 40, 25, 10
FLAT = 0.3  # share of pixels equal to their surroundings: above, the panel was drawn


def splices_of(folder):
    """(panel, mask) of each, both as arrays."""
    for item in json.loads((folder / "forgery.json").read_text())["question"]:
        if item["ground_truth"] != ["A"]:
            continue
        image = cv2.imread(str(folder / item["panel_paths"][0]), cv2.IMREAD_GRAYSCALE).astype(np.float32)
        mask = cv2.imread(str(folder / item["mask_path"]), cv2.IMREAD_GRAYSCALE)
        size = image.shape[::-1]
        yield image, (cv2.resize(mask, size, interpolation=cv2.INTER_NEAREST) > 0).astype(np.uint8)


def lack_of_detail(detail, mask, width):
    """Mean logarithm of fine detail in the band where the seam is, less that of the bands on both sides."""
    inward = cv2.distanceTransform(mask, cv2.DIST_L2, 5)
    outward = cv2.distanceTransform(1 - mask, cv2.DIST_L2, 5)
    seam = (inward >= 0.9) & (inward <= width + 0.3)
    beside = ((inward >= 6) & (inward < 10)) | ((outward >= 6) & (outward < 10))
    return detail[seam].mean() - detail[beside].mean()


def moved(mask, rng):
    """The mask at other places of the panel, whole."""
    rows, columns = mask.shape
    ys, xs = np.nonzero(mask)
    for _ in range(MOVES):
        dx = rng.integers(-xs.min(), columns - xs.max())
        dy = rng.integers(-ys.min(), rows - ys.max())
        if abs(dx) + abs(dy) >= LEAST_MOVE:
            move = np.float32([[1, 0, dx], [0, 1, dy]])
            yield cv2.warpAffine(mask, move, (columns, rows), flags=cv2.INTER_NEAREST)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="+", type=Path, metavar="SET", help="such as tuning/real-recipe/clean")
    parser.add_argument("--width", type=int, default=3, help="pixels over which panels were blended")
    arguments = parser.parse_args()
    for folder in arguments.sets:
        if not (folder / "forgery.json").exists():
            sys.exit(f"there is no forgery.json in {folder}: name a folder that measure_quality wrote, with its version")
    cv2.setNumThreads(1)
    print(f"{'set':28} {'splices':>8} {'drawn':>6} {'lowest':>7} {'clear':>6}")
    for folder in arguments.sets:
        rng, drawn, lowest, clear = np.random.default_rng(1), 0, 0, 0
        count = 0
        for image, mask in splices_of(folder):
            detail = np.log(np.minimum(np.abs(cv2.filter2D(image, -1, GRAINS)), 12) + 0.3)
            elsewhere = [lack_of_detail(detail, other, arguments.width) for other in moved(mask, rng)]
            if len(elsewhere) < LEAST_PLACES:
                continue  # so large that there is no other place for it
            here = lack_of_detail(detail, mask, arguments.width)
            count += 1
            drawn += (np.abs(image - cv2.blur(image, (5, 5))) < 1e-3).mean() > FLAT
            lowest += here < min(elsewhere)
            clear += here < np.mean(elsewhere) - 3 * np.std(elsewhere)
        print(f"{'/'.join(folder.parts[-2:]):28} {count:8} {drawn:6} {lowest:7} {clear:6}", flush=True)


main()
