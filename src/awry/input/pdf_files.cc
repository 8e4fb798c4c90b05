// SPDX-License-Identifier: Apache-2.0
#include "awry/input/pdf_files.h"

#include "awry/base/text.h"
#include "awry/input/files_at.h"

namespace awry::input {

namespace fs = std::filesystem;

bool is_named_like_a_pdf(const fs::path& path) {
  return equals_ignoring_case(path.extension().string(), ".pdf");
}

Result<std::vector<fs::path>> pdf_files(std::span<const std::string> paths) {
  AWRY_TRY_ASSIGN(std::vector<fs::path> files, files_at(paths, is_named_like_a_pdf));
  if (files.empty()) {
    return fail({.kind = ErrorKind::kNotFound,
                 .what = "no PDFs found in",
                 .input = paths.empty() ? "" : paths.front(),
                 .hint = "awry extract looks for files that end in .pdf."});
  }
  return files;
}

}  // namespace awry::input
