// SPDX-License-Identifier: Apache-2.0
// Score maps on disk, paired with the truth by relative path and read one image at a time.
//
// A map is <maps>/<class>/test/<defect>/<image>.tiff, as the official MVTec evaluation has it; the class and
// "test" may be left out where `maps` is already the folder of that class. Float TIFF, 16-bit and 8-bit PNG
// are read, each number as stored.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "awry/base/result.h"
#include "awry/benchmarks/tgad/test_set.h"
#include "awry/imaging/image.h"
#include "awry/imaging/mask.h"
#include "awry/score/map_scores.h"

namespace awry::benchmarks::tgad {

struct MapPair {
  TestImage truth;
  std::filesystem::path map;
};

struct PairedMaps {
  TestSet set;
  std::vector<MapPair> pairs;      // in the order of the set
  std::vector<std::string> notes;  // maps that belong to no test image
};

// Fails where the maps of the class are not found, where an image has no map (naming the first and how many
// there are), and where it has two.
Result<PairedMaps> find_map_pairs(const TestSet& set, const std::filesystem::path& maps_folder);
// Every class of the truth.
Result<std::vector<PairedMaps>> find_map_pairs(const std::filesystem::path& truth_folder,
                                               const std::filesystem::path& maps_folder);

// How one pair enters the metrics, where a protocol does not go by its folder alone.
struct MapUse {
  std::size_t pair = 0;
  bool anomalous = false;
  bool in_pixel_metrics = true;
};

// Fails, when read, on maps and masks that cannot be decoded, on a map of another size than its mask, and on
// a good image's map of another size than the image (as long as the other masks have the size of their
// images: whoever resized the masks has resized the maps). Holds the pixels of one image.
class FolderMaps : public score::MapSource {
 public:
  explicit FolderMaps(const PairedMaps& maps);  // all, each as its folder says
  FolderMaps(const PairedMaps& maps, std::vector<MapUse> uses);

  std::size_t size() const override { return uses_.size(); }
  Result<score::ScoredMap> read(std::size_t index) override;

  // Images read so far that are anomalous but whose mask marks nothing.
  std::size_t empty_masks() const { return empty_masks_.size(); }

 private:
  Result<void> read_masks(const MapPair& pair);
  Result<void> read_marked_defect(const std::filesystem::path& path);
  Result<void> check_size(const MapPair& pair) const;

  const PairedMaps& maps_;
  std::vector<MapUse> uses_;
  bool truth_has_image_size_ = false;
  std::set<std::size_t> empty_masks_;  // by index
  imaging::FloatMap map_;
  imaging::Bitmap mask_;
  std::filesystem::path mask_path_;
  std::vector<imaging::Bitmap> defect_masks_;
  std::vector<score::MarkedDefect> defects_;
};

}  // namespace awry::benchmarks::tgad
