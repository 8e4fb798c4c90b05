# SPDX-License-Identifier: Apache-2.0
"""BERTScore over Debian's python3-torch as the reference package works: within one call every distinct text
once, sorted by words, in padded batches of 64; then pairs in padded batches of 64."""
import importlib.util
from pathlib import Path

import torch
import torch.nn.functional as F

# The tokenizer of the tests' own reference.
spec = importlib.util.spec_from_file_location(
    "plain", Path(__file__).resolve().parents[2] / "tests" / "networks" / "reference.py")
plain = importlib.util.module_from_spec(spec)
spec.loader.exec_module(plain)

BATCH = 64


class DistilBert:
    def __init__(self, tensors, heads, layers):
        self.tensors, self.heads, self.layers = tensors, heads, layers

    def linear(self, x, name):
        return F.linear(x, self.tensors[name + ".weight"], self.tensors[name + ".bias"])

    def norm(self, x, name):
        return F.layer_norm(x, x.shape[-1:], self.tensors[name + ".weight"], self.tensors[name + ".bias"], 1e-12)

    def __call__(self, ids, mask):
        t = self.tensors
        x = F.embedding(ids, t["distilbert.embeddings.word_embeddings.weight"])
        x = x + t["distilbert.embeddings.position_embeddings.weight"][:ids.shape[1]]
        x = self.norm(x, "distilbert.embeddings.LayerNorm")
        batch, length, wide = x.shape
        hidden = (mask == 0).view(batch, 1, 1, length)
        split = lambda y: y.view(batch, length, self.heads, -1).transpose(1, 2)
        for number in range(self.layers):
            stem = f"distilbert.transformer.layer.{number}."
            q, k, v = (split(self.linear(x, stem + f"attention.{part}_lin")) for part in "qkv")
            scores = torch.matmul(q / (wide // self.heads)**0.5, k.transpose(2, 3))
            scores = scores.masked_fill(hidden, torch.finfo(torch.float32).min)
            mixed = torch.matmul(scores.softmax(-1), v).transpose(1, 2).contiguous().view(batch, length, wide)
            x = self.norm(self.linear(mixed, stem + "attention.out_lin") + x, stem + "sa_layer_norm")
            inner = self.linear(F.gelu(self.linear(x, stem + "ffn.lin1")), stem + "ffn.lin2")
            x = self.norm(inner + x, stem + "output_layer_norm")
        return x


def encode_all(model, tokenizer, texts):
    found = {}
    order = sorted(set(texts), key=lambda text: len(text.split(" ")), reverse=True)
    for start in range(0, len(order), BATCH):
        batch = order[start:start + BATCH]
        rows = [plain.encode(tokenizer, text, 512) for text in batch]
        ids, mask = plain.pad(rows, 0)
        states = model(ids, mask)
        for text, row, state in zip(batch, rows, states):
            weights = torch.ones(len(row))
            weights[0] = weights[-1] = 0
            found[text] = (state[:len(row)], weights)
    return found


def pad_states(items):
    states = torch.nn.utils.rnn.pad_sequence([state for state, _ in items], batch_first=True)
    weights = torch.nn.utils.rnn.pad_sequence([weights for _, weights in items], batch_first=True)
    lengths = torch.tensor([len(state) for state, _ in items])
    return states, weights, (torch.arange(states.shape[1])[None] < lengths[:, None]).float()


def call(model, tokenizer, hypotheses, references):
    """F1 of each hypothesis with the reference beside it."""
    with torch.no_grad():
        known = encode_all(model, tokenizer, references + hypotheses)
        scores = []
        for start in range(0, len(hypotheses), BATCH):
            h, h_weights, h_mask = pad_states([known[text] for text in hypotheses[start:start + BATCH]])
            r, r_weights, r_mask = pad_states([known[text] for text in references[start:start + BATCH]])
            h, r = h / h.norm(dim=-1, keepdim=True).clamp_min(1e-12), r / r.norm(dim=-1, keepdim=True).clamp_min(1e-12)
            similar = torch.bmm(h, r.transpose(1, 2)) * torch.bmm(h_mask[:, :, None], r_mask[:, None, :])
            p = (similar.max(2)[0] * h_weights).sum(1) / h_weights.sum(1)
            q = (similar.max(1)[0] * r_weights).sum(1) / r_weights.sum(1)
            scores += (2 * p * q / (p + q)).tolist()
        return scores
