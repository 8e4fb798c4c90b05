#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""measure.py PROGRAMS: awry against plain Python on MagicData-sized files. Fails when a target is missed."""
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True
import reference  # noqa: E402

MAGIC_DATA_ROWS = 343_269
LEAST_MB_PER_SECOND = 100


def same(awry, python):
    return all(abs(awry[key] - python[key]) < 1e-12 for key in python)


def main():
    print("rows: labels and replies read, parsed and scored, per second of one core's time")
    all_met = True
    for share in (4, 2, 1):
        with tempfile.TemporaryDirectory() as scratch:
            program = [Path(sys.argv[1]) / "measure_rows", scratch, str(MAGIC_DATA_ROWS // share)]
            awry = json.loads(subprocess.run(program, check=True, stdout=subprocess.PIPE, text=True).stdout)
            start = time.process_time()
            python = reference.score(awry["truth"], awry["answers"])
            seconds = time.process_time() - start
        megabytes = awry["bytes"] / 1e6
        slowest = megabytes / awry["seconds_with_bootstrap"]
        agree = same(awry, python)
        met = slowest >= LEAST_MB_PER_SECOND and agree
        all_met &= met
        print(f"  {'ok  ' if met else 'MISS'} {awry['rows']:7} rows, {megabytes:6.1f} MB   "
              f"awry {megabytes / awry['seconds']:6.1f} MB/s, {slowest:6.1f} with bootstrap (at least 100)   "
              f"Python {megabytes / seconds:5.1f} MB/s   ratio {seconds / awry['seconds']:5.1f}   "
              f"{'same values' if agree else 'OTHER VALUES'}")
    sys.exit(0 if all_met else 1)


main()
