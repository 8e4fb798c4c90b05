// SPDX-License-Identifier: Apache-2.0
// What tokenizers want to know about characters. Their reference implementations are in Python, so these
// follow Python's view of Unicode where views differ.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace awry::inspectors::networks {

bool is_space(char32_t c);            // the property White_Space
bool is_python_space(char32_t c);     // the same and U+001C to U+001F: what str.strip() takes away
bool is_letter(char32_t c);           // categories L*
bool is_number(char32_t c);           // N*
bool is_punctuation(char32_t c);      // P*
bool is_other(char32_t c);            // C*: control, format, private, not assigned
bool is_space_separator(char32_t c);  // Zs
bool is_nonspacing_mark(char32_t c);  // Mn

std::string_view python_strip(std::string_view utf8);

// str.lower(): one character may become two, and a sigma at the end of a word is another than inside.
std::vector<char32_t> lower_case(const std::vector<char32_t>& text);
std::vector<char32_t> decompose(const std::vector<char32_t>& text);  // NFD

}  // namespace awry::inspectors::networks
