// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/forensics/copy_candidates.h"

#include <algorithm>
#include <opencv2/imgproc.hpp>

#include "awry/inspectors/forensics/consensus.h"
#include "awry/inspectors/forensics/noise_level.h"
#include "awry/inspectors/forensics/self_shifts.h"
#include "awry/inspectors/forensics/working_image.h"

namespace awry::inspectors::forensics {
namespace {

// Refines a motion on the part of the image its matches cover; elsewhere it means nothing.
Motion refine_locally(const cv::Mat& grey, const Motion& motion, const std::vector<cv::Point2f>& points) {
  cv::Rect box = cv::boundingRect(points);
  const int margin = std::max(12, std::max(box.width, box.height) / 8);
  box = (box + cv::Size(2 * margin, 2 * margin) - cv::Point(margin, margin)) &
        cv::Rect(0, 0, grey.cols, grey.rows);
  if (std::min(box.width, box.height) < 24) return motion;
  const Motion from_box = translation(box.x, box.y);
  return refine_motion(grey(box), grey, motion * from_box) * from_box.inv();
}

Keypoints recorded_only(const Keypoints& all, const cv::Mat& recorded) {
  Keypoints result;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const int x = std::clamp(cvRound(all.points[i].x), 0, recorded.cols - 1);
    const int y = std::clamp(cvRound(all.points[i].y), 0, recorded.rows - 1);
    if (!recorded.at<std::uint8_t>(y, x)) continue;
    result.points.push_back(all.points[i]);
    result.descriptors.push_back(all.descriptors[i]);
  }
  return result;
}

// Every part at the same contrast, so that keypoints come from the grain between bands, organs and nuclei as
// well as from their outlines.
cv::Mat evenly_contrasted(const cv::Mat& grey) {
  constexpr double coarse_sigma = 4, contrast = 45, faintest = 0.5;
  constexpr int window = 21;
  cv::Mat detail = band_pass(grey, 0, coarse_sigma), strength;
  cv::boxFilter(detail.mul(detail), strength, CV_32F, {window, window}, {-1, -1}, true, cv::BORDER_REFLECT);
  cv::sqrt(strength + faintest, strength);
  detail = 128 + contrast * (detail / strength);
  return cv::min(cv::max(detail, 0.0), 255.0);
}

cv::Mat detail_of(const CopySubject& subject, ShiftDetail wanted) {
  cv::Mat detail = wanted == ShiftDetail::kFine ? whitened_detail(subject.grey, 0.6, 2.5)
                                                : whitened_detail(subject.grey, 1, 4);
  detail.setTo(0, ~subject.recorded);
  return detail;
}

}  // namespace

std::vector<CopyCandidate> copies_by_shift(const CopySubject& subject, ShiftDetail wanted) {
  std::vector<CopyCandidate> candidates;
  const cv::Mat detail = detail_of(subject, wanted);
  const Spectrum spectrum = spectrum_of(detail, padded_size(detail.size(), detail.size()));
  const SelfShiftOptions options{.min_distance = least_copy_distance(detail.size())};
  for (const ShiftPeak& peak : find_self_shifts(spectrum, options))
    candidates.push_back({.motion = translation(peak.dx, peak.dy), .shift_deviations = peak.deviations});
  return candidates;
}

std::vector<CopyCandidate> copies_by_keypoints(const CopySubject& subject) {
  std::vector<CopyCandidate> candidates;
  const cv::Mat& grey = subject.grey;
  const Keypoints points = recorded_only(
      find_keypoints(evenly_contrasted(grey), {.max_count = 1800, .max_side = 640}), subject.recorded);
  const auto distance = static_cast<float>(least_copy_distance(grey.size()));
  for (const bool is_mirrored : {false, true}) {
    const Keypoints other = is_mirrored ? mirrored(points, grey.cols) : points;
    const std::vector<Match> matches = match_within(points, other, distance, 0.75f);
    for (const Consensus& consensus : find_consensus(points, other, matches, grey.size(),
                                                     {.max_motions = 2, .max_log10_false_alarms = -2})) {
      std::vector<cv::Point2f> covered;
      for (int i : consensus.inliers) {
        covered.emplace_back(points.points[matches[i].first].x, points.points[matches[i].first].y);
      }
      Motion motion = consensus.motion;
      if (is_mirrored) motion = mirror(grey.cols) * motion;
      motion = refine_locally(grey, motion, covered);
      if (const auto lossless = nearest_lossless(motion, grey.size(), 1.5)) motion = *lossless;
      candidates.push_back({.motion = motion,
                            .keypoint_matches = static_cast<int>(consensus.inliers.size()),
                            .log10_keypoint_alarms = consensus.log10_false_alarms});
    }
  }
  return candidates;
}

}  // namespace awry::inspectors::forensics
