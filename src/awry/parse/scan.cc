// SPDX-License-Identifier: Apache-2.0
#include "awry/parse/scan.h"

#include <array>
#include <charconv>
#include <cstdlib>
#include <utility>

#include "awry/base/text.h"

namespace awry::parse {

std::size_t skip_blanks(std::string_view text, std::size_t at) {
  while (at < text.size() && is_blank(text[at])) ++at;
  return at;
}

std::string_view strip_any(std::string_view text, std::string_view characters) {
  const std::size_t first = text.find_first_not_of(characters);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(characters) - first + 1);
}

bool starts_with_at(std::string_view text, std::size_t at, std::string_view word) {
  return at <= text.size() && text.size() - at >= word.size() &&
         equals_ignoring_case(text.substr(at, word.size()), word);
}

std::string plain_punctuation(std::string_view text) {
  static constexpr std::array<std::pair<std::string_view, char>, 16> kCousins = {{
      {"\u2010", '-'},
      {"\u2011", '-'},
      {"\u2012", '-'},
      {"\u2013", '-'},
      {"\u2014", '-'},
      {"\u2212", '-'},
      {"\u2018", '\''},
      {"\u2019", '\''},
      {"\u201c", '"'},
      {"\u201d", '"'},
      {"\u00a0", ' '},
      {"\uff0c", ','},
      {"\uff1a", ':'},
      {"\uff08", '('},
      {"\uff09", ')'},
      {"\u3001", ','},
  }};
  std::string plain;
  plain.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    bool replaced = false;
    if (static_cast<unsigned char>(text[at]) >= 0xc2) {
      for (const auto& [fancy, simple] : kCousins) {
        if (text.substr(at, fancy.size()) == fancy) {
          plain += simple;
          at += fancy.size();
          replaced = true;
          break;
        }
      }
    }
    if (!replaced) plain += text[at++];
  }
  return plain;
}

std::string folded_words(std::string_view text) {
  std::string folded;
  bool gap = false;
  for (char c : plain_punctuation(text)) {
    if (!is_word_byte(c) || c == '_') {
      gap = !folded.empty();
      continue;
    }
    if (gap) folded += ' ';
    gap = false;
    folded += lower_ascii(c);
  }
  return folded;
}

std::optional<ScannedNumber> scan_number(std::string_view text, std::size_t at) {
  std::size_t end = at;
  if (end < text.size() && (text[end] == '+' || text[end] == '-')) ++end;
  const std::size_t digits = end;
  while (end < text.size() && is_digit(text[end])) ++end;
  const std::size_t whole_digits = end - digits;
  ScannedNumber number;
  if (end + 1 < text.size() && text[end] == '.' && is_digit(text[end + 1])) {
    number.has_fraction = true;
    ++end;
    while (end < text.size() && is_digit(text[end])) ++end;
  } else if (whole_digits == 0) {
    return std::nullopt;
  }
  if (end < text.size() && (text[end] == 'e' || text[end] == 'E')) {
    std::size_t exponent = end + 1;
    if (exponent < text.size() && (text[exponent] == '+' || text[exponent] == '-')) ++exponent;
    if (exponent < text.size() && is_digit(text[exponent])) {
      number.has_fraction = true;
      end = exponent;
      while (end < text.size() && is_digit(text[end])) ++end;
    }
  }
  number.end = end;
  const char* first = text.data() + (text[at] == '+' ? at + 1 : at);
  const auto [_, error] = std::from_chars(first, text.data() + end, number.value);
  // Beyond double's reach it is still a number. from_chars does not say at which end; strtod gives
  // infinity, which is out of every range that callers check, or next to nothing.
  if (error == std::errc::result_out_of_range) {
    number.value = std::strtod(std::string(first, text.data() + end).c_str(), nullptr);
  }
  return number;
}

}  // namespace awry::parse
