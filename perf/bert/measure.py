#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""measure.py PROGRAMS: BERTScore of a job shaped like AnomReason's test split, awry against Python's torch with the
same weights, one thread each, seconds of the processor. Weights are random, of distilbert-base-uncased's shape."""
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"
# Debian's OpenBLAS takes a processor younger than itself for a very old one, and Python's torch with it is five
# times as slow as it could be. The reference is to have the best kernels there are.
FLAGS = Path("/proc/cpuinfo").read_text().split()
for flag, kernels in (("avx512f", "SkylakeX"), ("avx2", "Haswell")):
    if flag in FLAGS:
        os.environ.setdefault("OPENBLAS_CORETYPE", kernels)
        break
sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent))
import numpy  # noqa: E402
import reference  # noqa: E402
import torch  # noqa: E402

HIDDEN, LAYERS, USED, HEADS, INNER, WORDS, POSITIONS = 768, 6, 5, 12, 3072, 30522, 512
PREDICTIONS, TRUTHS, FIELDS, IMAGES = 8, 6, 2, 4
LEAST_F32, LEAST_INT8, LEAST_REENCODING = 1.5, 3.0, 10.0
MOST_DIFFERENCE = 1e-5


def make_vocabulary():
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    syllables = [c + v for c in "bdfgklmnprst" for v in "aeiou"]
    words = [a + b for a in syllables for b in syllables]
    pieces += words + ["##" + word for word in words] + list("abcdefghijklmnopqrstuvwxyz")
    return pieces + [f"[unused{i}]" for i in range(WORDS - len(pieces))], words


def make_model(folder):
    numbers = numpy.random.default_rng(1)
    tensors = {"distilbert.embeddings.word_embeddings": (WORDS, HIDDEN),
               "distilbert.embeddings.position_embeddings": (POSITIONS, HIDDEN)}
    affine = {}
    for i in range(LAYERS):
        stem = f"distilbert.transformer.layer.{i}."
        for part in "qkv":
            affine[stem + f"attention.{part}_lin"] = (HIDDEN, HIDDEN)
        affine[stem + "attention.out_lin"] = (HIDDEN, HIDDEN)
        affine[stem + "ffn.lin1"], affine[stem + "ffn.lin2"] = (INNER, HIDDEN), (HIDDEN, INNER)
        affine[stem + "sa_layer_norm"] = affine[stem + "output_layer_norm"] = None
    affine["distilbert.embeddings.LayerNorm"] = None
    made = {name + ".weight": numbers.standard_normal(shape, numpy.float32) * 0.05 for name, shape in tensors.items()}
    for name, shape in affine.items():
        wide = shape[0] if shape else HIDDEN
        made[name + ".weight"] = (numbers.standard_normal(shape, numpy.float32) * 0.05 if shape else
                                  1 + numbers.standard_normal(wide, numpy.float32) * 0.1)
        made[name + ".bias"] = numbers.standard_normal(wide, numpy.float32) * 0.05
    header, at = {}, 0
    for name, values in made.items():
        header[name] = {"dtype": "F32", "shape": list(values.shape), "data_offsets": [at, at + values.nbytes]}
        at += values.nbytes
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(folder / "model.safetensors", "wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        for values in made.values():
            file.write(values.astype(numpy.float32).tobytes())
    (folder / "config.json").write_text(json.dumps(
        {"model_type": "distilbert", "dim": HIDDEN, "n_layers": LAYERS, "n_heads": HEADS, "hidden_dim": INNER,
         "vocab_size": WORDS, "max_position_embeddings": POSITIONS, "activation": "gelu"}))
    pieces, words = make_vocabulary()
    (folder / "vocab.txt").write_text("".join(piece + "\n" for piece in pieces))
    return {name: torch.from_numpy(values.astype(numpy.float32)) for name, values in made.items()}, words


def make_job(words):
    """Texts of 20 to 80 tokens; a tenth of the words fall into two pieces."""
    chance = random.Random(2)

    def text():
        left, parts = chance.randint(18, 78), []
        while left > 0:
            long = left > 1 and chance.random() < 0.1
            parts.append(chance.choice(words) + (chance.choice(words) if long else ""))
            left -= 2 if long else 1
        return " ".join(parts)

    return [{"predictions": [text() for _ in range(PREDICTIONS)], "truths": [text() for _ in range(TRUTHS)]}
            for _ in range(IMAGES * FIELDS)]


def timed(work):
    start = time.process_time()
    value = work()
    return time.process_time() - start, value


def flat(block):
    return ([p for p in block["predictions"] for _ in block["truths"]], block["truths"] * len(block["predictions"]))


def main():
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as scratch:
        scratch = Path(scratch)
        tensors, words = make_model(scratch)
        job = make_job(words)
        (scratch / "job.json").write_text(json.dumps(job))
        awry = {}
        for precision in ("f32", "int8", "cached"):
            program = [Path(sys.argv[1]) / "measure_bert", scratch, scratch / "job.json", precision]
            awry[precision] = json.loads(subprocess.run(program, check=True, stdout=subprocess.PIPE).stdout)
        tokenizer = reference.plain.WordPiece(scratch / "vocab.txt")
        model = reference.DistilBert(tensors, HEADS, USED)
        reference.call(model, tokenizer, *flat(job[0]))
        per_image, scores = timed(lambda: [reference.call(model, tokenizer, *flat(block)) for block in job])
        whole, _ = timed(lambda: reference.call(
            model, tokenizer, sum((flat(block)[0] for block in job), []), sum((flat(block)[1] for block in job), [])))
        share = job[:2]
        again, _ = timed(lambda: [reference.call(model, tokenizer, [prediction] * TRUTHS, block["truths"])
                                  for block in share for prediction in block["predictions"]])
        again *= len(job) / len(share)

    differences = {precision: [abs(a - b) for mine, theirs in zip(run["scores"], scores) for a, b in zip(mine, theirs)]
                   for precision, run in awry.items()}
    print(f"bert: {IMAGES} images, {PREDICTIONS} predictions x {TRUTHS} truths, {FIELDS} fields, one thread, seconds "
          f"(awry, Python)")
    lines = [("f32, a call an image and field", "f32", per_image, LEAST_F32),
             ("f32, one call for all", "f32", whole, None),
             ("int8, a call an image and field", "int8", per_image, LEAST_INT8),
             ("int8, one call for all", "int8", whole, None),
             ("f32, truths encoded for every prediction", "f32", again, LEAST_REENCODING),
             ("the same, awry with cached truths", "cached", again, None),
             ("int8, truths encoded for every prediction", "int8", again, None)]
    all_met = True
    for name, precision, python, least in lines:
        ratio = python / awry[precision]["seconds"]
        met = least is None or ratio >= least
        all_met &= met
        target = f"at least {least}" if least else ""
        print(f"  {'ok  ' if met else 'MISS'} {name:44} {awry[precision]['seconds']:6.2f} {python:7.2f}   "
              f"ratio {ratio:5.2f}  {target}")
    exact = max(differences["f32"]) <= MOST_DIFFERENCE
    all_met &= exact
    print(f"  {'ok  ' if exact else 'MISS'} F1 differs from Python's by {max(differences['f32']):.1e} at most; with int8 by "
          f"{sum(differences['int8']) / len(differences['int8']):.1e} on average, {max(differences['int8']):.1e} at most")
    print(f"       memory {awry['f32']['megabytes']} MB, with int8 {awry['int8']['megabytes']} MB")
    sys.exit(0 if all_met else 1)


main()
