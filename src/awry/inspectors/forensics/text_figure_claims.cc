// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/forensics/text_figure_claims.h"

#include <algorithm>
#include <array>

#include "awry/base/text.h"
#include "awry/reading/figure_mentions.h"

namespace awry::inspectors::forensics {
namespace {

constexpr std::array<std::string_view, 19> kUp = {
    "increase",  "increases", "increased", "increasing", "rise",   "rises",    "rose",
    "risen",     "rising",    "grew",      "grows",      "grown",  "elevated", "enhanced",
    "augmented", "climbs",    "climbed",   "raised",     "growing"};
constexpr std::array<std::string_view, 18> kDown = {
    "decrease", "decreases", "decreased", "decreasing", "fall",       "falls",
    "fell",     "fallen",    "falling",   "declined",   "declines",   "reduced",
    "dropped",  "drops",     "lowered",   "shrank",     "diminished", "declining"};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 128;
}
bool is_space(char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

std::string unit_behind(std::string_view text, std::size_t at) {
  while (at < text.size() && text[at] == ' ') ++at;
  if (at < text.size() && text[at] == '%') return "%";
  std::size_t end = at;
  while (end < text.size() && (is_letter(text[end]) || is_digit(text[end]) || text[end] == '/')) ++end;
  const std::string word(text.substr(at, end - at));
  for (const std::string_view glue : {"at", "and", "to", "in", "on", "of", "or", "from", "after", "with",
                                      "for", "vs", "the", "by", "compared", "was", "were"}) {
    if (word == glue) return "";
  }
  return word;
}

struct SentenceAt {
  std::size_t begin = 0;
  std::string text;
};

std::vector<SentenceAt> sentences_in(const std::string& text) {
  std::vector<SentenceAt> found;
  std::size_t from = 0;
  for (std::string& sentence : reading::sentences_of(text)) {
    const std::size_t begin = text.find(sentence, from);
    if (begin == std::string::npos) continue;
    from = begin + sentence.size();
    found.push_back({begin, std::move(sentence)});
  }
  return found;
}

struct WordAt {
  std::string text;
  std::size_t begin = 0;
};
std::vector<WordAt> words_of(std::string_view text) {
  std::vector<WordAt> words;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && is_letter(text[end])) ++end;
    if (end > i) words.push_back({to_lower_ascii(text.substr(i, end - i)), i});
    i = std::max(end, i + 1);
  }
  return words;
}

// Two quantities with "from" before the first and nothing but a unit and "to" between them.
void find_courses(const Passage& passage, const SentenceAt& sentence, std::vector<Course>& courses) {
  const std::vector<Quantity> quantities = quantities_of(sentence.text);
  for (std::size_t i = 0; i + 1 < quantities.size(); ++i) {
    const Quantity &from = quantities[i], &to = quantities[i + 1];
    const std::string_view before = trim(std::string_view(sentence.text).substr(0, from.begin));
    const std::string_view between =
        trim(std::string_view(sentence.text).substr(from.end, to.begin - from.end));
    if (!before.ends_with("from") || !(between == "to" || between.ends_with(" to")) || between.size() > 16)
      continue;
    if (!from.unit.empty() && from.unit != to.unit && from.unit != "to") continue;
    Course course{.sentence = sentence.text, .from = from, .to = to};
    course.numbers = clause_around(passage, sentence.begin + from.begin);
    course.words = course.numbers;
    for (const WordAt& word : words_of(before)) {
      const int direction = direction_of(word.text);
      if (direction == 0 || from.begin - word.begin > 60) continue;
      // "did not increase" says nothing about the numbers.
      const std::string_view lead = trim(before.substr(0, word.begin));
      course.direction = lead.ends_with("not") || lead.ends_with("no") ? 0 : direction;
      course.trend_word = word.text;
      course.words = clause_around(passage, sentence.begin + word.begin);
    }
    courses.push_back(std::move(course));
  }
}

// A short name, a colon, then numbers, each with its place: "at 24 h", "at Day 7".
void find_listing(const Passage& passage, const SentenceAt& sentence, std::vector<Listing>& listings) {
  const std::size_t colon = sentence.text.find(':');
  if (colon == std::string::npos || colon == 0 || colon > 32) return;
  Listing listing{.name = std::string(trim(sentence.text.substr(0, colon)))};
  if (std::ranges::count(listing.name, ' ') > 3) return;
  std::size_t behind_place = colon;  // numbers before it belong to the place of the last value
  for (const Quantity& quantity : quantities_of(sentence.text)) {
    if (quantity.begin < behind_place) continue;
    Listing::Value value{.quantity = quantity,
                         .where = clause_around(passage, sentence.begin + quantity.begin)};
    const std::size_t at = sentence.text.find(" at ", quantity.end);
    if (at != std::string::npos && at - quantity.end <= quantity.unit.size() + 12) {
      const std::size_t joined = sentence.text.find(" and ", at), comma = sentence.text.find(", ", at);
      behind_place = std::min({joined, comma, sentence.text.size()});
      std::string_view place = std::string_view(sentence.text).substr(at + 4, behind_place - at - 4);
      while (!place.empty() && std::string_view(".;,").find(place.back()) != std::string_view::npos)
        place.remove_suffix(1);
      value.at = std::string(trim(place));
    }
    listing.values.push_back(std::move(value));
  }
  if (!listing.values.empty()) listings.push_back(std::move(listing));
}

// Names such as "siRNA" may begin a sentence with a small letter: here every full stop before a space counts.
std::vector<SentenceAt> pieces_of(const SentenceAt& sentence) {
  std::vector<SentenceAt> pieces;
  for (std::size_t begin = 0; begin < sentence.text.size();) {
    const std::size_t stop = sentence.text.find(". ", begin);
    const std::size_t end = stop == std::string::npos ? sentence.text.size() : stop + 1;
    pieces.push_back({sentence.begin + begin, sentence.text.substr(begin, end - begin)});
    begin = stop == std::string::npos ? end : stop + 2;
  }
  return pieces;
}

}  // namespace

int direction_of(std::string_view word) {
  if (std::ranges::find(kUp, word) != kUp.end()) return 1;
  return std::ranges::find(kDown, word) != kDown.end() ? -1 : 0;
}

bool says_word(std::string_view text, std::string_view word) {
  if (word.empty()) return false;
  const std::string within = to_lower_ascii(text), wanted = to_lower_ascii(word);
  for (std::size_t at = within.find(wanted); at != std::string::npos; at = within.find(wanted, at + 1)) {
    const bool starts = at == 0 || (!is_letter(within[at - 1]) && !is_digit(within[at - 1]));
    const std::size_t end = at + wanted.size();
    const bool ends = end >= within.size() || (!is_letter(within[end]) && !is_digit(within[end]));
    if (starts && ends) return true;
  }
  return false;
}

ClauseAt clause_around(const Passage& passage, std::size_t at) {
  const std::string& text = passage.text;
  const auto ends_clause = [&](std::size_t i) {
    const bool mark = text[i] == '.' || text[i] == ',' || text[i] == ';';
    return mark && (i + 1 == text.size() || is_space(text[i + 1]));
  };
  std::size_t begin = std::min(at, text.size()), end = begin;
  while (begin > 0 && !ends_clause(begin - 1)) --begin;
  while (end < text.size() && !ends_clause(end)) ++end;
  return {passage.part,
          std::string(trim(std::string_view(text).substr(begin, std::min(end + 1, text.size()) - begin)))};
}

std::vector<Quantity> quantities_of(std::string_view text) {
  std::vector<Quantity> quantities;
  for (std::size_t i = 0; i < text.size();) {
    if (!is_digit(text[i])) {
      ++i;
      continue;
    }
    std::size_t end = i;
    int points = 0;
    std::string digits;
    while (end < text.size()) {
      const bool more = end + 1 < text.size() && is_digit(text[end + 1]);
      if (is_digit(text[end])) {
        digits += text[end++];
      } else if (text[end] == '.' && more) {
        digits += text[end++];
        ++points;
      } else if (text[end] == ',' && more && end + 3 < text.size() && is_digit(text[end + 2]) &&
                 is_digit(text[end + 3]) && (end + 4 == text.size() || !is_digit(text[end + 4]))) {
        ++end;  // thousands
      } else {
        break;
      }
    }
    const char before = i == 0 ? ' ' : text[i - 1], after = end < text.size() ? text[end] : ' ';
    const auto attached = [](char c) { return is_letter(c) || c == '-' || c == '/' || c == '_'; };
    if (!attached(before) && before != '.' && !attached(after) && points <= 1) {
      if (const auto value = parse_double(digits)) {
        quantities.push_back({*value, std::string(text.substr(i, end - i)), unit_behind(text, end), i, end});
      }
    }
    i = end;
  }
  return quantities;
}

Claims claims_of(std::span<const Passage> passages) {
  Claims claims;
  for (const Passage& passage : passages) {
    for (const SentenceAt& sentence : sentences_in(passage.text)) {
      find_courses(passage, sentence, claims.courses);
      for (const SentenceAt& piece : pieces_of(sentence)) find_listing(passage, piece, claims.listings);
    }
  }
  return claims;
}

}  // namespace awry::inspectors::forensics
