// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/forensics/copy_check.h"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "awry/inspectors/forensics/false_alarms.h"
#include "awry/inspectors/forensics/mask_shapes.h"
#include "awry/inspectors/forensics/noise_level.h"

namespace awry::inspectors::forensics {
namespace {

// Subtracting a copy removes noise, subtracting anything else adds some: the noise level that may be left,
// relative to before. Interpolation costs a copy part of its noise.
constexpr double kMaxNoiseLeft = 0.5, kMaxNoiseLeftInterpolated = 0.6;
constexpr double kLeastChance = 0.004;  // no texture is granted a lower rate of agreement by chance

// How many motions were as good as tried: every shift, plain and flipped.
double log10_motions(cv::Size size) {
  return std::log10(8.0 * size.width * size.height);
}

cv::Mat difference(const cv::Mat& grey, const Motion& motion) {
  return grey - warp_to_first(grey, motion, grey.size(), nullptr);
}

// Where the image agrees with itself under a motion, down to its noise, leaving out points that hardly move.
// Shapes resemble each other (blot bands correlate at 0.99), and a line through a window correlates with any
// other, but noise that was recorded twice differs.
cv::Mat agreeing_places(const CopySubject& subject, const Motion& motion, DenseAgreement& dense) {
  const cv::Mat& grey = subject.grey;
  // Without interpolation even the rounding of the last bit is copied, so dim areas count as well.
  const bool is_lossless = nearest_lossless(motion, grey.size(), 1e-9).has_value();
  dense = compare_densely(grey, grey, motion,
                          {.band = kCopyBand, .radius = kCopyRadius, .min_detail = is_lossless ? 0.2 : 0.45});
  dense.comparable &= subject.noise >= kLeastNoise;
  const cv::Mat same_noise = noise_level(difference(grey, motion), 2 * kCopyRadius + 1) <=
                             (is_lossless ? kMaxNoiseLeft : kMaxNoiseLeftInterpolated) * subject.noise;
  const cv::Mat agreeing = (dense.correlation >= subject.required) & same_noise;
  dense.comparable &= moved_far_enough(motion, grey.size());
  return agreeing & dense.comparable;
}

// How often windows agree when the motion is slightly wrong: what this image's texture does by itself.
double chance_agreement(const CopySubject& subject, const Motion& motion) {
  double agreeing = 0, comparable = 0;
  for (const auto& [dx, dy] : {std::pair{13, -7}, {-11, 12}}) {
    DenseAgreement dense;
    agreeing += cv::countNonZero(agreeing_places(subject, translation(dx, dy) * motion, dense));
    comparable += cv::countNonZero(dense.comparable);
  }
  return std::max(kLeastChance, comparable > 0 ? agreeing / comparable : 0);
}

// How many independent observations the agreeing pixels amount to. Smooth shapes that merely resemble each
// other count little; an agreement down to the last bit, or one of noise, counts in full.
double effective_windows(const cv::Mat& places, const DenseAgreement& dense, const CopySubject& subject) {
  constexpr float to_the_last_bit = 0.9995f;
  constexpr double resemblance = 0.3;
  double sum = 0;
  for (int y = 0; y < places.rows; ++y) {
    for (int x = 0; x < places.cols; ++x) {
      if (!places.at<std::uint8_t>(y, x)) continue;
      const bool strong =
          dense.correlation.at<float>(y, x) >= to_the_last_bit ||
          subject.required.at<float>(y, x) < (kNoisyCopyCorrelation + kSmoothCopyCorrelation) / 2;
      sum += strong ? 1 : resemblance;
    }
  }
  return sum / kCopyWindowArea;
}

// Windows blur the outline of a copy by their radius; pixels that are equal but for what the copy lost
// everywhere restore it.
cv::Mat sharpened_outline(const cv::Mat& places, const cv::Mat& core, const CopySubject& subject,
                          const Motion& motion) {
  cv::Mat change = cv::abs(difference(subject.grey, motion)), near_by;
  cv::blur(change, change, {3, 3});
  const double usual = cv::mean(change, core)[0];
  cv::dilate(places, near_by, ellipse(4 * kCopyRadius + 1));
  cv::Mat result = near_by & (change <= std::max(0.34, 2.5 * usual));
  cv::morphologyEx(result, result, cv::MORPH_OPEN, ellipse(5));
  result |= core;
  cv::morphologyEx(result, result, cv::MORPH_CLOSE, ellipse(2 * kCopyRadius + 1));
  // The last pixels of a copy are blended into what they cover.
  cv::dilate(result, result, ellipse(5));
  return without_holes(result);
}

}  // namespace

Repeat check_copy(const CopySubject& subject, const CopyCandidate& candidate, double min_area) {
  constexpr double grown_correlation = 0.8;  // enough beside a place that is a copy beyond doubt
  const cv::Mat& grey = subject.grey;
  Repeat repeat{.candidate = candidate, .source = {}, .target = {}};
  DenseAgreement dense;
  cv::Mat agreeing = agreeing_places(subject, candidate.motion, dense);
  // Single windows agree by accident; places do not.
  cv::morphologyEx(agreeing, agreeing, cv::MORPH_OPEN, ellipse(5));
  cv::Mat places = (dense.correlation >= grown_correlation) & dense.comparable;
  cv::morphologyEx(places, places, cv::MORPH_OPEN, ellipse(5));
  places |= agreeing;
  cv::morphologyEx(places, places, cv::MORPH_CLOSE, ellipse(4 * kCopyRadius + 1));
  places = without_holes(places) & dense.covered;
  const cv::Mat source = parts_holding(places, agreeing, 3 * kCopyWindowArea, min_area);
  const cv::Mat core = source & agreeing;
  if (cv::countNonZero(core) == 0) return repeat;
  repeat.source = sharpened_outline(source, core, subject, candidate.motion) & dense.covered;
  repeat.target = moved_mask(repeat.source, candidate.motion);
  repeat.correlation = cv::mean(dense.correlation, core)[0];
  repeat.windows = effective_windows(core, dense, subject);
  const double disagreeing = cv::countNonZero(source & dense.comparable & ~places) / kCopyWindowArea;
  const double inside = repeat.windows + disagreeing;
  const auto log10_alarms = [&](double chance) {
    // The places were chosen for agreeing: inside them chance is granted four times its rate.
    return log10_binomial_tail(inside, repeat.windows, std::min(0.5, 4 * chance)) +
           log10_motions(grey.size());
  };
  repeat.log10_alarms = log10_alarms(kLeastChance);
  if (repeat.log10_alarms > 0) return repeat;  // not even then: save the comparison
  repeat.chance = chance_agreement(subject, candidate.motion);
  repeat.noise = compare_noise(grey, candidate.motion, core);
  // Windows that agree could be shapes that resemble each other: the noise must repeat as well.
  repeat.log10_alarms =
      std::max(log10_alarms(repeat.chance), repeat.noise.log10_chance + log10_motions(grey.size()));
  return repeat;
}

}  // namespace awry::inspectors::forensics
