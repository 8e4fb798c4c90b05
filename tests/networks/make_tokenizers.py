#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""make_tokenizers.py: writes tokenizers/vocab.txt, vocab.json and merges.txt from corpus.txt.

spiece.model beside them was trained on the same lines:
  spm_train --input=corpus.txt --model_type=unigram --vocab_size=160 --hard_vocab_limit=false
    --normalization_rule_name=identity --character_coverage=1.0 --pad_id=0 --eos_id=1 --unk_id=2 --bos_id=-1
"""
import collections
import json
from pathlib import Path

import reference

HERE = Path(__file__).parent


def word_pieces(words):
    pieces = ["[PAD]", "[unused0]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    letters = sorted(set("".join(words)) | set("0123456789!\"#$%&'()*+,-./:;<=>?@[]^_`{|}~xzσςοδφαβijıйсобакил"))
    pieces += letters + ["##" + letter for letter in letters]
    pieces += [word for word, count in collections.Counter(words).most_common(90) if len(word) > 1]
    pieces += ["##s", "##ing", "##ers", "##ger", "##ment", "##isti", "##an", "水", "手", "a", "caf", "##e", "naive"]
    return list(dict.fromkeys(pieces))


def byte_pairs(words, merges_wanted=120):
    vocabulary = ["<s>", "<pad>", "</s>", "<unk>"] + sorted(reference.byte_letters().values())
    counts = collections.Counter(words)
    spelled = {word: ["Ġ"] + list(word) for word in counts}
    merges = []
    for _ in range(merges_wanted):
        pairs = collections.Counter()
        for word, count in counts.items():
            for pair in zip(spelled[word], spelled[word][1:]):
                pairs[pair] += count
        best = min(pairs, key=lambda pair: (-pairs[pair], pair))
        merges.append(best)
        vocabulary.append("".join(best))
        for word in counts:
            spelled[word] = reference.merge(spelled[word], best)
    merges.append(("'", "t"))
    return list(dict.fromkeys(vocabulary + ["'t", "<mask>"])), merges


def main():
    words = (HERE / "corpus.txt").read_text().split()
    folder = HERE / "tokenizers"
    (folder / "vocab.txt").write_text("".join(piece + "\n" for piece in word_pieces(words)))
    vocabulary, merges = byte_pairs(words)
    numbers = {piece: number for number, piece in enumerate(vocabulary)}
    (folder / "vocab.json").write_text(json.dumps(numbers, ensure_ascii=False))
    (folder / "merges.txt").write_text("#version: 0.2\n" + "".join(f"{a} {b}\n" for a, b in merges))


if __name__ == "__main__":
    main()
