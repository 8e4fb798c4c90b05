// SPDX-License-Identifier: Apache-2.0
#include "awry/parse/blocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "awry/base/text.h"
#include "awry/parse/scan.h"

namespace awry::parse {
namespace {

constexpr int kMostBlocks = 100'000;

constexpr std::array<std::string_view, 22> kSilentWords = {
    "block", "blocks",  "region", "regions", "patch", "patches", "cell", "cells",
    "index", "indices", "number", "numbers", "mask",  "no",      "area", "areas",
    "tile",  "tiles",   "the",    "forged",  "grid",  "are"};

bool is_silent(std::string_view word) {
  return std::ranges::any_of(kSilentWords, [&](auto silent) { return equals_ignoring_case(word, silent); });
}

// What may stand beside "none" or "all" without changing it; "none except the top row" must not pass.
constexpr std::array<std::string_view, 18> kHarmlessWords = {
    "of",       "in",     "image", "panel",   "this",  "is",       "forgery",    "required", "needed",
    "detected", "marked", "found", "visible", "whole", "affected", "suspicious", "were",     "was"};

bool are_harmless(std::string_view words) {
  return std::ranges::all_of(split(words, ' '), [](std::string_view word) {
    return word.empty() || is_silent(word) || std::ranges::find(kHarmlessWords, word) != kHarmlessWords.end();
  });
}

// "1, 2 (top left)": a remark in brackets that holds no digit says nothing about which blocks.
std::string without_remarks(std::string_view text, bool& dropped) {
  std::string kept;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '(') {
      const std::size_t end = text.find_first_of("()0123456789", at + 1);
      if (end != std::string_view::npos && text[end] == ')' && end > at + 1) {
        dropped = true;
        at = end;
        kept += ' ';
        continue;
      }
    }
    kept += text[at];
  }
  return kept;
}

struct BlockReader {
  std::string_view text;
  std::string_view original;
  int block_count = 0;
  Parsed<std::vector<int>> parsed{};
  std::size_t at = 0;

  tl::unexpected<Error> no(std::string_view why) const { return unparsable("block numbers", original, why); }

  Result<int> number() {
    const auto scanned = scan_number(text, at);
    if (!scanned) return no("a number is missing");
    const std::string_view written = text.substr(at, scanned->end - at);
    at = scanned->end;
    if (scanned->has_fraction) return no(fmt::format("{} is not a whole number", written));
    const double most = block_count > 0 ? block_count : kMostBlocks;
    if (scanned->value < 1 || scanned->value > most) {
      return no(block_count > 0 ? fmt::format("block {} is outside 1..{}", written, block_count)
                                : fmt::format("{} is no block number", written));
    }
    if (at < text.size() && is_word_byte(text[at])) return no(fmt::format("'{}' runs into a word", written));
    return static_cast<int>(scanned->value);
  }

  // Behind "5": "-8", " to 8", "..8"; steps over the link when a number follows.
  bool range_link() {
    std::size_t next = skip_blanks(text, at);
    if (starts_with_at(text, next, "to ")) {
      next += 3;
    } else if (starts_with_at(text, next, "through ")) {
      next += 8;
    } else if (starts_with_at(text, next, "..")) {
      next = text.find_first_not_of('.', next);
      if (next == std::string_view::npos) return false;
    } else if (next < text.size() && (text[next] == '-' || text[next] == '~')) {
      ++next;
    } else {
      return false;
    }
    next = skip_blanks(text, next);
    if (next >= text.size() || !is_digit(text[next])) return false;
    at = next;
    return true;
  }

  Result<void> item() {
    AWRY_TRY_ASSIGN(const int first, number());
    int last = first;
    if (range_link()) {
      AWRY_TRY_ASSIGN(last, number());
      if (last < first) return no(fmt::format("the range {}-{} runs backwards", first, last));
    }
    for (int block = first; block <= last; ++block) parsed.value.push_back(block);
    // "1-9999, 1-9999, ..." must not fill the memory.
    if (parsed.value.size() > 4 * kMostBlocks) return no("too many block numbers");
    return {};
  }

  Result<void> word() {
    const std::size_t begin = at;
    while (at < text.size() && is_word_byte(text[at]) && !is_digit(text[at]) && text[at] != '_') ++at;
    const std::string_view found = text.substr(begin, at - begin);
    if (found.empty()) {
      ++at;  // an underscore, as in block_3
      return {};
    }
    if (equals_ignoring_case(found, "and") || is_silent(found)) return {};
    if (equals_ignoring_case(found, "or")) return no("it offers alternatives with 'or'");
    return no(fmt::format("'{}' leaves open which blocks are meant", repair_utf8(found)));
  }

  Result<void> read() {
    static constexpr std::string_view kSeparators = ",;:[](){}\"'`*#&+|/=.<>";
    while ((at = skip_blanks(text, at)) < text.size()) {
      const char c = text[at];
      const bool minus = c == '-' && at + 1 < text.size() && is_digit(text[at + 1]);
      if (is_digit(c) || minus) {
        AWRY_TRY(item());
      } else if (is_word_byte(c)) {
        AWRY_TRY(word());
      } else if (kSeparators.find(c) != std::string_view::npos || c == '-') {
        ++at;
      } else {
        return no(fmt::format("unexpected character with code {}", static_cast<unsigned char>(c)));
      }
    }
    return {};
  }
};

bool has_digit(std::string_view text) {
  return std::ranges::any_of(text, is_digit);
}

}  // namespace

Result<Parsed<std::vector<int>>> read_blocks(std::string_view body, int block_count) {
  if (says_nothing(body)) return Parsed<std::vector<int>>{};
  bool remark_dropped = false;
  const std::string text = without_remarks(plain_punctuation(body), remark_dropped);
  BlockReader reader{.text = text, .original = body, .block_count = block_count};
  if (remark_dropped) reader.parsed.tolerate("a remark in brackets beside the block numbers");
  if (!has_digit(text)) {
    const std::string words = folded_words(text);
    const std::string_view first = std::string_view(words).substr(0, words.find(' '));
    const bool plain = are_harmless(std::string_view(words).substr(first.size()));
    if (says_nothing(first) && plain) {
      if (first != words) reader.parsed.tolerate("words beside 'none'");
      return reader.parsed;
    }
    if ((first == "all" || first == "every") && plain) {
      if (block_count <= 0) return reader.no("'all' of an unknown number of blocks");
      for (int block = 1; block <= block_count; ++block) reader.parsed.value.push_back(block);
      reader.parsed.tolerate("'all' instead of block numbers");
      return reader.parsed;
    }
    return reader.no("it holds no number");
  }
  AWRY_TRY(reader.read());
  std::vector<int>& blocks = reader.parsed.value;
  std::ranges::sort(blocks);
  const auto repeats = std::ranges::unique(blocks);
  if (!repeats.empty()) reader.parsed.tolerate("a block is named twice");
  blocks.erase(repeats.begin(), repeats.end());
  return std::move(reader.parsed);
}

}  // namespace awry::parse
