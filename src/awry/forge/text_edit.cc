// SPDX-License-Identifier: Apache-2.0
#include "awry/forge/text_edit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "awry/base/text.h"
#include "awry/reading/figure_mentions.h"

namespace awry::forge {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  // Bytes of letters beyond ASCII count: "µ12" is no number of its own.
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 128;
}
bool is_space(char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

struct Token {
  std::size_t begin = 0, end = 0;
};

// Numbers that stand alone: not those of names ("IL-6", "p53", "3D"), of dates or of versions ("1.2.3").
std::vector<Token> numbers_of(std::string_view text) {
  std::vector<Token> tokens;
  for (std::size_t i = 0; i < text.size();) {
    if (!is_digit(text[i])) {
      ++i;
      continue;
    }
    std::size_t end = i;
    int points = 0;
    while (end < text.size() &&
           (is_digit(text[end]) || (text[end] == '.' && end + 1 < text.size() && is_digit(text[end + 1])))) {
      points += text[end++] == '.';
    }
    const char before = i == 0 ? ' ' : text[i - 1];
    const char after = end == text.size() ? ' ' : text[end];
    const bool attached = is_letter(before) || before == '-' || before == '/' || before == '_' ||
                          before == '.' || is_letter(after) || after == '-' || after == '/' || after == '_' ||
                          (after == ',' && end + 1 < text.size() && is_digit(text[end + 1])) ||
                          (before == ',' && i >= 2 && is_digit(text[i - 2]));
    if (!attached && points <= 1) tokens.push_back({i, end});
    i = end;
  }
  return tokens;
}

// Numbers that say where to look rather than what is seen: "Fig. 2", "Table 1", "[14]", "(2019)".
bool is_a_reference(std::string_view text, const Token& number,
                    std::span<const reading::FigureMention> mentions) {
  const auto within = [&](const reading::FigureMention& mention) {
    return mention.begin <= number.begin && number.end <= mention.end;
  };
  if (std::ranges::any_of(mentions, within)) return true;
  const std::size_t open = text.find_last_of("[]", number.begin);
  const std::size_t close = text.find_first_of("[]", number.end);
  if (open != std::string_view::npos && close != std::string_view::npos && text[open] == '[' &&
      text[close] == ']')
    return true;
  const std::string_view digits = text.substr(number.begin, number.end - number.begin);
  const bool like_a_year = digits.size() == 4 && (digits.starts_with("19") || digits.starts_with("20"));
  if (like_a_year && ((number.begin > 0 && text[number.begin - 1] == '(') ||
                      (number.end < text.size() && text[number.end] == ')')))
    return true;
  std::string before = to_lower_ascii(text.substr(0, number.begin));
  while (!before.empty() && is_space(before.back())) before.pop_back();
  constexpr std::string_view kPointers[] = {"table",    "tables", "section", "sec.",      "chapter",
                                            "equation", "eq.",    "ref.",    "reference", "step",
                                            "panel",    "movie",  "video",   "page"};
  return std::ranges::any_of(kPointers, [&](std::string_view word) {
    return before.ends_with(word) &&
           (before.size() == word.size() || !is_letter(before[before.size() - word.size() - 1]));
  });
}

std::vector<Token> words_of(std::string_view text) {
  std::vector<Token> tokens;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && is_letter(text[end])) ++end;
    if (end == i) {
      ++i;
      continue;
    }
    const bool part_of_a_name = (i > 0 && (text[i - 1] == '-' || is_digit(text[i - 1]))) ||
                                (end < text.size() && (text[end] == '-' || is_digit(text[end])));
    if (!part_of_a_name) tokens.push_back({i, end});
    i = end;
  }
  return tokens;
}

std::set<std::string> readable_tokens(std::span<const std::string> words_in_picture) {
  std::set<std::string> found;
  for (const std::string& words : words_in_picture) {
    for (std::size_t i = 0; i < words.size();) {
      std::size_t end = i;
      while (end < words.size() && !is_space(words[end]) && words[end] != '(' && words[end] != ')') ++end;
      if (end > i) found.insert(words.substr(i, end - i));
      i = end + 1;
    }
    for (const Token& number : numbers_of(words))
      found.insert(words.substr(number.begin, number.end - number.begin));
  }
  return found;
}

bool is_a_share(std::string_view text, std::size_t end) {
  while (end < text.size() && text[end] == ' ') ++end;
  return end < text.size() && text[end] == '%';
}

// Differs by a quarter at least, and is no number of the picture. Nullopt when none can be found: a "1".
std::optional<std::string> other_number(std::string_view number, bool share,
                                        const std::set<std::string>& readable, RandomStream& random) {
  const std::size_t point = number.find('.');
  const int decimals = point == std::string_view::npos ? 0 : static_cast<int>(number.size() - point - 1);
  const double value = parse_double(number).value_or(0), step = std::pow(10, -decimals);
  for (int attempt = 0; attempt < 40; ++attempt) {
    const double factor = random.chance(0.5) ? random.uniform(1.3, 2.2) : random.uniform(0.35, 0.75);
    double changed = std::round(value * factor / step) * step;
    if (value == 0) changed = step * random.integer(1, 9);
    if (share && value <= 100 && changed > 100) continue;
    if (changed < step || std::abs(changed - value) < std::max(0.25 * value, step / 2)) continue;
    std::string text = fmt::format("{:.{}f}", changed, decimals);
    if (text != number && !readable.contains(text)) return text;
  }
  return std::nullopt;
}

bool begins_with_vowel(std::string_view word) {
  return !word.empty() && std::string_view("aeiouAEIOU").find(word[0]) != std::string_view::npos;
}

struct Candidate {
  Token token;
  std::string replacement;
  std::size_t clause = 0;
};

Candidate with_article(std::string_view text, std::span<const Token> words, std::size_t i,
                       std::string opposite) {
  Candidate candidate{.token = words[i], .replacement = std::move(opposite)};
  if (i == 0 || words[i - 1].end + 1 != words[i].begin) return candidate;
  const std::string_view article = text.substr(words[i - 1].begin, words[i - 1].end - words[i - 1].begin);
  if (article != "a" && article != "an" && article != "A" && article != "An") return candidate;
  const bool capital = article[0] == 'A';
  const std::string_view wanted =
      begins_with_vowel(candidate.replacement) ? (capital ? "An" : "an") : (capital ? "A" : "a");
  if (wanted == article) return candidate;
  candidate.token.begin = words[i - 1].begin;
  candidate.replacement = fmt::format("{} {}", wanted, candidate.replacement);
  return candidate;
}

std::vector<Candidate> candidates_of(std::string_view text, const TextEditOptions& options,
                                     RandomStream& random) {
  const std::set<std::string> readable = readable_tokens(options.words_in_picture);
  const auto text_of = [&](const Token& token) {
    return std::string(text.substr(token.begin, token.end - token.begin));
  };
  std::vector<Candidate> candidates;
  if (options.kind == TextEditKind::kNumerical) {
    const std::vector<reading::FigureMention> mentions = reading::figure_mentions(text);
    for (const Token& token : numbers_of(text)) {
      if (readable.contains(text_of(token)) || is_a_reference(text, token, mentions)) continue;
      if (auto other = other_number(text_of(token), is_a_share(text, token.end), readable, random))
        candidates.push_back({token, std::move(*other)});
    }
  } else {
    const std::vector<Token> words = words_of(text);
    for (std::size_t i = 0; i < words.size(); ++i) {
      std::string opposite = opposite_trend(text_of(words[i]));
      if (!opposite.empty() && !readable.contains(text_of(words[i])))
        candidates.push_back(with_article(text, words, i, std::move(opposite)));
    }
  }
  const std::vector<Clause> clauses = clauses_of(text);
  for (Candidate& candidate : candidates) {
    while (candidate.clause < clauses.size() && clauses[candidate.clause].end < candidate.token.end)
      ++candidate.clause;
  }
  return candidates;
}

}  // namespace

std::vector<Clause> clauses_of(std::string_view text) {
  std::vector<Clause> clauses;
  std::size_t begin = 0;
  const auto close = [&](std::size_t end) {
    while (begin < end && is_space(text[begin])) ++begin;
    std::size_t last = end;
    while (last > begin && is_space(text[last - 1])) --last;
    if (last > begin) clauses.push_back({begin, last});
    begin = end;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool delimiter = text[i] == '.' || text[i] == ',' || text[i] == ';';
    if (delimiter && (i + 1 == text.size() || is_space(text[i + 1]))) close(i + 1);
  }
  close(text.size());
  return clauses;
}

Result<EditedText> edit_text(std::string_view text, const TextEditOptions& options, RandomStream random) {
  std::vector<Candidate> candidates = candidates_of(text, options, random);
  random.shuffle(std::span(candidates));
  std::set<std::size_t> used;
  std::erase_if(candidates, [&](const Candidate& candidate) {
    return static_cast<int>(used.size()) >= std::clamp(options.edits, 1, 3) ||
           !used.insert(candidate.clause).second;
  });
  if (candidates.empty()) {
    return fail({.what = "cannot tamper with the text",
                 .why = options.kind == TextEditKind::kNumerical
                            ? "it holds no number that is absent from the picture"
                            : "it holds no word that tells a trend"});
  }
  std::ranges::sort(candidates, {}, [](const Candidate& candidate) { return candidate.token.begin; });
  const std::vector<Clause> clauses = clauses_of(text);
  EditedText edited;
  std::size_t copied = 0;
  for (const Candidate& candidate : candidates) {
    const auto [begin, end] = candidate.token;
    const Clause& clause = clauses[candidate.clause];
    edited.text += text.substr(copied, begin - copied);
    edited.text += candidate.replacement;
    copied = end;
    edited.edits.push_back(
        {.offset = begin,
         .original = std::string(text.substr(begin, end - begin)),
         .replacement = candidate.replacement,
         .clause_before = std::string(text.substr(clause.begin, clause.end - clause.begin)),
         .clause_after = fmt::format("{}{}{}", text.substr(clause.begin, begin - clause.begin),
                                     candidate.replacement, text.substr(end, clause.end - end))});
  }
  edited.text += text.substr(copied);
  return edited;
}

}  // namespace awry::forge
