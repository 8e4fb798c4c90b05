#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""An independent BERTScore: tokenizers in plain Python, encoders over torch, padded batches with masks.

  reference.py --write   computes golden/*.json anew
  reference.py --check   computes them and compares with what is stored; 77 where torch is not installed
"""
import json
import math
import re
import struct
import sys
import unicodedata
from pathlib import Path

try:
    import torch
except ImportError:
    print("skipped: Debian's python3-torch is not installed")
    sys.exit(77)

HERE = Path(__file__).parent
TOLERANCE = 2e-6

# ---- weights: every number follows from its tensor's name, and is exact in f32, f16 and bf16 ----


def fnv(text):
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = ((value ^ byte) * 0x100000001B3) % 2**64
    return value


def made_tensor(name, shape):
    count = math.prod(shape)
    values = []
    state = fnv(name)
    is_scale = name.endswith(("norm.weight", "Norm.weight"))
    for _ in range(count):
        state = (state + 0x9E3779B97F4A7C15) % 2**64
        mixed = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) % 2**64
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) % 2**64
        step = (mixed >> 57) - 64
        values.append(1 + (step // 2) / 128 if is_scale else step / 128)
    return torch.tensor(values).reshape(shape)


class MadeWeights(dict):
    def __missing__(self, key):
        name, shape = key
        self[key] = made_tensor(name, shape)
        return self[key]


# ---- tokenizers ----


def is_control(c):
    return c not in "\t\n\r" and unicodedata.category(c).startswith("C")


def is_blank(c):
    return c in " \t\n\r" or unicodedata.category(c) == "Zs"


def is_mark(c):
    return not c.isalnum() and not c.isspace() and c.isascii() and c.isprintable() or \
        unicodedata.category(c).startswith("P")


def is_chinese(c):
    ranges = [(0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F), (0x2B740, 0x2B81F),
              (0x2B820, 0x2CEAF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F)]
    return any(low <= ord(c) <= high for low, high in ranges)


def split_at(text, names):
    """Stretches of text and special tokens in turn."""
    return [part for part in re.split("(" + "|".join(map(re.escape, names)) + ")", text) if part]


class WordPiece:
    frame = ("[CLS]", "[SEP]")
    names = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    silent = True

    def __init__(self, path):
        self.ids = {line: number for number, line in enumerate(path.read_text().split("\n")[:-1])}

    def pieces(self, text):
        for part in split_at(text, self.names):
            if part in self.names:
                yield part
                continue
            part = "".join(" " if is_blank(c) else c for c in part if c not in "\0\ufffd" and not is_control(c))
            part = "".join(f" {c} " if is_chinese(c) else c for c in part)
            for word in part.split():
                word = unicodedata.normalize("NFD", word.lower())
                word = "".join(c for c in word if unicodedata.category(c) != "Mn")
                for piece in "".join(f" {c} " if is_mark(c) else c for c in word).split():
                    yield from self.split_word(piece)

    def split_word(self, word):
        if len(word) > 100:
            return ["[UNK]"]
        found, start = [], 0
        while start < len(word):
            ends = [end for end in range(len(word), start, -1)
                    if ("##" if start else "") + word[start:end] in self.ids]
            if not ends:
                return ["[UNK]"]
            found.append(("##" if start else "") + word[start:ends[0]])
            start = ends[0]
        return found

    def number(self, piece):
        return self.ids[piece]


def byte_letters():
    keep = [*range(ord("!"), ord("~") + 1), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    letters = {byte: chr(byte) for byte in keep}
    for byte in range(256):
        if byte not in letters:
            letters[byte] = chr(256 + len(letters) - len(keep))
    return letters


def merge(parts, pair):
    merged, at = [], 0
    while at < len(parts):
        if tuple(parts[at:at + 2]) == tuple(pair):
            merged.append(parts[at] + parts[at + 1])
            at += 2
        else:
            merged.append(parts[at])
            at += 1
    return merged


class BytePair:
    frame = ("<s>", "</s>")
    names = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    silent = True
    WHITE = {9, 10, 11, 12, 13, 32, 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F,
             0x3000}
    ENDINGS = re.compile(r"'(?:s|t|re|ve|m|ll|d)")
    WORDS = re.compile(r" ?L+| ?N+| ?O+|[ w]+(?![LNO])|[ w]+")

    def __init__(self, vocabulary, merges):
        self.ids = json.loads(vocabulary.read_text())
        self.merges = [tuple(line.split(" ")) for line in merges.read_text().split("\n")[1:] if line]
        self.ranks = {pair: rank for rank, pair in reversed(list(enumerate(self.merges)))}
        self.letters = byte_letters()

    def kind(self, c):
        if ord(c) in self.WHITE:
            return " " if c == " " else "w"
        category = unicodedata.category(c)[0]
        return category if category in "LN" else "O"

    def words(self, text):
        kinds, at = "".join(map(self.kind, text)), 0
        while at < len(text):
            match = self.ENDINGS.match(text, at) or self.WORDS.match(kinds, at)
            yield text[at:match.end()]
            at = match.end()

    def pieces(self, text):
        if text and not text[0].isspace():
            text = " " + text
        for part in split_at(text, self.names):
            if part in self.names:
                yield part
                continue
            for word in self.words(part):
                letters = [self.letters[byte] for byte in word.encode()]
                while len(letters) > 1:
                    best = min(zip(letters, letters[1:]), key=lambda pair: self.ranks.get(pair, math.inf))
                    if best not in self.ranks:
                        break
                    letters = merge(letters, best)
                yield from letters

    def number(self, piece):
        return self.ids.get(piece, self.ids["<unk>"])


def fields_of(message):
    """(number, value) of every field of a protobuf message."""
    at = 0

    def varint():
        nonlocal at
        value, shift = 0, 0
        while True:
            byte = message[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(message):
        tag = varint()
        if tag & 7 == 0:
            yield tag >> 3, varint()
        elif tag & 7 == 2:
            size = varint()
            yield tag >> 3, message[at:at + size]
            at += size
        else:
            size = 4 if tag & 7 == 5 else 8
            yield tag >> 3, message[at:at + size]
            at += size


class Unigram:
    frame = (None, "</s>")
    names = ["</s>", "<unk>", "<pad>"]
    silent = False

    def __init__(self, path):
        self.scores, self.ids = {}, {}
        for number, value in fields_of(path.read_bytes()):
            if number != 1:
                continue
            piece = dict(fields_of(value))
            name = piece[1].decode()
            self.ids[name] = len(self.ids)
            if piece.get(3, 1) == 1:
                self.scores[name] = struct.unpack("<f", piece[2])[0]
        self.unknown = min(self.scores.values()) - 10

    def pieces(self, text):
        for part in split_at(text, self.names):
            if part in self.names:
                yield part
                continue
            # The tiny model only folds blanks; U+2581 stands for one.
            part = re.sub(" +", " ", part.strip()).strip(" ")
            if part:
                yield from self.best_path("\u2581" + part.replace(" ", "\u2581"))

    def best_path(self, text):
        best = [(0.0, 0, "")] + [(-math.inf, 0, "")] * len(text)
        longest = max(map(len, self.scores))
        for end in range(1, len(text) + 1):
            for start in range(max(0, end - longest), end):
                piece = text[start:end]
                if piece in self.scores:
                    score = self.scores[piece]
                elif end - start == 1:
                    score = self.unknown
                else:
                    continue
                if best[start][0] + score > best[end][0]:
                    best[end] = (best[start][0] + score, start, piece)
        found, end = [], len(text)
        while end > 0:
            found.append(best[end][2])
            end = best[end][1]
        return self.fold_unknown(found[::-1])

    def fold_unknown(self, found):
        """Neighbouring unknown characters are one unknown piece."""
        folded = []
        for piece in found:
            unknown = piece not in self.scores
            if not (unknown and folded and folded[-1] == "<unk>"):
                folded.append("<unk>" if unknown else piece)
        return folded

    def number(self, piece):
        return self.ids[piece]


def encode(tokenizer, text, longest):
    first, last = tokenizer.frame
    pieces = list(tokenizer.pieces(text.strip()))
    room = longest - 1 - (first is not None)
    ids = [tokenizer.number(piece) for piece in pieces[:room]]
    return ([tokenizer.number(first)] if first else []) + ids + [tokenizer.number(last)]


# ---- encoders: hidden states after every layer, of a padded batch ----

gelu = torch.nn.functional.gelu


def tanh_gelu(x):
    return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


def pad(rows, filler):
    longest = max(map(len, rows))
    ids = torch.tensor([row + [filler] * (longest - len(row)) for row in rows])
    return ids, torch.tensor([[1.0] * len(row) + [0.0] * (longest - len(row)) for row in rows])


def attention(q, k, v, heads, mask, scale, bias=None):
    batch, length, wide = q.shape
    split = lambda x: x.view(batch, length, heads, wide // heads).permute(0, 2, 1, 3)
    scores = split(q) @ split(k).transpose(2, 3) * scale
    if bias is not None:
        scores = scores + bias
    scores = scores + (1 - mask)[:, None, None, :] * torch.finfo(scores.dtype).min
    return (scores.softmax(-1) @ split(v)).permute(0, 2, 1, 3).reshape(batch, length, wide)


class Bert:
    """BERT, DistilBERT and RoBERTa differ in names, epsilon, and where positions begin."""

    NAMES = {
        "bert": ("encoder.layer.{}.", "attention.self.query attention.self.key attention.self.value "
                 "attention.output.dense attention.output.LayerNorm intermediate.dense output.dense "
                 "output.LayerNorm"),
        "distilbert": ("transformer.layer.{}.", "attention.q_lin attention.k_lin attention.v_lin "
                       "attention.out_lin sa_layer_norm ffn.lin1 ffn.lin2 output_layer_norm"),
    }
    NAMES["roberta"] = NAMES["bert"]

    def __init__(self, family, size, weights):
        self.family, self.size, self.weights = family, size, weights
        self.epsilon = 1e-5 if family == "roberta" else 1e-12
        self.filler = 1 if family == "roberta" else 0

    def tensor(self, name, *shape):
        return self.weights[self.family + "." + name, shape]

    def linear(self, x, name, wide):
        return x @ self.tensor(name + ".weight", wide, x.shape[-1]).T + self.tensor(name + ".bias", wide)

    def norm(self, x, name):
        wide = x.shape[-1]
        scale, offset = self.tensor(name + ".weight", wide), self.tensor(name + ".bias", wide)
        return torch.nn.functional.layer_norm(x, (wide,), scale, offset, self.epsilon)

    def layers(self, rows):
        size = self.size
        ids, mask = pad(rows, self.filler)
        positions = torch.arange(ids.shape[1]).expand(ids.shape)
        if self.family == "roberta":
            real = ids.ne(self.filler).int()
            positions = torch.cumsum(real, 1) * real + self.filler
        x = self.tensor("embeddings.word_embeddings.weight", size["vocabulary"], size["hidden"])[ids]
        x = x + self.tensor("embeddings.position_embeddings.weight", size["positions"], size["hidden"])[positions]
        if self.family != "distilbert":
            types = 1 if self.family == "roberta" else 2
            x = x + self.tensor("embeddings.token_type_embeddings.weight", types, size["hidden"])[0]
        x = self.norm(x, "embeddings.LayerNorm")
        yield x
        stem, names = self.NAMES[self.family]
        for number in range(size["layers"]):
            q, k, v, out, norm1, up, down, norm2 = (stem.format(number) + name for name in names.split())
            wide = size["hidden"]
            parts = [self.linear(x, name, wide) for name in (q, k, v)]
            mixed = attention(*parts, size["heads"], mask, 1 / math.sqrt(wide // size["heads"]))
            x = self.norm(self.linear(mixed, out, wide) + x, norm1)
            x = self.norm(self.linear(gelu(self.linear(x, up, size["intermediate"])), down, wide) + x, norm2)
            yield x


class T5:
    filler = 0

    def __init__(self, gated, size, weights):
        self.gated, self.size, self.weights = gated, size, weights

    def norm(self, x, name):
        scale = self.weights[name + ".weight", (x.shape[-1],)]
        return scale * (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6))

    def linear(self, x, name, wide):
        return x @ self.weights[name + ".weight", (wide, x.shape[-1])].T

    def bias(self, length):
        buckets, farthest = self.size["buckets"], self.size["distance"]
        distance = torch.arange(length)[None, :] - torch.arange(length)[:, None]
        half = buckets // 2
        exact = half // 2
        far = distance.abs()
        large = exact + (torch.log(far.float() / exact) / math.log(farthest / exact) * (half - exact)).long()
        place = torch.where(far < exact, far, large.clamp(max=half - 1)) + (distance > 0) * half
        name = "encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight"
        return self.weights[name, (buckets, self.size["heads"])][place].permute(2, 0, 1)

    def layers(self, rows):
        """Each with the stack's last norm applied, as after cutting the stack there."""
        size = self.size
        ids, mask = pad(rows, self.filler)
        x = self.weights["shared.weight", (size["vocabulary"], size["hidden"])][ids]
        bias = self.bias(ids.shape[1])
        yield self.norm(x, "encoder.final_layer_norm")
        for number in range(size["layers"]):
            stem = f"encoder.block.{number}.layer."
            before, wide = self.norm(x, stem + "0.layer_norm"), size["heads"] * size["head_width"]
            parts = [self.linear(before, stem + "0.SelfAttention." + part, wide) for part in "qkv"]
            mixed = attention(*parts, size["heads"], mask, 1, bias)
            x = x + self.linear(mixed, stem + "0.SelfAttention.o", size["hidden"])
            narrow, stem = self.norm(x, stem + "1.layer_norm"), stem + "1.DenseReluDense."
            if self.gated:
                inner = tanh_gelu(self.linear(narrow, stem + "wi_0", size["intermediate"]))
                inner = inner * self.linear(narrow, stem + "wi_1", size["intermediate"])
            else:
                inner = self.linear(narrow, stem + "wi", size["intermediate"]).relu()
            x = x + self.linear(inner, stem + "wo", size["hidden"])
            yield self.norm(x, "encoder.final_layer_norm")


# ---- the score ----


def idf_of(rows):
    counts = {}
    for row in rows:
        for token in set(row):
            counts[token] = counts.get(token, 0) + 1
    return lambda token: math.log((len(rows) + 1) / (counts.get(token, 0) + 1))


def score(hypothesis, reference, hypothesis_weights, reference_weights):
    """P, R, F of two texts' states; a text whose weights are all 0 is empty."""
    if not any(hypothesis_weights) or not any(reference_weights):
        return [0.0, 0.0, 0.0]
    unit = lambda x: x / x.norm(dim=-1, keepdim=True)
    similar = unit(hypothesis) @ unit(reference).T
    mean = lambda values, weights: float((values * torch.tensor(weights)).sum() / sum(weights))
    p = mean(similar.max(1)[0], hypothesis_weights)
    r = mean(similar.max(0)[0], reference_weights)
    return [p, r, 2 * p * r / (p + r) if p + r else 0.0]


# ---- the golden files ----

SIZE = {"hidden": 16, "heads": 2, "layers": 3, "intermediate": 32, "positions": 512}
WIDE = {**SIZE, "hidden": 32, "intermediate": 64}  # enough for the product of tiles that some processors have
T5_SIZE = {"hidden": 16, "heads": 3, "layers": 3, "head_width": 4, "intermediate": 24, "buckets": 8, "distance": 20}
FILES = HERE / "tokenizers"
STATED = (0, 1, 11, 15)  # the texts whose states are stored
LAYER = 2


def models():
    word = WordPiece(FILES / "vocab.txt")
    pair = BytePair(FILES / "vocab.json", FILES / "merges.txt")
    piece = Unigram(FILES / "spiece.model")
    sized = lambda size, tokenizer, **more: {**size, "vocabulary": len(tokenizer.ids) + 2, **more}
    yield "bert", word, Bert("bert", sized(WIDE, word), MadeWeights()), 512
    yield "distilbert", word, Bert("distilbert", sized(SIZE, word), MadeWeights()), 512
    yield "roberta", pair, Bert("roberta", sized(SIZE, pair, positions=514), MadeWeights()), 512
    yield "t5", piece, T5(False, sized(T5_SIZE, piece), MadeWeights()), 2048
    yield "mt5", piece, T5(True, sized(T5_SIZE, piece), MadeWeights()), 2048


def rounded(values):
    return [round(value, 6) for value in values]


def golden(tokenizer, model, longest):
    texts = json.loads((HERE / "texts.json").read_text())
    texts.append(" ".join(texts[:5] * 60))  # longer than 512 tokens
    rows = [encode(tokenizer, text, longest) for text in texts]
    every_layer = list(model.layers([rows[i] for i in STATED]))
    states = [[rounded(layer[place, :len(rows[i])].flatten().tolist()) for layer in every_layer]
              for place, i in enumerate(STATED)]
    # In batches of six, so that lengths mix and padding matters.
    finals = []
    for start in range(0, len(rows), 6):
        batch = rows[start:start + 6]
        last = list(model.layers(batch))[LAYER]
        finals += [last[i, :len(row)] for i, row in enumerate(batch)]
    frame = [tokenizer.number(name) for name in tokenizer.frame if name] if tokenizer.silent else []
    bare = [len(row) - 1 - (tokenizer.frame[0] is not None) == 0 for row in rows]
    idf = idf_of(rows[1::2])

    def weights(i, rare):
        return [0.0 if bare[i] or token in frame else idf(token) if rare else 1.0 for token in rows[i]]

    pairs = {}
    for name, rare in (("plain", False), ("idf", True)):
        pairs[name] = [[rounded(score(finals[h], finals[r], weights(h, rare), weights(r, rare)))
                        for r in range(1, len(texts), 2)] for h in range(0, len(texts), 2)]
    return {"layer": LAYER, "tokens": rows, "stated": STATED, "states": states,
            "long": rounded(finals[-1][-1].tolist()), "pairs": pairs}


def same(a, b):
    if isinstance(a, dict):
        return isinstance(b, dict) and a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, (list, tuple)):
        return isinstance(b, (list, tuple)) and len(a) == len(b) and all(map(same, a, b))
    return abs(a - b) <= TOLERANCE * max(1, abs(a))


def main():
    torch.set_num_threads(1)
    torch.set_default_dtype(torch.float64)  # so that no processor's way of rounding decides a golden value
    different = []
    for name, tokenizer, model, longest in models():
        path = HERE / "golden" / f"{name}.json"
        with torch.no_grad():
            found = golden(tokenizer, model, longest)
        if sys.argv[1:] == ["--write"]:
            path.write_text(json.dumps(found, separators=(",", ":")) + "\n")
        elif not same(found, json.loads(path.read_text())):
            different.append(name)
    print("different: " + ", ".join(different) if different else "golden values hold")
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    main()
