// SPDX-License-Identifier: Apache-2.0
// Which parts of an object each defective test image touches, and the sets that follow for an instruction to
// look at some parts only.
//
// A tags file is JSON, for one class or several:
//   {"cable": {"bent_wire/000": ["cable2"], "cut_outer_insulation/003": ["cable1", "cable3"]}}
// Images are named as in TestImage::id. Every defective test image must be there with at least one tag; good
// images may be left out or have an empty list.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "awry/base/result.h"

namespace awry::benchmarks::tgad {

using TagSet = std::set<std::string>;
std::string name_of(const TagSet& tags);  // "cable1_cable3"

using TagsByImage = std::map<std::string, TagSet>;  // of one class
Result<std::map<std::string, TagsByImage>> read_component_tags(const std::filesystem::path& path);

// The role of an image under the instruction "inspect these parts".
enum class PartRole {
  kAnomalous,         // touches exactly these parts: A
  kDefectFree,        // no defect at all: N1, normal under EV1 and EV2
  kIrrelevantDefect,  // defects only elsewhere: N2, normal under EV2 only
  kExcluded,          // touches some of these parts and more, or fewer: no unambiguous label
};
PartRole role_of(const TagSet& image, const TagSet& instructed);

struct PartCounts {
  std::size_t anomalous = 0, good = 0, irrelevant = 0, excluded = 0;
  bool operator==(const PartCounts&) const = default;
};
PartCounts count_roles(std::span<const TagSet> images, const TagSet& instructed);

// The instructions worth asking: every set of tags that some image has exactly, fewest tags first.
std::vector<TagSet> subclasses_of(std::span<const TagSet> images);

}  // namespace awry::benchmarks::tgad
