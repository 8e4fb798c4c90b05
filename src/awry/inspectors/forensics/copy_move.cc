// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/forensics/copy_move.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "awry/inspectors/forensics/false_alarms.h"
#include "awry/inspectors/forensics/grain_check.h"
#include "awry/inspectors/forensics/working_image.h"

namespace awry::inspectors::forensics {
namespace {

constexpr double kDoubtfulLog10 = -1;  // not enough to report, too much to deny

Finding report(const Repeat& repeat, const WorkingImage& image) {
  const MotionParts parts = parts_of(repeat.candidate.motion);
  Pair pair{.first_image = 0,
            .second_image = 0,
            .in_first = original_mask(repeat.source, image),
            .in_second = original_mask(repeat.target, image),
            .second_from_first = original_transform(repeat.candidate.motion, image, image),
            .operations = geometric_operations(parts)};
  if (pair.operations.empty()) pair.operations.push_back("direct");
  const double share = 100.0 * cv::countNonZero(repeat.source) / static_cast<double>(repeat.source.total());
  Finding finding;
  finding.where = pair;
  finding.type = "copy_move";
  finding.phenomenon = fmt::format(
      "Two places of the image show the same "
      "content, each {:.1f}% of its area ({}).",
      share, fmt::join(pair.operations, ", "));
  finding.reasoning =
      "Their fine detail agrees pixel by pixel, while places "
      "beside them agree no more than this texture "
      "usually does. Innocent causes include tiled or stitched "
      "acquisition, a repeated label or scale bar, "
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
  finding.evidence.push_back({"noise_correlation",
                              fmt::format("their noise correlates at {:.2f}, that of places a few "
                                          "pixels off at {:.2f}",
                                          repeat.noise.correlation, repeat.noise.usual),
                              repeat.noise.correlation});
  if (repeat.rival > 0) {
    finding.evidence.push_back(
        {"best_rival", fmt::format("no third place shows this content better than at {:.2f}", repeat.rival),
         repeat.rival});
  }
  if (repeat.candidate.keypoint_matches > 0) {
    finding.evidence.push_back(
        {"keypoint_matches",
         fmt::format("{} keypoints agree on one motion", repeat.candidate.keypoint_matches),
         static_cast<double>(repeat.candidate.keypoint_matches)});
  }
  if (repeat.candidate.shift_deviations > 0) {
    finding.evidence.push_back({"shift_peak", "correlation peak above all other shifts, in deviations",
                                repeat.candidate.shift_deviations});
  }
  finding.by = {.kind = AuthorKind::kDetector, .name = "forensics/copy_move", .version = {}};
  return finding;
}

// To the pixel where that may hold, otherwise by what is left of the grain.
Repeat check(const CopySubject& subject, const Grain& grain, const CopyCandidate& candidate, double min_area,
             double enough) {
  const Grain::Promise promise = grain.promise(candidate.motion, min_area);
  Repeat repeat;
  if (promise.where.empty()) return repeat;
  if (promise.may_be_exact) repeat = check_copy(subject, candidate, min_area);
  if (!repeat.source.empty() && repeat.log10_alarms <= enough) return repeat;
  Repeat by_grain = check_grain_copy(subject, grain, candidate, min_area);
  return by_grain.source.empty() ? repeat : by_grain;
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
      std::max(3 * kCopyWindowArea, options.min_area * static_cast<double>(working.grey.total()));

  const CopySubject subject = copy_subject(working.grey);
  if (is_drawing(subject)) return detection;
  const Grain grain(subject);
  const double enough = std::log10(options.max_false_alarms);
  std::vector<Repeat> repeats;
  const auto look_at = [&](const std::vector<CopyCandidate>& candidates) {
    bool found = false;
    for (const CopyCandidate& candidate : candidates) {
      Repeat repeat = check(subject, grain, candidate, min_area, enough);
      if (repeat.source.empty()) continue;
      found = found || repeat.log10_alarms <= enough;
      repeats.push_back(std::move(repeat));
    }
    return found;
  };
  // The cheapest and most frequent first: objects pasted as they are.
  bool found = look_at(copies_by_shift(subject, ShiftDetail::kFine));
  if (!found) found = look_at(copies_by_keypoints(subject));
  if (!found) look_at(copies_by_shift(subject, ShiftDetail::kCoarse));
  std::stable_sort(repeats.begin(), repeats.end(),
                   [](const Repeat& a, const Repeat& b) { return a.log10_alarms < b.log10_alarms; });
  std::vector<Repeat> known;
  for (Repeat& repeat : repeats) {
    if (static_cast<int>(known.size()) == options.max_findings) break;
    if (repeat.log10_alarms > enough) {
      detection.undecided = detection.undecided || repeat.log10_alarms < kDoubtfulLog10;
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
