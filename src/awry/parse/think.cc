// SPDX-License-Identifier: Apache-2.0
#include "awry/parse/think.h"

#include <array>
#include <optional>

#include "awry/base/text.h"
#include "awry/parse/scan.h"

namespace awry::parse {
namespace {

struct ThinkTag {
  std::size_t begin = 0, end = 0;
  bool closing = false;
};

std::optional<ThinkTag> think_tag_at(std::string_view text, std::size_t begin) {
  static constexpr std::array<std::string_view, 4> kNames = {"thinking", "think", "thought", "reasoning"};
  std::size_t at = begin + 1;
  while (at < text.size() && text[at] == ' ') ++at;
  const bool closing = at < text.size() && text[at] == '/';
  if (closing) ++at;
  while (at < text.size() && text[at] == ' ') ++at;
  for (std::string_view name : kNames) {
    if (!starts_with_at(text, at, name)) continue;
    at += name.size();
    while (at < text.size() && text[at] == ' ') ++at;
    if (at < text.size() && text[at] == '>') return ThinkTag{begin, at + 1, closing};
    return std::nullopt;
  }
  return std::nullopt;
}

std::vector<ThinkTag> think_tags(std::string_view text) {
  std::vector<ThinkTag> tags;
  for (std::size_t at = text.find('<'); at != std::string_view::npos;) {
    const auto tag = think_tag_at(text, at);
    if (tag) tags.push_back(*tag);
    at = text.find('<', tag ? tag->end : at + 1);
  }
  return tags;
}

void append_block(std::string& blocks, std::string_view block, std::string_view separator) {
  block = trim(block);
  if (block.empty()) return;
  if (!blocks.empty()) blocks += separator;
  blocks += block;
}

}  // namespace

Parsed<ThinkSplit> split_thinking(std::string_view reply, UnclosedThinking unclosed) {
  Parsed<ThinkSplit> parsed;
  std::string& thinking = parsed.value.thinking;
  std::string& answer = parsed.value.answer;
  const std::vector<ThinkTag> tags = think_tags(reply);
  int depth = 0;
  std::size_t from = 0;  // where the piece being read began
  for (const ThinkTag& tag : tags) {
    const std::string_view piece = reply.substr(from, tag.begin - from);
    if (!tag.closing) {
      if (depth++ == 0) {
        append_block(answer, piece, "\n");
        from = tag.end;
      }
    } else if (depth > 0) {
      if (--depth == 0) {
        append_block(thinking, piece, "\n\n");
        from = tag.end;
      }
    } else if (skip_blanks(reply, tag.end) == reply.size()) {
      append_block(answer, piece, "\n");
      parsed.tolerate("a closing think tag ends the reply without an opening one");
      from = tag.end;
    } else {
      // What looked like an answer so far was still thinking.
      append_block(answer, piece, "\n");
      append_block(thinking, answer, "\n\n");
      answer.clear();
      parsed.tolerate("a closing think tag without an opening one");
      from = tag.end;
    }
  }
  const std::string_view rest = reply.substr(from);
  if (depth == 0) {
    append_block(answer, rest, "\n");
    return parsed;
  }
  parsed.value.unclosed = true;
  append_block(thinking, rest, "\n\n");
  if (unclosed == UnclosedThinking::kMayHoldAnswer) {
    append_block(answer, rest, "\n");
    parsed.tolerate("the thinking is never closed: the answer was looked for inside it");
  } else {
    parsed.tolerate("the thinking is never closed");
  }
  return parsed;
}

}  // namespace awry::parse
