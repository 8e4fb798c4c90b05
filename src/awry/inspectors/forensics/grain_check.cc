// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/forensics/grain_check.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "awry/inspectors/forensics/false_alarms.h"
#include "awry/inspectors/forensics/mask_shapes.h"
#include "awry/inspectors/forensics/noise_level.h"
#include "awry/inspectors/forensics/shift_search.h"

namespace awry::inspectors::forensics {
namespace {

constexpr int kRadius = 10;
constexpr double kWindowArea = (2.0 * kRadius + 1) * (2 * kRadius + 1);
// Grain is fine, so neighbouring windows are worth counting apart from half an overlap on.
constexpr double kIndependentArea = kWindowArea / 2;
constexpr double kAgrees = 0.25;         // chance reaches 0.06, grain after JPEG at quality 70 about 0.4
constexpr double kAheadOfOthers = 0.12;  // of the same window a few pixels off
constexpr double kLeastChance = 0.01;
constexpr double kLeastCorrelation = 0.35;
constexpr double kLeastNoiseCorrelation = 0.3;
// Outlines of coins, organs and tubes reach 9 deviations, grain after JPEG at quality 70 at least 12: the
// spread over a few places nearby is too small by about this factor.
constexpr double kTrustInDeviations = 0.6;
constexpr double kMostRival = 0.7;  // relative to the correlation found

cv::Mat window_mean(const cv::Mat& values) {
  cv::Mat result;
  cv::boxFilter(values, result, CV_32F, {2 * kRadius + 1, 2 * kRadius + 1}, {-1, -1}, true,
                cv::BORDER_REFLECT);
  return result;
}

// The grain of one image, and how its windows correlate with themselves under a motion.
class Grain {
 public:
  explicit Grain(const CopySubject& subject)
      : detail_(whitened_detail(subject.grey, 0.6, 2.5)), recorded_(subject.noise >= kLeastNoise) {
    detail_.setTo(0, ~recorded_);
    strength_ = window_mean(detail_.mul(detail_));
  }

  cv::Mat correlation(const Motion& motion, cv::Mat* covered = nullptr) const {
    const cv::Mat moved = warp_to_first(detail_, motion, detail_.size(), covered);
    const cv::Mat common = window_mean(detail_.mul(moved)), other = window_mean(moved.mul(moved));
    cv::Mat scale;
    cv::sqrt(strength_.mul(other), scale);
    return common / cv::max(scale, 0.05f);
  }

  // How well the grain of `places` is found, as it is, anywhere but at home and where the motion takes it:
  // rulers and weaves repeat themselves many times.
  double best_rival(const cv::Mat& places, const Motion& motion) const {
    constexpr int apart = 8;
    const cv::Rect box = cv::boundingRect(places);
    cv::Mat weight, score;
    places(box).convertTo(weight, CV_32F, 1 / 255.0);
    cv::matchTemplate(detail_, detail_(box).mul(weight), score, cv::TM_CCORR);
    const cv::Mat squares = detail_.mul(detail_);
    cv::Mat energy;
    cv::matchTemplate(squares, weight, energy, cv::TM_CCORR);
    const double own = cv::sum(squares(box).mul(weight))[0];
    cv::sqrt(cv::max(energy, 0.05 * own) * own, energy);
    score /= energy;
    const cv::Point2d centre(box.x + box.width / 2.0, box.y + box.height / 2.0);
    const cv::Point2d away = apply(motion, centre.x, centre.y) - centre;
    const cv::Point target(cvRound(box.x + away.x), cvRound(box.y + away.y));
    for (const cv::Point& place : {box.tl(), target}) {
      const cv::Rect around(place.x - apart, place.y - apart, 2 * apart + 1, 2 * apart + 1);
      const cv::Rect inside = around & cv::Rect(0, 0, score.cols, score.rows);
      if (!inside.empty()) score(inside).setTo(0);
    }
    double best = 0;
    cv::minMaxLoc(score, nullptr, &best);
    return best;
  }

  const cv::Mat& recorded() const { return recorded_; }

 private:
  cv::Mat detail_, recorded_, strength_;
};

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

cv::Mat far_enough(const Motion& motion, cv::Size size) {
  const double nearest = least_copy_distance(size);
  cv::Mat result(size, CV_8U);
  for (int y = 0; y < size.height; ++y) {
    std::uint8_t* row = result.ptr(y);
    const cv::Point2d left = apply(motion, 0, y) - cv::Point2d(0, y);
    for (int x = 0; x < size.width; ++x) {
      const double dx = left.x + x * (motion(0, 0) - 1), dy = left.y + x * motion(1, 0);
      row[x] = dx * dx + dy * dy < nearest * nearest ? 0 : 255;
    }
  }
  return result;
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

Repeat check_grain_copy(const CopySubject& subject, const CopyCandidate& candidate, double min_area) {
  const cv::Size size = subject.grey.size();
  Repeat repeat{.candidate = candidate, .source = {}, .target = {}};
  if (is_symmetry(candidate.motion, size)) return repeat;
  const Grain grain(subject);
  cv::Mat covered;
  cv::Mat correlation = grain.correlation(candidate.motion, &covered);
  cv::Mat comparable = covered & grain.recorded() & far_enough(candidate.motion, size);
  cv::Mat promising = (correlation >= 0.8 * kAgrees) & comparable;
  cv::morphologyEx(promising, promising, cv::MORPH_OPEN, ellipse(kRadius));
  if (cv::countNonZero(promising) < min_area) return repeat;
  repeat.candidate.motion = refined(grain, candidate.motion, promising);
  const Motion& motion = repeat.candidate.motion;
  correlation = grain.correlation(motion);
  const cv::Mat nearby = best_nearby(grain, motion);
  cv::Mat agreeing = (correlation >= kAgrees) & (correlation - nearby >= kAheadOfOthers) & comparable;
  cv::morphologyEx(agreeing, agreeing, cv::MORPH_OPEN, ellipse(kRadius));
  cv::Mat places;
  cv::morphologyEx(agreeing, places, cv::MORPH_CLOSE, ellipse(2 * kRadius + 1));
  places = without_holes(places) & covered;
  const cv::Mat source =
      parts_holding(places, agreeing, 2 * kWindowArea, std::max(min_area, 3 * kWindowArea));
  const cv::Mat core = source & agreeing;
  if (cv::countNonZero(core) == 0) return repeat;
  repeat.correlation = cv::mean(correlation, core)[0];
  repeat.windows = cv::countNonZero(core) / kIndependentArea;
  const double inside = std::max(repeat.windows, cv::countNonZero(source & comparable) / kIndependentArea);
  const double motions = std::log10(8.0 * static_cast<double>(size.area()));
  // At a motion nearby everything should be chance.
  const cv::Mat elsewhere = grain.correlation(translation(17, -9) * motion);
  repeat.chance = std::max(kLeastChance, cv::countNonZero((elsewhere >= kAgrees) & comparable) /
                                             std::max(1.0, 1.0 * cv::countNonZero(comparable)));
  repeat.noise = compare_noise(subject.grey, motion, core);
  repeat.log10_alarms =
      std::max(log10_binomial_tail(inside, repeat.windows, std::min(0.5, 4 * repeat.chance)),
               log10_normal_tail(kTrustInDeviations * repeat.noise.deviations)) +
      motions;
  if (repeat.log10_alarms < 0) {
    repeat.rival = grain.best_rival(core, motion);
    if (repeat.rival > kMostRival * repeat.correlation) repeat.log10_alarms = 0;
  }
  if (repeat.correlation < kLeastCorrelation || repeat.noise.correlation < kLeastNoiseCorrelation)
    repeat.log10_alarms = std::max(0.0, repeat.log10_alarms);
  repeat.source = source;
  repeat.target = moved_mask(source, motion);
  return repeat;
}

}  // namespace awry::inspectors::forensics
