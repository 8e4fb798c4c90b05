// SPDX-License-Identifier: Apache-2.0
// Images, folders and PDFs on the command line -> what is inspected: panels by themselves, figures with their
// words.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "awry/pipeline/inspect_images.h"

namespace awry::pipeline {

struct InspectSources {
  std::vector<Sample> panels;              // images, and the panels of papers
  std::vector<Sample> figures;             // of papers, with caption and sentences
  std::vector<InspectedImage> unreadable;  // PDFs that could not be read
  std::size_t papers = 0;
};

// Figures are written into `scratch`, which must outlive whatever looks at the samples. A PDF that cannot be
// read does not stop the rest; a path that leads to nothing does.
Result<InspectSources> gather_inspect_sources(std::span<const std::string> paths,
                                              const std::filesystem::path& scratch,
                                              const InspectOptions& options);

}  // namespace awry::pipeline
