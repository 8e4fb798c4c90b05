#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""measure.py PROGRAMS: words that fit and words that do not, over painted charts. Fails on a miss."""
import json
import subprocess
import sys
from pathlib import Path

MOST_ALARMS = 1  # percent of true captions
LEAST_RIGHT = {"numbers": 80, "trends": 90}  # percent


def main():
    output = subprocess.run([Path(sys.argv[1]).resolve() / "measure_words"], check=True, stdout=subprocess.PIPE,
                            text=True).stdout
    met = True
    print("words: captions and sentences against painted charts, without a model")
    for row in map(json.loads, output.splitlines()):
        def share(key):
            return 100 * row[key] / max(1, row["asked"])
        if row["name"] == "true words":
            good = share("alarms") <= MOST_ALARMS
            text = (f"alarms {share('alarms'):5.1f}% (at most {MOST_ALARMS})   called consistent {share('right'):5.1f}%   "
                    f"not sure {share('not_sure'):5.1f}%")
        else:
            good = share("right") >= LEAST_RIGHT[row["name"]]
            text = (f"right type {share('right'):5.1f}% (at least {LEAST_RIGHT[row['name']]})   every place named "
                    f"{share('all_places'):5.1f}%   not sure {share('not_sure'):5.1f}%")
        met &= good
        print(f"  {'ok  ' if good else 'MISS'} {row['name']:11} of {row['asked']:4}   {text}")
    sys.exit(0 if met else 1)


main()
