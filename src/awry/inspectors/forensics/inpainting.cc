// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/forensics/inpainting.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "awry/inspectors/forensics/false_alarms.h"
#include "awry/inspectors/forensics/mask_shapes.h"
#include "awry/inspectors/forensics/noise_level.h"
#include "awry/inspectors/forensics/usual_noise.h"
#include "awry/inspectors/forensics/working_image.h"

namespace awry::inspectors::forensics {
namespace {

constexpr int kCell = 8;  // pixels a side
constexpr int kBrightnessBands = 16;
constexpr double kQuiet = 0.45;  // of the expected noise

struct Cells {
  cv::Mat1f relative_noise;
  cv::Mat1i band;  // of brightness; -1: clipped, drawn or too faintly recorded to lack noise
};

Cells measure_cells(const WorkingImage& image) {
  const RelativeNoise noise = relative_noise(image.grey);
  const cv::Size size(image.grey.cols / kCell, image.grey.rows / kCell);
  const cv::Rect whole(0, 0, size.width * kCell, size.height * kCell);
  cv::Mat1f brightness, expected;
  Cells cells{.relative_noise = {}, .band = cv::Mat1i(size, -1)};
  cv::resize(noise.relative(whole), cells.relative_noise, size, 0, 0, cv::INTER_AREA);
  cv::resize(image.grey(whole), brightness, size, 0, 0, cv::INTER_AREA);
  cv::resize(noise.expected(whole), expected, size, 0, 0, cv::INTER_AREA);
  const cv::Mat1b drawn = drawn_areas(image.grey, 1);
  constexpr float least = 0.8f;  // grey levels: below, rounding alone decides what is left
  for (int y = 0; y < size.height; ++y) {
    for (int x = 0; x < size.width; ++x) {
      const float level = brightness(y, x);
      if (level < 8 || level > 247 || expected(y, x) < least) continue;
      if (drawn(y * kCell + kCell / 2, x * kCell + kCell / 2)) continue;
      cells.band(y, x) = static_cast<int>(level) * kBrightnessBands / 256;
    }
  }
  return cells;
}

struct QuietPlace {
  cv::Mat1b cells;
  double log10_alarms = 0;
  double ratio = 1;  // noise found over noise expected
  double count = 0, quiet = 0, quiet_elsewhere = 0;
};

// Compares a place with the rest of the image at the same brightness.
QuietPlace weigh(const cv::Mat1b& place, const Cells& cells, const cv::Mat1b& quiet) {
  constexpr double least_elsewhere = 60;
  std::array<double, kBrightnessBands> here{}, elsewhere{}, quiet_elsewhere{};
  QuietPlace result{.cells = place};
  double noise = 0;
  for (int y = 0; y < place.rows; ++y) {
    for (int x = 0; x < place.cols; ++x) {
      if (cells.band(y, x) < 0) continue;
      const auto band = static_cast<std::size_t>(cells.band(y, x));
      if (place(y, x)) {
        here[band] += 1, result.count += 1, result.quiet += quiet(y, x) != 0,
            noise += cells.relative_noise(y, x);
      } else {
        elsewhere[band] += 1, quiet_elsewhere[band] += quiet(y, x) != 0;
      }
    }
  }
  double chance = 0;
  for (std::size_t i = 0; i < here.size(); ++i) {
    const double share = elsewhere[i] < least_elsewhere ? 1 : (quiet_elsewhere[i] + 1) / (elsewhere[i] + 1);
    chance += here[i] / std::max(1.0, result.count) * share;
  }
  result.quiet_elsewhere = chance;
  result.ratio = result.count > 0 ? noise / result.count : 1;
  // Neighbouring cells of real content go quiet together: four of them are one observation, and chance gets
  // twice what the image shows.
  constexpr double cells_per_observation = 4, doubt = 2;
  const double places = std::pow(static_cast<double>(place.total()), 2);
  result.log10_alarms = std::log10(places) + log10_binomial_tail(result.count / cells_per_observation,
                                                                 result.quiet / cells_per_observation,
                                                                 std::min(1.0, doubt * chance));
  return result;
}

Finding report(const QuietPlace& place, const WorkingImage& image) {
  cv::Mat mask = cv::Mat::zeros(image.grey.size(), CV_8U), grown;
  const cv::Rect whole(0, 0, place.cells.cols * kCell, place.cells.rows * kCell);
  cv::resize(place.cells, grown, whole.size(), 0, 0, cv::INTER_NEAREST);
  grown.copyTo(mask(whole));
  Finding finding{.where = original_mask(without_holes(mask), image), .type = "smoothing"};
  finding.phenomenon =
      fmt::format("One place, {:.1f}% of the image, carries {:.2f} times the noise expected there.",
                  100.0 * cv::countNonZero(mask) / static_cast<double>(mask.total()), place.ratio);
  finding.reasoning =
      "At the same brightness the rest of the recording is noisier, as if this place had been smoothed or "
      "filled "
      "in. Innocent causes include content out of focus, local denoising by the camera, and compression.";
  finding.false_alarms = false_alarms_from_log10(place.log10_alarms);
  finding.evidence = {{"noise_ratio", "noise found over noise expected at this brightness", place.ratio},
                      {"quiet_elsewhere", "share of equally bright places elsewhere that are as quiet",
                       place.quiet_elsewhere}};
  finding.by = {.kind = AuthorKind::kDetector, .name = "forensics/smoothing", .version = {}};
  return finding;
}

}  // namespace

Detection find_smoothing(const imaging::Image& image, const SmoothingOptions& options) {
  Detection detection;
  const WorkingImage working = prepare(image, options.max_pixels);
  constexpr int smallest = 12 * kCell;
  if (std::min(working.grey.cols, working.grey.rows) < smallest) return detection;
  const Cells cells = measure_cells(working);
  const cv::Mat1b quiet = cv::Mat((cells.relative_noise < kQuiet) & (cells.band >= 0));
  cv::Mat1b places;
  cv::morphologyEx(quiet, places, cv::MORPH_CLOSE, cv::Mat::ones(3, 3, CV_8U));
  places = opened(places, cv::Mat::ones(2, 2, CV_8U));
  cv::Mat1i labels;
  const int count = cv::connectedComponents(places, labels, 4);
  const double total = static_cast<double>(places.total());
  QuietPlace best;
  for (int label = 1; label < count; ++label) {
    const cv::Mat1b place = cv::Mat(labels == label);
    const double area = cv::countNonZero(place) / total;
    if (area < options.min_area || area > options.max_area) continue;
    QuietPlace weighed = weigh(place, cells, quiet);
    if (weighed.log10_alarms < best.log10_alarms) best = std::move(weighed);
  }
  if (best.log10_alarms < std::log10(options.max_false_alarms)) {
    detection.findings.push_back(report(best, working));
  } else {
    detection.undecided = best.log10_alarms < 0;
  }
  return detection;
}

imaging::FloatMap missing_noise_map(const imaging::Image& image, const SmoothingOptions& options) {
  imaging::FloatMap map{.width = image.width, .height = image.height, .values = {}};
  map.values.assign(static_cast<std::size_t>(image.width) * image.height, 0);
  const WorkingImage working = prepare(image, options.max_pixels);
  if (working.grey.empty()) return map;
  constexpr float floor = 0.05f;
  const RelativeNoise noise = relative_noise(working.grey);
  cv::Mat1f found;
  cv::boxFilter(noise.relative, found, CV_32F, {2 * kCell + 1, 2 * kCell + 1});
  found += floor;
  cv::log(found, found);
  found = -found;
  cv::Mat1f full(image.height, image.width, map.values.data());
  cv::resize(found, full, full.size(), 0, 0, cv::INTER_LINEAR);
  return map;
}

}  // namespace awry::inspectors::forensics
