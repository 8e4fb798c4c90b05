// SPDX-License-Identifier: Apache-2.0
// I-AUROC, P-AUROC and AUPRO of a class, exactly as the official MVTec evaluation defines them, over a
// source of (score map, mask) pairs that need not fit in memory.
//
// Maps are read one at a time, normally once each. Only when the scores spread over so many distinct values
// that counting them exactly would pass the memory limit are the maps read again, a range of scores at a
// time; the number of readings is bounded by the range of a float, never by the number of images.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "awry/base/result.h"

namespace awry::score {

// A defect that counts as one region whatever its pieces, and as fully found once this many of its pixels
// are covered: MVTec LOCO, where a missing part could lie in several places. PRO of such regions is sPRO.
struct MarkedDefect {
  std::span<const std::uint8_t> mask;  // of the map's size; != 0 marks the defect
  std::uint32_t saturation_area = 0;   // in pixels; from 1 to the size of the defect
};

// One test image. The spans are row by row from the top left.
struct ScoredMap {
  std::string name;  // for messages: the map's path
  int width = 0, height = 0;
  std::span<const float> scores;
  // != 0 marks a defect; empty when the image has none. Otherwise it must have the size of the map.
  int mask_width = 0, mask_height = 0;
  std::span<const std::uint8_t> mask;
  // The defects one by one, for AU-sPRO; they may overlap, and the mask must be their union. AUPRO goes by
  // the connected regions of the mask all the same.
  std::span<const MarkedDefect> defects;
  // The label for I-AUROC; when absent, an image is anomalous if its mask marks a pixel.
  std::optional<bool> anomalous;
  // The score for I-AUROC; when absent, the maximum of the map.
  std::optional<double> image_score;
  // Whether its pixels count for P-AUROC and AUPRO. TGAD compares pixels within its anomalous set only.
  bool in_pixel_metrics = true;
};

// Gives the maps of one class, each as often as asked, always the same.
class MapSource {
 public:
  virtual ~MapSource() = default;
  virtual std::size_t size() const = 0;
  // What the spans point to lives until the next read.
  virtual Result<ScoredMap> read(std::size_t index) = 0;
};

struct MapScoreOptions {
  double pro_limit = 0.3;  // integrate PRO up to this FPR; in (0, 1]
  std::size_t memory_limit = std::size_t{640}
                             << 20;  // for counts and defect pixels, without the source's own
};

struct MapScores {
  // Absent where undefined; `notes` then says why ("p_auroc is undefined: no mask marks a pixel").
  std::optional<double> i_auroc, p_auroc, au_pro;
  std::optional<double> au_spro;  // only where every mask comes with its defects
  std::vector<std::string> notes;

  std::size_t images = 0, anomalous_images = 0;
  std::uint64_t normal_pixels = 0, anomalous_pixels = 0, regions = 0, marked_defects = 0;
  std::size_t readings = 0;  // how often the source was read through

  std::vector<double> image_scores;        // one per image, in the order of the source
  std::vector<std::uint8_t> image_labels;  // 1 = anomalous
};

// Fails on a NaN or infinite score (naming map and pixel), on a mask of another size than its map, on a
// limit outside (0, 1], and on whatever the source fails on.
Result<MapScores> score_maps(MapSource& source, const MapScoreOptions& options = {});

}  // namespace awry::score
