// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/forensics/splicing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <vector>

#include "awry/inspectors/forensics/copy_subject.h"
#include "awry/inspectors/forensics/mask_shapes.h"
#include "awry/inspectors/forensics/seam_map.h"
#include "awry/inspectors/forensics/splicing_evidence.h"
#include "awry/inspectors/forensics/working_image.h"

namespace awry::inspectors::forensics {
namespace {

struct Suspect {
  BorderedRegion region;
  SplicingClues clues;
  double odds = 0;
};

// Most suspicious first.
std::vector<Suspect> find_suspects(const WorkingImage& image) {
  constexpr int smallest = 64;
  std::vector<Suspect> suspects;
  if (std::min(image.grey.cols, image.grey.rows) < smallest || is_drawing(copy_subject(image.grey)))
    return suspects;
  const SeamSubject subject = seam_subject(image.grey);
  const cv::Mat1f seams = seam_map(subject);
  for (BorderedRegion& region : surrounded_regions(seams)) {
    const SplicingClues clues = splicing_clues(region, seams, subject);
    suspects.push_back({std::move(region), clues, splicing_log_odds(tuned_splicing_fusion(), clues)});
  }
  std::stable_sort(suspects.begin(), suspects.end(),
                   [](const Suspect& a, const Suspect& b) { return a.odds > b.odds; });
  return suspects;
}

cv::Mat1b working_mask(const Suspect& suspect, const WorkingImage& image) {
  cv::Mat1b mask;
  cv::resize(suspect.region.mask, mask, image.grey.size(), 0, 0, cv::INTER_NEAREST);
  return mask;
}

Finding report(const Suspect& suspect, const WorkingImage& image) {
  const cv::Mat mask = without_holes(working_mask(suspect, image));
  Finding finding{.where = original_mask(mask, image), .type = "splicing"};
  finding.phenomenon = fmt::format("A seam surrounds one region, {:.0f}% of the image.",
                                   100.0 * cv::countNonZero(mask) / static_cast<double>(mask.total()));
  finding.reasoning =
      "Along the outline of the region, noise and brightness change as they do where two pictures were "
      "blended, "
      "and not as they do at edges elsewhere in this image. Innocent causes include insets, stitched fields, "
      "overlays drawn on the image, and local denoising or sharpening.";
  finding.probability = 1 / (1 + std::exp(-suspect.odds));
  for (std::size_t i = 0; i < suspect.clues.size(); ++i)
    finding.evidence.push_back({std::string(kSplicingClueNames[i].name),
                                std::string(kSplicingClueNames[i].meaning), suspect.clues[i]});
  finding.by = {.kind = AuthorKind::kDetector, .name = "forensics/splicing", .version = {}};
  return finding;
}

}  // namespace

Detection find_splicing(const imaging::Image& image, const SplicingOptions& options) {
  Detection detection;
  const WorkingImage working = prepare(image, options.max_pixels);
  const std::vector<Suspect> suspects = find_suspects(working);
  if (suspects.empty()) return detection;
  if (suspects.front().odds >= options.certain_odds) {
    detection.findings.push_back(report(suspects.front(), working));
  } else {
    detection.undecided = suspects.front().odds >= options.doubtful_odds;
  }
  return detection;
}

imaging::FloatMap splicing_map(const imaging::Image& image, const SplicingOptions& options) {
  imaging::FloatMap map{.width = image.width, .height = image.height, .values = {}};
  map.values.assign(static_cast<std::size_t>(image.width) * image.height, 0);
  const WorkingImage working = prepare(image, options.max_pixels);
  cv::Mat1f probability(working.grey.size(), 0.f);
  std::vector<Suspect> suspects = find_suspects(working);
  for (auto suspect = suspects.rbegin(); suspect != suspects.rend(); ++suspect)
    probability.setTo(1 / (1 + std::exp(-suspect->odds)), working_mask(*suspect, working));
  if (probability.empty()) return map;
  cv::Mat1f full(image.height, image.width, map.values.data());
  cv::resize(probability, full, full.size(), 0, 0, cv::INTER_LINEAR);
  return map;
}

}  // namespace awry::inspectors::forensics
