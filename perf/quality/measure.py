#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""measure.py PROGRAMS [--part test] [--forged N] [--authentic N] [--only SET] [--keep FOLDER]

Forges the sets, lets `awry run themis` judge them with the embedded inspector, and prints the figures beside
the best published model. Fails when a target is missed. Real images: AWRY_TEST_DATA/images, if it is set.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

VERSIONS = ["clean", "blur", "jpeg", "half"]
# (group, key): the paper's best model, target on recipe sets, target on hard sets; in percent.
FIGURES = {
    ("duplication", "id"): (45.1, 98, 90),
    ("duplication", "exact_match"): (19.1, 96, 80),
    ("duplication", "false_alarm_rate"): (None, 1, 2),
    ("copy_move", "id"): (87.4, 97, 88),
    ("copy_move", "loc"): (55.2, 92, 75),
    ("copy_move", "false_alarm_rate"): (None, 1, 2),
    ("splicing", "id"): (63.4, 85, 70),
    ("splicing", "loc"): (56.7, 75, 55),
    ("splicing", "false_alarm_rate"): (None, 1, 2),
    ("single_mode", "false_alarm_rate"): (None, 1, 2),
}
NAMES = {"duplication id": "duplication, set F1", "copy_move id": "copy_move, accuracy",
         "copy_move loc": "copy_move, block IoU", "splicing id": "splicing, accuracy",
         "splicing loc": "splicing, block IoU", "single_mode false_alarm_rate": "any type, false alarms"}
MOST_LOST = {"recipe": 3, "hard": 6}  # points, after any of the perturbations


def judged(awry, folder, jobs):
    """The metrics of one set by (group, key), in percent."""
    with tempfile.TemporaryDirectory() as runs:
        command = [awry, "run", "themis", folder, "--model", "forensics", "--json", "--runs", runs, "-q"]
        process = subprocess.run([str(part) for part in command + ["--jobs", jobs]], stdout=subprocess.PIPE)
    if not process.stdout:
        sys.exit(f"failed: {' '.join(map(str, command))}")
    metrics = {}
    for metric in json.loads(process.stdout)["metrics"]:
        low, high = (100 * metric["interval"][end] if metric.get("interval") else float("nan")
                     for end in ["low", "high"])
        metrics[metric.get("group", ""), metric["key"]] = (100 * metric["value"], low, high, metric["count"])
    return metrics


def show_set(name, versions):
    """Prints one set; true when every target is met."""
    kind = name.split("-")[1]
    print(f"\n{name}\n  {'':30} {'paper':>6} {'target':>7} {'awry':>6} {'95% interval':>16} {'n':>5}"
          + "".join(f"{version:>7}" for version in VERSIONS[1:]))
    met_all = True
    for (group, key), (paper, recipe, hard) in FIGURES.items():
        if (group, key) not in versions["clean"]:
            continue
        value, low, high, count = versions["clean"][group, key]
        is_rate = key == "false_alarm_rate"
        target = recipe if kind == "recipe" else hard
        after = [versions[version][group, key][0] for version in VERSIONS[1:]]
        worst = max(after) - value if is_rate else value - min(after)
        met = (value <= target if is_rate else value >= target) and worst <= MOST_LOST[kind]
        met_all = met_all and met
        label = NAMES.get(f"{group} {key}", f"{group}, {key.replace('_rate', 's').replace('_', ' ')}")
        print(f"  {label:30} {paper if paper else '-':>6} {('<=' if is_rate else '>=') + str(target):>7} {value:6.1f} "
              f"{low:7.1f} to {high:5.1f} {count:5}" + "".join(f"{one:7.1f}" for one in after)
              + ("" if met else "   MISS"))
    return met_all


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("programs", type=Path)
    parser.add_argument("--part", choices=["test", "tuning"], default="test")
    parser.add_argument("--forged", default=60)
    parser.add_argument("--authentic", default=120)
    parser.add_argument("--only", default="")
    parser.add_argument("--keep", type=Path, help="where the sets are forged and left, or found again")
    arguments = parser.parse_args()
    awry = arguments.programs.resolve().parent.parent / "awry"
    images = Path(os.environ["AWRY_TEST_DATA"]) / "images" if "AWRY_TEST_DATA" in os.environ else None
    jobs = os.cpu_count()
    with tempfile.TemporaryDirectory() as scratch:
        folder = (arguments.keep or Path(scratch)) / arguments.part
        if not folder.exists():
            command = [arguments.programs / "measure_quality", folder, arguments.part, arguments.forged,
                       arguments.authentic] + ([images] if images else [])
            subprocess.run([str(part) for part in command], check=True, stdout=subprocess.DEVNULL)
        print(f"quality: the embedded inspector on forged THEMIS sets, {arguments.part} sources only, in percent.\n"
              "  painted: seeds no detector was tuned on; real: images no threshold was chosen on.\n"
              "  blur: sigma 1, jpeg: quality 70, half: both sides halved. MISS: a target is not reached, or more\n"
              f"  than {MOST_LOST['recipe']} (recipe) or {MOST_LOST['hard']} points (hard) are lost on the way.")
        if not images:
            print("  AWRY_TEST_DATA is not set: no real images.")
        met = True
        for subset in sorted(folder.iterdir()):
            if arguments.only in subset.name:
                versions = {version: judged(awry, subset / version, jobs) for version in VERSIONS}
                met = show_set(subset.name, versions) and met
    sys.exit(0 if met else 1)


main()
