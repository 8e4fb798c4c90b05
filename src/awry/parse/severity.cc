// SPDX-License-Identifier: Apache-2.0
#include "awry/parse/severity.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <vector>

#include "awry/base/text.h"
#include "awry/parse/scan.h"

namespace awry::parse {
namespace {

struct Graded {
  double value = 0;
  bool has_fraction = false, percent = false;
  std::optional<double> out_of;
  bool operator==(const Graded&) const = default;
};

// Text with every (...) taken out, so that "(0 = impossible)" beside a score is not a second score.
std::string without_brackets(std::string_view text) {
  std::string kept;
  int depth = 0;
  for (char c : text) {
    if (c == '(') ++depth;
    if (depth == 0) kept += c;
    if (c == ')' && depth > 0) {
      --depth;
      kept += ' ';
    }
  }
  return kept;
}

// Behind a number: "/100", "out of 100", "of 100". Steps over it.
std::optional<double> denominator(std::string_view text, std::size_t& at) {
  std::size_t next = skip_blanks(text, at);
  if (next < text.size() && text[next] == '/') {
    ++next;
  } else if (starts_with_at(text, next, "out of ")) {
    next += 7;
  } else if (starts_with_at(text, next, "of ")) {
    next += 3;
  } else {
    return std::nullopt;
  }
  const auto number = scan_number(text, skip_blanks(text, next));
  if (!number) return std::nullopt;
  at = number->end;
  return number->value;
}

// "0-100", "from 0 to 100", "1-5": a description of the scale rather than a score.
bool is_range_link(std::string_view text, std::size_t at) {
  std::size_t next = skip_blanks(text, at);
  if (starts_with_at(text, next, "to ")) {
    next += 3;
  } else if (next < text.size() && text[next] == '-') {
    ++next;
  } else {
    return false;
  }
  next = skip_blanks(text, next);
  return next < text.size() && is_digit(text[next]);
}

// What the number at `at` stands behind: "/" or "of" make it a denominator.
enum class Lead { kOther, kSlash, kOf };

Lead lead_of(std::string_view text, std::size_t at) {
  while (at > 0 && is_blank(text[at - 1])) --at;
  if (at > 0 && text[at - 1] == '/') return Lead::kSlash;
  return at >= 2 && starts_with_at(text, at - 2, "of") ? Lead::kOf : Lead::kOther;
}

struct Scores {
  std::vector<Graded> found;
  bool has_range = false, has_stray_denominator = false;
};

Scores scores_in(std::string_view text, double low, double high) {
  Scores scores;
  for (std::size_t at = 0; at < text.size();) {
    const bool in_word = at > 0 && is_word_byte(text[at - 1]);
    const auto number = in_word ? std::nullopt : scan_number(text, at);
    if (!number) {
      ++at;
      continue;
    }
    Graded graded{.value = number->value, .has_fraction = number->has_fraction};
    const Lead lead = lead_of(text, at);
    at = number->end;
    if (is_range_link(text, at)) {
      const std::size_t from = text.find_first_of("0123456789", at);
      const auto end = from == std::string_view::npos ? std::nullopt : scan_number(text, from);
      // The scale itself may be mentioned; any other range is a hedge.
      if (end) {
        if (!(graded.value == low && end->value == high)) scores.has_range = true;
        at = end->end;
        continue;
      }
    }
    if (lead != Lead::kOther) {
      scores.has_stray_denominator |= lead == Lead::kSlash;
      continue;
    }
    graded.out_of = denominator(text, at);
    const std::size_t sign = skip_blanks(text, at);
    graded.percent = sign < text.size() && text[sign] == '%';
    scores.found.push_back(graded);
  }
  return scores;
}

// The one score in the text, whatever is said around it.
Result<Graded> only_score(std::string_view thing, std::string_view text, double low, double high) {
  const std::string plain = plain_punctuation(text);
  Scores scores = scores_in(without_brackets(plain), low, high);
  if (scores.found.empty() && !scores.has_range) scores = scores_in(plain, low, high);
  if (scores.has_range) return unparsable(thing, text, "it is a range");
  if (scores.has_stray_denominator) return unparsable(thing, text, "a denominator stands without a number");
  if (scores.found.empty()) return unparsable(thing, text, "it holds no number");
  for (const Graded& other : scores.found) {
    if (other.value != scores.found[0].value || other.out_of != scores.found[0].out_of) {
      return unparsable(thing, text, "it holds several numbers");
    }
  }
  return scores.found[0];
}

}  // namespace

Result<Parsed<double>> read_severity(std::string_view text) {
  constexpr std::string_view kThing = "severity";
  AWRY_TRY_ASSIGN(const Graded score, only_score(kThing, text, 0, 100));
  Parsed<double> parsed{.value = score.value};
  if (score.out_of && *score.out_of != 100) {
    if (!(*score.out_of > 0) || !std::isfinite(*score.out_of)) {
      return unparsable(kThing, text, "its denominator is not a positive number");
    }
    parsed.value = score.value / *score.out_of * 100;
    parsed.tolerate(fmt::format("a severity out of {} instead of 100", *score.out_of));
  } else if (!score.out_of && !score.percent && score.has_fraction && score.value > 0 && score.value <= 1) {
    return unparsable(kThing, text, "a fraction up to 1 without a denominator: out of 1 or out of 100?");
  }
  if (!(parsed.value >= 0 && parsed.value <= 100)) return unparsable(kThing, text, "it is outside 0..100");
  return parsed;
}

Result<Parsed<int>> read_rating(std::string_view text, RatingScale scale) {
  constexpr std::string_view kThing = "rating";
  AWRY_TRY_ASSIGN(const Graded score, only_score(kThing, text, scale.low, scale.high));
  if (score.out_of && *score.out_of != scale.high) {
    return unparsable(kThing, text, fmt::format("it is out of {}, not {}", *score.out_of, scale.high));
  }
  if (score.percent) return unparsable(kThing, text, "it is a percentage");
  if (!(score.value >= scale.low && score.value <= scale.high)) {
    return unparsable(kThing, text, fmt::format("it is outside {}..{}", scale.low, scale.high));
  }
  if (score.value != std::floor(score.value)) return unparsable(kThing, text, "it is not a whole number");
  return Parsed<int>{.value = static_cast<int>(score.value)};
}

}  // namespace awry::parse
