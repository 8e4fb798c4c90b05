// SPDX-License-Identifier: Apache-2.0
// Small steps over text that the parsers share. ASCII only; other bytes count as letters, so that no
// multi-byte character is ever taken for a boundary.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace awry::parse {

constexpr bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}
constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
constexpr bool is_ascii_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
constexpr bool is_word_byte(char c) {
  return is_digit(c) || is_ascii_letter(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}
constexpr char upper_ascii(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}
constexpr char lower_ascii(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::size_t skip_blanks(std::string_view text, std::size_t at);
std::string_view strip_any(std::string_view text, std::string_view characters);  // from both ends

// True when `text` continues with `word` at `at`, without regard to ASCII case.
bool starts_with_at(std::string_view text, std::size_t at, std::string_view word);

// Dashes, quotes and blanks that word processors prefer become their ASCII cousins: U+2013 -> '-'.
// Everything else, invalid bytes included, stays as it is.
std::string plain_punctuation(std::string_view text);

// Lower-cased words joined by one blank, without any punctuation: "Copy-Move" and "copy move" meet here.
std::string folded_words(std::string_view text);

// A number written out in decimal digits at `at`: sign, digits, at most one point, an exponent.
struct ScannedNumber {
  double value = 0;
  bool has_fraction = false;  // written with a point or an exponent
  std::size_t end = 0;        // just behind it
};
std::optional<ScannedNumber> scan_number(std::string_view text, std::size_t at);

}  // namespace awry::parse
