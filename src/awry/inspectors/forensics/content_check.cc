// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/forensics/content_check.h"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "awry/inspectors/forensics/false_alarms.h"
#include "awry/inspectors/forensics/mask_shapes.h"
#include "awry/inspectors/forensics/noise_level.h"
#include "awry/inspectors/forensics/working_image.h"

namespace awry::inspectors::forensics {
namespace {

constexpr int kRadius = 7;
constexpr double kWindowArea = (2.0 * kRadius + 1) * (2 * kRadius + 1);
constexpr DetailBand kBand{1.2, 5};  // what JPEG at quality 70 leaves
constexpr double kAgrees = 0.85;
constexpr double kLeastCorrelation = 0.95;  // of all that agrees: lanes of one blot reach 0.946
constexpr double kLeastDeviations = 2.5;    // of the noise: recorded twice, it shows none
constexpr double kLeastChance = 0.01;

DenseAgreement compare(const CopySubject& subject, const Motion& motion) {
  DenseAgreement dense = compare_densely(subject.grey, subject.grey, motion,
                                         {.band = kBand, .radius = kRadius, .min_detail = 0.7});
  dense.comparable &= subject.noise >= kLeastNoise;
  const double nearest = least_copy_distance(subject.grey.size());
  for (int y = 0; y < subject.grey.rows; ++y) {
    std::uint8_t* comparable = dense.comparable.ptr(y);
    for (int x = 0; x < subject.grey.cols; ++x) {
      if (cv::norm(apply(motion, x, y) - cv::Point2d(x, y)) < nearest) comparable[x] = 0;
    }
  }
  return dense;
}

double chance_agreement(const CopySubject& subject, const Motion& motion) {
  double agreeing = 0, comparable = 0;
  for (const auto& [dx, dy] : {std::pair{17, -9}, {-14, 15}}) {
    const DenseAgreement dense = compare(subject, translation(dx, dy) * motion);
    agreeing += cv::countNonZero((dense.correlation >= kAgrees) & dense.comparable);
    comparable += cv::countNonZero(dense.comparable);
  }
  return std::max(kLeastChance, comparable > 0 ? agreeing / comparable : 0);
}

// How well the content of `places` is found, as it is, anywhere but at home and at `target`: at half size, as
// the band compared has no finer detail.
double best_rival(const cv::Mat& grey, const cv::Mat& places, const Motion& motion) {
  constexpr int apart = 6;
  cv::Mat detail = band_pass(grey, kBand.fine_sigma, kBand.coarse_sigma), mask;
  cv::resize(detail, detail, {}, 0.5, 0.5, cv::INTER_AREA);
  cv::resize(places, mask, detail.size(), 0, 0, cv::INTER_NEAREST);
  const cv::Rect box = cv::boundingRect(mask);
  if (box.empty()) return 1;
  const int pad_x = box.width / 3, pad_y = box.height / 3;  // rivals may lie partly outside
  cv::Mat canvas, weight, score;
  cv::copyMakeBorder(detail, canvas, pad_y, pad_y, pad_x, pad_x, cv::BORDER_CONSTANT, cv::Scalar(0));
  mask(box).convertTo(weight, CV_32F, 1 / 255.0);
  cv::matchTemplate(canvas, detail(box).clone(), score, cv::TM_CCORR_NORMED, weight);
  const cv::Point2d centre(2 * box.x + box.width, 2 * box.y + box.height);
  const cv::Point2d away = apply(motion, centre.x, centre.y) - centre;
  const cv::Point home(box.x + pad_x, box.y + pad_y);
  const cv::Point target(home.x + cvRound(away.x / 2), home.y + cvRound(away.y / 2));
  for (const cv::Point& place : {home, target}) {
    const cv::Rect around(place.x - apart, place.y - apart, 2 * apart + 1, 2 * apart + 1);
    const cv::Rect inside = around & cv::Rect(0, 0, score.cols, score.rows);
    if (!inside.empty()) score(inside).setTo(0);
  }
  cv::patchNaNs(score, 0);
  score.setTo(0, score > 1.001f);  // where there is nothing to divide by
  double best = 0;
  cv::minMaxLoc(score, nullptr, &best);
  return best;
}

double fisher_z(double correlation) {
  return std::atanh(std::clamp(correlation, -0.999, 0.999));
}

}  // namespace

Repeat check_content_copy(const CopySubject& subject, const CopyCandidate& candidate, double min_area) {
  const cv::Mat& grey = subject.grey;
  Repeat repeat{.candidate = candidate, .source = {}, .target = {}};
  const DenseAgreement dense = compare(subject, candidate.motion);
  cv::Mat agreeing = (dense.correlation >= kAgrees) & dense.comparable;
  cv::morphologyEx(agreeing, agreeing, cv::MORPH_OPEN, ellipse(kRadius));
  cv::Mat places;
  cv::morphologyEx(agreeing, places, cv::MORPH_CLOSE, ellipse(2 * kRadius + 1));
  places = without_holes(places) & dense.covered;
  const cv::Mat source =
      parts_holding(places, agreeing, 4 * kWindowArea, std::max(min_area, 5 * kWindowArea));
  const cv::Mat core = source & agreeing;
  if (cv::countNonZero(core) == 0) return repeat;
  repeat.correlation = cv::mean(dense.correlation, core)[0];
  repeat.windows = cv::countNonZero(core) / kWindowArea;
  const double motions = std::log10(8.0 * static_cast<double>(grey.total()));
  const double inside = cv::countNonZero(source & dense.comparable) / kWindowArea;
  const auto log10_alarms = [&](double chance) {
    return log10_binomial_tail(std::max(inside, repeat.windows), repeat.windows, std::min(0.5, 4 * chance)) +
           motions;
  };
  repeat.log10_alarms = log10_alarms(kLeastChance);
  if (repeat.log10_alarms > 0) return repeat;
  repeat.noise = compare_noise(grey, candidate.motion, core);
  repeat.chance = chance_agreement(subject, candidate.motion);
  repeat.rival = best_rival(grey, source, candidate.motion);
  const double gap = fisher_z(repeat.correlation) - fisher_z(repeat.rival);
  const double distinct = log10_normal_tail(gap * std::sqrt(std::max(1.0, repeat.windows - 3))) + motions;
  repeat.log10_alarms = std::max(log10_alarms(repeat.chance), distinct);
  if (repeat.noise.deviations < kLeastDeviations || repeat.correlation < kLeastCorrelation)
    repeat.log10_alarms = std::max(0.0, repeat.log10_alarms);
  repeat.source = source;
  repeat.target = moved_mask(source, candidate.motion);
  return repeat;
}

}  // namespace awry::inspectors::forensics
