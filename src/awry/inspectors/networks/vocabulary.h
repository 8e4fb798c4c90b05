// SPDX-License-Identifier: Apache-2.0
// The files that list a tokenizer's pieces.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "awry/base/result.h"

namespace awry::inspectors::networks {

struct StringHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};

using Token = std::int32_t;
using Vocabulary = std::unordered_map<std::string, Token, StringHash, std::equal_to<>>;
using Merges = std::vector<std::pair<std::string, std::string>>;  // the first is done first

std::optional<Token> find_token(const Vocabulary& vocabulary, std::string_view piece);

Result<Vocabulary> read_vocab_txt(const std::filesystem::path& path);   // a piece a line, from 0
Result<Vocabulary> read_vocab_json(const std::filesystem::path& path);  // {"piece": id}
Result<Merges> read_merges_txt(const std::filesystem::path& path);      // "left right" a line

// What tokenizer.json adds to, or says instead of, the files above.
struct TokenizerFile {
  std::string kind;  // "WordPiece", "BPE", "Unigram"
  Vocabulary vocabulary;
  Merges merges;
  std::optional<bool> lower_case, strip_accents, split_chinese;
};
Result<TokenizerFile> read_tokenizer_json(const std::filesystem::path& path);

// An error when a piece has a number that the model has no row for, or so many rows have no piece that the
// file must have been cut off.
Result<void> check_vocabulary(const Vocabulary& vocabulary, std::int64_t rows,
                              const std::filesystem::path& path);
// An error when so many pieces come from no merge that the file must have been cut off.
Result<void> check_merges(const Vocabulary& vocabulary, const Merges& merges,
                          const std::filesystem::path& path);

}  // namespace awry::inspectors::networks
