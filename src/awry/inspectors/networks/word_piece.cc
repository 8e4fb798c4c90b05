// SPDX-License-Identifier: Apache-2.0
// BERT's tokenizer: words and punctuation apart, then the longest known piece again and again.
#include "awry/base/text.h"
#include "awry/inspectors/networks/characters.h"
#include "awry/inspectors/networks/tokenizer.h"

namespace awry::inspectors::networks {
namespace {

using Characters = std::vector<char32_t>;

constexpr std::size_t kMaxWordCharacters = 100;  // longer words are unknown, as in the reference

bool is_chinese(char32_t c) {
  return (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3400 && c <= 0x4DBF) || (c >= 0x20000 && c <= 0x2A6DF) ||
         (c >= 0x2A700 && c <= 0x2B73F) || (c >= 0x2B740 && c <= 0x2B81F) || (c >= 0x2B820 && c <= 0x2CEAF) ||
         (c >= 0xF900 && c <= 0xFAFF) || (c >= 0x2F800 && c <= 0x2FA1F);
}

// Every ASCII character that is neither letter, digit nor space counts, also "$" and "^", which Unicode
// calls symbols.
bool splits_words(char32_t c) {
  return (c >= 33 && c <= 47) || (c >= 58 && c <= 64) || (c >= 91 && c <= 96) || (c >= 123 && c <= 126) ||
         is_punctuation(c);
}

class WordPiece final : public Tokenizer {
 public:
  WordPiece(Vocabulary vocabulary, const WordPieceRules& rules)
      : vocabulary_(std::move(vocabulary)), rules_(rules) {}

 private:
  void append_tokens(std::string_view text, bool /*begins*/, std::vector<Token>& tokens) const override {
    for (const Characters& word : words_of(decode_utf8(text))) {
      for (const Characters& part : parts_of(normalised(word))) append_pieces(part, tokens);
    }
  }

  std::vector<Characters> words_of(const Characters& text) const {
    std::vector<Characters> words(1);
    const auto end_word = [&] {
      if (!words.back().empty()) words.emplace_back();
    };
    for (const char32_t c : text) {
      if (c == '\t' || c == '\n' || c == '\r' || is_space_separator(c)) {
        end_word();
      } else if (c == 0 || c == 0xFFFD || is_other(c)) {
        continue;
      } else if (rules_.split_chinese && is_chinese(c)) {
        end_word();
        words.back().push_back(c);
        end_word();
      } else if (c == 0x2028 || c == 0x2029) {
        end_word();  // no separators of category Zs, but where Python's split() splits
      } else {
        words.back().push_back(c);
      }
    }
    if (words.back().empty()) words.pop_back();
    return words;
  }

  Characters normalised(Characters word) const {
    if (rules_.lower_case) word = lower_case(word);
    if (rules_.strip_accents.value_or(rules_.lower_case)) {
      word = decompose(word);
      std::erase_if(word, is_nonspacing_mark);
    }
    return word;
  }

  static std::vector<Characters> parts_of(const Characters& word) {
    std::vector<Characters> parts;
    bool begins = true;
    for (const char32_t c : word) {
      if (splits_words(c)) {
        parts.push_back({c});
        begins = true;
      } else {
        if (begins) parts.emplace_back();
        begins = false;
        parts.back().push_back(c);
      }
    }
    return parts;
  }

  void append_pieces(const Characters& word, std::vector<Token>& tokens) const {
    const std::size_t before = tokens.size();
    const auto give_up = [&] {
      tokens.resize(before);
      tokens.push_back(rules_.unknown);
    };
    if (word.size() > kMaxWordCharacters) return give_up();
    for (std::size_t begin = 0; begin < word.size();) {
      std::string piece = begin > 0 ? "##" : "";
      const std::size_t prefix = piece.size();
      std::vector<std::size_t> ends;  // of the piece's bytes after each character
      for (std::size_t i = begin; i < word.size(); ++i) {
        piece += encode_utf8({&word[i], 1});
        ends.push_back(piece.size());
      }
      std::optional<Token> token;
      std::size_t length = ends.size();
      for (; length > 0 && !token; --length) {
        token = find_token(vocabulary_, std::string_view(piece).substr(0, ends[length - 1]));
      }
      if (!token || piece.size() == prefix) return give_up();
      tokens.push_back(*token);
      begin += length + 1;
    }
  }

  Vocabulary vocabulary_;
  WordPieceRules rules_;
};

}  // namespace

std::unique_ptr<Tokenizer> make_word_piece(Vocabulary vocabulary, const WordPieceRules& rules) {
  return std::make_unique<WordPiece>(std::move(vocabulary), rules);
}

}  // namespace awry::inspectors::networks
