// SPDX-License-Identifier: Apache-2.0
// Plain annotation files, as AnomReason was released (one JSON object, image -> list of anomalies), read as
// if `awry annotate` had made them: one file is one generator, and the folder it lies in is the assessor.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "awry/agents/annotation.h"
#include "awry/base/result.h"

namespace awry::cli {

// True for files that are not lines of `awry annotate`.
bool is_released_file(const std::filesystem::path& path);

struct ReleasedAnnotations {
  std::string assessor;
  std::vector<agents::ImageAnnotation> annotations;  // with the generator as an attribute
  std::vector<std::string> notes;
};

// Prompts come from `metadata` or metadata.jsonl beside the file. Where there are none, the name of an image
// stands for its prompt: 0001.png of one generator is compared with 0001.png of another.
Result<ReleasedAnnotations> read_released_annotations(const std::filesystem::path& path,
                                                      const std::filesystem::path& metadata);

}  // namespace awry::cli
