// SPDX-License-Identifier: Apache-2.0
#include "awry/pipeline/text_claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "awry/base/text.h"

namespace awry::pipeline {
namespace {

using agents::EvidenceVerdict;

constexpr double kClear = 60;  // confidence from which a word counts as read
constexpr std::size_t kLongWord = 5;

constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kQuotes = {
    {{"\"", "\""}, {"“", "”"}, {"„", "“"}, {"‘", "’"}, {"«", "»"}, {"「", "」"}, {"`", "`"}, {"'", "'"}}};

bool is_inside_word(std::string_view text, std::size_t at) {
  const auto letter = [&](std::size_t i) {
    return i < text.size() && (static_cast<unsigned char>(text[i]) >= 0x80 ||
                               (text[i] >= 'a' && text[i] <= 'z') || (text[i] >= 'A' && text[i] <= 'Z'));
  };
  return at > 0 && letter(at - 1) && letter(at + 1);
}

bool is_read(const std::string& word, const std::vector<std::string>& read) {
  return std::ranges::any_of(read, [&](const std::string& other) {
    return other == word || (word.size() >= kLongWord && edit_distance(word, other) <= 1);
  });
}

}  // namespace

std::vector<std::string> quoted_in(std::string_view text) {
  std::vector<std::string> quotes;
  for (const auto& [open, close] : kQuotes) {
    const bool plain = open == "'";
    for (std::size_t begin = text.find(open); begin != std::string_view::npos;) {
      const std::size_t start = begin + open.size();
      if (plain && begin > 0 && text[begin - 1] != ' ' && text[begin - 1] != '(') {
        begin = text.find(open, start);
        continue;
      }
      std::size_t end = text.find(close, start);
      while (plain && end != std::string_view::npos && is_inside_word(text, end)) {
        end = text.find(close, end + 1);
      }
      if (end == std::string_view::npos) break;
      if (const std::string_view inner = trim(text.substr(start, end - start)); !inner.empty()) {
        quotes.emplace_back(inner);
      }
      begin = text.find(open, end + close.size());
    }
  }
  return quotes;
}

TextVerdict compare_quotes(std::string_view claim, std::span<const reading::Word> words) {
  const std::vector<std::string> quotes = quoted_in(claim);
  if (quotes.empty()) return {.note = "it quotes no lettering that could be looked for"};
  std::vector<std::string> read;
  for (const reading::Word& word : words) {
    if (word.confidence < kClear) continue;
    for (std::string& token : word_tokens(word.text)) read.push_back(std::move(token));
  }
  if (read.empty()) return {.note = "no lettering could be read clearly"};
  for (const std::string& quote : quotes) {
    const std::vector<std::string> wanted = word_tokens(quote);
    if (!wanted.empty() &&
        std::ranges::all_of(wanted, [&](const std::string& word) { return is_read(word, read); })) {
      return {EvidenceVerdict::kSupported, fmt::format("'{}' can be read in the image", quote)};
    }
  }
  const bool partly = std::ranges::any_of(quotes, [&](const std::string& quote) {
    return std::ranges::any_of(word_tokens(quote),
                               [&](const std::string& word) { return is_read(word, read); });
  });
  if (partly) return {.note = "only parts of what it quotes could be read"};
  return {EvidenceVerdict::kUnsupported,
          fmt::format("'{}' cannot be read in the image, other lettering can", quotes.front())};
}

}  // namespace awry::pipeline
