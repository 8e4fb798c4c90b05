// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/tgad/component_tags.h"

#include <fmt/format.h>

#include <algorithm>

#include "awry/base/json.h"
#include "awry/base/text.h"

namespace awry::benchmarks::tgad {

std::string name_of(const TagSet& tags) {
  return join(std::vector<std::string>(tags.begin(), tags.end()), "_");
}

Result<std::map<std::string, TagsByImage>> read_component_tags(const std::filesystem::path& path) {
  AWRY_TRY_ASSIGN(const Json json, read_json_file(path));
  const auto refuse = [&](std::string why) {
    return fail({.what = "cannot read component tags",
                 .input = path.string(),
                 .why = std::move(why),
                 .hint = R"(It should look like {"cable": {"bent_wire/000": ["cable2"]}}.)"});
  };
  if (!json.is_object()) return refuse("it is not an object");
  std::map<std::string, TagsByImage> classes;
  for (const auto& [name, images] : json.items()) {
    if (!images.is_object()) return refuse(fmt::format("class '{}' is not an object", name));
    TagsByImage& read = classes[name];
    for (const auto& [image, tags] : images.items()) {
      if (!tags.is_array()) return refuse(fmt::format("the tags of '{}' are not a list", image));
      TagSet& set = read[image];
      for (const Json& tag : tags) {
        if (!tag.is_string() || tag.get<std::string>().empty()) {
          return refuse(fmt::format("a tag of '{}' is not a name", image));
        }
        if (!set.insert(tag.get<std::string>()).second) {
          return refuse(fmt::format("'{}' has the tag '{}' twice", image, tag.get<std::string>()));
        }
      }
    }
  }
  return classes;
}

PartRole role_of(const TagSet& image, const TagSet& instructed) {
  if (image.empty()) return PartRole::kDefectFree;
  if (image == instructed) return PartRole::kAnomalous;
  const bool touches =
      std::ranges::any_of(image, [&](const std::string& tag) { return instructed.contains(tag); });
  return touches ? PartRole::kExcluded : PartRole::kIrrelevantDefect;
}

PartCounts count_roles(std::span<const TagSet> images, const TagSet& instructed) {
  PartCounts counts;
  for (const TagSet& image : images) {
    switch (role_of(image, instructed)) {
      case PartRole::kAnomalous:
        ++counts.anomalous;
        break;
      case PartRole::kDefectFree:
        ++counts.good;
        break;
      case PartRole::kIrrelevantDefect:
        ++counts.irrelevant;
        break;
      case PartRole::kExcluded:
        ++counts.excluded;
        break;
    }
  }
  return counts;
}

std::vector<TagSet> subclasses_of(std::span<const TagSet> images) {
  std::set<TagSet> met;
  for (const TagSet& image : images) {
    if (!image.empty()) met.insert(image);
  }
  std::vector<TagSet> subclasses(met.begin(), met.end());
  std::ranges::stable_sort(subclasses, {}, &TagSet::size);
  return subclasses;
}

}  // namespace awry::benchmarks::tgad
