// SPDX-License-Identifier: Apache-2.0
// The part of text.h that has to know Unicode.
#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "awry/base/text.h"

namespace awry {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

bool is_ascii(std::string_view text) {
  return std::ranges::none_of(text, [](char c) { return (static_cast<unsigned char>(c) & 0x80U) != 0; });
}

// Reads one code point and moves past it; an invalid byte is one replacement character.
char32_t take_code_point(std::string_view& text, bool* valid = nullptr) {
  if (const auto first = static_cast<unsigned char>(text.front()); first < 0x80) {
    text.remove_prefix(1);
    return first;
  }
  utf8proc_int32_t code_point = -1;
  const utf8proc_ssize_t read = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                                 static_cast<utf8proc_ssize_t>(text.size()), &code_point);
  if (read <= 0) {
    text.remove_prefix(1);
    if (valid != nullptr) *valid = false;
    return kReplacement;
  }
  text.remove_prefix(static_cast<std::size_t>(read));
  return static_cast<char32_t>(code_point);
}

void append_utf8(std::string& text, char32_t code_point) {
  utf8proc_uint8_t bytes[4];
  const utf8proc_ssize_t size = utf8proc_encode_char(static_cast<utf8proc_int32_t>(code_point), bytes);
  text.append(reinterpret_cast<const char*>(bytes),
              static_cast<std::size_t>(std::max<utf8proc_ssize_t>(size, 0)));
}

int columns_of(char32_t code_point) {
  return std::max(0, utf8proc_charwidth(static_cast<utf8proc_int32_t>(code_point)));
}

bool is_word_character(char32_t code_point) {
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(code_point))) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_NO:
      return true;
    default:
      return false;
  }
}

}  // namespace

bool is_valid_utf8(std::string_view text) {
  bool valid = true;
  while (valid && !text.empty()) take_code_point(text, &valid);
  return valid;
}

std::string repair_utf8(std::string_view text) {
  if (is_valid_utf8(text)) return std::string(text);
  std::string result;
  while (!text.empty()) append_utf8(result, take_code_point(text));
  return result;
}

std::vector<char32_t> decode_utf8(std::string_view text) {
  std::vector<char32_t> code_points;
  code_points.reserve(text.size());
  while (!text.empty()) code_points.push_back(take_code_point(text));
  return code_points;
}

std::string encode_utf8(std::span<const char32_t> code_points) {
  std::string text;
  text.reserve(code_points.size());
  for (const char32_t code_point : code_points) append_utf8(text, code_point);
  return text;
}

std::string casefold(std::string_view text) {
  if (is_ascii(text)) return to_lower_ascii(text);  // most text, at a fraction of the cost
  std::string valid = repair_utf8(text);
  utf8proc_uint8_t* folded = nullptr;
  const utf8proc_ssize_t size = utf8proc_map(
      reinterpret_cast<const utf8proc_uint8_t*>(valid.data()), static_cast<utf8proc_ssize_t>(valid.size()),
      &folded, static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD));
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(folded, &std::free);
  if (size < 0) return valid;
  return {reinterpret_cast<const char*>(folded), static_cast<std::size_t>(size)};
}

int display_width(std::string_view text) {
  int width = 0;
  while (!text.empty()) width += columns_of(take_code_point(text));
  return width;
}

std::string shorten(std::string_view text, int columns) {
  if (display_width(text) <= columns) return std::string(text);
  std::string result;
  int width = 0;
  while (!text.empty()) {
    const char32_t code_point = take_code_point(text);
    width += columns_of(code_point);
    if (width > columns - 1) break;
    append_utf8(result, code_point);
  }
  return columns > 0 ? result + "…" : std::string();
}

std::vector<std::string> word_tokens(std::string_view text) {
  std::vector<std::string> tokens;
  const std::string folded = casefold(text);
  if (is_ascii(folded)) {  // most text
    const auto in_word = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
    for (auto end = folded.begin();;) {
      const auto begin = std::find_if(end, folded.end(), in_word);
      if (begin == folded.end()) return tokens;
      end = std::find_if_not(begin, folded.end(), in_word);
      tokens.emplace_back(begin, end);
    }
  }
  std::string word;
  for (std::string_view rest = folded; !rest.empty();) {
    const char32_t code_point = take_code_point(rest);
    if (is_word_character(code_point)) {
      append_utf8(word, code_point);
    } else if (!word.empty()) {
      tokens.push_back(std::move(word));
      word.clear();
    }
  }
  if (!word.empty()) tokens.push_back(std::move(word));
  return tokens;
}

}  // namespace awry
