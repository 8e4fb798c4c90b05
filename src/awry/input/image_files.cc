// SPDX-License-Identifier: Apache-2.0
#include "awry/input/image_files.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "awry/base/text.h"
#include "awry/input/files_at.h"

namespace awry::input {
namespace {

namespace fs = std::filesystem;

// A figure that `awry extract` wrote stands beside its panels, and these show all of it.
bool has_panels_beside(const fs::path& file) {
  std::error_code ignored;
  return file.filename() == "figure.png" && fs::exists(file.parent_path() / "figure.json", ignored) &&
         fs::exists(file.parent_path() / "panel-1.png", ignored);
}

// What `awry paint` wrote to show all its panels at a glance shows nothing of its own.
bool is_contact_sheet(const fs::path& file) {
  std::error_code ignored;
  return file.filename() == "contact.png" && fs::exists(file.parent_path() / "panels.jsonl", ignored);
}

}  // namespace

bool is_named_like_an_image(const fs::path& path) {
  static constexpr std::array<std::string_view, 7> kEndings = {".png",  ".jpg",  ".jpeg", ".tif",
                                                               ".tiff", ".webp", ".bmp"};
  return std::ranges::find(kEndings, to_lower_ascii(path.extension().string())) != kEndings.end();
}

Result<std::vector<Sample>> samples_of_image_files(std::span<const std::string> paths) {
  AWRY_TRY_ASSIGN(const std::vector<fs::path> files, files_at(paths, [](const fs::path& file) {
                    return is_named_like_an_image(file) && !has_panels_beside(file) &&
                           !is_contact_sheet(file);
                  }));
  if (files.empty()) {
    return fail({.kind = ErrorKind::kNotFound,
                 .what = "no images found in",
                 .input = paths.empty() ? "" : paths.front(),
                 .hint = "awry looks for .png, .jpg, .tif, .webp and .bmp files."});
  }

  std::vector<Sample> samples;
  std::set<std::string> seen;
  for (const fs::path& file : files) {
    std::error_code ignored;
    const fs::path canonical = fs::weakly_canonical(file, ignored);
    if (!seen.insert(canonical.string()).second) continue;
    Sample sample{.id = file.string()};
    sample.images.push_back({.path = file.string()});
    samples.push_back(std::move(sample));
  }
  return samples;
}

}  // namespace awry::input
