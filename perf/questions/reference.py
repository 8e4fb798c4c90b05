# SPDX-License-Identifier: Apache-2.0
"""Made-up THEMIS files of any size in the released layout, and the straightforward way to score them."""
import json
import random
import re
from pathlib import Path

WORDS = ("the", "band", "left", "of", "panel", "noise", "edge", "texture", "differs", "around", "object",
         "same", "cells", "appear", "twice", "rotated", "brighter", "caption", "states", "an", "increase")
GRID = ("The image was divided into a 2-row by 2-column equal-area grid, resulting in 4 blocks. "
        "The numbering goes left to right, top to bottom: Block 1 = top-left, Block 2 = top-right, "
        "Block 3 = bottom-left, Block 4 = bottom-right.")
FORGERIES = {"A": "splicing", "B": "copy_move", "D": None}
DUPLICATIONS = {"A": "direct", "C": "rotated", "E": "parameter-modified", "F": None}
SHARES = {"duplication": 2079, "forgery": 1523, "text_image_inconsistency": 300}  # of 3,902 questions


def words(stream, count):
    return " ".join(stream.choices(WORDS, k=count))


def base(kind, number, letter, name):
    return {"question_id": f"{kind}_{number}", "issue": kind, "sub_issues": [name] if name else [],
            "has_issue": name is not None, "ground_truth": [letter], "paper_ids": [f"20{number:08}"],
            "scenario": "Micrograph"}


def panel(kind, number, part):
    return f"{kind}/made/20{number:08}_01/panel/20{number:08}_01_2_1/20{number:08}_01_2_1_{part}.png"


def make_question(stream, kind, number):
    if kind == "duplication":
        letter = stream.choice(list(DUPLICATIONS))
        return base(kind, number, letter, DUPLICATIONS[letter]) | {
            "panel_paths": [panel(kind, number, 1), panel(kind, number, 2)],
            "mask_indices": [], "mask_path": "", "mask_caption": "", "num_blocks": 0}
    if kind == "forgery":
        letter = stream.choice(list(FORGERIES))
        wrong = FORGERIES[letter] is not None
        return base(kind, number, letter, FORGERIES[letter]) | {
            "panel_paths": [panel(kind, number, 1)], "mask_caption": GRID if wrong else "",
            "mask_indices": sorted(stream.sample(range(1, 5), 2)) if wrong else [],
            "mask_path": panel(kind, number, "mask") if wrong else "", "num_blocks": 4 if wrong else 0}
    tampered = words(stream, 20) + "."
    return base(kind, number, "B", "trend") | {
        "figure_path": [panel(kind, number, 1)], "figure_caption": words(stream, 120),
        "figure_related_sentences": words(stream, 200) + ". " + tampered,
        "inconsistent_part": "figure_related_sentences", "tampered_sentences": [tampered],
        "golden_sentences": [words(stream, 20)]}


def make_reply(stream, kind, question):
    said = question["ground_truth"][0] if stream.random() < 0.6 else "A"
    tag = "CHOICES" if kind == "duplication" else "CHOICE"
    text = f"<{tag}>{said}</{tag}>\n<EXPLANATION>{words(stream, 80)}.</EXPLANATION>"
    if kind == "forgery":
        text += f"\n<MASK>{stream.sample(range(1, 5), 2)}</MASK>"
    if kind == "text_image_inconsistency":
        text += f"\n<SENTENCES>{question['tampered_sentences'][0]}</SENTENCES>"
    return text


def write(folder, times):
    """Files `times` the size of the released ones; returns their bytes."""
    stream = random.Random(1)
    with open(folder / "replies.jsonl", "w", encoding="utf-8") as replies:
        for kind, count in SHARES.items():
            questions = [make_question(stream, kind, i) for i in range(1, count * times + 1)]
            (folder / f"{kind}.json").write_text(json.dumps({"question": questions}, indent=4))
            for question in questions:
                row = {"id": question["question_id"], "reply": make_reply(stream, kind, question)}
                replies.write(json.dumps(row) + "\n")
    return sum(file.stat().st_size for file in Path(folder).iterdir())


def score(folder):
    """The share of right choices among forged panels and among duplications, as plain Python would."""
    with open(folder / "replies.jsonl", encoding="utf-8") as rows:
        said = {row["id"]: row["reply"] for row in map(json.loads, rows)}
    right = {}
    for kind, tag in (("duplication", "CHOICES"), ("forgery", "CHOICE"), ("text_image_inconsistency", "CHOICE")):
        hits = []
        for question in json.loads((folder / f"{kind}.json").read_text())["question"]:
            reply = said[question["question_id"]]
            chosen = set(re.findall("[A-G]", re.findall(rf"<{tag}>(.*?)</{tag}>", reply, re.DOTALL)[-1]))
            hits.append(chosen == set(question["ground_truth"]))
            if mask := re.findall(r"<MASK>(.*?)</MASK>", reply, re.DOTALL):
                blocks, truth = set(map(int, re.findall(r"\d+", mask[-1]))), set(question["mask_indices"])
                len(blocks & truth) / len(blocks | truth)
        right[kind] = sum(hits) / len(hits)
    return right
