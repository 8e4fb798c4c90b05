// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/forensics/splicing.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <vector>

#include "awry/inspectors/forensics/false_alarms.h"
#include "awry/inspectors/forensics/noise_level.h"
#include "awry/inspectors/forensics/working_image.h"

namespace awry::inspectors::forensics {
namespace {

constexpr int kBlock = 8;            // pixels a side
constexpr int kBrightnessBins = 16;
constexpr int kMinBlocksPerBin = 24;
constexpr double kFarOff = 2.5;      // robust deviations
constexpr double kLeastSpread = 0.12;  // of the natural logarithm: finer differences are not trusted

// One value a block; blocks that were drawn, clipped or crowded with edges say nothing about noise.
struct Blocks {
  cv::Mat1f deviation;  // of log noise from what this brightness usually shows, in robust deviations
  cv::Mat1b known;
  double ratio_of(const cv::Mat1b& region) const;
  cv::Mat1f log_ratio;
};

float median_of(std::vector<float> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

double Blocks::ratio_of(const cv::Mat1b& region) const {
  std::vector<float> inside;
  for (int y = 0; y < region.rows; ++y) {
    for (int x = 0; x < region.cols; ++x) {
      if (region(y, x) && known(y, x)) inside.push_back(log_ratio(y, x));
    }
  }
  return inside.empty() ? 1 : std::exp(median_of(inside));
}

Blocks measure_blocks(const cv::Mat& grey) {
  const int columns = grey.cols / kBlock, rows = grey.rows / kBlock;
  Blocks blocks{.deviation = cv::Mat1f(rows, columns, 0.f),
                .known = cv::Mat1b(rows, columns, std::uint8_t{0}),
                .log_ratio = cv::Mat1f(rows, columns, 0.f)};
  const cv::Mat noise = noise_level(grey, 2 * kBlock + 1), drawn = drawn_areas(grey);
  cv::Mat smooth, structure;
  cv::GaussianBlur(grey, smooth, {}, 4);
  // Structure coarser than noise: where it is strong, its finest part would be counted as noise.
  structure = local_median_magnitude(band_pass(grey, 1.5, 4), 2 * kBlock + 1);

  std::array<std::vector<float>, kBrightnessBins> bins;
  const auto at = [](int index) { return index * kBlock + kBlock / 2; };
  const auto bin_of = [&](int x, int y) {
    return std::clamp(static_cast<int>(smooth.at<float>(at(y), at(x)) * kBrightnessBins / 256), 0,
                      kBrightnessBins - 1);
  };
  for (int y = 0; y < rows; ++y) {
    for (int x = 0; x < columns; ++x) {
      const float level = noise.at<float>(at(y), at(x)), brightness = smooth.at<float>(at(y), at(x));
      const bool clipped = brightness < 3 || brightness > 252;
      if (level < kLeastNoise || clipped || drawn.at<std::uint8_t>(at(y), at(x)) ||
          structure.at<float>(at(y), at(x)) > 1.2f * level) {
        continue;
      }
      blocks.known(y, x) = 255;
      bins[static_cast<std::size_t>(bin_of(x, y))].push_back(std::log(level));
    }
  }
  std::array<float, kBrightnessBins> usual{};
  for (std::size_t i = 0; i < bins.size(); ++i) {
    if (bins[i].size() >= kMinBlocksPerBin) usual[i] = median_of(bins[i]);
  }
  std::vector<float> spread;
  for (int y = 0; y < rows; ++y) {
    for (int x = 0; x < columns; ++x) {
      const auto bin = static_cast<std::size_t>(bin_of(x, y));
      if (bins[bin].size() < kMinBlocksPerBin) blocks.known(y, x) = 0;
      if (!blocks.known(y, x)) continue;
      blocks.log_ratio(y, x) = std::log(noise.at<float>(at(y), at(x))) - usual[bin];
      spread.push_back(std::abs(blocks.log_ratio(y, x)));
    }
  }
  if (spread.empty()) return blocks;
  const double unit = std::max(kLeastSpread, 1.4826 * median_of(spread));
  blocks.deviation = blocks.log_ratio / unit;
  return blocks;
}

struct Region {
  cv::Mat1b blocks;
  double log10_alarms = 0;
  double far_off = 0, known = 0;  // blocks
  double noise_ratio = 1;
};

// Windows of the noise level overlap: four neighbouring blocks are about one observation.
constexpr double kBlocksPerObservation = 4;

std::vector<Region> find_regions(const Blocks& blocks, const SplicingOptions& options) {
  std::vector<Region> regions;
  const double all_known = cv::countNonZero(blocks.known), all = static_cast<double>(blocks.known.total());
  for (const int sign : {-1, 1}) {
    cv::Mat1b far = (blocks.deviation * sign > kFarOff) & blocks.known, places;
    cv::morphologyEx(far, places, cv::MORPH_CLOSE, cv::Mat::ones(3, 3, CV_8U));
    cv::morphologyEx(places, places, cv::MORPH_OPEN, cv::Mat::ones(3, 3, CV_8U));
    cv::Mat1i labels;
    const int count = cv::connectedComponents(places, labels, 4);
    for (int label = 1; label < count; ++label) {
      Region region{.blocks = labels == label};
      const double area = cv::countNonZero(region.blocks);
      if (area < options.min_area * all || area > options.max_area * all) continue;
      region.known = cv::countNonZero(region.blocks & blocks.known);
      region.far_off = cv::countNonZero(region.blocks & far);
      // What the rest of the image does by itself is what chance is granted, twice over.
      const double elsewhere = (cv::countNonZero(far) - region.far_off) / std::max(1.0, all_known - region.known);
      const double chance = std::clamp(2 * elsewhere, 0.05, 0.9);
      region.log10_alarms = log10_binomial_tail(region.known / kBlocksPerObservation,
                                                region.far_off / kBlocksPerObservation, chance) +
                            2 * std::log10(all);  // rectangles' worth of places to have looked at
      region.noise_ratio = blocks.ratio_of(region.blocks);
      regions.push_back(std::move(region));
    }
  }
  std::stable_sort(regions.begin(), regions.end(),
                   [](const Region& a, const Region& b) { return a.log10_alarms < b.log10_alarms; });
  return regions;
}

Finding report(const Region& region, const WorkingImage& image) {
  cv::Mat grown, mask = cv::Mat::zeros(image.grey.size(), CV_8U);
  const cv::Rect inside(0, 0, region.blocks.cols * kBlock, region.blocks.rows * kBlock);
  cv::resize(region.blocks, grown, inside.size(), 0, 0, cv::INTER_NEAREST);
  grown.copyTo(mask(inside));
  cv::morphologyEx(mask, mask, cv::MORPH_CLOSE, cv::getStructuringElement(cv::MORPH_ELLIPSE, {33, 33}));
  Finding finding{.where = original_mask(mask, image), .type = "splicing"};
  finding.phenomenon = fmt::format("One region, {:.0f}% of the image, carries {:.1f} times the noise usual in this image.",
                                   100.0 * cv::countNonZero(mask) / static_cast<double>(mask.total()),
                                   region.noise_ratio);
  finding.reasoning =
      "Content of one recording shows the same noise at the same brightness everywhere. Innocent causes "
      "include local denoising or sharpening, areas out of focus, stitched fields, and insets.";
  finding.false_alarms = false_alarms_from_log10(region.log10_alarms);
  finding.evidence = {{"noise_ratio", "noise inside over noise usual at this brightness", region.noise_ratio},
                      {"deviating_blocks",
                       fmt::format("{:.0f} of {:.0f} blocks inside deviate", region.far_off, region.known),
                       region.far_off / region.known}};
  finding.by = {.kind = AuthorKind::kDetector, .name = "forensics/splicing", .version = {}};
  return finding;
}

}  // namespace

Detection find_splicing(const imaging::Image& image, const SplicingOptions& options) {
  Detection detection;
  const WorkingImage working = prepare(image, options.max_pixels);
  constexpr int smallest = 16 * kBlock;
  if (std::min(working.grey.cols, working.grey.rows) < smallest) return detection;
  const Blocks blocks = measure_blocks(working.grey);
  // Mostly drawn or crowded: too little to say what is usual.
  if (cv::countNonZero(blocks.known) < 0.25 * static_cast<double>(blocks.known.total())) return detection;
  for (const Region& region : find_regions(blocks, options)) {
    if (region.log10_alarms > std::log10(options.max_false_alarms)) break;
    detection.findings.push_back(report(region, working));
    break;  // a second region would make "usual" doubtful
  }
  return detection;
}

}  // namespace awry::inspectors::forensics
