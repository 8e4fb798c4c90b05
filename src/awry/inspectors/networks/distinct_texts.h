// SPDX-License-Identifier: Apache-2.0
// The texts of a job, each once. Texts that become the same tokens are the same.
#pragma once

#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "awry/inspectors/networks/tokenizer.h"

namespace awry::inspectors::networks {

class DistinctTexts {
 public:
  explicit DistinctTexts(const Tokenizer& tokenizer) : tokenizer_(&tokenizer) {}

  // The text's number. `role` tells whether idf counts it.
  enum class Role { kPrediction, kTruth };
  std::size_t add(std::string_view text, Role role);

  std::size_t size() const { return texts_.size(); }
  std::size_t added() const { return added_; }
  std::size_t cut() const { return cut_; }  // distinct ones that were too long
  const std::vector<Token>& tokens(std::size_t text) const { return *texts_[text].tokens; }

  // What each token counts: 1, or with idf log((N + 1) / (n + 1)) where n of N truths have it; special tokens
  // 0, and all of an empty text's.
  std::vector<float> weights(std::size_t text, bool idf) const;

 private:
  struct Text {
    const std::vector<Token>* tokens;
    bool empty;
  };

  const Tokenizer* tokenizer_;
  std::map<std::vector<Token>, std::size_t> numbers_;
  std::map<std::string_view, std::size_t> seen_;  // the caller's texts outlive this
  std::vector<Text> texts_;
  std::map<Token, std::size_t> truths_with_;
  std::size_t truths_ = 0, added_ = 0, cut_ = 0;
};

}  // namespace awry::inspectors::networks
