// SPDX-License-Identifier: Apache-2.0
// Text helpers. Everything takes and returns UTF-8.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace awry {

std::string_view trim(std::string_view text);
std::vector<std::string_view> split(std::string_view text, char separator);
std::vector<std::string_view> split_lines(std::string_view text);  // accepts \n and \r\n
std::string join(std::span<const std::string> parts, std::string_view separator);
std::string replace_all(std::string_view text, std::string_view from, std::string_view to);

// ASCII only: for keywords, file endings and tags. Human text goes through casefold().
std::string to_lower_ascii(std::string_view text);
std::string to_upper_ascii(std::string_view text);
bool equals_ignoring_case(std::string_view a, std::string_view b);          // ASCII
bool contains_ignoring_case(std::string_view text, std::string_view part);  // ASCII

// The whole of `text` as a number; nothing else may stand beside it.
std::optional<double> parse_double(std::string_view text);
std::optional<long long> parse_integer(std::string_view text);

bool is_valid_utf8(std::string_view text);
std::string repair_utf8(std::string_view text);            // invalid bytes become U+FFFD
std::vector<char32_t> decode_utf8(std::string_view text);  // invalid bytes become U+FFFD
std::string encode_utf8(std::span<const char32_t> code_points);
std::string casefold(std::string_view text);              // Unicode full case folding, NFC
int display_width(std::string_view text);                 // terminal columns
std::string shorten(std::string_view text, int columns);  // cut to columns, ending in an ellipsis

// Lower-cased runs of letters and digits, in order: "p < 0.05, n=3" -> p, 0, 05, n, 3.
std::vector<std::string> word_tokens(std::string_view text);

int edit_distance(std::string_view a, std::string_view b);  // bytes; with transpositions
// The candidate a mistyped word most likely meant, if any is near enough.
std::optional<std::string> did_you_mean(std::string_view word, std::span<const std::string> candidates);

std::string escape_html(std::string_view text);
// 1234567 -> "1,234,567"
std::string with_thousands(long long number);
// 1536 -> "1.5 KiB"
std::string human_bytes(unsigned long long bytes);

}  // namespace awry
