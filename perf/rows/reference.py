# SPDX-License-Identifier: Apache-2.0
"""The straightforward way to score a MagicData-sized file: json, a dictionary, and counts."""
import json
import re

SCORED = ("L2: Irrational Element Interaction", "L2: Abnormal Human Anatomy",
          "L2: Abnormal Animal Anatomy", "L2: Abnormal Object Morphology")


def labels_of(text):
    boxed = text.rfind("\\boxed{")
    if boxed >= 0:
        depth, begin = 0, boxed + len("\\boxed{")
        for at in range(begin, len(text)):
            depth += (text[at] == "{") - (text[at] == "}")
            if depth < 0:
                text = text[begin:at]
                break
    else:
        fenced = re.search(r"```(?:json)?\s*(.*?)```", text, re.DOTALL)
        text = fenced.group(1) if fenced else text
    try:
        verdict = json.loads(text)
    except json.JSONDecodeError:
        return None
    return None if verdict["Whether Normal"] else set(verdict["Type of Deformity"])


def f1(correct, predicted, true):
    return 2 * correct / (predicted + true)


def score(truth_file, answers_file):
    truth = {}
    with open(truth_file, encoding="utf-8") as rows:
        for line in rows:
            row = json.loads(line)
            truth[row["images"]] = labels_of(row["response"])
    artifact, level2 = [0, 0, 0], [0, 0, 0]
    with open(answers_file, encoding="utf-8") as rows:
        for line in rows:
            row = json.loads(line)
            said, true = labels_of(row["output"]), truth[row["images"]]
            for counts, s, t in ((artifact, {said is not None} - {False}, {true is not None} - {False}),
                                 (level2, (said or set()) & set(SCORED), (true or set()) & set(SCORED))):
                counts[0] += len(s & t)
                counts[1] += len(s)
                counts[2] += len(t)
    return {"artifacts_f1": f1(*artifact), "l2_micro_f1": f1(*level2)}
