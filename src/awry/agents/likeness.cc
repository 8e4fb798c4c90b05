// SPDX-License-Identifier: Apache-2.0
#include "awry/agents/likeness.h"

#include <algorithm>
#include <array>
#include <set>

#include "awry/base/text.h"

namespace awry::agents {
namespace {

constexpr std::array<std::string_view, 52> kFillers = {
    "a",    "an",    "the",     "and",     "or",    "of",      "in",     "on",     "at",
    "to",   "with",  "by",      "for",     "from",  "as",      "is",     "are",    "was",
    "were", "be",    "it",      "its",     "this",  "that",    "these",  "those",  "his",
    "her",  "their", "which",   "while",   "there", "here",    "but",    "into",   "onto",
    "over", "also",  "very",    "than",    "then",  "so",      "s",      "appear", "appears",
    "seem", "seems", "visible", "visibly", "image", "picture", "clearly"};

constexpr std::array<std::string_view, 11> kNegations = {
    "no", "not", "without", "missing", "lack", "lacks", "lacking", "absent", "none", "never", "nor"};

// Words of the left column exclude words of the right one.
struct Opposites {
  std::array<std::string_view, 6> left, right;
};
constexpr std::array kOpposites = {
    Opposites{{"floating", "floats", "levitating", "hovering", "hovers", "suspended"},
              {"resting", "rests", "standing", "stands", "grounded", "supported"}},
    Opposites{{"extra", "additional", "surplus", "supernumerary", "too-many", "duplicated"},
              {"missing", "absent", "lacking", "lacks", "incomplete", "severed"}},
    Opposites{{"longer", "long", "elongated", "stretched", "tall", "taller"},
              {"shorter", "short", "shortened", "stunted", "stubby", "truncated"}},
    Opposites{{"larger", "large", "oversized", "huge", "enormous", "big"},
              {"smaller", "small", "undersized", "tiny", "miniature", "little"}},
    Opposites{{"open", "opened", "inside", "above", "bright", "rigid"},
              {"closed", "shut", "outside", "below", "dark", "soft"}},
};

constexpr std::array<std::array<std::string_view, 2>, 12> kNumberWords = {{{"one", "1"},
                                                                           {"two", "2"},
                                                                           {"three", "3"},
                                                                           {"four", "4"},
                                                                           {"five", "5"},
                                                                           {"six", "6"},
                                                                           {"seven", "7"},
                                                                           {"eight", "8"},
                                                                           {"nine", "9"},
                                                                           {"ten", "10"},
                                                                           {"single", "1"},
                                                                           {"both", "2"}}};

using WordSet = std::set<std::string, std::less<>>;

WordSet word_set(std::string_view text) {
  const std::vector<std::string> words = word_tokens(text);
  return {words.begin(), words.end()};
}

template <class List>
bool has_any(const WordSet& words, const List& list) {
  return std::ranges::any_of(list, [&](std::string_view word) { return words.contains(word); });
}

WordSet numbers_in(const WordSet& words) {
  WordSet numbers;
  for (const std::string& word : words) {
    if (!word.empty() && std::ranges::all_of(word, [](char c) { return c >= '0' && c <= '9'; })) {
      numbers.insert(word);
    }
  }
  for (const auto& [word, digits] : kNumberWords) {
    if (words.contains(word)) numbers.emplace(digits);
  }
  return numbers;
}

// One speaks only of the left (first, upper...) and the other only of the right.
bool speak_of_other_sides(const WordSet& a, const WordSet& b) {
  constexpr std::array<std::array<std::string_view, 2>, 4> kSides = {
      {{"left", "right"}, {"first", "second"}, {"upper", "lower"}, {"front", "back"}}};
  return std::ranges::any_of(kSides, [&](const auto& side) {
    const bool a_first = a.contains(side[0]), a_second = a.contains(side[1]);
    const bool b_first = b.contains(side[0]), b_second = b.contains(side[1]);
    return (a_first && !a_second && b_second && !b_first) || (a_second && !a_first && b_first && !b_second);
  });
}

bool exclude_each_other(const WordSet& a, const WordSet& b) {
  for (const Opposites& pair : kOpposites) {
    const bool a_left = has_any(a, pair.left), a_right = has_any(a, pair.right);
    const bool b_left = has_any(b, pair.left), b_right = has_any(b, pair.right);
    if ((a_left && !a_right && b_right && !b_left) || (a_right && !a_left && b_left && !b_right)) return true;
  }
  const WordSet a_numbers = numbers_in(a), b_numbers = numbers_in(b);
  const auto shared = [&](const std::string& number) { return b_numbers.contains(number); };
  if (!a_numbers.empty() && !b_numbers.empty() && std::ranges::none_of(a_numbers, shared)) return true;
  return has_any(a, kNegations) != has_any(b, kNegations);
}

std::string_view phenomenon_of(const Claim& claim) {
  return claim.phenomenon.empty() ? claim.reasoning : claim.phenomenon;
}

}  // namespace

std::vector<std::string> content_words(std::string_view text) {
  std::vector<std::string> words = word_tokens(text);
  std::erase_if(words,
                [](const std::string& word) { return std::ranges::find(kFillers, word) != kFillers.end(); });
  for (std::string& word : words) {
    if (word.size() > 3 && word.ends_with('s') && !word.ends_with("ss")) word.pop_back();
  }
  return words;
}

double shared_words(std::string_view a, std::string_view b) {
  std::vector<std::string> in_a = content_words(a), in_b = content_words(b);
  if (in_a.empty() || in_b.empty()) return 0;
  std::ranges::sort(in_a), std::ranges::sort(in_b);
  std::vector<std::string> both;
  std::ranges::set_intersection(in_a, in_b, std::back_inserter(both));
  return 2.0 * static_cast<double>(both.size()) / static_cast<double>(in_a.size() + in_b.size());
}

double likeness_of(const Claim& a, const Claim& b) {
  const double phenomenon = shared_words(phenomenon_of(a), phenomenon_of(b));
  if (a.name.empty() || b.name.empty()) return phenomenon;
  return 0.3 * shared_words(a.name, b.name) + 0.7 * phenomenon;
}

Relation relate_claims(const Claim& a, const Claim& b, double threshold) {
  const double alike = likeness_of(a, b);
  const double nearly = 0.75 * threshold;  // opposite words lower the share of claims about the same thing
  if (alike < nearly) return Relation::kDifferent;
  const WordSet in_a = word_set(std::string(a.name) + " " + std::string(phenomenon_of(a)));
  const WordSet in_b = word_set(std::string(b.name) + " " + std::string(phenomenon_of(b)));
  if (speak_of_other_sides(in_a, in_b)) return Relation::kDifferent;
  if (exclude_each_other(in_a, in_b)) return Relation::kContradicting;
  return alike >= threshold ? Relation::kSame : Relation::kDifferent;
}

}  // namespace awry::agents
