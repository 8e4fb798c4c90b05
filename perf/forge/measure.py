#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""measure.py PROGRAMS: the forge against OpenCV in Python, and against its own targets. Fails on a miss."""
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True
import cv2  # noqa: E402
import reference  # noqa: E402

LEAST_RATIO = 500
LEAST_PER_SECOND = {"duplicates": 50, "splices": 20, "copy-moves": 20}


def main():
    cv2.setNumThreads(1)
    met = True

    def tell(good, text):
        nonlocal met
        met &= good
        print(f"  {'ok  ' if good else 'MISS'} {text}")

    with tempfile.TemporaryDirectory() as scratch:
        output = subprocess.run([Path(sys.argv[1]).resolve() / "measure_forge", scratch], check=True,
                                stdout=subprocess.PIPE, text=True).stdout
        rows = [json.loads(line) for line in output.splitlines()]
        images = [cv2.cvtColor(cv2.imread(str(path)), cv2.COLOR_BGR2RGB) for path in sorted(Path(scratch).glob("*.png"))]
    scores = [row for row in rows if row["name"] == "score"]
    start = time.process_time()
    differences = [abs(reference.similarity(images[row["first"]], images[row["second"]]) - row["score"]) for row in scores]
    reference_us = (time.process_time() - start) / len(scores) * 1e6
    print("forge: exhaustive pair search on one thread, against a loop over OpenCV in Python")
    tell(max(differences) < 1e-4, f"same scores        {len(scores)} pairs, largest difference {max(differences):.1e}")
    pairs = [row for row in rows if row["name"] == "pairs"]
    for row in pairs:
        tell(reference_us / row["us_per_pair"] >= LEAST_RATIO,
             f"{row['panels']:6} panels      {row['seconds']:8.2f} s   {row['us_per_pair']:.3f} us a pair   "
             f"OpenCV {reference_us:.0f} us   ratio {reference_us / row['us_per_pair']:.0f} (at least {LEAST_RATIO})")
    growth = pairs[-1]["seconds"] / pairs[0]["seconds"] / (pairs[-1]["panels"] / pairs[0]["panels"])**2
    tell(0.5 < growth < 1.5, f"growth             {growth:.2f} times the square of the number of panels")
    print("forge: 512x512 items on two threads, painting and encoding not counted")
    for row in rows:
        if least := LEAST_PER_SECOND.get(row["name"]):
            tell(row["per_second"] >= least, f"{row['name']:12} {row['per_second']:8.1f} a second (at least {least}), "
                                             f"{row['made']} of {row['tried']} tries")
    sys.exit(0 if met else 1)


main()
