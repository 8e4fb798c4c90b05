#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""measure.py PROGRAMS [IMAGES SIDE]: awry against numpy on one synthetic class. Fails when a target is missed."""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
LEAST_RATIO, MOST_DIFFERENCE, MOST_MEMORY = 20, 1e-6, 1 << 30
KEYS = ["i_auroc", "p_auroc", "au_pro"]


def run(command):
    """The JSON a program prints, with its peak memory in bytes."""
    process = subprocess.Popen([str(part) for part in command], stdout=subprocess.PIPE)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = status
    if status != 0:
        sys.exit(f"failed: {' '.join(map(str, command))}")
    return {**(json.loads(output) if output else {}), "memory": usage.ru_maxrss * 1024}


def every(nth, folder, target):
    """The same tree with each nth image of it, by hard links."""
    for kind in ["good", "spot"]:
        for i, map_file in enumerate(sorted((folder / "maps" / kind).glob("*.tiff"))):
            if i % nth:
                continue
            for file in [map_file.relative_to(folder), *(
                    Path("truth/synthetic") / place / kind / (map_file.stem + ending)
                    for place, ending in [("test", ".png"), ("ground_truth", "_mask.png")])]:
                if (folder / file).exists():
                    (target / file).parent.mkdir(parents=True, exist_ok=True)
                    os.link(folder / file, target / file)
    return target


def show(name, measured, nanoseconds):
    print(f"  {name:28} {measured['seconds']:8.2f} s  {measured['wall_seconds']:8.2f} s by the clock  "
          f"{nanoseconds:6.1f} ns/pixel  {measured['memory'] / 2**20:7.0f} MiB")


def main():
    programs = Path(sys.argv[1]).resolve()
    images, side = (int(argument) for argument in (sys.argv[2:4] or [150, 1024]))
    with tempfile.TemporaryDirectory() as scratch:
        full = Path(scratch) / "full"
        run([programs / "measure_maps", "make", full, images, side])
        trees = [(4, every(4, full, Path(scratch) / "quarter")), (2, every(2, full, Path(scratch) / "half")),
                 (1, full)]
        print(f"maps: {images} images of {side}x{side}, a third of them good; float TIFF maps, PNG masks.\n"
              "  Both run on one thread; seconds are those of the processor, so that other work does not count.")
        per_pixel = []
        for part, tree in trees:
            scored = min((run([programs / "measure_maps", "score", tree / "truth/synthetic", tree / "maps"])
                          for _ in range(3)), key=lambda one: one["seconds"])
            pixels = len(list(tree.glob("maps/*/*.tiff"))) * side * side
            per_pixel.append(scored["seconds"] / pixels * 1e9)
            show(f"awry, 1/{part} of the images", scored, per_pixel[-1])
        reference = run([HERE / "reference.py", full / "maps"])
    show("numpy, all, without reading", reference, reference["seconds"] / images / side**2 * 1e9)
    ratio = reference["seconds"] / scored["seconds"]
    difference = max(abs(reference[key] - scored[key]) for key in KEYS)
    print("  values: " + ", ".join(f"{key} {scored[key]:.9f}" for key in KEYS))
    targets = [(f"{ratio:.1f} times as fast as numpy", f"at least {LEAST_RATIO}", ratio >= LEAST_RATIO),
               (f"largest difference {difference:.1e}", f"below {MOST_DIFFERENCE:g}", difference < MOST_DIFFERENCE),
               (f"peak memory {scored['memory'] / 2**20:.0f} MiB", "below 1024 MiB", scored["memory"] < MOST_MEMORY),
               (f"ns/pixel grow by {max(per_pixel) / per_pixel[0]:.2f} from a quarter to all", "at most 1.25",
                max(per_pixel) / per_pixel[0] <= 1.25)]
    for measured, wanted, met in targets:
        print(f"  {'ok  ' if met else 'MISS'} {measured} ({wanted})")
    sys.exit(0 if all(met for _, _, met in targets) else 1)


main()
