#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""measure.py PROGRAMS: awry against numpy on resampling and agreement. Fails when a target is missed."""
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True
import reference  # noqa: E402

MOST_SECONDS = 1.0


def same(awry, numpy):
    """Values exactly; interval ends only up to chance, because the resamples are others."""
    if abs(awry["value"] - numpy["value"]) > 1e-9:
        return False
    return all(abs(awry[end] - numpy[end]) < 0.2 * numpy["error"] for end in ["low", "high"] if end in numpy)


def main():
    with tempfile.TemporaryDirectory() as scratch:
        output = subprocess.run([Path(sys.argv[1]).resolve() / "measure_statistics", scratch], check=True,
                                stdout=subprocess.PIPE, text=True).stdout
        print("statistics: bootstrap of 5,000 resamples over 10,000 images; alpha over 300,000 units x 3 raters")
        all_met = True
        functions = reference.statistics(Path(scratch))
        for awry in map(json.loads, output.splitlines()):
            start = time.process_time()
            numpy = functions[awry["name"]]()
            seconds = time.process_time() - start
            agree = same(awry, numpy)
            met = awry["seconds"] < MOST_SECONDS and agree
            all_met &= met
            print(f"  {'ok  ' if met else 'MISS'} {awry['name']:16} awry {awry['seconds']:7.3f} s (below 1)   "
                  f"numpy {seconds:7.2f} s   ratio {seconds / awry['seconds']:6.1f}   "
                  f"{'same value' if agree else 'OTHER VALUE'} {awry['value']:.9f}")
    sys.exit(0 if all_met else 1)


main()
