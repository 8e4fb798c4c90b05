// SPDX-License-Identifier: Apache-2.0
#include "awry/parse/anomaly_fields.h"

#include <array>

#include "awry/base/text.h"
#include "awry/parse/scan.h"

namespace awry::parse {
namespace {

struct FieldName {
  std::string_view words;
  AnomalyField field;
};

// Longer names first: "severity score" before "severity".
constexpr std::array<FieldName, 11> kFieldNames = {{{"observed phenomenon", AnomalyField::kPhenomenon},
                                                    {"observed", AnomalyField::kPhenomenon},
                                                    {"anomaly name", AnomalyField::kName},
                                                    {"object name", AnomalyField::kName},
                                                    {"severity score", AnomalyField::kSeverity},
                                                    {"phenomenon", AnomalyField::kPhenomenon},
                                                    {"reasoning", AnomalyField::kReasoning},
                                                    {"explanation", AnomalyField::kReasoning},
                                                    {"severity", AnomalyField::kSeverity},
                                                    {"name", AnomalyField::kName},
                                                    {"observation", AnomalyField::kPhenomenon}}};

constexpr bool is_star(char c) {
  return c == '*' || c == '_';
}

// Behind the name: stars, "(0-100)", the colon, stars. The end of the heading, or nothing if no colon comes.
std::optional<std::size_t> behind_colon(std::string_view text, std::size_t at) {
  constexpr std::size_t kLongestRemark = 60;
  while (at < text.size() && (is_star(text[at]) || text[at] == ' ')) ++at;
  if (at < text.size() && text[at] == '(') {
    const std::size_t close = text.substr(at, kLongestRemark).find_first_of(")\n");
    if (close == std::string_view::npos || text[at + close] != ')') return std::nullopt;
    at += close + 1;
    while (at < text.size() && (is_star(text[at]) || text[at] == ' ')) ++at;
  }
  if (starts_with_at(text, at, "\uff1a")) {
    at += 3;
  } else if (at < text.size() && text[at] == ':') {
    ++at;
  } else {
    return std::nullopt;
  }
  while (at < text.size() && is_star(text[at])) ++at;
  return at;
}

// Steps back from a name over stars and its numbering or bullet. `boundary`: something of the kind is there,
// or a line or sentence ends before it.
struct Before {
  std::size_t begin = 0;
  bool line_start = false, boundary = false;
};

Before look_back(std::string_view text, std::size_t floor, std::size_t name) {
  Before before{.begin = name};
  std::size_t at = name;
  const auto back_over = [&](std::string_view set) {
    const std::size_t from = at;
    while (at > floor && set.find(text[at - 1]) != std::string_view::npos) --at;
    return from - at;
  };
  const auto at_line_start = [&] { return at == 0 || text[at - 1] == '\n'; };
  back_over(" \t");
  const std::size_t stars = back_over("*_");
  back_over(" \t");
  std::size_t kept = at;
  if (back_over(".):]\\*") + back_over(" ") < 8 && back_over("0123456789") > 0) {
    back_over("@#([*");
    kept = at;
    before.boundary = true;
    back_over(" \t");
    if (back_over("-*+#>") > 0) kept = at;
  } else {
    at = kept;
    if (back_over("-*+#>|") > 0) {
      kept = at;
      before.boundary = true;
    } else if (at >= floor + 3 && (text.substr(at - 3, 3) == "\u2022" || text.substr(at - 3, 3) == "\u2013" ||
                                   text.substr(at - 3, 3) == "\u2014")) {
      at -= 3;
      kept = at;
      before.boundary = true;
    }
  }
  at = kept;
  back_over(" \t");
  before.line_start = at_line_start();
  before.begin = before.line_start ? at : kept;
  before.boundary |=
      stars > 1 || (at > floor && std::string_view(".;|!?").find(text[at - 1]) != std::string_view::npos);
  return before;
}

}  // namespace

std::optional<AnomalyField> anomaly_field_named(std::string_view key) {
  const std::string words = folded_words(key);
  for (const FieldName& name : kFieldNames) {
    if (words == name.words) return name.field;
  }
  return std::nullopt;
}

std::vector<AnomalyHeading> anomaly_headings(std::string_view text) {
  std::vector<AnomalyHeading> headings;
  std::size_t floor = 0;  // headings do not overlap
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (!is_ascii_letter(text[at]) || (at > 0 && is_word_byte(text[at - 1]) && text[at - 1] != '_')) continue;
    for (const FieldName& name : kFieldNames) {
      if (!starts_with_at(text, at, name.words)) continue;
      const auto end = behind_colon(text, at + name.words.size());
      if (!end) continue;
      const Before before = look_back(text, floor, at);
      const bool capital = text[at] <= 'Z';
      if (!before.line_start && !(capital && before.boundary)) break;
      headings.push_back({.field = name.field, .begin = before.begin, .end = *end});
      floor = *end;
      at = *end - 1;
      break;
    }
  }
  return headings;
}

std::string one_line(std::string_view text) {
  static constexpr std::array<std::string_view, 5> kBullets = {"-", "+", "\u2022", "\u2013", "\u2014"};
  text = strip_any(text, " \t\r\n\f\v*_");
  const auto bullet_ahead = [&] {
    for (std::string_view bullet : kBullets) {
      if (text.starts_with(bullet) && text.size() > bullet.size() && is_blank(text[bullet.size()])) {
        return bullet.size();
      }
    }
    return std::size_t{0};
  };
  while (const std::size_t bullet = bullet_ahead()) {
    text = strip_any(text.substr(bullet), " \t\r\n\f\v*_");
  }
  while (text.ends_with('-') && (text.size() == 1 || is_blank(text[text.size() - 2]))) {
    text = strip_any(text.substr(0, text.size() - 1), " \t\r\n\f\v*_");
  }
  std::string line;
  for (char c : text) {
    if (!is_blank(c)) {
      line += c;
    } else if (!line.ends_with(' ')) {
      line += ' ';
    }
  }
  return repair_utf8(line);
}

}  // namespace awry::parse
