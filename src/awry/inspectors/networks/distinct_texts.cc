// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/networks/distinct_texts.h"

#include <cmath>
#include <set>

namespace awry::inspectors::networks {

std::size_t DistinctTexts::add(std::string_view text, Role role) {
  ++added_;
  auto seen = seen_.find(text);
  if (seen == seen_.end()) {
    TokenizedText tokenized = tokenizer_->encode(text);
    const auto [place, is_new] = numbers_.emplace(std::move(tokenized.tokens), texts_.size());
    if (is_new) {
      texts_.push_back({.tokens = &place->first, .empty = tokenized.empty});
      cut_ += tokenized.cut;
    }
    seen = seen_.emplace(text, place->second).first;
  }
  if (role == Role::kTruth) {
    ++truths_;
    const auto& tokens = *texts_[seen->second].tokens;
    for (const Token token : std::set(tokens.begin(), tokens.end())) ++truths_with_[token];
  }
  return seen->second;
}

std::vector<float> DistinctTexts::weights(std::size_t text, bool idf) const {
  std::vector<float> weights;
  for (const Token token : *texts_[text].tokens) {
    if (texts_[text].empty || tokenizer_->is_frame(token)) {
      weights.push_back(0);
    } else if (!idf) {
      weights.push_back(1);
    } else {
      const auto found = truths_with_.find(token);
      const auto with = static_cast<double>(found == truths_with_.end() ? 0 : found->second);
      weights.push_back(static_cast<float>(std::log((static_cast<double>(truths_) + 1) / (with + 1))));
    }
  }
  return weights;
}

}  // namespace awry::inspectors::networks
