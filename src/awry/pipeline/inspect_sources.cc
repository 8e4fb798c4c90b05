// SPDX-License-Identifier: Apache-2.0
#include "awry/pipeline/inspect_sources.h"

#include <fmt/format.h>

#include <algorithm>

#include "awry/input/extraction.h"
#include "awry/input/image_files.h"
#include "awry/input/pdf_files.h"
#include "awry/pipeline/parallel.h"

namespace awry::pipeline {
namespace {

namespace fs = std::filesystem;

struct Paths {
  std::vector<std::string> images, pdfs;
};

// A folder may hold images, PDFs or both; one with neither is left to the search for images to complain
// about.
Paths sorted_out(std::span<const std::string> paths) {
  Paths sorted;
  for (const std::string& path : paths) {
    std::error_code ignored;
    if (!fs::is_directory(path, ignored)) {
      (input::is_named_like_a_pdf(path) ? sorted.pdfs : sorted.images).push_back(path);
      continue;
    }
    const bool has_pdfs = input::pdf_files(std::span(&path, 1)).has_value();
    if (has_pdfs) sorted.pdfs.push_back(path);
    if (!has_pdfs || input::samples_of_image_files(std::span(&path, 1))) sorted.images.push_back(path);
  }
  return sorted;
}

}  // namespace

Result<InspectSources> gather_inspect_sources(std::span<const std::string> paths, const fs::path& scratch,
                                              const InspectOptions& options) {
  InspectSources sources;
  const Paths sorted = sorted_out(paths);
  if (!sorted.images.empty()) {
    AWRY_TRY_ASSIGN(sources.panels, input::samples_of_image_files(sorted.images));
  }
  if (sorted.pdfs.empty()) return sources;
  AWRY_TRY_ASSIGN(const std::vector<fs::path> pdfs, input::pdf_files(sorted.pdfs));
  std::vector<std::optional<Result<input::ExtractedPaper>>> papers(pdfs.size());
  Progress progress("extracting", pdfs.size(), options.progress);
  for_each_index(pdfs.size(), {.threads = options.threads, .progress = &progress, .cancel = options.cancel},
                 [&](std::size_t i) {
                   papers[i] = input::extract_paper(pdfs[i], scratch / fmt::format("{}", i),
                                                    {.cancel = options.cancel});
                 });
  progress.finish();
  for (std::size_t i = 0; i < pdfs.size(); ++i) {
    if (!papers[i]) continue;
    if (!*papers[i]) {
      sources.unreadable.push_back({.sample = {.id = pdfs[i].string()}, .error = papers[i]->error()});
      continue;
    }
    ++sources.papers;
    std::ranges::move(input::panel_samples(**papers[i]), std::back_inserter(sources.panels));
    std::ranges::move(input::figure_samples(**papers[i]), std::back_inserter(sources.figures));
  }
  return sources;
}

}  // namespace awry::pipeline
