// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/forensics/splicing.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <vector>

#include "awry/inspectors/forensics/copy_subject.h"
#include "awry/inspectors/forensics/false_alarms.h"
#include "awry/inspectors/forensics/mask_shapes.h"
#include "awry/inspectors/forensics/trace_cells.h"
#include "awry/inspectors/forensics/trace_network.h"
#include "awry/inspectors/forensics/working_image.h"

namespace awry::inspectors::forensics {
namespace {

// What the network says of authentic panels: one in ten of them exceeds the first number, and each further
// step of the second is exceeded by a tenth as many. Fitted to held-out panels as train_splicing.py prints
// them.
constexpr double kVerdictOfOneInTen = 2.1, kVerdictPerDecade = 2.6;

double log10_alarms_of(double verdict) {
  return std::min(0.0, -1 - (verdict - kVerdictOfOneInTen) / kVerdictPerDecade);
}

struct Suspicion {
  std::vector<cv::Mat1f> traces;
  SpliceOdds odds;
};

// Nothing for drawings and for what is too small.
std::optional<Suspicion> suspicion_of(const WorkingImage& image) {
  constexpr int smallest = 64;
  if (std::min(image.grey.cols, image.grey.rows) < smallest || is_drawing(copy_subject(image.grey)))
    return {};
  Suspicion suspicion{.traces = trace_cells(image.rgb), .odds = {}};
  suspicion.odds = trained_trace_network().judge(suspicion.traces);
  return suspicion;
}

// Cells as pixels; what is left of the last incomplete cells belongs to their neighbours.
cv::Mat1f spread_out(const cv::Mat1f& cells, cv::Size size) {
  cv::Mat1f whole, padded;
  cv::resize(cells, whole, {cells.cols * kTraceCell, cells.rows * kTraceCell}, 0, 0, cv::INTER_LINEAR);
  cv::copyMakeBorder(whole, padded, 0, size.height - whole.rows, 0, size.width - whole.cols,
                     cv::BORDER_REPLICATE);
  return padded;
}

// One object was pasted: of the likely places those that hang together and weigh the most. CV_8U.
cv::Mat1b region_of(const cv::Mat1f& odds) {
  double highest = 0;
  cv::minMaxLoc(odds, nullptr, &highest);
  cv::Mat1b likely = cv::Mat1b(odds > std::min(0.0, highest - 1));
  cv::Mat1i labels;
  const int count = cv::connectedComponents(likely, labels, 4);
  std::vector<double> weights(static_cast<std::size_t>(count), 0);
  for (int y = 0; y < odds.rows; ++y) {
    for (int x = 0; x < odds.cols; ++x)
      weights[static_cast<std::size_t>(labels(y, x))] += 1 / (1 + std::exp(-static_cast<double>(odds(y, x))));
  }
  weights[0] = 0;
  const auto heaviest = std::max_element(weights.begin(), weights.end()) - weights.begin();
  return without_holes(cv::Mat1b(labels == static_cast<int>(heaviest)));
}

struct NamedTrace {
  int channel;  // of trace_cells, relative to what is as bright
  const char *kind, *meaning;
};
constexpr std::array kNamedTraces = {
    NamedTrace{40, "noise", "logarithm of the noise inside over that of equally bright places outside"},
    NamedTrace{45, "coarse_detail",
               "logarithm of the coarser detail inside over that of equally bright places outside"},
    NamedTrace{48, "sharpness",
               "logarithm of the steepness of edges inside over that of equally bright places outside"},
    NamedTrace{51, "noise_correlation",
               "correlation of neighbouring noise inside beyond that of equally bright places outside"}};

double difference(const cv::Mat1f& trace, const cv::Mat1b& inside) {
  std::vector<float> values[2];
  for (int y = 0; y < trace.rows; ++y) {
    for (int x = 0; x < trace.cols; ++x) values[inside(y, x) != 0].push_back(trace(y, x));
  }
  double medians[2] = {};
  for (int side = 0; side < 2; ++side) {
    if (values[side].empty()) return 0;
    const auto middle = values[side].begin() + static_cast<std::ptrdiff_t>(values[side].size() / 2);
    std::nth_element(values[side].begin(), middle, values[side].end());
    medians[side] = static_cast<double>(*middle);
  }
  return medians[1] - medians[0];
}

Finding report(const Suspicion& suspicion, const WorkingImage& image) {
  const cv::Mat1b mask = region_of(spread_out(suspicion.odds.cells, image.grey.size()));
  Finding finding{.where = original_mask(mask, image), .type = "splicing"};
  finding.phenomenon =
      fmt::format("One region, {:.0f}% of the image, was recorded differently from the rest.",
                  100.0 * cv::countNonZero(mask) / static_cast<double>(mask.total()));
  finding.reasoning =
      "Noise, sharpness, and traces of scaling and compression differ inside the region from what they are "
      "at equally "
      "bright places outside, or its outline is sharper or softer than edges of this image are. Innocent "
      "causes "
      "include insets, stitched fields, overlays drawn on the image, and local denoising or sharpening.";
  finding.false_alarms = false_alarms_from_log10(log10_alarms_of(suspicion.odds.whole));
  finding.evidence.push_back(
      {"verdict", "log odds, by the trained network, that something was pasted in", suspicion.odds.whole});
  cv::Mat1b inside;
  cv::resize(mask, inside, suspicion.odds.cells.size(), 0, 0, cv::INTER_NEAREST);
  for (const NamedTrace& trace : kNamedTraces) {
    finding.evidence.push_back(
        {trace.kind, trace.meaning,
         difference(suspicion.traces[static_cast<std::size_t>(trace.channel)], inside)});
  }
  finding.by = {.kind = AuthorKind::kDetector, .name = "forensics/splicing", .version = {}};
  return finding;
}

}  // namespace

Detection find_splicing(const imaging::Image& image, const SplicingOptions& options) {
  Detection detection;
  const WorkingImage working = prepare(image, options.max_pixels);
  const auto suspicion = suspicion_of(working);
  if (!suspicion) return detection;
  const double alarms = log10_alarms_of(suspicion->odds.whole);
  if (alarms > std::log10(std::max(options.max_false_alarms, options.doubtful_false_alarms)))
    return detection;
  detection.undecided = alarms > std::log10(options.max_false_alarms);
  (detection.undecided ? detection.leads : detection.findings).push_back(report(*suspicion, working));
  return detection;
}

imaging::FloatMap splicing_map(const imaging::Image& image, const SplicingOptions& options) {
  imaging::FloatMap map{.width = image.width, .height = image.height, .values = {}};
  map.values.assign(static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height), 0);
  const WorkingImage working = prepare(image, options.max_pixels);
  const auto suspicion = suspicion_of(working);
  if (!suspicion) return map;
  cv::Mat1f probability;
  cv::exp(-spread_out(suspicion->odds.cells, working.grey.size()), probability);
  probability = 1 / (1 + probability);
  cv::Mat1f full(image.height, image.width, map.values.data());
  cv::resize(probability, full, full.size(), 0, 0, cv::INTER_LINEAR);
  return map;
}

}  // namespace awry::inspectors::forensics
