#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""measure.py PROGRAMS: awry against plain Python on THEMIS-sized files. Fails when a target is missed."""
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True
import reference  # noqa: E402

LEAST_MB_PER_SECOND = 100


def main():
    print("questions: THEMIS files and replies read, parsed and scored, per second of one core's time")
    all_met = True
    for times in (1, 2, 4):
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch)
            megabytes = reference.write(folder, times) / 1e6
            program = [Path(sys.argv[1]) / "measure_questions", folder, folder / "replies.jsonl"]
            awry = json.loads(subprocess.run(program, check=True, stdout=subprocess.PIPE, text=True).stdout)
            start = time.process_time()
            python = reference.score(folder)
            seconds = time.process_time() - start
        agree = abs(awry["duplication_exact_match"] - python["duplication"]) < 1e-12
        met = megabytes / awry["seconds"] >= LEAST_MB_PER_SECOND and agree
        all_met &= met
        print(f"  {'ok  ' if met else 'MISS'} {awry['questions']:6} questions, {megabytes:5.1f} MB   "
              f"awry {megabytes / awry['seconds']:6.1f} MB/s (at least {LEAST_MB_PER_SECOND}), "
              f"{awry['seconds_with_bootstrap'] - awry['seconds']:5.2f} s more for the intervals   "
              f"Python {megabytes / seconds:5.1f} MB/s   ratio {seconds / awry['seconds']:5.1f}   "
              f"{'same values' if agree else 'OTHER VALUES'}")
    sys.exit(0 if all_met else 1)


main()
