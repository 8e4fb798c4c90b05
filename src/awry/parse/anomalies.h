// SPDX-License-Identifier: Apache-2.0
// AnomReason's structured anomalies and object lines:
//   @1. **Name**: ... **Observed Phenomenon**: ... **Reasoning**: ... **Severity Score**: 25/100
//   #Left hand#: six fingers, two of them fused
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "awry/parse/parsed.h"
#include "awry/records/finding.h"

namespace awry::parse {

// Reads name, phenomenon, reasoning and severity of every item, as text (with or without numbering, stars,
// line breaks) or as JSON in either spelling of its keys. An item whose severity cannot be read keeps none,
// and says so in `tolerated`; so does an item that lacks a field. "No anomalies", "null" or "[]" is the
// empty list. Text with no item in it is unparsable.
Result<Parsed<std::vector<Finding>>> read_anomalies(std::string_view reply);

// The form that models are taught: numbered, four lines an item, a blank line between. What it prints
// read_anomalies() reads back: each field as one line, with a comma for the colon of words that would pass
// for a field ("... Reasoning: ...").
std::string print_anomalies(std::span<const Finding> findings);

struct ObjectLine {
  std::string name, description;
  bool operator==(const ObjectLine&) const = default;
};

// "#Name#: description" with or without hashes, stars or numbering; lines without a name continue the one
// before. Unparsable when there is none.
Result<Parsed<std::vector<ObjectLine>>> read_object_lines(std::string_view reply);

}  // namespace awry::parse
