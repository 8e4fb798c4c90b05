#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""measure.py PROGRAMS [PANELS]: how fast the embedded inspector is, in seconds of one processor. Fails on a miss."""
import json
import math
import subprocess
import sys
from pathlib import Path

LEAST_PER_SECOND = {"pairs": ("duplication pairs", 10), "copy_moves": ("copy-move images", 5)}
MOST_SECONDS = 10 * 60 * 2  # of processor, on two cores


def main():
    met = True

    def tell(good, text):
        nonlocal met
        met &= good
        print(f"  {'ok  ' if good else 'MISS'} {text}")

    program = Path(sys.argv[1]).resolve() / "measure_inspector"
    output = subprocess.run([program, *sys.argv[2:]], check=True, stdout=subprocess.PIPE, text=True).stdout
    rows = [json.loads(line) for line in output.splitlines()]
    print("inspector: painted panels of 512x512, half of them forged, a second and core")
    for row in rows:
        if row["name"] in LEAST_PER_SECOND:
            label, least = LEAST_PER_SECOND[row["name"]]
            rate = row["count"] / row["seconds"]
            tell(rate >= least, f"{label:18} {rate:6.1f} (at least {least})")
    print("inspector: a collection of 320x320 panels against itself, on one core")
    sizes = [row for row in rows if row["name"] == "collection"]
    for row in sizes:
        print(f"       {row['panels']:6} panels {row['seconds']:8.1f} s   reading {row['reading']:.1f}, proposing "
              f"{row['proposing']:.1f}, confirming {row['confirming']:.1f}; {row['proposed']} pairs proposed, "
              f"{row['confirmed']} confirmed, {row['reused']} planted")
    if not sizes:
        sys.exit(0 if met else 1)
    tell(sizes[-1]["seconds"] <= MOST_SECONDS, f"{sizes[-1]['panels']} panels in {sizes[-1]['seconds'] / 60:.1f} minutes "
                                               f"of processor (at most {MOST_SECONDS / 60:.0f})")
    growth = math.log2(sizes[-1]["seconds"] / sizes[-2]["seconds"])
    tell(growth < 2, f"time grows with the power {growth:.2f} of the panels (below 2)")
    sys.exit(0 if met else 1)


main()
