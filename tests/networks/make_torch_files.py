#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""make_torch_files.py: the tiny DistilBERT as torch itself saves it, in the form of today and in the old one."""
import collections
from pathlib import Path

import reference
import torch

FOLDER = Path(__file__).parent / "torch_files"


def main():
    models = {name: (tokenizer, model) for name, tokenizer, model, _ in reference.models()}
    tokenizer, model = models["distilbert"]
    list(model.layers([reference.encode(tokenizer, "a hand", 512)]))  # makes every weight
    tensors = collections.OrderedDict((name, tensor.half()) for (name, _), tensor in model.weights.items())
    tensors["vocab_layer_norm.position_ids"] = torch.arange(4)  # files hold integers, too
    torch.save(tensors, FOLDER / "archive.bin")
    torch.save(tensors, FOLDER / "old.bin", _use_new_zipfile_serialization=False)


main()
