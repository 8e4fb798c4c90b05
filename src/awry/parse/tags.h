// SPDX-License-Identifier: Apache-2.0
// XML-like tags in a reply: <CHOICE>A</CHOICE>, and what models make of them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "awry/parse/parsed.h"

namespace awry::parse {

// The tags of a text, found once and then asked for by name. Sees `text` and `known`, which must live on.
//
// Tag names are compared without case; spaces, attributes and markdown stars around a tag are overlooked.
// An unclosed tag ends at the next tag out of `known` or at the end of the text.
class Tags {
 public:
  Tags(std::string_view text, std::span<const std::string_view> known);

  // The trimmed body of the last tag of that name, which must be a known one. A tag mentioned inside the
  // closed body of another known tag ("I left <MASK> empty" in an explanation) counts only when there is no
  // other. Not there at all: ErrorKind::kNotFound. Present but empty: an empty body.
  Result<Parsed<std::string>> last(std::string_view name) const;

  bool empty() const { return tags_.empty(); }  // there is not one of the known tags

  struct Tag {
    std::size_t begin = 0, end = 0;
    std::size_t name = 0;       // index into the known names
    std::size_t closed_by = 0;  // of an opening tag: index of the tag that closes it; 0: none does
    bool closing = false, self_closing = false, decorated = false;
  };

 private:
  std::string_view text_;
  std::span<const std::string_view> known_;
  std::vector<Tag> tags_;
};

// For a text that only one tag is read from. `name` need not be among the known ones.
Result<Parsed<std::string>> last_tag(std::string_view text, std::string_view name,
                                     std::span<const std::string_view> known);

}  // namespace awry::parse
