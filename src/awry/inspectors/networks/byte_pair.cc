// SPDX-License-Identifier: Apache-2.0
// RoBERTa's tokenizer: words by a pattern, their bytes as letters, then the merges learnt, earliest first.
#include <array>
#include <map>
#include <unordered_map>

#include "awry/base/text.h"
#include "awry/inspectors/networks/characters.h"
#include "awry/inspectors/networks/tokenizer.h"

namespace awry::inspectors::networks {
namespace {

// Every byte as a printable character: those that are printable stand for themselves, the others follow from
// U+0100 on.
std::array<std::string, 256> byte_letters() {
  std::array<std::string, 256> letters;
  char32_t next = 0x100;
  for (char32_t byte = 0; byte < 256; ++byte) {
    const bool printable = (byte >= '!' && byte <= '~') || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
    const char32_t letter = printable ? byte : next++;
    letters[byte] = encode_utf8({&letter, 1});
  }
  return letters;
}

class Words {
 public:
  explicit Words(std::string_view text) : text_(decode_utf8(text)) {}

  // The next match of  's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
  std::optional<std::string> next() {
    if (at_ == text_.size()) return {};
    const std::size_t begin = at_;
    if (const std::size_t length = contraction()) {
      at_ += length;
    } else {
      const std::size_t start = at_ + (text_[at_] == ' ' && at_ + 1 < text_.size() ? 1 : 0);
      const Kind kind = kind_of(text_[start]);
      if (kind != Kind::kSpace) {
        at_ = end_of(kind, start);
      } else {
        at_ = end_of(Kind::kSpace, at_);
        // Spaces leave their last one to the word that follows them.
        if (at_ < text_.size() && at_ - begin > 1) --at_;
      }
    }
    return encode_utf8({text_.data() + begin, at_ - begin});
  }

 private:
  enum class Kind { kLetter, kNumber, kSpace, kOther };

  static Kind kind_of(char32_t c) {
    return is_letter(c)   ? Kind::kLetter
           : is_number(c) ? Kind::kNumber
           : is_space(c)  ? Kind::kSpace
                          : Kind::kOther;
  }
  std::size_t end_of(Kind kind, std::size_t from) const {
    while (from < text_.size() && kind_of(text_[from]) == kind) ++from;
    return from;
  }
  std::size_t contraction() const {
    if (text_[at_] != '\'') return 0;
    for (const std::u32string_view ending : {U"s", U"t", U"re", U"ve", U"m", U"ll", U"d"}) {
      const std::u32string_view rest(text_.data() + at_ + 1, text_.size() - at_ - 1);
      if (rest.starts_with(ending)) return ending.size() + 1;
    }
    return 0;
  }

  std::vector<char32_t> text_;
  std::size_t at_ = 0;
};

class BytePair final : public Tokenizer {
 public:
  BytePair(Vocabulary vocabulary, const Merges& merges, Token unknown)
      : vocabulary_(std::move(vocabulary)), letters_(byte_letters()), unknown_(unknown) {
    ranks_.reserve(merges.size());
    for (const auto& [left, right] : merges) ranks_.emplace(left + ' ' + right, ranks_.size());
  }

 private:
  void append_tokens(std::string_view text, bool begins, std::vector<Token>& tokens) const override {
    const bool wants_space = begins && !text.empty() && !is_python_space(decode_utf8(text).front());
    const std::string spaced = wants_space ? ' ' + std::string(text) : std::string(text);
    Words words(spaced);
    while (const auto word = words.next()) {
      for (const std::string& piece : pieces_of(*word)) {
        tokens.push_back(find_token(vocabulary_, piece).value_or(unknown_));
      }
    }
  }

  // A word of thousands of letters is somebody's test of patience: the merges of one run of the loop are all
  // done in one pass, so the time grows with length times merges used, not with its square.
  std::vector<std::string> pieces_of(std::string_view word) const {
    std::vector<std::string> pieces;
    for (const char byte : word) pieces.push_back(letters_[static_cast<unsigned char>(byte)]);
    while (pieces.size() > 1) {
      std::size_t best = SIZE_MAX, best_at = 0;
      for (std::size_t i = 0; i + 1 < pieces.size(); ++i) {
        const auto rank = ranks_.find(pieces[i] + ' ' + pieces[i + 1]);
        if (rank != ranks_.end() && rank->second < best) best = rank->second, best_at = i;
      }
      if (best == SIZE_MAX) break;
      const std::string left = pieces[best_at], right = pieces[best_at + 1];
      std::vector<std::string> merged;
      for (std::size_t i = 0; i < pieces.size(); ++i) {
        if (i + 1 < pieces.size() && pieces[i] == left && pieces[i + 1] == right) {
          merged.push_back(left + right);
          ++i;
        } else {
          merged.push_back(std::move(pieces[i]));
        }
      }
      pieces = std::move(merged);
    }
    return pieces;
  }

  Vocabulary vocabulary_;
  std::unordered_map<std::string, std::size_t> ranks_;
  std::array<std::string, 256> letters_;
  Token unknown_;
};

}  // namespace

std::unique_ptr<Tokenizer> make_byte_pair(Vocabulary vocabulary, const Merges& merges, Token unknown) {
  return std::make_unique<BytePair>(std::move(vocabulary), merges, unknown);
}

}  // namespace awry::inspectors::networks
