// SPDX-License-Identifier: Apache-2.0
#include "awry/parse/lists.h"

#include <array>

#include "awry/base/text.h"
#include "awry/parse/scan.h"

namespace awry::parse {
namespace {

constexpr int kLargestItemNumber = 999;  // "2024." at the start of a line is a year

std::size_t bullet_length(std::string_view text) {
  static constexpr std::array<std::string_view, 9> kBullets = {
      "-", "*", "+", "\u2022", "\u25cf", "\u25aa", "\u2013", "\u2014", "\u00b7"};
  for (std::string_view bullet : kBullets) {
    if (text.starts_with(bullet)) return bullet.size();
  }
  return 0;
}

struct Numbering {
  int number = 0;
  std::size_t length = 0;
};

// "1.", "1)", "(1)", "1:", "@1", "#1.", each perhaps in stars. A plain "1" needs a sign to be a marker.
std::optional<Numbering> numbering(std::string_view text) {
  std::size_t at = 0;
  const auto skip_stars = [&] {
    while (at < text.size() && (text[at] == '*' || text[at] == '_')) ++at;
  };
  skip_stars();
  const char sign = at < text.size() ? text[at] : '\0';
  const bool signed_number = sign == '@' || sign == '#' || sign == '(' || sign == '[';
  if (signed_number) ++at;
  const std::size_t digits = at;
  int number = 0;
  while (at < text.size() && is_digit(text[at]) && at - digits < 4) number = number * 10 + (text[at++] - '0');
  if (at == digits || number > kLargestItemNumber) return std::nullopt;
  bool ended = false;
  if (at < text.size() && text[at] == '\\') ++at;  // markdown's "1\."
  while (at < text.size() && std::string_view(".):]").find(text[at]) != std::string_view::npos) {
    ended = true;
    ++at;
  }
  if (sign == '(' || sign == '[' ? !ended : !ended && !signed_number) return std::nullopt;
  skip_stars();
  if (at < text.size() && !is_blank(text[at])) {
    // "@1.Name" and "1)Name" happen; "3.5 cm" and "10:30" are not items.
    if (!ended || is_digit(text[at]) || (!signed_number && text[at - 1] != ')')) return std::nullopt;
  }
  return Numbering{number, at};
}

bool is_rule(std::string_view line) {
  return line.size() >= 3 && line.find_first_not_of("-*_= \t") == std::string_view::npos;
}

}  // namespace

std::optional<ListMarker> list_marker(std::string_view line) {
  ListMarker marker;
  std::size_t at = 0;
  for (; at < line.size() && is_blank(line[at]); ++at) marker.indent += line[at] == '\t' ? 4 : 1;
  std::string_view rest = line.substr(at);
  if (rest.empty() || is_rule(trim(rest))) return std::nullopt;
  if (const std::size_t bullet = bullet_length(rest); bullet > 0) {
    if (bullet == rest.size() || is_blank(rest[bullet])) {
      at = skip_blanks(line, at + bullet);
      // "- 1. text": the number is the better marker.
      if (const auto inner = numbering(line.substr(at))) {
        marker.number = inner->number;
        at += inner->length;
      }
      marker.length = skip_blanks(line, at);
      return marker;
    }
  }
  const auto numbered = numbering(rest);
  if (!numbered) return std::nullopt;
  marker.number = numbered->number;
  marker.length = skip_blanks(line, at + numbered->length);
  return marker;
}

TextList read_list(std::string_view text) {
  TextList list;
  std::optional<ListMarker> first;
  std::string* current = &list.preamble;
  const auto append_line = [&](std::string_view line) {
    if (!current->empty()) *current += '\n';
    *current += line;
  };
  for (std::string_view line : split_lines(text)) {
    const auto marker = list_marker(line);
    const bool same_level =
        marker && (!first || (marker->indent <= first->indent + 1 && (marker->number || !first->number)));
    if (!same_level) {
      append_line(trim(line));
      continue;
    }
    if (!first) first = marker;
    list.items.push_back({.number = marker->number, .text = std::string(trim(line.substr(marker->length)))});
    current = &list.items.back().text;
  }
  list.preamble = std::string(trim(list.preamble));
  for (ListItem& item : list.items) item.text = std::string(trim(item.text));
  return list;
}

}  // namespace awry::parse
