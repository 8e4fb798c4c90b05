// SPDX-License-Identifier: Apache-2.0
#include "awry/score/text_overlap.h"

#include <algorithm>

#include "awry/base/text.h"

namespace awry::score {
namespace {

std::vector<std::string> sorted_words(std::string_view text) {
  std::vector<std::string> words = word_tokens(text);
  std::sort(words.begin(), words.end());
  return words;
}

}  // namespace

MatchCounts compare_words(std::string_view predicted, std::string_view truth) {
  return count_common(sorted_words(predicted), sorted_words(truth));
}

double text_f1(std::string_view predicted, std::string_view truth) {
  return f1(compare_words(predicted, truth));
}

double text_f1(std::span<const std::string> predicted, std::span<const std::string> truth) {
  return text_f1(join(predicted, " "), join(truth, " "));
}

}  // namespace awry::score
