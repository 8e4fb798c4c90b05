// SPDX-License-Identifier: Apache-2.0
// What every parser of model output returns: the value, and in words whatever had to be overlooked to
// read it. An error says why the text is unparsable; no parser fills a gap with a guess.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "awry/base/result.h"

namespace awry::parse {

template <class T>
struct Parsed {
  T value{};
  std::vector<std::string> tolerated;  // "the <CHOICE> tag is not closed"; in the order met, no repeats

  // Appends unless it was said before.
  void tolerate(std::string note) {
    for (const std::string& said : tolerated) {
      if (said == note) return;
    }
    tolerated.push_back(std::move(note));
  }
  void tolerate_all(const std::vector<std::string>& notes) {
    for (const std::string& note : notes) tolerate(note);
  }
};

// An Error of kind kInvalid: `what` is the phrase "cannot read <thing>", `input` a short excerpt of text.
// Both are cut to a readable length; `why` may quote the text.
tl::unexpected<Error> unparsable(std::string_view thing, std::string_view text, std::string_view why);

// The notes as one sentence fragment for Answer::complaint: "a; b". Empty when there are none.
std::string complaint_of(const std::vector<std::string>& tolerated);

// "none", "null", "0", "[]", "{}", "empty", "n/a", "-" and the like, whatever the case, quotes or
// trailing full stop; also blank text: the ways models write "nothing here".
bool says_nothing(std::string_view text);

}  // namespace awry::parse
