// SPDX-License-Identifier: Apache-2.0
#include "awry/score/map_scores.h"

#include <fmt/format.h>

#include <algorithm>
#include <bitset>
#include <cmath>
#include <functional>
#include <limits>

#include "awry/score/pro.h"
#include "awry/score/pro_regions.h"
#include "awry/score/roc.h"
#include "awry/score/score_counts.h"

namespace awry::score {
namespace {

constexpr std::uint32_t kLargestRegion = 0x7FFF'FFFFU;  // so that a flag fits beside it

// What one pixel of a region adds to AUPRO and P-AUROC, or one of a marked defect to AU-sPRO.
struct DefectPixel {
  std::uint32_t key = 0;
  std::uint32_t region_size : 31 = 0;  // or the area at which a marked defect saturates
  std::uint32_t is_marked : 1 = 0;
};

Result<void> check_shape(const ScoredMap& map) {
  const auto pixels = static_cast<std::uint64_t>(std::max(map.width, 0)) * std::max(map.height, 0);
  if (pixels == 0 || pixels != map.scores.size()) {
    return fail({.what = "cannot score map",
                 .input = map.name,
                 .why = fmt::format("{}x{} pixels are declared, but it holds {} scores", map.width,
                                    map.height, map.scores.size())});
  }
  if (pixels > kLargestRegion) {
    return fail({.kind = ErrorKind::kLimit,
                 .what = "cannot score map",
                 .input = map.name,
                 .why = fmt::format("{}x{} is more than 2^31 pixels", map.width, map.height)});
  }
  if (map.image_score && std::isnan(*map.image_score)) {
    return fail({.what = "cannot score map", .input = map.name, .why = "its image score is not a number"});
  }
  if (map.mask.empty()) return {};
  if (map.mask_width != map.width || map.mask_height != map.height || map.mask.size() != pixels) {
    return fail({.what = "cannot score map",
                 .input = map.name,
                 .why = fmt::format("the map is {}x{}, but its mask is {}x{}", map.width, map.height,
                                    map.mask_width, map.mask_height),
                 .hint = "Resize the maps to the size of the masks."});
  }
  for (const MarkedDefect& defect : map.defects) {
    const auto size = defect.mask.size() - std::ranges::count(defect.mask, 0);
    if (defect.mask.size() != pixels || defect.saturation_area == 0 || defect.saturation_area > size) {
      return fail({.what = "cannot score map",
                   .input = map.name,
                   .why = fmt::format("one of its defects marks {} of {} pixels and saturates at {}", size,
                                      defect.mask.size(), defect.saturation_area)});
    }
  }
  return {};
}

// The keys of all scores. A score that cannot be ordered would move every number silently, so it stops here.
Result<void> to_keys(const ScoredMap& map, std::vector<std::uint32_t>& keys) {
  constexpr std::uint32_t kExponent = 0x7F80'0000U;
  keys.resize(map.scores.size());
  std::uint32_t unordered = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const float score = map.scores[i];
    unordered |= static_cast<std::uint32_t>((std::bit_cast<std::uint32_t>(score) & kExponent) == kExponent);
    keys[i] = score_key(score);
  }
  if (unordered == 0) return {};
  const auto bad = std::ranges::find_if_not(map.scores, [](float score) { return std::isfinite(score); });
  const auto index = static_cast<std::size_t>(bad - map.scores.begin());
  return fail({.what = "cannot score map",
               .input = map.name,
               .why = fmt::format("pixel x={}, y={} is {}", index % map.width, index / map.width, *bad),
               .hint = "Every score must be a finite number."});
}

// One evaluation: what the readings over the source gather.
class MapScorer {
 public:
  MapScorer(MapSource& source, const MapScoreOptions& options) : source_(source), options_(options) {}

  Result<MapScores> run() {
    ScoreCounts normals({.memory_limit = counts_limit()});
    AWRY_TRY(read_first_time(normals));
    score_images();
    if (pixel_metrics_are_defined()) {
      AWRY_TRY(rank_defects(normals));
      AWRY_TRY(rank_what_was_given_up(normals.lowest_held()));
      result_.p_auroc = share(area_below_, result_.anomalous_pixels, 1);
      result_.au_pro = share(covered_, result_.regions, options_.pro_limit);
      if (all_are_marked_) {
        result_.au_spro = share(marked_covered_, result_.marked_defects, options_.pro_limit);
      }
    }
    return std::move(result_);
  }

 private:
  static double share(long double sum, std::uint64_t count, double limit) {
    return std::min(1.0, static_cast<double>(sum / (static_cast<long double>(count) * limit)));
  }

  // Defect pixels are kept from the first reading while they fit a quarter of the memory.
  std::size_t defects_limit() const { return options_.memory_limit / 4 / sizeof(DefectPixel); }
  std::size_t counts_limit() const { return options_.memory_limit / 4 * 3; }

  Result<ScoredMap> read(std::size_t index) {
    AWRY_TRY_ASSIGN(ScoredMap map, source_.read(index));
    AWRY_TRY(check_shape(map));
    AWRY_TRY(to_keys(map, keys_));
    return map;
  }

  // Hands out the keys of the map just read: stretches between the runs of defects, and those of defects
  // together with what each of them adds (a DefectPixel whose key is left open).
  template <class OnNormal, class OnDefect>
  void split_pixels(const ScoredMap& map, const Regions& regions, OnNormal&& on_normal,
                    OnDefect&& on_defect) {
    const std::span<const std::uint32_t> keys(keys_);
    std::uint32_t at = 0;
    for (const RegionRun& run : regions.runs) {
      if (run.begin > at) on_normal(keys.subspan(at, run.begin - at));
      on_defect(keys.subspan(run.begin, run.end - run.begin),
                DefectPixel{.region_size = regions.sizes[run.region] & kLargestRegion});
      at = run.end;
    }
    on_normal(keys.subspan(at));
    for (const MarkedDefect& defect : map.defects) {
      // min(covered / s, 1) grows with the s highest pixels of the defect and with no other.
      marked_keys_.clear();
      for (std::size_t i = 0; i < keys.size(); ++i) {
        if (defect.mask[i] != 0) marked_keys_.push_back(keys[i]);
      }
      std::ranges::nth_element(marked_keys_, marked_keys_.begin() + (defect.saturation_area - 1),
                               std::greater<>());
      marked_keys_.resize(defect.saturation_area);
      on_defect(std::span<const std::uint32_t>(marked_keys_),
                DefectPixel{.region_size = defect.saturation_area & kLargestRegion, .is_marked = 1});
    }
  }

  static Regions regions_of(const ScoredMap& map) {
    return map.mask.empty() ? Regions{} : find_regions(map.mask, map.width, map.height);
  }

  Result<void> read_first_time(ScoreCounts& normals) {
    ++result_.readings;
    for (std::size_t i = 0; i < source_.size(); ++i) {
      AWRY_TRY_ASSIGN(const ScoredMap map, read(i));
      const Regions regions = regions_of(map);
      note_image(map, regions);
      if (!map.in_pixel_metrics) continue;
      result_.regions += regions.sizes.size();
      result_.marked_defects += map.defects.size();
      all_are_marked_ &= map.defects.empty() == regions.sizes.empty();
      split_pixels(
          map, regions, [&](std::span<const std::uint32_t> keys) { normals.add(keys); },
          [&](std::span<const std::uint32_t> keys, DefectPixel pixel) { note_defect(keys, pixel); });
    }
    normals.finish();
    result_.normal_pixels = normals.total();
    return {};
  }

  void note_image(const ScoredMap& map, const Regions& regions) {
    const bool anomalous = map.anomalous.value_or(!regions.sizes.empty());
    std::uint32_t maximum = 0;
    for (const std::uint32_t key : keys_) maximum = std::max(maximum, key);
    result_.image_scores.push_back(map.image_score.value_or(score_of_key(maximum)));
    result_.image_labels.push_back(anomalous ? 1 : 0);
    result_.images += 1;
    result_.anomalous_images += anomalous ? 1 : 0;
  }

  void note_defect(std::span<const std::uint32_t> keys, DefectPixel pixel) {
    if (!pixel.is_marked) result_.anomalous_pixels += keys.size();
    for (const std::uint32_t key : keys) defect_buckets_.set(key >> 16);
    if (!defects_are_kept_) return;
    if (defects_.size() + keys.size() > defects_limit()) {
      defects_are_kept_ = false;
      defects_ = {};
      return;
    }
    for (const std::uint32_t key : keys) {
      pixel.key = key;
      defects_.push_back(pixel);
    }
  }

  void score_images() {
    const auto area = auroc(result_.image_scores, result_.image_labels);
    if (area) {
      result_.i_auroc = *area;
    } else {
      result_.notes.push_back(fmt::format("i_auroc is undefined: {} of {} images are anomalous",
                                          result_.anomalous_images, result_.images));
    }
  }

  bool pixel_metrics_are_defined() {
    if (result_.anomalous_pixels != 0 && result_.normal_pixels != 0) return true;
    result_.notes.push_back(fmt::format(
        "p_auroc and au_pro are undefined: {}",
        result_.anomalous_pixels == 0 ? "no mask marks a pixel" : "no pixel is outside the masks"));
    return false;
  }

  void rank_defect(const ScoreCounts& normals, DefectPixel pixel) {
    if (!normals.holds(pixel.key)) return;
    const NormalRank rank = normals.rank(pixel.key);
    const double lift = covered_width(rank, normals.total(), options_.pro_limit) / pixel.region_size;
    if (pixel.is_marked) {
      marked_covered_ += lift;
    } else {
      covered_ += lift;
      area_below_ += covered_width(rank, normals.total(), 1);
    }
  }

  Result<void> rank_defects(const ScoreCounts& normals) {
    for (const DefectPixel pixel : defects_) rank_defect(normals, pixel);
    if (defects_are_kept_) return {};
    ++result_.readings;
    for (std::size_t i = 0; i < source_.size(); ++i) {
      AWRY_TRY_ASSIGN(const ScoredMap map, read(i));
      if (!map.in_pixel_metrics) continue;
      split_pixels(
          map, regions_of(map), [](std::span<const std::uint32_t>) {},
          [&](std::span<const std::uint32_t> keys, DefectPixel pixel) {
            for (const std::uint32_t key : keys) {
              pixel.key = key;
              rank_defect(normals, pixel);
            }
          });
    }
    return {};
  }

  // More readings for the scores whose exact counts did not fit, from the highest downwards.
  Result<void> rank_what_was_given_up(std::uint32_t lowest_held) {
    while (true) {
      std::uint32_t below = lowest_held;
      while (below > 0 && !defect_buckets_[below - 1]) --below;
      if (below == 0) return {};

      ScoreCounts normals({.memory_limit = counts_limit(), .highest_bucket = below - 1});
      ++result_.readings;
      for (std::size_t i = 0; i < source_.size(); ++i) {
        AWRY_TRY_ASSIGN(const ScoredMap map, read(i));
        if (!map.in_pixel_metrics) continue;
        split_pixels(
            map, regions_of(map), [&](std::span<const std::uint32_t> keys) { normals.add(keys); },
            [](std::span<const std::uint32_t>, DefectPixel) {});
      }
      normals.finish();
      if (normals.total() != result_.normal_pixels) {
        return fail({.what = "cannot score maps", .why = "the maps or masks changed while they were read"});
      }
      AWRY_TRY(rank_defects(normals));
      lowest_held = normals.lowest_held();
    }
  }

  MapSource& source_;
  MapScoreOptions options_;
  MapScores result_;
  std::vector<std::uint32_t> keys_;         // of the map just read
  std::vector<std::uint32_t> marked_keys_;  // of one of its defects
  std::vector<DefectPixel> defects_;
  bool defects_are_kept_ = true;
  bool all_are_marked_ = true;  // every mask came with its defects
  std::bitset<65'536> defect_buckets_;
  // Extended, because millions of small terms would otherwise drift past 1.
  long double covered_ = 0;  // sum over defect pixels of covered width / region size
  long double marked_covered_ =
      0;                        // the same over the highest pixels of marked defects / their saturation area
  long double area_below_ = 0;  // sum over defect pixels of the share of normal pixels below
};

}  // namespace

Result<MapScores> score_maps(MapSource& source, const MapScoreOptions& options) {
  if (!(options.pro_limit > 0 && options.pro_limit <= 1)) {
    return fail({.kind = ErrorKind::kUsage,
                 .what = "cannot compute AUPRO",
                 .why = fmt::format("the FPR limit {} is outside (0, 1]", options.pro_limit)});
  }
  return MapScorer(source, options).run();
}

}  // namespace awry::score
