// SPDX-License-Identifier: Apache-2.0
// Separates a model's reasoning from its answer: <think>, <thinking>, <reasoning>, whatever the case.
#pragma once

#include <string>
#include <string_view>

#include "awry/parse/parsed.h"

namespace awry::parse {

struct ThinkSplit {
  std::string thinking;   // without the tags; several blocks are joined by a blank line
  std::string answer;     // the rest
  bool unclosed = false;  // a block was opened and never closed
};

// Where text after an unclosed <think> belongs. Some models forget the closing tag and answer all the
// same; a model stopped for length was still thinking, so pass kIsThinking for those.
enum class UnclosedThinking { kMayHoldAnswer, kIsThinking };

// Never fails. A closing tag without an opening one ends thinking that began with the text (chat
// templates swallow the opening tag), unless nothing but blanks follows it.
Parsed<ThinkSplit> split_thinking(std::string_view reply,
                                  UnclosedThinking unclosed = UnclosedThinking::kMayHoldAnswer);

}  // namespace awry::parse
