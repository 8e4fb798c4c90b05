// SPDX-License-Identifier: Apache-2.0
// A protocol is one value: how a paper's dataset is read, asked about, answered and scored.
// protocols.cc lists all of them; each lives in a folder of the same shape.
#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "awry/base/result.h"
#include "awry/inspectors/inspection.h"
#include "awry/records/asking.h"
#include "awry/records/sample.h"
#include "awry/records/scoring.h"

namespace awry::benchmarks {

// What a dataset reader found: the samples, and in words every defect it met or repaired.
struct Dataset {
  std::vector<Sample> samples;
  std::vector<std::string> notes;
};

// Protocol-specific switches by name ("variant=released"), checked by the protocol that knows them.
using ProtocolOptions = std::map<std::string, std::string>;

struct AnsweredSample {
  Sample sample;
  std::vector<Question> questions;
  std::vector<Answer> answers;  // parallel to questions
};

struct Protocol {
  std::string_view name, summary;

  Result<Dataset> (*read_samples)(const std::filesystem::path&, const ProtocolOptions&) = nullptr;
  std::vector<Question> (*ask)(const Sample&, const ProtocolOptions&) = nullptr;
  // The reply an embedded inspector would write; nullptr where no embedded inspector can answer.
  std::string (*phrase)(const Sample&, const Question&, const inspectors::Inspection&) = nullptr;
  Answer (*parse)(const Sample&, const Question&, const Reply&) = nullptr;
  Result<Summary> (*score)(std::span<const AnsweredSample>, const ProtocolOptions&) = nullptr;
};

std::span<const Protocol* const> all_protocols();
const Protocol* find_protocol(std::string_view name);

}  // namespace awry::benchmarks
