// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/forensics/stray_colour.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "awry/inspectors/forensics/false_alarms.h"
#include "awry/inspectors/forensics/mask_shapes.h"
#include "awry/inspectors/forensics/working_image.h"

namespace awry::inspectors::forensics {
namespace {

constexpr int kCell = 8;  // pixels a side
constexpr int kBrightnessBands = 16;

struct Pixels {
  cv::Mat1b colour;  // the largest difference from green
  cv::Mat1b
      usable;  // 255: neither clipped, where no colour can be, nor beside colour that was meant to be seen
  cv::Mat1f grey;
  cv::Size cells;
};

cv::Mat1b colour_of(const cv::Mat& rgb) {
  cv::Mat1b colour(rgb.size());
  for (int y = 0; y < rgb.rows; ++y) {
    for (int x = 0; x < rgb.cols; ++x) {
      const cv::Vec3b& p = rgb.at<cv::Vec3b>(y, x);
      colour(y, x) = static_cast<std::uint8_t>(std::max(std::abs(p[0] - p[1]), std::abs(p[2] - p[1])));
    }
  }
  return colour;
}

cv::Mat1f mean_of_cells(const cv::Mat& values, cv::Size cells) {
  cv::Mat wide;
  values.convertTo(wide, CV_32F);
  cv::Mat1f mean;
  cv::resize(wide, mean, cells, 0, 0, cv::INTER_AREA);
  return mean;
}

cv::Mat1b as_pixels(const cv::Mat1b& cells) {
  cv::Mat1b pixels;
  cv::resize(cells, pixels, cells.size() * kCell, 0, 0, cv::INTER_NEAREST);
  return pixels;
}

// What is left beyond whole cells at the right and at the bottom is not looked at. Nothing, where colour is
// plainly a part of the image.
std::optional<Pixels> look_at(const WorkingImage& image) {
  constexpr int visible = 24, reach = 7;  // levels; cells that JPEG may smear visible colour over
  constexpr double max_visible = 0.02, darkest = 4, brightest = 251;
  Pixels pixels{.cells = {image.rgb.cols / kCell, image.rgb.rows / kCell}};
  const cv::Rect whole({0, 0}, pixels.cells * kCell);
  pixels.colour = colour_of(image.rgb(whole));
  pixels.grey = image.grey(whole);
  cv::Mat1b shows;
  cv::compare(pixels.colour, visible, shows, cv::CMP_GT);
  if (cv::countNonZero(shows) > max_visible * static_cast<double>(shows.total())) return std::nullopt;
  cv::Mat1b drawn;
  cv::compare(mean_of_cells(shows, pixels.cells), 0, drawn, cv::CMP_GT);
  cv::dilate(drawn, drawn, cv::Mat::ones(reach, reach, CV_8U));
  cv::inRange(pixels.grey, darkest, brightest, pixels.usable);
  pixels.usable.setTo(0, as_pixels(drawn));
  return pixels;
}

// Connected cells with more colour than an image has that is colourless but for rounding.
std::vector<cv::Mat1b> coloured_places(const Pixels& pixels) {
  constexpr float least_usable = 0.25f, rounding = 0.08f, most_usual = 0.3f;
  constexpr std::size_t fewest_cells = 60;
  constexpr int smallest_place = 4;
  const cv::Mat1f usable = mean_of_cells(pixels.usable / 255, pixels.cells);
  cv::Mat1b colour = pixels.colour.clone();
  colour.setTo(0, ~pixels.usable);
  cv::Mat1f level = mean_of_cells(colour, pixels.cells);
  std::vector<float> levels;
  for (int y = 0; y < level.rows; ++y) {
    for (int x = 0; x < level.cols; ++x) {
      if (usable(y, x) <= least_usable) {
        level(y, x) = 0;
      } else {
        levels.push_back(level(y, x) /= usable(y, x));
      }
    }
  }
  if (levels.size() < fewest_cells) return {};
  std::ranges::nth_element(levels, levels.begin() + static_cast<std::ptrdiff_t>(levels.size() / 2));
  const float usual = levels[levels.size() / 2];
  if (usual > most_usual) return {};

  cv::Mat1b coloured;
  cv::compare(level, rounding + 2 * usual, coloured, cv::CMP_GT);
  cv::morphologyEx(coloured, coloured, cv::MORPH_CLOSE, cv::Mat::ones(3, 3, CV_8U));
  coloured = opened(coloured, cv::Mat::ones(2, 2, CV_8U));
  cv::Mat1i labels;
  const int count = cv::connectedComponents(coloured, labels, 4);
  std::vector<cv::Mat1b> places;
  for (int label = 1; label < count; ++label) {
    cv::Mat1b place;
    cv::compare(labels, label, place, cv::CMP_EQ);
    if (cv::countNonZero(place) >= smallest_place) places.push_back(std::move(place));
  }
  return places;
}

struct Count {
  double pixels = 0, coloured = 0;
  double share() const { return (coloured + 1) / (pixels + 1); }
};
using ByBrightness = std::array<Count, kBrightnessBands>;

ByBrightness count_pixels(const Pixels& pixels, const cv::Mat1b& where) {
  ByBrightness counts;
  for (int y = 0; y < where.rows; ++y) {
    for (int x = 0; x < where.cols; ++x) {
      if (!where(y, x)) continue;
      Count& count = counts[static_cast<std::size_t>(pixels.grey(y, x)) * kBrightnessBands / 256];
      count.pixels += 1, count.coloured += pixels.colour(y, x) > 0;
    }
  }
  return counts;
}

struct Place {
  cv::Mat1b cells;
  double log10_alarms = 0;
  double coloured = 0, coloured_elsewhere = 0;  // shares of pixels
};

// Tints of scanners and papers go with brightness: a place is compared with what is about as bright
// elsewhere, and proves nothing where there is too little of that.
Place weigh(const cv::Mat1b& cells, const Pixels& pixels, const ByBrightness& everywhere) {
  constexpr std::size_t reach = 2;                                        // bands to either side
  constexpr double fewest = 200, pixels_per_observation = 32, doubt = 2;  // neighbours were coloured together
  cv::Mat1b where;
  cv::bitwise_and(as_pixels(cells), pixels.usable, where);
  const ByBrightness here = count_pixels(pixels, where);
  Count in_all;
  for (const Count& band : here) in_all.pixels += band.pixels, in_all.coloured += band.coloured;
  Place place{.cells = cells};
  if (in_all.pixels == 0) return place;
  for (std::size_t band = 0; band < here.size(); ++band) {
    Count elsewhere;
    for (std::size_t near = band - std::min(band, reach); near <= std::min(band + reach, here.size() - 1);
         ++near) {
      elsewhere.pixels += everywhere[near].pixels - here[near].pixels;
      elsewhere.coloured += everywhere[near].coloured - here[near].coloured;
    }
    place.coloured_elsewhere +=
        here[band].pixels / in_all.pixels * (elsewhere.pixels < fewest ? 1 : elsewhere.share());
  }
  place.coloured = in_all.coloured / in_all.pixels;
  place.log10_alarms =
      2 * std::log10(static_cast<double>(cells.total())) +
      log10_binomial_tail(in_all.pixels / pixels_per_observation, in_all.coloured / pixels_per_observation,
                          std::min(1.0, doubt * place.coloured_elsewhere));
  return place;
}

Finding report(const Place& place, const WorkingImage& image) {
  cv::Mat mask = cv::Mat::zeros(image.grey.size(), CV_8U);
  const cv::Mat1b cells = as_pixels(place.cells);
  cells.copyTo(mask(cv::Rect({0, 0}, cells.size())));
  Finding finding{.where = original_mask(without_holes(mask), image), .type = "stray_colour"};
  finding.phenomenon = fmt::format("One place, {:.1f}% of the image, carries faint colour; the rest is grey.",
                                   100.0 * cv::countNonZero(mask) / static_cast<double>(mask.total()));
  finding.reasoning =
      "Red, green and blue differ there, by too little to be seen, and hardly anywhere else that is as "
      "bright. A "
      "recording in grey does not do so; something that works in colour was at this place. Innocent causes "
      "include "
      "insets and panels from another source, and annotations in pale colours.";
  finding.false_alarms = false_alarms_from_log10(place.log10_alarms);
  finding.evidence = {
      {"coloured", "share of the pixels of the place that carry colour", place.coloured},
      {"coloured_elsewhere", "share of equally bright pixels elsewhere that do", place.coloured_elsewhere}};
  finding.by = {.kind = AuthorKind::kDetector, .name = "forensics/stray_colour", .version = {}};
  return finding;
}

}  // namespace

Detection find_stray_colour(const imaging::Image& image, const StrayColourOptions& options) {
  constexpr int smallest = 8 * kCell;
  Detection detection;
  const WorkingImage working = prepare(image, options.max_pixels);
  if (std::min(working.rgb.cols, working.rgb.rows) < smallest) return detection;
  const auto pixels = look_at(working);
  if (!pixels) return detection;
  const ByBrightness everywhere = count_pixels(*pixels, pixels->usable);
  std::vector<Place> places;
  for (const cv::Mat1b& cells : coloured_places(*pixels)) {
    if (cv::countNonZero(cells) <= options.max_area * static_cast<double>(cells.total()))
      places.push_back(weigh(cells, *pixels, everywhere));
  }
  std::ranges::stable_sort(places, {}, &Place::log10_alarms);
  for (const Place& place : places) {
    if (place.log10_alarms < std::log10(options.max_false_alarms)) {
      detection.findings.push_back(report(place, working));
    } else if (detection.findings.empty()) {
      detection.undecided |= place.log10_alarms < 0;
    }
  }
  return detection;
}

imaging::FloatMap colour_map(const imaging::Image& image) {
  imaging::FloatMap map{.width = image.width, .height = image.height, .values = {}};
  map.values.assign(static_cast<std::size_t>(image.width) * image.height, 0);
  if (image.empty()) return map;
  const WorkingImage working = prepare(image, image.width * image.height);
  cv::Mat1f around(image.height, image.width, map.values.data());
  cv::boxFilter(colour_of(working.rgb), around, CV_32F, {2 * kCell + 1, 2 * kCell + 1});
  return map;
}

}  // namespace awry::inspectors::forensics
