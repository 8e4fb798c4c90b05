// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/forensics/grain_check.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "awry/inspectors/forensics/false_alarms.h"
#include "awry/inspectors/forensics/mask_shapes.h"

namespace awry::inspectors::forensics {
namespace {

// Grain is fine, so neighbouring windows are worth counting apart from half an overlap on.
constexpr double kIndependentArea = kGrainWindowArea / 2;
constexpr double kAheadOfOthers = 0.12;  // of the same window a few pixels off
constexpr double kLeastChance = 0.01;
constexpr double kLeastCorrelation = 0.35;
constexpr double kLeastNoiseCorrelation = 0.3;
// Outlines of coins, organs and tubes reach 9 deviations in the finest detail and 14 in the grain above it;
// after JPEG at quality 70 copies reach 12 and more: the spread over a few places nearby is too small by such
// factors.
constexpr double kTrustInFinest = 0.6, kTrustInGrain = 0.42;
constexpr double kMostRival = 0.7;  // relative to the correlation found
constexpr int kMostClones = 2;
// A third place of much the same look is a clone or a likeness: only evidence beyond doubt tells.
constexpr double kLikeness = 0.6;
constexpr double kBeyondDoubt = -12;

// The best correlation of each window at a few motions nearby: what its texture does by itself.
cv::Mat best_nearby(const Grain& grain, const Motion& motion) {
  constexpr int places = 6;
  constexpr double golden_angle = 2.39996, nearest_px = 5, farthest_px = 13;
  cv::Mat best;
  for (int i = 0; i < places; ++i) {
    const double distance = nearest_px + (farthest_px - nearest_px) * i / (places - 1);
    const cv::Mat here = grain.correlation(translation(std::round(distance * std::cos(golden_angle * i)),
                                                       std::round(distance * std::sin(golden_angle * i))) *
                                           motion);
    best = best.empty() ? here : cv::Mat(cv::max(best, here));
  }
  return best;
}

// Flips about a line and half turns bring every place back when done twice. Animals, organs and shells do
// the same, so only noise, which check_copy looks at, can prove such a copy.
bool is_symmetry(const Motion& motion, cv::Size size) {
  constexpr double about_px = 8;
  const Motion twice = motion * motion;
  const double right = size.width - 1, bottom = size.height - 1;
  return std::ranges::all_of(std::array{cv::Point2d(0, 0), cv::Point2d(right, 0), cv::Point2d(0, bottom)},
                             [&](const cv::Point2d& corner) {
                               return cv::norm(apply(twice, corner.x, corner.y) - corner) < about_px;
                             });
}

// How many motions were as good as tried. Things that repeat by nature do so side by side, seldom turned or
// at another size as well: keypoints that agree on such a motion have paid for the choice.
double log10_tests(const CopyCandidate& candidate, cv::Size size) {
  const double motions = std::log10(8.0 * static_cast<double>(size.area()));
  const MotionParts parts = parts_of(candidate.motion);
  const bool is_mirrored = parts.horizontal_flip || parts.vertical_flip;
  const std::size_t flips = is_mirrored ? 1 : 0;
  const bool is_free = geometric_operations(parts, {.scale = 0.05, .degrees = 4}).size() > flips;
  return is_free ? std::clamp(motions + candidate.log10_keypoint_alarms, 0.0, motions) : motions;
}

// Half a pixel in any direction, when that agrees better in most of the places.
Motion refined(const Grain& grain, const Motion& motion, const cv::Mat& where) {
  Motion best = motion;
  double highest = -1;
  for (const double dy : {0.0, -0.5, 0.5}) {
    for (const double dx : {0.0, -0.5, 0.5}) {
      const Motion moved = translation(dx, dy) * motion;
      const double mean = cv::mean(grain.correlation(moved), where)[0];
      if (mean > highest + 0.02) highest = mean, best = moved;
    }
  }
  return best;
}

}  // namespace

Repeat check_grain_copy(const CopySubject& subject, const Grain& grain, const CopyCandidate& candidate,
                        double min_area) {
  const cv::Size size = subject.grey.size();
  Repeat repeat{.candidate = candidate, .source = {}, .target = {}};
  if (is_symmetry(candidate.motion, size)) return repeat;
  const cv::Mat promising = grain.promise(candidate.motion, min_area).where;
  if (promising.empty()) return repeat;
  repeat.candidate.motion = refined(grain, candidate.motion, promising);
  const Motion& motion = repeat.candidate.motion;
  cv::Mat covered;
  const cv::Mat correlation = grain.correlation(motion, &covered);
  const cv::Mat comparable = covered & grain.recorded() & moved_far_enough(motion, size);
  const cv::Mat nearby = best_nearby(grain, motion);
  cv::Mat agreeing = (correlation >= kGrainAgrees) & (correlation - nearby >= kAheadOfOthers) & comparable;
  cv::morphologyEx(agreeing, agreeing, cv::MORPH_OPEN, ellipse(kGrainRadius));
  cv::Mat places;
  cv::morphologyEx(agreeing, places, cv::MORPH_CLOSE, ellipse(2 * kGrainRadius + 1));
  places = without_holes(places) & covered;
  const cv::Mat source =
      parts_holding(places, agreeing, 2 * kGrainWindowArea, std::max(min_area, 3 * kGrainWindowArea));
  const cv::Mat core = source & agreeing;
  if (cv::countNonZero(core) == 0) return repeat;
  repeat.correlation = cv::mean(correlation, core)[0];
  repeat.windows = cv::countNonZero(core) / kIndependentArea;
  const double inside = std::max(repeat.windows, cv::countNonZero(source & comparable) / kIndependentArea);
  // At a motion nearby everything should be chance. Grain that survived well is judged by how well it agrees.
  const cv::Mat elsewhere = grain.correlation(translation(17, -9) * motion);
  const double all = std::max(1, cv::countNonZero(comparable));
  double windows = 0;
  for (const double level : {kGrainAgrees, 0.4, 0.55}) {
    const double chance = std::max(kLeastChance, cv::countNonZero((elsewhere >= level) & comparable) / all);
    const double agree = cv::countNonZero(core & (correlation >= level)) / kIndependentArea;
    const double evidence = log10_binomial_tail(inside, agree, std::min(0.5, 4 * chance));
    if (evidence < windows) windows = evidence, repeat.chance = chance;
  }
  const NoiseAgreement finest = compare_noise(subject.grey, motion, core);
  const NoiseAgreement grown = compare_noise(subject.grey, motion, core, kGrainFineSigma, kGrainCoarseSigma);
  const double trusted_finest = kTrustInFinest * finest.deviations;
  const double trusted_grown = kTrustInGrain * grown.deviations;
  // Where compression left nothing of the finest detail, the grain above it may still tell.
  repeat.noise = trusted_finest >= trusted_grown ? finest : grown;
  repeat.log10_alarms = std::max(windows, log10_normal_tail(std::max(trusted_finest, trusted_grown))) +
                        log10_tests(candidate, size);
  if (repeat.log10_alarms < 0) {
    const Grain::Rivals rivals = grain.rivals(core, motion, kMostRival * repeat.correlation);
    repeat.rival = rivals.best;
    const bool is_likeness =
        rivals.best >= kLikeness * repeat.correlation && repeat.log10_alarms > kBeyondDoubt;
    if (rivals.count > kMostClones || is_likeness) repeat.log10_alarms = 0;
  }
  if (repeat.correlation < kLeastCorrelation || repeat.noise.correlation < kLeastNoiseCorrelation)
    repeat.log10_alarms = std::max(0.0, repeat.log10_alarms);
  repeat.source = source;
  repeat.target = moved_mask(source, motion);
  return repeat;
}

}  // namespace awry::inspectors::forensics
