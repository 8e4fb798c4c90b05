// SPDX-License-Identifier: Apache-2.0
// Set-of-marks from an inspector: what it finds becomes the numbered boxes that a model is shown.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "awry/base/cancel.h"
#include "awry/base/result.h"
#include "awry/records/sample.h"

namespace awry::pipeline {

struct MarksOptions {
  std::string inspector = "forensics";
  std::filesystem::path folder;  // keeps the file of marks
  int threads = 1;
  int most_per_image = 12;  // the surest ones: more numbers than that hide the picture
  const CancelToken* cancel = nullptr;
};

// Writes {"id": ..., "boxes": [[x1, y1, x2, y2], ...]} for each sample's first image and returns the file:
// what CAVE's option marks=FILE reads. Boxes around masks, as they are where the finding is a box; findings
// about whole images draw none. Fails, naming it, when an image cannot be read.
Result<std::filesystem::path> write_inspector_marks(std::span<const Sample> samples,
                                                    const MarksOptions& options);

}  // namespace awry::pipeline
