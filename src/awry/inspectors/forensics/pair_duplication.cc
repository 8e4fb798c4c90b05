// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/forensics/pair_duplication.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <optional>
#include <tuple>

#include "awry/inspectors/forensics/coding_noise.h"
#include "awry/inspectors/forensics/consensus.h"
#include "awry/inspectors/forensics/dense_check.h"
#include "awry/inspectors/forensics/drawn_overlap.h"
#include "awry/inspectors/forensics/false_alarms.h"
#include "awry/inspectors/forensics/photometry.h"
#include "awry/inspectors/forensics/shift_search.h"
#include "awry/inspectors/forensics/working_image.h"

namespace awry::inspectors::forensics {
namespace {

// Windows of unrelated panels that happen to correlate: measured on unrelated pairs after the best of all
// motions was picked for them, then doubled.
constexpr double kChanceAgreement = 0.04;

// Different channels or moments of one field reach 0.75 over large areas; a row of blot bands resembles
// any other at 0.95 while there are only a few windows to tell them apart. Copies stay above this line.
// Nobody records a scene twice turned, scaled or in the mirror, so there only likeness by chance is to be
// feared.
double required_correlation(double windows, bool same_view) {
  const double scarce = std::clamp((50 - windows) / 35, 0.0, 1.0);
  return same_view ? 0.8 + 0.17 * scarce : 0.78 + 0.12 * scarce;
}
constexpr double kMostUnexplained = 0.03;  // of a drawing
constexpr double kSureLog10 = -12;         // stop looking for a better candidate
constexpr double kWorthALook = 0.6;        // mean correlation
constexpr double kWorthAllowances = 0.25;

// The two panels, and what is found out about them only when it is needed.
class Panels {
 public:
  Panels(const WorkingImage& one, const WorkingImage& other) : first(one), second(other) {}
  const WorkingImage &first, &second;

  std::array<int, 2> qualities() {
    if (!qualities_) qualities_ = {jpeg_quality_of(first.grey), jpeg_quality_of(second.grey)};
    return *qualities_;
  }

 private:
  std::optional<std::array<int, 2>> qualities_;
};

bool is_same_view(const Motion& motion) {
  return geometric_operations(parts_of(motion), {.scale = 0.03, .degrees = 2}).empty();
}

struct Candidate {
  Motion motion = Motion::eye();
  int keypoint_matches = 0;
  double log10_keypoint_alarms = 0;  // 0: not found by keypoints
  double shift_deviations = 0;       // 0: not found by the search over shifts
  DenseAgreement dense;
  DrawnOverlap drawn;
  double log10_alarms = 0;

  double required() const { return required_correlation(dense.windows, is_same_view(motion)); }
  bool is_contradicted() const { return drawn.is_drawn && drawn.unexplained > kMostUnexplained; }
  bool is_copy() const { return dense.mean >= required() && !is_contradicted(); }
  bool better_than(const Candidate& other) const {
    return std::tuple(!is_copy(), log10_alarms) < std::tuple(!other.is_copy(), other.log10_alarms);
  }
};

// Motions a person would have made: no scaling, and no turn but by quarters. Noise and scarce detail let
// the refined motion drift by a few percent, and the simpler reading wins unless the pixels object.
std::vector<Motion> simpler_motions(const Motion& motion, cv::Size first) {
  constexpr double max_log_scale = 0.07, max_degrees = 4;
  constexpr double max_drop_log_scale = 0.02, max_drop_degrees = 1;  // below, nobody calls it an operation
  const MotionParts parts = parts_of(motion);
  const double log_scale = std::log(parts.scale);
  const double quarter = 90 * std::round(parts.rotation_degrees / 90),
               turn = quarter - parts.rotation_degrees;
  const bool drop_scale = std::abs(log_scale) < max_log_scale && std::abs(log_scale) > max_drop_log_scale;
  const bool drop_turn = std::abs(turn) < max_degrees && std::abs(turn) > max_drop_degrees;
  const cv::Point2d centre(first.width / 2.0, first.height / 2.0);
  auto corrected = [&](double scale, double degrees) {
    const cv::Point2d before = apply(motion, centre.x, centre.y);
    const Motion about = translation(before.x, before.y) * similarity(scale, degrees, 0, 0) *
                         translation(-before.x, -before.y);
    return about * motion;
  };
  std::vector<Motion> result;
  if (const auto lossless = nearest_lossless(motion, first, 1.25)) result.push_back(*lossless);
  if (drop_scale && drop_turn) result.push_back(corrected(1 / parts.scale, turn));
  if (drop_scale) result.push_back(corrected(1 / parts.scale, std::abs(turn) < max_drop_degrees ? turn : 0));
  if (drop_turn)
    result.push_back(corrected(std::abs(log_scale) < max_drop_log_scale ? 1 / parts.scale : 1, turn));
  return result;
}

// The simplest motion that the pixels allow.
void settle_motion(Candidate& candidate, const Panels& panels, const DenseOptions& looking) {
  constexpr double simplicity_bonus = 0.02;
  const cv::Mat &first = panels.first.grey, &second = panels.second.grey;
  for (const Motion& simpler : simpler_motions(candidate.motion, first.size())) {
    const bool is_lossless = nearest_lossless(simpler, first.size(), 1e-9).has_value();
    const Motion motion = is_lossless ? simpler : refine_motion(first, second, simpler, Freedom::kShift);
    DenseAgreement dense = compare_densely(first, second, motion, looking);
    if (dense.mean < candidate.dense.mean - simplicity_bonus) continue;
    candidate.motion = motion;
    candidate.dense = std::move(dense);
    break;
  }
}

// Most copies were shifted, flipped or turned by quarters, and then no search for the exact motion is needed.
bool settle_as_lossless(Candidate& candidate, const Panels& panels) {
  constexpr double max_px = 1.5, beyond_doubt = 0.985;
  const auto lossless = nearest_lossless(candidate.motion, panels.first.grey.size(), max_px);
  if (!lossless) return false;
  DenseAgreement dense = compare_densely(panels.first.grey, panels.second.grey, *lossless);
  if (dense.mean < std::max(beyond_doubt, required_correlation(dense.windows, true))) return false;
  candidate.motion = *lossless;
  candidate.dense = std::move(dense);
  return true;
}

void verify(Candidate& candidate, Panels& panels, double min_overlap) {
  const cv::Mat &first = panels.first.grey, &second = panels.second.grey;
  candidate.log10_alarms = 0;
  const double smaller = std::min(static_cast<double>(first.total()), static_cast<double>(second.total()));
  const double scale = parts_of(candidate.motion).scale;
  if (!(scale > 0.15 && scale < 6)) return;
  const auto overlap = [&] {
    return overlap_share(candidate.motion, first.size(), second.size()) * static_cast<double>(first.total()) /
           smaller;
  };
  if (overlap() < min_overlap) return;
  if (!settle_as_lossless(candidate, panels)) {
    const auto refined = refine_if_alike(first, second, candidate.motion);
    if (!refined) return;
    candidate.motion = *refined;
    if (overlap() < min_overlap) return;
    DenseOptions looking;
    candidate.dense = compare_densely(first, second, candidate.motion, looking);
    if (candidate.dense.mean < candidate.required() && candidate.dense.mean > kWorthAllowances) {
      looking.qualities = panels.qualities();
      candidate.dense = compare_densely(first, second, candidate.motion, looking);
    }
    if (candidate.dense.mean < kWorthALook) return;
    settle_motion(candidate, panels, looking);
  }
  const DenseAgreement& dense = candidate.dense;
  // Keypoints have already paid for the choice among motions; the search over shifts tried every pixel.
  const double tests = candidate.keypoint_matches > 0 ? candidate.log10_keypoint_alarms
                                                      : std::log10(8.0 * static_cast<double>(first.total()));
  candidate.log10_alarms =
      tests + log10_binomial_tail(dense.windows, dense.windows * dense.share, kChanceAgreement);
  if (candidate.is_copy()) {
    cv::Mat covered;
    const cv::Mat aligned = warp_to_first(second, candidate.motion, first.size(), &covered);
    candidate.drawn = look_at_drawn_overlap(first, aligned, covered);
  }
}

std::vector<Candidate> from_keypoints(const Keypoints& first, const Keypoints& second,
                                      const Keypoints& second_mirrored, cv::Size second_size) {
  std::vector<Candidate> candidates;
  for (const bool is_mirrored : {false, true}) {
    const Keypoints& other = is_mirrored ? second_mirrored : second;
    const std::vector<Match> matches = match_keypoints(first, other, 0.85f);
    for (const Consensus& consensus :
         find_consensus(first, other, matches, second_size, {.max_motions = 2})) {
      Candidate candidate{.motion = consensus.motion,
                          .keypoint_matches = static_cast<int>(consensus.inliers.size()),
                          .log10_keypoint_alarms = consensus.log10_false_alarms};
      if (is_mirrored) candidate.motion = mirror(second_size.width) * candidate.motion;
      candidates.push_back(std::move(candidate));
    }
  }
  std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    return a.log10_keypoint_alarms < b.log10_keypoint_alarms;
  });
  return candidates;
}

cv::Mat shrunk(const cv::Mat& grey, double factor) {
  cv::Mat result = grey;
  if (factor < 1) cv::resize(grey, result, {}, factor, factor, cv::INTER_AREA);
  return result;
}

std::vector<Candidate> from_shifts(const cv::Mat& first, const cv::Mat& second) {
  constexpr double max_side = 256;
  const double longest = std::max({first.cols, first.rows, second.cols, second.rows});
  const double factor = std::min(1.0, max_side / longest);
  const cv::Mat a = whitened_detail(shrunk(first, factor), 0.7, 4);
  const cv::Mat b = whitened_detail(shrunk(second, factor), 0.7, 4);
  const int side_b = std::max(b.cols, b.rows);
  const cv::Size padded = padded_size(a.size(), {side_b, side_b});
  const Spectrum spectrum_a = spectrum_of(a, padded);
  std::vector<Candidate> candidates;
  for (int which = 0; which < 8; ++which) {
    // `which` lays the first panel's orientation onto the second's, so undo it on the second.
    const Motion turned_from_b = dihedral(which, b.cols, b.rows);
    const cv::Mat turned = dihedral_image(b, which);
    for (const ShiftPeak& peak : find_shifts(spectrum_a, spectrum_of(turned, padded), {.max_peaks = 1})) {
      if (peak.deviations < 6) continue;
      const Motion b_from_a = turned_from_b.inv() * translation(peak.dx, peak.dy);
      const double half = (factor - 1) / 2;
      const Motion shrink(factor, 0, half, 0, factor, half, 0, 0, 1);
      candidates.push_back({.motion = shrink.inv() * b_from_a * shrink, .shift_deviations = peak.deviations});
    }
  }
  std::sort(candidates.begin(), candidates.end(), [](const Candidate& a1, const Candidate& b1) {
    return a1.shift_deviations > b1.shift_deviations;
  });
  if (candidates.size() > 3) candidates.resize(3);
  return candidates;
}

std::optional<Candidate> best_candidate(const WorkingImage& first, const WorkingImage& second,
                                        const PairDuplicationOptions& options) {
  Panels panels(first, second);
  std::optional<Candidate> best;
  auto consider = [&](std::vector<Candidate> candidates, std::size_t limit) {
    for (std::size_t i = 0; i < std::min(limit, candidates.size()); ++i) {
      if (best && best->is_copy() && best->log10_alarms < kSureLog10) return;
      verify(candidates[i], panels, options.min_overlap);
      if (!best || candidates[i].better_than(*best)) best = std::move(candidates[i]);
    }
  };
  constexpr KeypointOptions looking{.max_count = 550, .max_side = 280};  // half as many take half the time
  const Keypoints first_points = find_keypoints(first.grey, looking),
                  second_points = find_keypoints(second.grey, looking);
  consider(from_keypoints(first_points, second_points, mirrored(second_points, second.grey.cols),
                          second.grey.size()),
           3);
  // Panels rich in keypoints would have matched by them.
  constexpr std::size_t rich = 300;
  const bool decided = best && best->is_copy() && best->log10_alarms < kSureLog10;
  if (!decided && std::min(first_points.size(), second_points.size()) < rich)
    consider(from_shifts(first.grey, second.grey), 2);
  return best;
}

// What the two panels share: where windows agree, with the small gaps of plain background closed.
cv::Mat shared_in_first(const DenseAgreement& dense, double min_correlation) {
  cv::Mat agreeing = dense.correlation >= min_correlation, disagreeing;
  agreeing &= dense.comparable;
  disagreeing = dense.comparable & ~agreeing;
  const cv::Mat window = cv::getStructuringElement(cv::MORPH_ELLIPSE, {17, 17});
  cv::erode(disagreeing, disagreeing, cv::getStructuringElement(cv::MORPH_ELLIPSE, {9, 9}));
  cv::dilate(disagreeing, disagreeing, cv::getStructuringElement(cv::MORPH_ELLIPSE, {9, 9}));
  cv::dilate(agreeing, agreeing, window);
  // Plain areas inside the common frame carry no evidence against it: they belong to the shared content
  // when most of the detail around them agrees.
  if (dense.share > 0.7) return dense.covered & ~disagreeing;
  return agreeing & dense.covered & ~disagreeing;
}

cv::Mat mask_in_second(const cv::Mat& in_first, const Motion& second_from_first, cv::Size second) {
  const Motion m = second_from_first.inv();
  cv::Mat result;
  cv::warpAffine(in_first, result, cv::Matx23d(m(0, 0), m(0, 1), m(0, 2), m(1, 0), m(1, 1), m(1, 2)), second,
                 cv::WARP_INVERSE_MAP | cv::INTER_NEAREST, cv::BORDER_CONSTANT, cv::Scalar(0));
  return result;
}

std::string describe(const MotionParts& parts, const std::vector<std::string>& geometric,
                     const ColourChange& colour) {
  if (geometric.empty() && !colour.changed) return "unchanged but for a shift or a crop";
  std::vector<std::string> phrases;
  for (const std::string& operation : geometric) {
    if (operation == "scaling") phrases.push_back(fmt::format("scaled by {:.3f}", parts.scale));
    if (operation == "rotation")
      phrases.push_back(fmt::format("rotated by {:.1f} degrees", parts.rotation_degrees));
    if (operation == "horizontal_flip") phrases.push_back("mirrored left to right");
    if (operation == "vertical_flip") phrases.push_back("mirrored top to bottom");
  }
  if (colour.changed) {
    phrases.push_back(fmt::format("with levels or colours changed ({})", fmt::join(colour.kinds, ", ")));
  }
  return fmt::format("{}", fmt::join(phrases, ", "));
}

Finding report(const Candidate& candidate, const WorkingImage& first, const WorkingImage& second) {
  const cv::Mat in_first = shared_in_first(candidate.dense, 0.5);
  const cv::Mat in_second = mask_in_second(in_first, candidate.motion, second.grey.size());
  const cv::Mat aligned = warp_to_first(second.rgb, candidate.motion, first.grey.size(), nullptr);
  const ColourChange colour = fit_colour_change(first.rgb, aligned, in_first);
  // Working images may have been reduced by different factors: operations are about the originals.
  const Transform transform = original_transform(candidate.motion, first, second);
  Motion original;
  for (int i = 0; i < 9; ++i) original.val[i] = transform[static_cast<std::size_t>(i)];
  const MotionParts parts = parts_of(original);
  const std::vector<std::string> geometric = geometric_operations(parts);

  Pair pair{.in_first = original_mask(in_first, first),
            .in_second = original_mask(in_second, second),
            .second_from_first = transform,
            .operations = geometric};
  if (colour.changed) pair.operations.insert(pair.operations.end(), colour.kinds.begin(), colour.kinds.end());
  if (pair.operations.empty()) pair.operations.push_back("direct");

  const double share = cv::countNonZero(in_first) / static_cast<double>(in_first.total());
  Finding finding{.where = pair, .type = "duplication"};
  finding.phenomenon =
      fmt::format("The two panels share content over {:.0f}% of the first panel; in the second it is {}.",
                  100 * share, describe(parts, geometric, colour));
  finding.reasoning =
      "Fine detail, down to noise, agrees after alignment, which separate recordings do not show. Innocent "
      "causes include the same field shown twice on purpose (an inset, a merged channel, a loading control "
      "reused with notice) and a mix-up while the figure was assembled.";
  finding.false_alarms = false_alarms_from_log10(candidate.log10_alarms);
  if (candidate.keypoint_matches > 0) {
    finding.evidence.push_back({"keypoint_matches",
                                fmt::format("{} keypoints agree on one motion", candidate.keypoint_matches),
                                static_cast<double>(candidate.keypoint_matches)});
  }
  if (candidate.shift_deviations > 0) {
    finding.evidence.push_back(
        {"shift_peak",
         fmt::format("correlation peak {:.1f} deviations above all other shifts", candidate.shift_deviations),
         candidate.shift_deviations});
  }
  finding.evidence.push_back(
      {"detail_correlation",
       fmt::format("fine detail correlates at {:.2f} on average; {:.0f}% of the comparable "
                   "area agrees",
                   candidate.dense.mean, 100 * candidate.dense.share),
       candidate.dense.mean});
  finding.evidence.push_back(
      {"agreeing_share", "share of the comparable area that agrees", candidate.dense.share});
  finding.evidence.push_back(
      {"comparable_windows", "independent windows with detail in both panels", candidate.dense.windows});
  finding.evidence.push_back({"scale", "size in the second panel over size in the first", parts.scale});
  finding.evidence.push_back({"rotation_degrees", "rotation beside any flip", parts.rotation_degrees});
  finding.evidence.push_back(
      {"colour_shift",
       fmt::format("levels differ by {:.1f} after alignment, of which the colour model leaves "
                   "{:.1f} unexplained (gain {:.2f}, offset {:.1f})",
                   colour.shift_levels, colour.leftover_levels, colour.gain, colour.offset),
       colour.shift_levels});
  finding.by = {.kind = AuthorKind::kDetector, .name = "forensics/pair_duplication"};
  return finding;
}

}  // namespace

Detection find_pair_duplication(const imaging::Image& first, const imaging::Image& second,
                                const PairDuplicationOptions& options) {
  Detection detection;
  const WorkingImage a = prepare(first, options.max_pixels), b = prepare(second, options.max_pixels);
  constexpr int smallest = 16;  // below this no window fits
  if (std::min({a.grey.cols, a.grey.rows, b.grey.cols, b.grey.rows}) < smallest) return detection;
  const std::optional<Candidate> best = best_candidate(a, b, options);
  if (!best) return detection;
  const bool beyond_chance = best->log10_alarms <= std::log10(options.max_false_alarms);
  if (beyond_chance && best->is_copy()) {
    detection.findings.push_back(report(*best, a, b));
  } else {
    // Well below the line it is one scene recorded twice, the next frame of a time-lapse say: no copy.
    constexpr double near_the_line = 0.04;
    detection.undecided =
        beyond_chance && best->dense.mean >= best->required() - near_the_line && !best->is_contradicted();
  }
  return detection;
}

}  // namespace awry::inspectors::forensics
