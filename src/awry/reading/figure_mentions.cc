// SPDX-License-Identifier: Apache-2.0
#include "awry/reading/figure_mentions.h"

#include <algorithm>
#include <array>

#include "awry/base/text.h"

namespace awry::reading {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}
bool is_letter(char c) {
  return is_upper(c) || is_lower(c);
}
bool is_space(char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}
char lower(char c) {
  return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
}
// Panels beyond these are initials and units far more often than letters of panels.
bool can_name_a_panel(char c) {
  return is_letter(c) && lower(c) <= 'p';
}

// Walks over a text; every take_ moves on only when it succeeds.
class Walker {
 public:
  Walker(std::string_view text, std::size_t at) : text_(text), at_(at) {}
  std::size_t at() const { return at_; }
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  void move_to(std::size_t at) { at_ = at; }

  void skip_spaces() {
    for (;;) {
      if (is_space(peek())) {
        ++at_;
      } else if (!take("\xC2\xA0") && !take("\xE2\x80\xAF")) {  // no-break spaces
        return;
      }
    }
  }
  bool take(std::string_view words) {
    if (!text_.substr(at_).starts_with(words)) return false;
    at_ += words.size();
    return true;
  }
  bool take_ignoring_case(std::string_view word) {
    if (!equals_ignoring_case(text_.substr(at_, word.size()), word)) return false;
    at_ += word.size();
    return true;
  }
  bool take_dash() {
    return take("-") || take("\xE2\x80\x93") || take("\xE2\x80\x94") || take("\xE2\x88\x92");
  }

  // "2", "S2", "2.1"
  std::optional<std::string> take_number() {
    std::size_t end = at_;
    if (end + 1 < text_.size() && (text_[end] == 'S' || text_[end] == 's') && is_digit(text_[end + 1])) ++end;
    const std::size_t digits = end;
    while (end < text_.size() && is_digit(text_[end])) ++end;
    if (end == digits || end - digits > 3) return std::nullopt;
    if (end + 1 < text_.size() && text_[end] == '.' && is_digit(text_[end + 1])) {
      ++end;
      while (end < text_.size() && is_digit(text_[end])) ++end;
    }
    std::string number = to_upper_ascii(text_.substr(at_, end - at_));
    at_ = end;
    return number;
  }

  // One letter that stands alone: "A", "(a)".
  std::optional<char> take_letter() {
    const bool bracket = peek() == '(';
    const char letter = peek(bracket ? 1 : 0);
    if (!can_name_a_panel(letter)) return std::nullopt;
    const std::size_t end = at_ + (bracket ? 2 : 1);
    const char after = end < text_.size() ? text_[end] : '\0';
    if (bracket ? after != ')' : is_letter(after) || is_digit(after)) return std::nullopt;
    at_ = end + (bracket ? 1 : 0);
    return letter;
  }

 private:
  std::string_view text_;
  std::size_t at_;
};

void add_letter(std::string& letters, char letter) {
  if (letters.find(lower(letter)) == std::string::npos) letters += lower(letter);
}

void add_range(std::string& letters, char first, char last) {
  if (lower(last) < lower(first) || is_upper(first) != is_upper(last)) return;
  for (char c = lower(first); c <= lower(last); ++c) add_letter(letters, c);
}

// "A", "A-C", "A,B and D", right behind a number or in a list. `walker` stands at the first letter.
void take_letters(Walker& walker, std::string& letters) {
  auto first = walker.take_letter();
  // "1ab": several at once
  if (!first && can_name_a_panel(walker.peek()) && can_name_a_panel(walker.peek(1)) &&
      !is_letter(walker.peek(2))) {
    add_letter(letters, walker.peek());
    add_letter(letters, walker.peek(1));
    walker.move_to(walker.at() + 2);
    return;
  }
  if (!first) return;
  add_letter(letters, *first);
  const bool upper = is_upper(*first);
  char previous = *first;
  for (;;) {
    const std::size_t before = walker.at();
    walker.skip_spaces();
    const bool range = walker.take_dash() || walker.take("to ");
    const bool list = !range && (walker.take(",") || walker.take("/") || walker.take("&"));
    walker.skip_spaces();
    const bool joined = walker.take("and ");
    walker.skip_spaces();
    if (!range && !list && !joined) return walker.move_to(before);
    const auto next = walker.take_letter();
    // "Figure 2b and a second ...": an article, no panel
    const bool article = next && *next == 'a' && is_space(walker.peek()) && is_letter(walker.peek(1));
    if (!next || is_upper(*next) != upper || article) return walker.move_to(before);
    range ? add_range(letters, previous, *next) : add_letter(letters, *next);
    previous = *next;
  }
}

std::string with_prefix(bool supplementary, std::string number) {
  return supplementary && number[0] != 'S' ? "S" + number : number;
}

// The keyword itself: "Figure", "Figs."; false when it is only a part of a word, as in "configured".
bool take_keyword(Walker& walker, std::string_view text) {
  const std::size_t begin = walker.at();
  if (begin > 0 && is_letter(text[begin - 1])) return false;
  for (const std::string_view word : {"figures", "figure", "figs", "fig"}) {
    if (!walker.take_ignoring_case(word)) continue;
    if (is_letter(walker.peek())) break;
    walker.take(".");
    return true;
  }
  walker.move_to(begin);
  return false;
}

bool follows_supplementary(std::string_view text, std::size_t begin) {
  const std::string before =
      to_lower_ascii(trim(text.substr(begin > 24 ? begin - 24 : 0, std::min<std::size_t>(24, begin))));
  for (const std::string_view word :
       {"supplementary", "supplemental", "supporting", "extended data", "suppl."}) {
    if (before.ends_with(word)) return true;
  }
  return false;
}

constexpr std::array<std::string_view, 22> kAbbreviations = {
    "fig", "figs", "al",   "e.g", "i.e", "vs",  "cf",   "dr",  "no",  "nos",   "approx",
    "ca",  "ref",  "refs", "eq",  "eqs", "sec", "resp", "etc", "min", "suppl", "st"};

bool is_abbreviation(std::string_view word) {
  while (!word.empty() && (word.front() == '(' || word.front() == '[')) word.remove_prefix(1);
  if (word.size() == 1 && is_upper(word[0])) return true;  // an initial
  const std::string lowered = to_lower_ascii(word);
  return std::ranges::find(kAbbreviations, lowered) != kAbbreviations.end();
}

}  // namespace

std::vector<FigureMention> figure_mentions(std::string_view text) {
  std::vector<FigureMention> mentions;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (lower(text[i]) != 'f') continue;
    Walker walker(text, i);
    if (!take_keyword(walker, text)) continue;
    walker.skip_spaces();
    const bool supplementary = follows_supplementary(text, i);
    const std::size_t first_of_list = mentions.size();
    auto number = walker.take_number();
    while (number) {
      FigureMention mention{.number = with_prefix(supplementary, *number), .begin = i};
      const std::size_t behind_number = walker.at();
      if (walker.peek() == ' ' && walker.peek(1) == '(') walker.move_to(walker.at() + 1);
      take_letters(walker, mention.letters);
      if (mention.letters.empty()) walker.move_to(behind_number);
      mentions.push_back(mention);
      const std::size_t before = walker.at();
      walker.skip_spaces();
      const bool range = walker.take_dash();
      const bool list = !range && (walker.take(",") || walker.take(";") || walker.take("&"));
      walker.skip_spaces();
      const bool joined = walker.take("and ");
      walker.skip_spaces();
      number = range || list || joined ? walker.take_number() : std::nullopt;
      if (!number) {
        walker.move_to(before);
      } else if (range) {
        const auto from = parse_integer(mention.number), to = parse_integer(*number);
        for (long long n = from && to && *to - *from < 20 ? *from + 1 : 1; from && to && n < *to; ++n)
          mentions.push_back({.number = std::to_string(n), .begin = i});
      }
    }
    for (std::size_t m = first_of_list; m < mentions.size(); ++m) mentions[m].end = walker.at();
    if (walker.at() > i) i = walker.at() - 1;
  }
  return mentions;
}

std::optional<CaptionStart> caption_start(std::string_view text) {
  Walker walker(text, 0);
  walker.skip_spaces();
  const std::size_t begin = walker.at();
  bool supplementary = false;
  for (const std::string_view word : {"supplementary ", "supplemental ", "extended data "}) {
    supplementary |= walker.take_ignoring_case(word);
  }
  if (!take_keyword(walker, text.substr(0, text.size()))) return std::nullopt;
  walker.skip_spaces();
  const auto number = walker.take_number();
  if (!number || is_letter(walker.peek())) return std::nullopt;
  // "Figs. 1 and 2 show" begins a sentence.
  const std::string label = to_lower_ascii(text.substr(begin, walker.at() - begin));
  if (label.find("figs") != std::string::npos || label.find("figures") != std::string::npos)
    return std::nullopt;
  CaptionStart start{.label = std::string(text.substr(begin, walker.at() - begin)),
                     .number = with_prefix(supplementary, *number)};
  for (const std::string_view mark : {".", ":", "|", "\xE2\x80\x94", "\xE2\x80\x93", "-"}) {
    const std::size_t before = walker.at();
    walker.skip_spaces();
    if (walker.take(mark)) {
      start.punctuated = true;
      break;
    }
    walker.move_to(before);
  }
  walker.skip_spaces();
  start.punctuated |= walker.peek() == '\0';
  start.end = walker.at();
  return start;
}

std::string caption_letters(std::string_view caption) {
  std::string letters;
  for (std::size_t i = 0; i < caption.size(); ++i) {
    if (caption[i] != '(') continue;
    Walker walker(caption, i + 1);
    const auto first = walker.take_letter();
    if (!first) continue;
    walker.move_to(i + 1);
    std::string found;
    take_letters(walker, found);
    if (walker.peek() != ')') continue;  // "(a strong effect)", "(c = 3)"
    for (const char letter : found) add_letter(letters, letter);
  }
  std::ranges::sort(letters);
  // Real enumerations begin with a and have no gaps; anything else is brackets used otherwise.
  for (std::size_t i = 0; i < letters.size(); ++i) {
    if (letters[i] != static_cast<char>('a' + static_cast<int>(i))) return "";
  }
  return letters.size() >= 2 ? letters : "";
}

std::vector<std::string> sentences_of(std::string_view text) {
  std::vector<std::string> sentences;
  std::size_t begin = 0;
  const auto close = [&](std::size_t end) {
    if (const std::string_view sentence = trim(text.substr(begin, end - begin)); !sentence.empty())
      sentences.emplace_back(sentence);
    begin = end;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '.' && text[i] != '?' && text[i] != '!') continue;
    std::size_t end = i + 1;
    while (end < text.size() && (text[end] == ')' || text[end] == '"' || text[end] == '\'')) ++end;
    if (end < text.size() && !is_space(text[end])) continue;
    std::size_t next = end;
    while (next < text.size() && is_space(text[next])) ++next;
    if (next < text.size() && is_lower(text[next])) continue;
    std::size_t word = i;
    while (word > begin && !is_space(text[word - 1])) --word;
    if (text[i] == '.' && is_abbreviation(text.substr(word, i - word))) continue;
    close(end);
  }
  close(text.size());
  return sentences;
}

}  // namespace awry::reading
