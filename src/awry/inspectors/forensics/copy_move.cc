// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/forensics/copy_move.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "awry/inspectors/forensics/consensus.h"
#include "awry/inspectors/forensics/dense_check.h"
#include "awry/inspectors/forensics/false_alarms.h"
#include "awry/inspectors/forensics/noise_level.h"
#include "awry/inspectors/forensics/shift_search.h"
#include "awry/inspectors/forensics/working_image.h"

namespace awry::inspectors::forensics {
namespace {

constexpr int kRadius = 5;
constexpr double kWindowArea = (2.0 * kRadius + 1) * (2 * kRadius + 1);
constexpr DetailBand kBand{0.6, 3};
constexpr double kNoisyCopyCorrelation = 0.9;     // noise never repeats this well by itself
constexpr double kSmoothCopyCorrelation = 0.995;  // smooth shapes, blot bands above all, often reach 0.99
// Subtracting a copy removes noise, subtracting anything else adds some: the noise level that may be left,
// relative to before. Interpolation costs a copy part of its noise.
constexpr double kMaxNoiseLeft = 0.5, kMaxNoiseLeftInterpolated = 0.6;
constexpr double kLeastChance = 0.004;  // no texture is granted a lower rate of agreement by chance
constexpr double kSureLog10 = -12;      // stop looking for further motions

struct Suspect {
  Motion motion = Motion::eye();
  int keypoint_matches = 0;
  double shift_deviations = 0;
};

struct Repeat {
  Suspect suspect;
  cv::Mat source, target;  // CV_8U
  double correlation = 0;  // mean inside the source
  double windows = 0;
  double chance = 0;  // agreement at motions nearby
  double log10_alarms = 0;
};

double least_distance(cv::Size size) {
  return std::max(16.0, 0.05 * std::min(size.width, size.height));
}

// The image, and where it was recorded rather than drawn: letters and ticks repeat by nature.
struct Subject {
  cv::Mat grey;
  cv::Mat noise;     // noise_floor
  cv::Mat required;  // CV_32F: the correlation a copy must reach, higher where shapes outweigh noise
};

cv::Mat window_mean(const cv::Mat& values) {
  cv::Mat result;
  cv::boxFilter(values, result, CV_32F, {2 * kRadius + 1, 2 * kRadius + 1}, {-1, -1}, true,
                cv::BORDER_REFLECT);
  return result;
}

Subject subject_of(const cv::Mat& grey) {
  Subject subject{
      .grey = grey, .noise = noise_floor(grey, 2 * kRadius + 1), .required = cv::Mat(grey.size(), CV_32F)};
  const cv::Mat band = band_pass(grey, kBand.fine_sigma, kBand.coarse_sigma);
  const cv::Mat all = window_mean(band.mul(band));
  constexpr double deviation_of_median = 1.4826;
  for (int y = 0; y < grey.rows; ++y) {
    for (int x = 0; x < grey.cols; ++x) {
      // From the floor, because a thin line, the frame of a blot say, is as fine as noise.
      const double noise = deviation_of_median * subject.noise.at<float>(y, x);
      const double noisiness = noise * noise / (all.at<float>(y, x) + 0.05);
      const double smooth = std::clamp((0.5 - noisiness) / 0.35, 0.0, 1.0);
      subject.required.at<float>(y, x) = static_cast<float>(
          kNoisyCopyCorrelation + smooth * (kSmoothCopyCorrelation - kNoisyCopyCorrelation));
    }
  }
  return subject;
}

std::vector<Suspect> from_shifts(const Subject& subject) {
  constexpr double min_deviations = 7;
  std::vector<Suspect> suspects;
  const cv::Mat& grey = subject.grey;
  cv::Mat detail = whitened_detail(grey, 0.6, 3);
  detail.setTo(0, subject.noise < kLeastNoise);
  const cv::Size padded = padded_size(detail.size(), detail.size());
  const Spectrum spectrum = spectrum_of(detail, padded);
  const int nearest = static_cast<int>(least_distance(grey.size()));
  const ShiftOptions apart{.max_peaks = 4, .min_distance = nearest, .min_overlap = 0.02};
  for (const ShiftPeak& peak : find_shifts(spectrum, spectrum, apart)) {
    // Every shift appears twice, there and back.
    const bool forward = peak.dy > 0 || (peak.dy == 0 && peak.dx > 0);
    if (forward && peak.deviations > min_deviations) {
      suspects.push_back({translation(peak.dx, peak.dy), 0, peak.deviations});
    }
  }
  for (const int which : {2, 4, 6}) {  // half turn, horizontal flip, vertical flip
    const Motion flip = dihedral(which, grey.cols, grey.rows);
    const Spectrum flipped = spectrum_of(dihedral_image(detail, which), padded);
    for (const ShiftPeak& peak : find_shifts(spectrum, flipped, {.max_peaks = 1, .min_overlap = 0.02})) {
      if (peak.deviations > min_deviations) {
        suspects.push_back({flip.inv() * translation(peak.dx, peak.dy), 0, peak.deviations});
      }
    }
  }
  return suspects;
}

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

std::vector<Suspect> from_keypoints(const Subject& subject) {
  std::vector<Suspect> suspects;
  const cv::Mat& grey = subject.grey;
  const Keypoints points = recorded_only(find_keypoints(grey), subject.noise);
  const auto distance = static_cast<float>(least_distance(grey.size()));
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
      suspects.push_back({motion, static_cast<int>(consensus.inliers.size()), 0});
    }
  }
  return suspects;
}

cv::Mat difference(const cv::Mat& grey, const Motion& motion) {
  return grey - warp_to_first(grey, motion, grey.size(), nullptr);
}

// Where the image agrees with itself under a motion, down to its noise, leaving out points that hardly
// move. Shapes resemble each other (blot bands correlate at 0.99), and a line through a window correlates
// with any other, but noise that was recorded twice differs.
cv::Mat agreeing_places(const Subject& subject, const Motion& motion, DenseAgreement& dense) {
  const cv::Mat& grey = subject.grey;
  // Without interpolation even the rounding of the last bit is copied, so dim areas count as well.
  const bool is_lossless = nearest_lossless(motion, grey.size(), 1e-9).has_value();
  dense = compare_densely(grey, grey, motion,
                          {.band = kBand, .radius = kRadius, .min_detail = is_lossless ? 0.2 : 0.45});
  dense.comparable &= subject.noise >= kLeastNoise;
  const cv::Mat same_noise = noise_level(difference(grey, motion), 2 * kRadius + 1) <=
                             (is_lossless ? kMaxNoiseLeft : kMaxNoiseLeftInterpolated) * subject.noise;
  cv::Mat agreeing = (dense.correlation >= subject.required) & dense.comparable & same_noise;
  const double nearest = least_distance(grey.size());
  for (int y = 0; y < grey.rows; ++y) {
    std::uint8_t* row = agreeing.ptr(y);
    std::uint8_t* comparable = dense.comparable.ptr(y);
    const cv::Point2d left = apply(motion, 0, y) - cv::Point2d(0, y);
    for (int x = 0; x < grey.cols; ++x) {
      const double dx = left.x + x * (motion(0, 0) - 1), dy = left.y + x * motion(1, 0);
      if (dx * dx + dy * dy < nearest * nearest) row[x] = comparable[x] = 0;
    }
  }
  return agreeing;
}

cv::Mat ellipse(int diameter) {
  return cv::getStructuringElement(cv::MORPH_ELLIPSE, {diameter, diameter});
}

cv::Mat without_holes(const cv::Mat& mask) {
  std::vector<std::vector<cv::Point>> outlines;
  cv::findContours(mask, outlines, cv::RETR_EXTERNAL, cv::CHAIN_APPROX_NONE);
  cv::Mat result = cv::Mat::zeros(mask.size(), CV_8U);
  cv::drawContours(result, outlines, -1, cv::Scalar(255), cv::FILLED);
  return result;
}

cv::Mat moved_mask(const cv::Mat& mask, const Motion& motion) {
  const Motion m = motion.inv();
  cv::Mat result;
  cv::warpAffine(mask, result, cv::Matx23d(m(0, 0), m(0, 1), m(0, 2), m(1, 0), m(1, 1), m(1, 2)), mask.size(),
                 cv::WARP_INVERSE_MAP | cv::INTER_NEAREST, cv::BORDER_CONSTANT, cv::Scalar(0));
  return result;
}

// How often windows agree when the motion is slightly wrong: what this image's texture does by itself.
double chance_agreement(const Subject& subject, const Motion& motion) {
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
double effective_windows(const cv::Mat& places, const DenseAgreement& dense, const Subject& subject) {
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
  return sum / kWindowArea;
}

// Windows blur the outline of a copy by their radius; pixels that are equal but for what the copy lost
// everywhere restore it.
cv::Mat sharpened_outline(const cv::Mat& places, const cv::Mat& core, const Subject& subject,
                          const Motion& motion) {
  cv::Mat change = cv::abs(difference(subject.grey, motion)), near_by;
  cv::blur(change, change, {3, 3});
  const double usual = cv::mean(change, core)[0];
  cv::dilate(places, near_by, ellipse(4 * kRadius + 1));
  cv::Mat result = near_by & (change <= std::max(0.34, 2.5 * usual));
  cv::morphologyEx(result, result, cv::MORPH_OPEN, ellipse(5));
  result |= core;
  cv::morphologyEx(result, result, cv::MORPH_CLOSE, ellipse(2 * kRadius + 1));
  return without_holes(result);
}

// The connected parts of `candidates` that contain at least `min_core` pixels of `core` and `min_area` in
// all.
cv::Mat parts_holding(const cv::Mat& candidates, const cv::Mat& core, double min_core, double min_area) {
  cv::Mat labels;
  const int count = cv::connectedComponents(candidates, labels);
  std::vector<int> areas(static_cast<std::size_t>(count)), cores(static_cast<std::size_t>(count));
  for (int y = 0; y < labels.rows; ++y) {
    for (int x = 0; x < labels.cols; ++x) {
      const auto label = static_cast<std::size_t>(labels.at<int>(y, x));
      ++areas[label];
      cores[label] += core.at<std::uint8_t>(y, x) != 0;
    }
  }
  cv::Mat result = cv::Mat::zeros(candidates.size(), CV_8U);
  for (int y = 0; y < labels.rows; ++y) {
    for (int x = 0; x < labels.cols; ++x) {
      const auto label = static_cast<std::size_t>(labels.at<int>(y, x));
      if (label > 0 && areas[label] >= min_area && cores[label] >= min_core)
        result.at<std::uint8_t>(y, x) = 255;
    }
  }
  return result;
}

Repeat examine(const Subject& subject, const Suspect& suspect, double min_area) {
  constexpr double grown_correlation = 0.8;  // enough beside a place that is a copy beyond doubt
  const cv::Mat& grey = subject.grey;
  Repeat repeat{.suspect = suspect, .source = {}, .target = {}};
  DenseAgreement dense;
  cv::Mat agreeing = agreeing_places(subject, suspect.motion, dense);
  // Single windows agree by accident; places do not.
  cv::morphologyEx(agreeing, agreeing, cv::MORPH_OPEN, ellipse(5));
  cv::Mat places = (dense.correlation >= grown_correlation) & dense.comparable;
  cv::morphologyEx(places, places, cv::MORPH_OPEN, ellipse(5));
  places |= agreeing;
  cv::morphologyEx(places, places, cv::MORPH_CLOSE, ellipse(4 * kRadius + 1));
  places = without_holes(places) & dense.covered;
  const cv::Mat source = parts_holding(places, agreeing, 3 * kWindowArea, min_area);
  const cv::Mat core = source & agreeing;
  if (cv::countNonZero(core) == 0) return repeat;
  repeat.source = sharpened_outline(source, core, subject, suspect.motion) & dense.covered;
  repeat.target = moved_mask(repeat.source, suspect.motion);
  repeat.correlation = cv::mean(dense.correlation, core)[0];
  repeat.windows = effective_windows(core, dense, subject);
  const double disagreeing = cv::countNonZero(source & dense.comparable & ~places) / kWindowArea;
  const double inside = repeat.windows + disagreeing;
  const auto log10_alarms = [&](double chance) {
    // The places were chosen for agreeing: inside them chance is granted four times its rate.
    return log10_binomial_tail(inside, repeat.windows, std::min(0.5, 4 * chance)) +
           std::log10(8.0 * static_cast<double>(grey.total()));
  };
  repeat.log10_alarms = log10_alarms(kLeastChance);
  if (repeat.log10_alarms > 0) return repeat;  // not even then: save the comparison
  repeat.chance = chance_agreement(subject, suspect.motion);
  repeat.log10_alarms = log10_alarms(repeat.chance);
  return repeat;
}

Finding report(const Repeat& repeat, const WorkingImage& image) {
  const MotionParts parts = parts_of(repeat.suspect.motion);
  Pair pair{.first_image = 0,
            .second_image = 0,
            .in_first = original_mask(repeat.source, image),
            .in_second = original_mask(repeat.target, image),
            .second_from_first = original_transform(repeat.suspect.motion, image, image),
            .operations = geometric_operations(parts)};
  if (pair.operations.empty()) pair.operations.push_back("direct");
  const double share = 100.0 * cv::countNonZero(repeat.source) / static_cast<double>(repeat.source.total());
  Finding finding;
  finding.where = pair;
  finding.type = "copy_move";
  finding.phenomenon =
      fmt::format("Two places of the image show the same content, each {:.1f}% of its area ({}).", share,
                  fmt::join(pair.operations, ", "));
  finding.reasoning =
      "Their fine detail agrees pixel by pixel, while places beside them agree no more than this texture "
      "usually does. Innocent causes include tiled or stitched acquisition, a repeated label or scale bar, "
      "drawn symbols, and a copy made openly as an inset.";
  finding.false_alarms = false_alarms_from_log10(repeat.log10_alarms);
  finding.evidence.push_back(
      {"detail_correlation",
       fmt::format("fine detail of the two places correlates at {:.3f}", repeat.correlation),
       repeat.correlation});
  finding.evidence.push_back({"agreeing_windows", "independent windows that agree", repeat.windows});
  finding.evidence.push_back(
      {"chance_agreement",
       fmt::format("{:.1f}% of windows agree when the motion is slightly wrong", 100 * repeat.chance),
       repeat.chance});
  if (repeat.suspect.keypoint_matches > 0) {
    finding.evidence.push_back(
        {"keypoint_matches", fmt::format("{} keypoints agree on one motion", repeat.suspect.keypoint_matches),
         static_cast<double>(repeat.suspect.keypoint_matches)});
  }
  if (repeat.suspect.shift_deviations > 0) {
    finding.evidence.push_back({"shift_peak", "correlation peak above all other shifts, in deviations",
                                repeat.suspect.shift_deviations});
  }
  finding.by = {.kind = AuthorKind::kDetector, .name = "forensics/copy_move", .version = {}};
  return finding;
}

bool already_known(const Repeat& repeat, const std::vector<Repeat>& known) {
  const cv::Mat both = repeat.source | repeat.target;
  return std::any_of(known.begin(), known.end(), [&](const Repeat& other) {
    return cv::countNonZero(both & (other.source | other.target)) > 0.6 * cv::countNonZero(both);
  });
}

}  // namespace

Detection find_copy_move(const imaging::Image& image, const CopyMoveOptions& options) {
  Detection detection;
  const WorkingImage working = prepare(image, options.max_pixels);
  constexpr int smallest = 48;  // two places and the distance between them must fit
  if (std::min(working.grey.cols, working.grey.rows) < smallest) return detection;
  const double min_area =
      std::max(3 * kWindowArea, options.min_area * static_cast<double>(working.grey.total()));

  const Subject subject = subject_of(working.grey);
  if (cv::countNonZero(subject.noise >= kLeastNoise) < 2 * min_area) return detection;  // all of it is drawn
  std::vector<Repeat> repeats;
  const auto examine_all = [&](const std::vector<Suspect>& suspects) {
    for (const Suspect& suspect : suspects) {
      Repeat repeat = examine(subject, suspect, min_area);
      if (!repeat.source.empty()) repeats.push_back(std::move(repeat));
    }
  };
  examine_all(from_shifts(subject));
  const bool decided = std::any_of(repeats.begin(), repeats.end(),
                                   [](const Repeat& repeat) { return repeat.log10_alarms < kSureLog10; });
  if (!decided) examine_all(from_keypoints(subject));
  std::stable_sort(repeats.begin(), repeats.end(),
                   [](const Repeat& a, const Repeat& b) { return a.log10_alarms < b.log10_alarms; });
  std::vector<Repeat> known;
  for (Repeat& repeat : repeats) {
    if (static_cast<int>(known.size()) == options.max_findings) break;
    if (repeat.log10_alarms > std::log10(options.max_false_alarms)) {
      detection.undecided = detection.undecided || repeat.log10_alarms < 0;
      continue;
    }
    if (already_known(repeat, known)) continue;
    detection.findings.push_back(report(repeat, working));
    known.push_back(std::move(repeat));
  }
  if (!detection.findings.empty()) detection.undecided = false;
  return detection;
}

}  // namespace awry::inspectors::forensics
