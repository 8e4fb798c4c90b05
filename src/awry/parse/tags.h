// SPDX-License-Identifier: Apache-2.0
// XML-like tags in a reply: <CHOICE>A</CHOICE>, and what models make of them.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "awry/parse/parsed.h"

namespace awry::parse {

// The trimmed body of the last <name> tag. Tag names are compared without case; spaces, attributes and
// markdown stars around a tag are overlooked. An unclosed tag ends at the next tag out of `known` or at
// the end of the text. A tag mentioned inside the closed body of another known tag ("I left <MASK>
// empty" in an explanation) counts only when there is no other.
//
// Not there at all: ErrorKind::kNotFound. Present but empty: an empty body.
Result<Parsed<std::string>> last_tag(std::string_view text, std::string_view name,
                                     std::span<const std::string_view> known);

}  // namespace awry::parse
