// SPDX-License-Identifier: Apache-2.0
// Text -> the numbers a model was trained on. Three kinds, each exactly as its reference does it:
// WordPiece (BERT, DistilBERT), byte-level BPE (RoBERTa), Unigram (T5, through libsentencepiece).
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "awry/base/result.h"
#include "awry/inspectors/networks/model_config.h"
#include "awry/inspectors/networks/vocabulary.h"

namespace awry::inspectors::networks {

struct TokenizedText {
  std::vector<Token> tokens;  // the special ones included
  bool empty = false;         // nothing but special tokens
  bool cut = false;           // longer than the model can read
};

class Tokenizer {
 public:
  virtual ~Tokenizer() = default;

  // Stripped, cut to max_tokens, with the special tokens around it. Invalid UTF-8 becomes U+FFFD.
  TokenizedText encode(std::string_view text) const;

  // True for the tokens that begin and end every text and say nothing themselves: [CLS] and [SEP], <s> and
  // </s>. T5's </s> is not among them: the reference counts it as a word.
  bool is_frame(Token token) const { return frame_is_silent && (token == first || token == last); }

  std::optional<Token> first;  // T5 begins with nothing
  Token last = 0;
  bool frame_is_silent = true;
  std::size_t max_tokens = 512;
  // Tokens that are found as they stand in a text, before anything else looks at it: "[MASK]".
  std::vector<std::pair<std::string, Token>> named;

 protected:
  // The tokens of a stretch of text without named ones. `begins`: it is the text's beginning.
  virtual void append_tokens(std::string_view text, bool begins, std::vector<Token>& tokens) const = 0;

 private:
  const std::pair<std::string, Token>* named_at(std::string_view text) const;
};

// From the files of a model folder. What is missing or does not fit the model is named.
Result<std::unique_ptr<Tokenizer>> read_tokenizer(const std::filesystem::path& folder,
                                                  const ModelConfig& config);

// The files that read_tokenizer() would read, for the model's hash.
std::vector<std::filesystem::path> tokenizer_files(const std::filesystem::path& folder);

// What read_tokenizer() makes; here for tests.
struct WordPieceRules {
  bool lower_case = true;
  bool split_chinese = true;
  std::optional<bool> strip_accents;  // unset: as lower_case
  Token unknown = 0;
};
std::unique_ptr<Tokenizer> make_word_piece(Vocabulary vocabulary, const WordPieceRules& rules);
std::unique_ptr<Tokenizer> make_byte_pair(Vocabulary vocabulary, const Merges& merges, Token unknown);
Result<std::unique_ptr<Tokenizer>> read_sentence_piece(const std::filesystem::path& path, std::int64_t rows);

}  // namespace awry::inspectors::networks
