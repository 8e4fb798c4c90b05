// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/networks/characters.h"

#include <utf8proc.h>

#include <algorithm>

#include "awry/base/text.h"

namespace awry::inspectors::networks {
namespace {

utf8proc_category_t category(char32_t c) {
  return utf8proc_category(static_cast<utf8proc_int32_t>(c));
}

bool is_between(utf8proc_category_t category, utf8proc_category_t first, utf8proc_category_t last) {
  return category >= first && category <= last;
}

bool is_cased(char32_t c) {
  return is_between(category(c), UTF8PROC_CATEGORY_LU, UTF8PROC_CATEGORY_LT);
}

// Stands between letters without ending the word.
bool is_ignored_by_case(char32_t c) {
  switch (category(c)) {
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_SK:
      return true;
    default:
      return c == '\'' || c == '.' || c == ':' || c == 0xB7 || c == 0x2018 || c == 0x2019 || c == 0x2024 ||
             c == 0x2027;
  }
}

bool is_final_sigma(const std::vector<char32_t>& text, std::size_t at) {
  std::size_t before = at;
  while (before > 0 && is_ignored_by_case(text[before - 1])) --before;
  if (before == 0 || !is_cased(text[before - 1])) return false;
  std::size_t after = at + 1;
  while (after < text.size() && is_ignored_by_case(text[after])) ++after;
  return after == text.size() || !is_cased(text[after]);
}

}  // namespace

bool is_space(char32_t c) {
  return (c >= 9 && c <= 13) || c == ' ' || c == 0x85 || c == 0xA0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F ||
         c == 0x3000;
}

bool is_python_space(char32_t c) {
  return is_space(c) || (c >= 0x1C && c <= 0x1F);
}

bool is_letter(char32_t c) {
  return is_between(category(c), UTF8PROC_CATEGORY_LU, UTF8PROC_CATEGORY_LO);
}

bool is_number(char32_t c) {
  return is_between(category(c), UTF8PROC_CATEGORY_ND, UTF8PROC_CATEGORY_NO);
}

bool is_punctuation(char32_t c) {
  return is_between(category(c), UTF8PROC_CATEGORY_PC, UTF8PROC_CATEGORY_PO);
}

bool is_other(char32_t c) {
  return category(c) == UTF8PROC_CATEGORY_CN ||
         is_between(category(c), UTF8PROC_CATEGORY_CC, UTF8PROC_CATEGORY_CO);
}

bool is_space_separator(char32_t c) {
  return category(c) == UTF8PROC_CATEGORY_ZS;
}

bool is_nonspacing_mark(char32_t c) {
  return category(c) == UTF8PROC_CATEGORY_MN;
}

std::string_view python_strip(std::string_view utf8) {
  const std::vector<char32_t> text = decode_utf8(utf8);
  const auto is_kept = [](char32_t c) { return !is_python_space(c); };
  const auto first = std::find_if(text.begin(), text.end(), is_kept);
  const auto last = std::find_if(text.rbegin(), text.rend(), is_kept).base();
  if (first >= last) return {};
  const auto bytes_of = [](auto from, auto to) { return encode_utf8({from, to}).size(); };
  const std::size_t front = bytes_of(text.begin(), first), back = bytes_of(last, text.end());
  return utf8.substr(front, utf8.size() - front - back);
}

std::vector<char32_t> lower_case(const std::vector<char32_t>& text) {
  constexpr char32_t kCapitalSigma = 0x3A3, kSigma = 0x3C3, kFinalSigma = 0x3C2;
  constexpr char32_t kDottedCapitalI = 0x130, kDotAbove = 0x307;
  std::vector<char32_t> lower;
  lower.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == kDottedCapitalI) {
      lower.push_back('i');
      lower.push_back(kDotAbove);
    } else if (text[i] == kCapitalSigma) {
      lower.push_back(is_final_sigma(text, i) ? kFinalSigma : kSigma);
    } else {
      lower.push_back(static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(text[i]))));
    }
  }
  return lower;
}

std::vector<char32_t> decompose(const std::vector<char32_t>& text) {
  std::vector<utf8proc_int32_t> parts;
  for (const char32_t c : text) {
    utf8proc_int32_t buffer[32];
    int last_class = 0;
    const auto options = static_cast<utf8proc_option_t>(UTF8PROC_DECOMPOSE | UTF8PROC_STABLE);
    const utf8proc_ssize_t count = utf8proc_decompose_char(static_cast<utf8proc_int32_t>(c), buffer,
                                                           std::size(buffer), options, &last_class);
    if (count > 0)
      parts.insert(parts.end(), buffer, buffer + std::min<std::size_t>(count, std::size(buffer)));
  }
  // Marks on one letter stand in the order of their combining classes.
  const auto class_of = [](utf8proc_int32_t c) { return utf8proc_get_property(c)->combining_class; };
  for (auto from = parts.begin(); from != parts.end();) {
    const auto to = std::find_if(from + 1, parts.end(), [&](auto c) { return class_of(c) == 0; });
    std::stable_sort(class_of(*from) == 0 ? from + 1 : from, to,
                     [&](auto a, auto b) { return class_of(a) < class_of(b); });
    from = to;
  }
  return {parts.begin(), parts.end()};
}

}  // namespace awry::inspectors::networks
