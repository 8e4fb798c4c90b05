// SPDX-License-Identifier: Apache-2.0
// The few words that merging has to know the meaning of: who is a person, what is left and right, what
// excludes what. English, German, French, Spanish, Chinese and Japanese; in other languages claims are still
// compared by the words they share, and what seems opposed is simply not noticed.
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace awry::agents {

// Case-folded words without the smallest of them. Scripts that put no space between words (Chinese, Japanese,
// Thai, ...) are cut into overlapping pairs of characters, which share as much as words do.
std::vector<std::string> content_words(std::string_view text);

using WordSet = std::set<std::string, std::less<>>;
// Every word, and every single character of the scripts without spaces: for looking up.
WordSet word_set(std::string_view text);

bool names_a_person(std::string_view name);
bool is_denied(const WordSet& words);      // "no", "without", "ohne"
WordSet numbers_in(const WordSet& words);  // "6", "six" and U+516D are all "6"

struct Opposites {
  std::span<const std::string_view> left, right;
};
std::span<const Opposites> opposites();  // what cannot both hold of one thing: floating, resting
std::span<const Opposites> sides();      // two things that sound alike: the left hand, the right hand
bool has_any(const WordSet& words, std::span<const std::string_view> list);

}  // namespace awry::agents
