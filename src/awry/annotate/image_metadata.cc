// SPDX-License-Identifier: Apache-2.0
#include "awry/annotate/image_metadata.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "awry/base/files.h"
#include "awry/base/json.h"
#include "awry/base/text.h"

namespace awry::annotate {
namespace {

namespace fs = std::filesystem;

using Attributes = std::map<std::string, std::string>;

fs::path plain(const fs::path& path) {
  std::error_code ignored;
  return fs::weakly_canonical(path, ignored);
}

Result<void> read_lines(const fs::path& file, std::map<std::string, Attributes>& by_path) {
  AWRY_TRY_ASSIGN(const std::string text, read_file(file));
  std::size_t number = 0;
  for (const std::string_view line : split_lines(text)) {
    ++number;
    if (trim(line).empty()) continue;
    const std::string place = fmt::format("{}:{}", file.string(), number);
    AWRY_TRY_ASSIGN(const Json json, parse_json(line, place));
    const auto name = json.find("file_name");
    if (!json.is_object() || name == json.end() || !name->is_string()) {
      return fail(
          {.what = "cannot read metadata",
           .input = place,
           .why = "it has no text 'file_name'",
           .hint = R"(Write lines like {"file_name": "cat.png", "prompt": "...", "generator": "..."}.)"});
    }
    Attributes& attributes = by_path[plain(file.parent_path() / name->get<std::string>()).string()];
    for (const auto& [key, value] : json.items()) {
      if (key != "file_name" && value.is_string()) attributes[key] = value.get<std::string>();
    }
  }
  return {};
}

// Hugging Face's image folders have one file above their subfolders; the nearest counts.
fs::path file_for(const fs::path& image) {
  constexpr int kLevels = 4;
  fs::path folder = image.parent_path();
  for (int level = 0; level < kLevels; ++level) {
    std::error_code ignored;
    if (fs::path file = folder / "metadata.jsonl"; fs::exists(file, ignored)) return file;
    if (folder.empty() || folder == folder.parent_path()) break;
    folder = folder.parent_path();
  }
  return {};
}

void add_source_from_path(Sample& sample) {
  if (sample.attributes.contains(kSource)) return;
  for (const fs::path& part : fs::path(sample.images.front().path)) {
    if (part == "1_fake") sample.attributes[kSource] = "generated";
    if (part == "0_real") sample.attributes[kSource] = "real";
  }
}

}  // namespace

std::string_view attribute(const Sample& sample, const char* name) {
  const auto found = sample.attributes.find(name);
  return found == sample.attributes.end() ? std::string_view() : std::string_view(found->second);
}

Result<void> add_metadata(std::span<Sample> samples, const fs::path& file) {
  std::map<std::string, Attributes> by_path;
  std::set<fs::path> read;
  if (!file.empty()) AWRY_TRY(read_lines(file, by_path));
  for (Sample& sample : samples) {
    if (sample.images.empty()) continue;
    const fs::path path = sample.images.front().path;
    if (const fs::path near = file.empty() ? file_for(path) : fs::path();
        !near.empty() && read.insert(near).second) {
      AWRY_TRY(read_lines(near, by_path));
    }
    if (const auto found = by_path.find(plain(path).string()); found != by_path.end()) {
      for (const auto& [key, value] : found->second) sample.attributes.insert_or_assign(key, value);
    }
    add_source_from_path(sample);
  }
  return {};
}

}  // namespace awry::annotate
