// SPDX-License-Identifier: Apache-2.0
#include "awry/parse/choices.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "awry/base/text.h"
#include "awry/parse/scan.h"

namespace awry::parse {
namespace {

constexpr std::string_view kThing = "choice";
constexpr std::size_t kMaxBodyBytes = 20'000;  // an essay is not a choice

enum class TokenKind { kWord, kSign, kBreak };

struct Token {
  TokenKind kind = TokenKind::kWord;
  std::string_view text;     // empty for a line break
  bool glued_left = false;   // no blank before it
  bool glued_right = false;  // no blank behind it
};

std::vector<Token> tokens_of(std::string_view text) {
  std::vector<Token> tokens;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '\n') {
      tokens.push_back({.kind = TokenKind::kBreak});
      ++at;
    } else if (is_blank(text[at])) {
      ++at;
    } else {
      std::size_t end = at + 1;
      const bool word = is_word_byte(text[at]);
      // An apostrophe between letters belongs to the word: "it's".
      while (word && end < text.size() &&
             (is_word_byte(text[end]) || (text[end] == '\'' && end + 1 < text.size() &&
                                          is_ascii_letter(text[end + 1]) && end - at > 1))) {
        ++end;
      }
      tokens.push_back({.kind = word ? TokenKind::kWord : TokenKind::kSign,
                        .text = text.substr(at, end - at),
                        .glued_left = at > 0 && !is_blank(text[at - 1]),
                        .glued_right = end < text.size() && !is_blank(text[end])});
      at = end;
    }
  }
  return tokens;
}

bool any_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words, [&](auto w) { return equals_ignoring_case(word, w); });
}

struct Marker {
  char letter = 'A';
  std::size_t token = 0;
  std::string description;  // folded words up to the next marker
};

class ChoiceReader {
 public:
  ChoiceReader(std::string_view body, const ChoiceRules& rules)
      : body_(body), rules_(rules), text_(plain_text(body)), tokens_(tokens_of(text_)) {}

  Result<Parsed<Choices>> read() {
    find_markers();
    if (!complaint_.empty()) return no(complaint_);
    if (markers_.empty()) return read_names();
    describe_markers();
    AWRY_TRY(check_markers());
    keep_affirmed();
    if (markers_.empty()) return no("every option is denied");
    for (const Marker& marker : markers_) parsed_.value.letters += marker.letter;
    return finish();
  }

 private:
  // Markdown's emphasis says nothing about letters.
  static std::string plain_text(std::string_view body) {
    std::string text = plain_punctuation(trim(body));
    std::erase_if(text, [](char c) { return c == '*' || c == '`' || c == '\\' || c == '$'; });
    return text;
  }

  tl::unexpected<Error> no(std::string_view why) const { return unparsable(kThing, body_, why); }

  const Token* token(std::size_t i) const { return i < tokens_.size() ? &tokens_[i] : nullptr; }
  bool is_sign(std::size_t i, std::string_view signs) const {
    const Token* t = token(i);
    return t && t->kind == TokenKind::kSign && signs.find(t->text[0]) != std::string_view::npos;
  }
  bool is_word(std::size_t i, std::initializer_list<std::string_view> words) const {
    const Token* t = token(i);
    return t && t->kind == TokenKind::kWord && any_of(t->text, words);
  }
  bool is_letter(std::size_t i) const {
    const Token* t = token(i);
    return t && t->kind == TokenKind::kWord && t->text.size() == 1 && is_ascii_letter(t->text[0]);
  }
  bool ends_line(std::size_t i) const { return !token(i) || tokens_[i].kind == TokenKind::kBreak; }
  // Markers are found in order.
  bool is_marked(std::size_t i) const {
    return std::ranges::binary_search(markers_, i, std::ranges::less{}, &Marker::token);
  }

  // What may stand before an item's letter. npos - 1 stands for "before the first token".
  bool opens_item(std::size_t i) const {
    const std::size_t before = i - 1;
    if (i == 0 || ends_line(before)) return true;
    if (is_sign(before, "([{\"'<:;|=>.-")) return !hyphenated_left(i);
    if (is_sign(before, ",/&+")) return continues_list(before);
    if (is_word(before, {"and", "plus"})) return continues_list(before);
    return is_word(before, {"option", "options", "choice", "choices", "answer", "answers", "is", "letter",
                            "select", "selected", "choose", "type"});
  }

  // "panels B, C": a letter after a letter that is no item is none either.
  bool continues_list(std::size_t separator) const {
    std::size_t i = separator;
    while (i > 0 && (is_sign(i - 1, ")]}\"'.,") || is_word(i - 1, {"and"}))) --i;
    return i == 0 || !is_letter(i - 1) || is_marked(i - 1);
  }

  bool hyphenated_left(std::size_t i) const {  // "vitamin-C"
    return is_sign(i - 1, "-.'") && tokens_[i].glued_left && tokens_[i - 1].glued_left && i >= 2 &&
           tokens_[i - 2].kind == TokenKind::kWord;
  }

  // What may stand behind it: the end, a sign that closes or introduces, a list word, or its own name.
  bool closes_item(std::size_t i) const {
    const std::size_t behind = i + 1;
    if (ends_line(behind)) return true;
    if (is_sign(behind, "-'")) {
      const bool glued = tokens_[behind].glued_left && tokens_[behind].glued_right;
      return !glued || !token(behind + 1) || tokens_[behind + 1].kind != TokenKind::kWord ||
             own_name_follows(i, behind + 1);
    }
    if (is_sign(behind, ")]}\".:,;/|&+(=?!>")) return true;
    if (is_word(behind, {"and", "or", "plus"})) return is_letter(behind + 1) || upper(i);
    return own_name_follows(i, behind);
  }

  bool upper(std::size_t i) const { return tokens_[i].text[0] <= 'Z' && tokens_[i].text[0] != 'A'; }

  bool own_name_follows(std::size_t i, std::size_t from) const {
    const ChoiceOption* option = option_of(upper_ascii(tokens_[i].text[0]));
    if (!option || !token(from) || tokens_[from].kind == TokenKind::kBreak) return false;
    const auto begin = static_cast<std::size_t>(tokens_[from].text.data() - text_.data());
    const std::string following = folded_words(std::string_view(text_).substr(begin, 80));
    return std::ranges::any_of(option->names, [&](const std::string& name) {
      return starts_with_words(following, folded_words(name));
    });
  }

  static bool starts_with_words(std::string_view text, std::string_view words) {
    return !words.empty() && text.starts_with(words) &&
           (text.size() == words.size() || text[words.size()] == ' ');
  }

  const ChoiceOption* option_of(char letter) const {
    const auto found = std::ranges::find(rules_.options, letter, &ChoiceOption::letter);
    return found == rules_.options.end() ? nullptr : &*found;
  }

  // A remark in brackets behind a letter is skipped unless it holds nothing but letters: "rotated (C, D)".
  std::size_t behind_remark(std::size_t open) const {
    bool only_letters = true;
    std::size_t i = open + 1;
    for (; token(i) && !is_sign(i, "()"); ++i) {
      const bool list_part =
          is_letter(i) || is_sign(i, ",/&+;\"'") || is_word(i, {"and", "option", "options"});
      only_letters &= list_part;
      if (is_word(i, {"or"}) && is_letter(i + 1)) return open;
    }
    return only_letters || !is_sign(i, ")") ? open : i;
  }

  void find_markers() {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (is_sign(i, "(")) {
        i = behind_remark(i);
        continue;
      }
      if (is_word(i, {"or"}) && is_letter(i + 1) && !markers_.empty()) {
        complaint_ = "it offers alternatives with 'or'";
        return;
      }
      if (!is_letter(i)) continue;
      if (is_sign(i + 1, "-") && is_letter(i + 2) && tokens_[i + 1].glued_left &&
          tokens_[i + 1].glued_right) {
        complaint_ = "it gives a range of letters";
        return;
      }
      if (opens_item(i) && closes_item(i)) {
        markers_.push_back({.letter = upper_ascii(tokens_[i].text[0]), .token = i});
      } else if (tokens_[i].text[0] <= 'Z' && option_of(tokens_[i].text[0])) {
        loose_letters_ += tokens_[i].text[0];
      }
    }
    if (markers_.empty()) find_run();
  }

  // "AC": capitals in order and nothing else.
  void find_run() {
    const std::string_view run = strip_any(text_, " \t\r\n\"'.()[]{}");
    if (run.size() < 2 || run.size() > rules_.options.size() || rules_.single) return;
    for (std::size_t i = 0; i < run.size(); ++i) {
      if (!option_of(run[i]) || (i > 0 && run[i] <= run[i - 1])) return;
    }
    for (char letter : run) markers_.push_back({.letter = letter, .token = tokens_.size()});
    parsed_.tolerate("letters without commas between them");
  }

  void describe_markers() {
    for (std::size_t m = 0; m < markers_.size(); ++m) {
      const std::size_t from = markers_[m].token + 1;
      if (from >= tokens_.size()) continue;
      const std::size_t to = m + 1 < markers_.size() ? markers_[m + 1].token : tokens_.size();
      const char* begin = tokens_[from - 1].text.data() + 1;
      const char* end = to < tokens_.size() ? tokens_[to].text.data() : text_.data() + text_.size();
      markers_[m].description = folded_words({begin, static_cast<std::size_t>(end - begin)});
    }
  }

  Result<void> check_markers() {
    for (const Marker& marker : markers_) {
      const ChoiceOption* own = option_of(marker.letter);
      if (!own) return no(fmt::format("'{}' is not among the options", marker.letter));
      if (marker.description.empty()) continue;
      const auto begins_with_name_of = [&](const ChoiceOption& option) {
        return std::ranges::any_of(option.names, [&](const std::string& name) {
          return starts_with_words(marker.description, folded_words(name));
        });
      };
      if (begins_with_name_of(*own)) continue;
      for (const ChoiceOption& other : rules_.options) {
        if (other.letter != own->letter && begins_with_name_of(other)) {
          return no(fmt::format("it says {} but names option {}", own->letter, other.letter));
        }
      }
    }
    return {};
  }

  // {"A": true, "B": false}: only when every letter carries such a word.
  void keep_affirmed() {
    const auto affirmed = [](const Marker& m) {
      return any_of(m.description, {"yes", "true", "present", "1"});
    };
    const auto denied = [](const Marker& m) { return any_of(m.description, {"no", "false", "absent", "0"}); };
    const bool verdicts = std::ranges::all_of(markers_, [&](auto& m) { return affirmed(m) || denied(m); });
    if (!verdicts) return;
    std::erase_if(markers_, denied);
    parsed_.tolerate("yes or no beside each letter");
  }

  Result<Parsed<Choices>> read_names() {
    std::string list = text_;
    for (char& c : list) {
      if (std::string_view(";/|&+\n\"[]{}").find(c) != std::string_view::npos) c = ',';
    }
    list = replace_all(list, " and ", ",");
    for (std::string_view piece : split(list, ',')) {
      const std::string words = folded_words(piece);
      if (words.empty()) continue;
      const auto option = std::ranges::find_if(rules_.options, [&](const ChoiceOption& candidate) {
        return std::ranges::any_of(candidate.names, [&](auto& name) { return folded_words(name) == words; });
      });
      if (option == rules_.options.end()) {
        if (!loose_letters_.empty()) return no("its letters stand inside sentences");
        return no(trim(body_).empty() ? "it is empty" : "it holds neither an option's letter nor its name");
      }
      parsed_.value.letters += option->letter;
      parsed_.tolerate("an option's name instead of its letter");
    }
    if (parsed_.value.letters.empty()) return no("it is empty");
    return finish();
  }

  Result<Parsed<Choices>> finish() {
    std::string& letters = parsed_.value.letters;
    std::ranges::sort(letters);
    const auto repeats = std::ranges::unique(letters);
    letters.erase(repeats.begin(), repeats.end());
    if (rules_.single && letters.size() > 1) {
      return no(fmt::format("it chooses {} where one is asked for", letters));
    }
    const bool exclusive = letters.find_first_of(rules_.exclusive) != std::string::npos;
    if (letters.size() > 1 && exclusive) {
      parsed_.value.mixes_exclusive = true;
      parsed_.tolerate(fmt::format("{} mixes options that exclude each other", letters));
    }
    return std::move(parsed_);
  }

  std::string_view body_;
  const ChoiceRules& rules_;
  std::string text_;
  std::vector<Token> tokens_;
  std::vector<Marker> markers_;
  std::string loose_letters_, complaint_;
  Parsed<Choices> parsed_;
};

}  // namespace

Result<Parsed<Choices>> read_choices(std::string_view body, const ChoiceRules& rules) {
  if (body.size() > kMaxBodyBytes) return unparsable(kThing, body, "it is far too long");
  return ChoiceReader(body, rules).read();
}

}  // namespace awry::parse
