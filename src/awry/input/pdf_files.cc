// SPDX-License-Identifier: Apache-2.0
#include "awry/input/pdf_files.h"

#include <algorithm>

#include "awry/base/text.h"

namespace awry::input {

namespace fs = std::filesystem;

bool is_named_like_a_pdf(const fs::path& path) {
  return equals_ignoring_case(path.extension().string(), ".pdf");
}

Result<std::vector<fs::path>> pdf_files(std::span<const std::string> paths) {
  std::vector<fs::path> files;
  for (const std::string& path : paths) {
    std::error_code error;
    if (fs::is_directory(path, error)) {
      std::vector<fs::path> found;
      auto entry =
          fs::recursive_directory_iterator(path, fs::directory_options::skip_permission_denied, error);
      for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
        if (entry->is_regular_file(error) && is_named_like_a_pdf(entry->path()))
          found.push_back(entry->path());
      }
      std::ranges::sort(found);
      files.insert(files.end(), found.begin(), found.end());
    } else if (fs::exists(path, error)) {
      files.emplace_back(path);
    } else {
      return fail({.kind = ErrorKind::kNotFound,
                   .what = "cannot find",
                   .input = path,
                   .why = "there is no such file or folder",
                   .hint = "Check the spelling; paths are relative to the current folder."});
    }
  }
  if (files.empty()) {
    return fail({.kind = ErrorKind::kNotFound,
                 .what = "no PDFs found in",
                 .input = paths.empty() ? "" : paths.front(),
                 .hint = "awry extract looks for files that end in .pdf."});
  }
  return files;
}

}  // namespace awry::input
