// SPDX-License-Identifier: Apache-2.0
#include "awry/score/similarity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <unordered_map>

#include "awry/base/text.h"
#include "awry/score/sets.h"

namespace awry::score {
namespace {

constexpr auto kWhat = "cannot use the similarities";

Result<void> check_and_clip(const TextBlock& block, SimilarityMatrix& matrix) {
  const std::size_t rows = block.predictions.size(), columns = block.truths.size();
  if (matrix.predictions != rows || matrix.truths != columns || matrix.cells.size() != rows * columns) {
    return fail({.what = kWhat,
                 .input = block.id,
                 .why = fmt::format("{} predictions and {} truths need as many rows and columns; there are "
                                    "{} and {}, {} cells",
                                    rows, columns, matrix.predictions, matrix.truths, matrix.cells.size())});
  }
  for (std::size_t i = 0; i < matrix.cells.size(); ++i) {
    if (!std::isfinite(matrix.cells[i])) {
      return fail({.what = kWhat,
                   .input = block.id,
                   .why = fmt::format("the similarity of prediction {} and truth {} is {}", i / columns + 1,
                                      i % columns + 1, matrix.cells[i])});
    }
    matrix.cells[i] = std::clamp(matrix.cells[i], 0.0F, 1.0F);
  }
  return {};
}

// Words as numbers, so that two texts are compared without touching a letter.
class Vocabulary {
 public:
  std::vector<std::uint32_t> sorted_words(std::string_view text) {
    std::vector<std::uint32_t> words;
    for (std::string& word : word_tokens(text)) {
      words.push_back(
          numbers_.emplace(std::move(word), static_cast<std::uint32_t>(numbers_.size())).first->second);
    }
    std::sort(words.begin(), words.end());
    return words;
  }

  std::vector<std::vector<std::uint32_t>> sorted_words(const std::vector<std::string_view>& texts) {
    std::vector<std::vector<std::uint32_t>> words;
    words.reserve(texts.size());
    for (const std::string_view text : texts) words.push_back(sorted_words(text));
    return words;
  }

 private:
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

std::map<std::string, MakeSimilarity, std::less<>>& offers() {
  static std::map<std::string, MakeSimilarity, std::less<>> offers = {
      {"lexical", [](std::string_view argument) -> Result<std::unique_ptr<Similarity>> {
         if (!argument.empty()) {
           return fail({.kind = ErrorKind::kUsage,
                        .what = "similarity 'lexical' takes no argument",
                        .input = std::string(argument)});
         }
         return std::make_unique<LexicalSimilarity>();
       }}};
  return offers;
}

}  // namespace

Result<std::vector<SimilarityMatrix>> Similarity::compare(std::span<const TextBlock> blocks) {
  AWRY_TRY_ASSIGN(std::vector<SimilarityMatrix> matrices, compute(blocks));
  if (matrices.size() != blocks.size()) {
    return fail({.what = kWhat,
                 .why = fmt::format("{} matrices came for {} blocks", matrices.size(), blocks.size())});
  }
  for (std::size_t i = 0; i < blocks.size(); ++i) AWRY_TRY(check_and_clip(blocks[i], matrices[i]));
  return matrices;
}

Result<std::vector<SimilarityMatrix>> LexicalSimilarity::compute(std::span<const TextBlock> blocks) {
  Vocabulary vocabulary;
  std::vector<SimilarityMatrix> matrices;
  matrices.reserve(blocks.size());
  for (const TextBlock& block : blocks) {
    const auto predictions = vocabulary.sorted_words(block.predictions);
    const auto truths = vocabulary.sorted_words(block.truths);
    SimilarityMatrix matrix{.predictions = predictions.size(), .truths = truths.size()};
    matrix.cells.reserve(predictions.size() * truths.size());
    for (const auto& prediction : predictions) {
      for (const auto& truth : truths) {
        const bool empty = prediction.empty() || truth.empty();
        matrix.cells.push_back(empty ? 0.0F : static_cast<float>(f1(count_common(prediction, truth))));
      }
    }
    matrices.push_back(std::move(matrix));
  }
  return matrices;
}

Result<std::vector<SimilarityMatrix>> PrecomputedSimilarity::compute(std::span<const TextBlock> blocks) {
  std::vector<SimilarityMatrix> matrices;
  matrices.reserve(blocks.size());
  for (const TextBlock& block : blocks) {
    const auto found = matrices_.find(block.id);
    if (found == matrices_.end()) {
      return fail({.kind = ErrorKind::kNotFound,
                   .what = kWhat,
                   .input = block.id,
                   .why = "no matrix was given for it",
                   .hint = "Every image with predictions and truths needs its matrices."});
    }
    matrices.push_back(found->second);
  }
  return matrices;
}

void offer_similarity(std::string_view name, MakeSimilarity make) {
  offers()[std::string(name)] = std::move(make);
}

Result<std::unique_ptr<Similarity>> make_similarity(std::string_view wanted) {
  const std::size_t colon = wanted.find(':');
  const std::string_view name = wanted.substr(0, colon);
  const auto offer = offers().find(name);
  if (offer == offers().end()) {
    std::vector<std::string> known;
    for (const auto& [each, make] : offers()) known.push_back(each);
    return fail({.kind = ErrorKind::kUsage,
                 .what = "there is no similarity",
                 .input = std::string(name),
                 .hint = fmt::format("On offer: {}.", fmt::join(known, ", "))});
  }
  return offer->second(colon == std::string_view::npos ? std::string_view() : wanted.substr(colon + 1));
}

}  // namespace awry::score
