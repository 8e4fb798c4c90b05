// SPDX-License-Identifier: Apache-2.0
// Numbered and bulleted lists in plain text or markdown.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "awry/parse/parsed.h"

namespace awry::parse {

// A marker at the start of a line: "1.", "1)", "(1)", "@1.", "#1", "**1.**", "-", "*", "+", "•", "–".
struct ListMarker {
  std::optional<int> number;  // none: a bullet
  std::size_t indent = 0;     // columns before it, a tab counting four
  std::size_t length = 0;     // bytes up to the text that follows the marker and its blanks
};

// A minus sign, a decimal number, bold text or a horizontal rule is not a marker.
std::optional<ListMarker> list_marker(std::string_view line);

struct ListItem {
  std::optional<int> number;
  std::string text;  // lines that continue it, nested items among them, follow after '\n'
};

struct TextList {
  std::string preamble;  // what stands before the first item
  std::vector<ListItem> items;
};

// Never fails; text without a marker has no items and is all preamble. The first marker sets the level: more
// deeply indented markers, and bullets inside a numbered list, belong to the item they stand under.
TextList read_list(std::string_view text);

}  // namespace awry::parse
