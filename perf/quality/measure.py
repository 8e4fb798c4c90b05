#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""measure.py PROGRAMS: forges THEMIS sets, lets `awry run themis` judge them with the embedded inspector, and
prints the figures beside the best published model. Fails when a target is missed. Real images:
AWRY_TEST_DATA/images, if it is set.

A quick look at one detector, at sources that may be tuned on, with the sets kept for the next look:
  measure.py PROGRAMS --part tuning --types copy_move --forged 12 --panels 20 --versions clean,jpeg --keep FOLDER
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TYPES = ["splicing", "copy_move", "duplication"]
SETS = ["painted-recipe", "painted-hard", "real-recipe", "real-hard"]
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
LETTERS = {"splicing": "A", "copy_move": "B"}
OPERATION_LETTERS = {"direct": "A", "scaling": "B", "rotated": "C", "flipped": "D", "parameter-modified": "E"}
MOST_LOST = {"recipe": 3, "hard": 6}  # points, after any of the perturbations


class Judged:
    """One version of one set: metrics in percent by (group, key), and which forgeries were missed."""

    def __init__(self, awry, folder):
        with tempfile.TemporaryDirectory() as runs:
            command = [awry, "run", "themis", folder, "--model", "forensics", "--json", "--runs", runs, "-q",
                       "--jobs", os.cpu_count()]
            process = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE)
            if not process.stdout:
                sys.exit(f"failed: {' '.join(map(str, command))}")
            lines = next(Path(runs).glob("*/samples.jsonl")).read_text().splitlines()
        self.metrics = {}
        for metric in json.loads(process.stdout)["metrics"]:
            low, high = (100 * metric["interval"][end] if metric.get("interval") else float("nan")
                         for end in ["low", "high"])
            self.metrics[metric.get("group", ""), metric["key"]] = (100 * metric["value"], low, high, metric["count"])
        self.found, self.missed = {}, []  # type: [found, all]; (type, images, mask)
        for line in map(json.loads, lines):
            self.look_at(line["sample"], line["asked"][0].get("reply", {}).get("text", ""))

    def look_at(self, sample, said):
        kind = sample["attributes"].get("type")
        if kind not in TYPES or not sample.get("truth"):
            return
        if kind == "duplication":
            letters = {OPERATION_LETTERS[name] for name in sample["truth"][0]["where"]["operations"]}
            right = set(re.findall(r"\w", "".join(re.findall(r"<CHOICES>([^<]*)", said)))) == letters
        else:
            right = re.search(r"<CHOICE>" + LETTERS[kind], said) is not None
        tally = self.found.setdefault(kind, [0, 0])
        tally[0] += right
        tally[1] += 1
        if not right:
            images = [image["path"] for image in sample["images"]]
            self.missed.append((kind, images, sample["attributes"].get("mask_path", "")))


def show_set(name, versions):
    """Prints one set; true when every target is met."""
    kind = name.split("-")[1]
    clean = versions["clean"].metrics
    others = [version for version in VERSIONS[1:] if version in versions]
    print(f"\n{name}\n  {'':30} {'paper':>6} {'target':>7} {'awry':>6} {'95% interval':>16} {'n':>5}"
          + "".join(f"{version:>7}" for version in others))
    met_all = True
    for (group, key), (paper, recipe, hard) in FIGURES.items():
        if (group, key) not in clean:
            continue
        value, low, high, count = clean[group, key]
        is_rate = key == "false_alarm_rate"
        target = recipe if kind == "recipe" else hard
        after = [versions[version].metrics[group, key][0] for version in others]
        lost = [one - value if is_rate else value - one for one in after]
        met = (value <= target if is_rate else value >= target) and max(lost, default=0) <= MOST_LOST[kind]
        met_all = met_all and met
        label = NAMES.get(f"{group} {key}", f"{group}, {key.replace('_rate', 's').replace('_', ' ')}")
        print(f"  {label:30} {paper if paper else '-':>6} {('<=' if is_rate else '>=') + str(target):>7} {value:6.1f} "
              f"{low:7.1f} to {high:5.1f} {count:5}" + "".join(f"{one:7.1f}" for one in after)
              + ("" if met else "   MISS"))
    # The figures above count authentic panels and pairs too, so they say little without this.
    for group in TYPES:
        if group in versions["clean"].found:
            found = [versions[version].found[group] for version in ["clean"] + others]
            label = group + (", all letters right" if group == "duplication" else ", forgeries found")
            print(f"  {label:30} {'':6} {'':7} {found[0][0]:3} of {found[0][1]:<3}{'':22}"
                  + "".join(f"{one[0]:7}" for one in found[1:]))
    return met_all


def draw_sheet(path, missed):
    """The missed forgeries at a glance, what was forged outlined in red; the panels of a pair side by side."""
    import cv2
    import numpy
    side, columns = 200, 6
    tiles = []
    for path_of_image, mask_path in ((image, mask) for _, images, mask in missed for image in images):
        if len(tiles) == 48:
            break
        image = cv2.imread(path_of_image)
        mask = cv2.imread(mask_path, cv2.IMREAD_GRAYSCALE) if mask_path else None
        if mask is not None:
            mask = cv2.resize(mask, (image.shape[1], image.shape[0]), interpolation=cv2.INTER_NEAREST)
            outlines, _ = cv2.findContours((mask > 0).astype("uint8"), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
            cv2.drawContours(image, outlines, -1, (0, 0, 255), 2)
        scale = side / max(image.shape[:2])
        image = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)[:side, :side]
        tile = numpy.full((side + 4, side + 4, 3), 255, "uint8")
        tile[:image.shape[0], :image.shape[1]] = image
        tiles.append(tile)
    if not tiles:
        return
    tiles += [numpy.full_like(tiles[0], 255)] * (-len(tiles) % columns)
    rows = [numpy.hstack(tiles[i:i + columns]) for i in range(0, len(tiles), columns)]
    cv2.imwrite(str(path), numpy.vstack(rows))


def forge_sets(program, folder, arguments, images):
    """All sets at once; those there already are kept."""
    wanted = [name for name in SETS if arguments.only in name and (images or name.startswith("painted"))]
    running = []
    for name in wanted:
        if not (folder / name).exists():
            counts = [arguments.forged if kind in arguments.types else 0 for kind in TYPES]
            counts.append(arguments.panels if counts[0] + counts[1] else 0)
            counts.append(arguments.pairs if counts[2] else 0)
            command = [program, folder / name, name, arguments.part, *counts, images or ""]
            running.append((name, subprocess.Popen([str(part) for part in command])))
    for name, process in running:
        if process.wait() != 0:
            sys.exit(f"could not forge {name}")
    return wanted


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("programs", type=Path)
    parser.add_argument("--part", choices=["test", "tuning"], default="test")
    parser.add_argument("--types", default=",".join(TYPES), help="of forgeries: " + ", ".join(TYPES))
    parser.add_argument("--forged", type=int, default=24, help="of each type and set; twice as many duplicates")
    parser.add_argument("--panels", type=int, default=60, help="authentic ones, at most, beside forged panels")
    parser.add_argument("--pairs", type=int, default=300, help="authentic ones, at most, beside duplicates")
    parser.add_argument("--only", default="", help="sets whose name contains this: " + ", ".join(SETS))
    parser.add_argument("--versions", default=",".join(VERSIONS), help="clean first: " + ", ".join(VERSIONS))
    parser.add_argument("--keep", type=Path, help="where the sets are forged and left, or found again")
    parser.add_argument("--sheet", type=Path, help="a picture of the painted forgeries that were missed")
    arguments = parser.parse_args()
    arguments.types = arguments.types.split(",")
    if unknown := set(arguments.types) - set(TYPES):
        parser.error(f"no type of forgery is called {', '.join(unknown)}")
    start = time.monotonic()
    awry = arguments.programs.resolve().parent.parent / "awry"
    images = Path(os.environ["AWRY_TEST_DATA"]) / "images" if "AWRY_TEST_DATA" in os.environ else None
    print(f"quality: the embedded inspector on forged THEMIS sets, {arguments.part} sources only, in percent.\n"
          "  painted: seeds no detector was tuned on; real: images no threshold was chosen on.\n"
          "  blur: sigma 1, jpeg: quality 70, half: both sides halved. MISS: a target is not reached, or more\n"
          f"  than {MOST_LOST['recipe']} (recipe) or {MOST_LOST['hard']} points (hard) are lost on the way.")
    if not images:
        print("  AWRY_TEST_DATA is not set: no real images.")
    met, missed = True, []
    with tempfile.TemporaryDirectory() as scratch:
        folder = (arguments.keep or Path(scratch)) / arguments.part
        for name in forge_sets(arguments.programs / "measure_quality", folder, arguments, images):
            versions = {version: Judged(awry, folder / name / version) for version in arguments.versions.split(",")}
            met = show_set(name, versions) and met
            if name.startswith("painted"):
                missed += versions["clean"].missed
            sys.stdout.flush()
        if arguments.sheet:
            draw_sheet(arguments.sheet, missed)
    blots = images / "tampered_blots" if images else None
    if blots and blots.exists() and not arguments.only and "splicing" in arguments.types:
        print("\nblots edited by hand or by a service; stray colour was looked for because of them", flush=True)
        subprocess.run([arguments.programs / "tampered_blots" / "measure_tampered_blots", blots], check=True)
    print(f"\n{(time.monotonic() - start) / 60:.0f} minutes")
    sys.exit(0 if met else 1)


main()
