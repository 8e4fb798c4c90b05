// SPDX-License-Identifier: Apache-2.0
// Words that no longer fit the picture: numbers replaced by others, trends by their opposites.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "awry/base/random.h"
#include "awry/base/result.h"

namespace awry::forge {

enum class TextEditKind { kNumerical, kTrend };

struct TextEdit {
  std::size_t offset = 0;             // of the token in the original text, in bytes
  std::string original, replacement;  // the token; a trend takes its article along: "an increase"
  std::string clause_before, clause_after;
  bool operator==(const TextEdit&) const = default;
};

struct EditedText {
  std::string text;
  std::vector<TextEdit> edits;  // in the order of the text
};

struct TextEditOptions {
  TextEditKind kind = TextEditKind::kNumerical;
  int edits = 1;  // 1 to 3, each in a clause of its own; fewer are made when the text offers fewer
  // Words that can be read in the picture itself: whoever compares those needs no understanding, so tokens
  // among them stay.
  std::span<const std::string> words_in_picture;
};

// References ("Fig. 2", "[14]") are left alone. Numbers keep their decimals and so their units, stay
// positive, shares stay below 100 %, and each changes by a quarter at least. An error when the text offers no
// token to edit.
Result<EditedText> edit_text(std::string_view text, const TextEditOptions& options, RandomStream random);

// A clause ends with [.,;] before a space or the end, so that decimal points do not cut numbers in two.
struct Clause {
  std::size_t begin = 0, end = 0;  // of the text, without the spaces around it, with its delimiter
};
std::vector<Clause> clauses_of(std::string_view text);

// The same word class and form, also one that starts with a capital; "" when the word tells no trend.
std::string opposite_trend(std::string_view word);

}  // namespace awry::forge
