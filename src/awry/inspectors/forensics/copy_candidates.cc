// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/forensics/copy_candidates.h"

#include <algorithm>
#include <opencv2/imgproc.hpp>

#include "awry/inspectors/forensics/consensus.h"
#include "awry/inspectors/forensics/noise_level.h"
#include "awry/inspectors/forensics/shift_search.h"
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

Keypoints recorded_only(const Keypoints& all, const cv::Mat& noise) {
  Keypoints result;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const int x = std::clamp(cvRound(all.points[i].x), 0, noise.cols - 1);
    const int y = std::clamp(cvRound(all.points[i].y), 0, noise.rows - 1);
    if (noise.at<float>(y, x) < kLeastNoise) continue;
    result.points.push_back(all.points[i]);
    result.descriptors.push_back(all.descriptors[i]);
  }
  return result;
}

// Divided by the noise level rather than by all local detail: bands and edges, which repeat from lane to
// lane, then weigh hardly more than the noise around them.
cv::Mat noise_in_its_own_units(const CopySubject& subject) {
  constexpr double loudest = 2.5, deviation_of_median = 1.4826;
  cv::Mat detail = band_pass(subject.grey, 0, 1) / (deviation_of_median * subject.noise + 0.1);
  detail = cv::min(cv::max(detail, -loudest), loudest);
  detail.setTo(0, subject.noise < kLeastNoise);
  return detail;
}

cv::Mat content_of(const CopySubject& subject) {
  cv::Mat detail = whitened_detail(subject.grey, 1, 4);
  detail.setTo(0, subject.noise < kLeastNoise);
  return detail;
}

}  // namespace

std::vector<CopyCandidate> copies_by_shift(const CopySubject& subject, Detail wanted) {
  constexpr double min_deviations = 7;
  std::vector<CopyCandidate> candidates;
  const cv::Mat& grey = subject.grey;
  const cv::Mat detail = wanted == Detail::kNoise ? noise_in_its_own_units(subject) : content_of(subject);
  const cv::Size padded = padded_size(detail.size(), detail.size());
  const Spectrum spectrum = spectrum_of(detail, padded);
  const int nearest = static_cast<int>(least_copy_distance(grey.size()));
  // Lanes agree at every multiple of their distance; a copy must not be crowded out by them.
  const ShiftOptions apart{.max_peaks = 8, .peak_radius = 6, .min_distance = nearest, .min_overlap = 0.02};
  for (const ShiftPeak& peak : find_shifts(spectrum, spectrum, apart)) {
    // Every shift appears twice, there and back.
    const bool forward = peak.dy > 0 || (peak.dy == 0 && peak.dx > 0);
    if (forward && peak.deviations > min_deviations) {
      candidates.push_back({translation(peak.dx, peak.dy), 0, peak.deviations});
    }
  }
  for (const int which : {2, 4, 6}) {  // half turn, horizontal flip, vertical flip
    const Motion flip = dihedral(which, grey.cols, grey.rows);
    const Spectrum flipped = spectrum_of(dihedral_image(detail, which), padded);
    for (const ShiftPeak& peak : find_shifts(spectrum, flipped, {.max_peaks = 1, .min_overlap = 0.02})) {
      if (peak.deviations > min_deviations) {
        candidates.push_back({flip.inv() * translation(peak.dx, peak.dy), 0, peak.deviations});
      }
    }
  }
  return candidates;
}

std::vector<CopyCandidate> copies_by_keypoints(const CopySubject& subject) {
  std::vector<CopyCandidate> candidates;
  const cv::Mat& grey = subject.grey;
  const Keypoints points = recorded_only(find_keypoints(grey), subject.noise);
  const auto distance = static_cast<float>(least_copy_distance(grey.size()));
  for (const bool is_mirrored : {false, true}) {
    const Keypoints other = is_mirrored ? mirrored(points, grey.cols) : points;
    const std::vector<Match> matches = match_within(points, other, distance, 0.7f);
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
      candidates.push_back({motion, static_cast<int>(consensus.inliers.size()), 0});
    }
  }
  return candidates;
}

}  // namespace awry::inspectors::forensics
