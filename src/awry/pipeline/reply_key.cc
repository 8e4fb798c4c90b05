// SPDX-License-Identifier: Apache-2.0
#include "awry/pipeline/reply_key.h"

#include "awry/base/hash.h"

namespace awry::pipeline {

std::string reply_key(const Model& model, const Sample& sample, const Question& question, int reask) {
  FieldHasher hasher;
  hasher.add("reply-v2").add(model.identity()).add(question.kind).add(question.prompt);
  hasher.add(static_cast<std::uint64_t>(question.repeat)).add(static_cast<std::uint64_t>(reask));
  hasher.add(static_cast<std::uint64_t>(question.earlier.size()));
  for (const EarlierTurn& turn : question.earlier) hasher.add(turn.prompt).add(turn.reply);
  for (const int index : question.images) hasher.add(sample.images[static_cast<std::size_t>(index)].sha256);
  // Only where a question has wishes of its own, so that all other replies keep the keys they have.
  for (const char* wish : {"temperature", "response_format"}) {
    if (const auto found = question.attributes.find(wish); found != question.attributes.end()) {
      hasher.add(wish).add(found->second);
    }
  }
  return hasher.hex();
}

}  // namespace awry::pipeline
