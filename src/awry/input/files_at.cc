// SPDX-License-Identifier: Apache-2.0
#include "awry/input/files_at.h"

#include <algorithm>

namespace awry::input {
namespace {

namespace fs = std::filesystem;

Result<std::vector<fs::path>> files_in(const fs::path& folder,
                                       const std::function<bool(const fs::path&)>& is_wanted) {
  std::error_code error;
  std::vector<fs::path> found;
  auto entry = fs::recursive_directory_iterator(folder, fs::directory_options::skip_permission_denied, error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    if (entry->is_regular_file(error) && is_wanted(entry->path())) found.push_back(entry->path());
  }
  if (error) {
    return fail({.kind = ErrorKind::kIo,
                 .what = "cannot list folder",
                 .input = folder.string(),
                 .why = error.message()});
  }
  std::ranges::sort(found);
  return found;
}

}  // namespace

Result<std::vector<fs::path>> files_at(std::span<const std::string> paths,
                                       const std::function<bool(const fs::path&)>& is_wanted) {
  std::vector<fs::path> files;
  for (const std::string& path : paths) {
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) {
      AWRY_TRY_ASSIGN(const std::vector<fs::path> found, files_in(path, is_wanted));
      files.insert(files.end(), found.begin(), found.end());
    } else if (fs::exists(path, ignored)) {
      files.emplace_back(path);
    } else {
      return fail({.kind = ErrorKind::kNotFound,
                   .what = "cannot find",
                   .input = path,
                   .why = "there is no such file or folder",
                   .hint = "Check the spelling; paths are relative to the current folder."});
    }
  }
  return files;
}

}  // namespace awry::input
