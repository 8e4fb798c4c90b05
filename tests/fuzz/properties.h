// SPDX-License-Identifier: Apache-2.0
// What holds for every parser's result.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "awry/base/text.h"
#include "awry/parse/parsed.h"
#include "targets.h"

namespace awry::fuzz {

inline void require_notes(const std::vector<std::string>& notes) {
  require(std::set<std::string>(notes.begin(), notes.end()).size() == notes.size(), "no note is given twice");
  for (const std::string& note : notes) {
    require(!note.empty() && note.size() < 600 && is_valid_utf8(note), "notes are short, valid text");
  }
}

// Notes, or the reason why there is no value.
template <class T>
void require_said(const Result<parse::Parsed<T>>& result) {
  if (result) return require_notes(result->tolerated);
  const Error& error = result.error();
  require(!error.what.empty() && !error.why.empty(), "what is unparsable has a reason");
  require(error.message().size() < 600 && is_valid_utf8(error.message()), "reasons are short, valid text");
}

inline bool is_part_of(std::string_view piece, std::string_view text) {
  return text.find(piece) != std::string_view::npos;
}

}  // namespace awry::fuzz
