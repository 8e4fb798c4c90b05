// SPDX-License-Identifier: Apache-2.0
// Audit of image generators: JSON lines, one per image,
//   {"generator": "SDXL Lightning", "image": "0001.png", "anomalies": [{"Severity Score": 25, ...}]}
// -> MAI, AF and CAP per generator. Instead of "anomalies" a line may hold "reply", what an assessor wrote.
// Annotations as released (annotation_file.h) are taken too: one file is one generator and gives it its name.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "awry/base/result.h"
#include "awry/benchmarks/protocol.h"
#include "awry/records/outcome.h"
#include "awry/records/scoring.h"
#include "awry/score/generator_audit.h"

namespace awry::benchmarks::anomreason {

inline constexpr std::string_view kAuditName = "audit";  // Summary::protocol

struct AuditLine {
  std::string generator, image;
  Outcome outcome = Outcome::kAnswered;  // kUnparsable: the reply says nothing readable
  score::AuditedImage audited;
};

// `path` is a file of lines, a file of annotations, or a folder of such. An image that comes twice for one
// generator, a wrong type and a severity outside 0..100 are errors that name the line.
Result<std::vector<AuditLine>> read_audit_file(const std::filesystem::path& path);

// Metrics "mai", "af", "cap" in one group per generator, in the order of the file. Images whose reply could
// not be read are counted, noted and left out. Options: resamples (2000; 0: no intervals), seed.
Result<Summary> audit(std::span<const AuditLine> lines, const ProtocolOptions& options);

}  // namespace awry::benchmarks::anomreason
