// SPDX-License-Identifier: Apache-2.0
// The truth on disk: the test images of each class and where their masks are, from MVTec AD, MVTec LOCO and
// VisA trees. Only names are read here, no pixels.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "awry/base/result.h"

namespace awry::benchmarks::tgad {

enum class TreeKind { kMvtec, kLoco, kVisa };
std::string_view name_of(TreeKind kind);  // "mvtec"

inline constexpr std::string_view kGood = "good";

struct TestImage {
  std::string id;      // its defect folder and name without ending: "crack/003". Maps are found by it.
  std::string defect;  // "crack", or kGood; of VisA kGood or "anomaly"
  std::filesystem::path image;
  std::vector<std::filesystem::path> masks;  // none for a good image; of LOCO one for each defect

  bool anomalous() const { return defect != kGood; }
};

// LOCO: how much of a defect must be covered before it counts as found.
struct Saturation {
  std::string defect;   // "missing_bottle"
  int pixel_value = 0;  // of this kind of defect in the masks
  double threshold = 0;
  bool relative = false;  // the threshold is a share of the defect's area rather than a number of pixels
};

struct TestSet {
  std::string name;  // of the class: "cable"
  TreeKind kind = TreeKind::kMvtec;
  std::vector<TestImage> images;  // sorted by id
  std::vector<Saturation> saturations;
  std::vector<std::string> notes;
};

// `truth` is a class folder, a folder of classes, or VisA's root (the folder of split_csv/). Fails where an
// image has no mask or two, where two images share an id, and where there is nothing to test.
Result<std::vector<TestSet>> find_test_sets(const std::filesystem::path& truth);

// Whether a file's ending is that of a picture: png, jpg, tiff and the like, in any case.
bool has_picture_ending(const std::filesystem::path& path);

}  // namespace awry::benchmarks::tgad
