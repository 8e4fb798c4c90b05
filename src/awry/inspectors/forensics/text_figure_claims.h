// SPDX-License-Identifier: Apache-2.0
// What the words around a figure claim, as far as it can be checked without understanding them.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "awry/records/sample.h"

namespace awry::inspectors::forensics {

// Between two of the marks . , ; each before a space or the end: the unit in which errors are reported.
struct ClauseAt {
  std::string part;  // "caption", "related_sentences"
  std::string text;
};

struct Quantity {
  double value = 0;
  std::string text;                // as written: "12.50"
  std::string unit;                // the word behind it: "%", "mm3"; may be empty
  std::size_t begin = 0, end = 0;  // of the number
};
// Numbers that stand alone: not those of names (IL-6, p53), dates or versions.
std::vector<Quantity> quantities_of(std::string_view text);

// "In the siRNA group, volume increased from 383 to 881 mm3."
struct Course {
  std::string sentence;
  Quantity from, to;
  int direction = 0;  // of the words: +1 up, -1 down, 0 when they say nothing
  std::string trend_word;
  ClauseAt numbers, words;  // the clauses that hold the numbers and the trend word
};

// "siRNA: 383 mm3 at W0 and 881 mm3 at W8."
struct Listing {
  std::string name;
  struct Value {
    Quantity quantity;
    std::string at;  // "W0"; may be empty
    ClauseAt where;
  };
  std::vector<Value> values;
};

struct Claims {
  std::vector<Course> courses;
  std::vector<Listing> listings;
};
Claims claims_of(std::span<const Passage> passages);

// +1 for "increased", "higher", -1 for their opposites, 0 for other words.
int direction_of(std::string_view word);

ClauseAt clause_around(const Passage& passage, std::size_t at);

bool says_word(std::string_view text, std::string_view word);  // as a word of its own, case ignored

}  // namespace awry::inspectors::forensics
