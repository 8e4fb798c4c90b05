// SPDX-License-Identifier: Apache-2.0
// From two folders, truth and maps, to I-AUROC, P-AUROC and AUPRO.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "awry/base/result.h"
#include "awry/benchmarks/tgad/map_folder.h"
#include "awry/records/scoring.h"
#include "awry/score/map_scores.h"
#include "awry/score/signature.h"

namespace awry::benchmarks::tgad {

struct MapScoringOptions {
  double pro_limit = 0.3;  // AUPRO integrates up to this false positive rate; in (0, 1]
  // Pixel metrics of each kind of defect against all good images too, and their mean: the paper's Per-Error
  // mode. Reads the good images again for every kind. I-AUROC per kind costs nothing and is always there.
  bool per_error = false;
  // Component tags (component_tags.h): EV1 and EV2 of every tag set as well. Empty: none.
  std::filesystem::path tags;
  // Maps of the same images by other prompts (prompt_scoring.h): some that still name the object, and one
  // that does not. Empty: none.
  std::vector<std::filesystem::path> reworded;
  std::filesystem::path without_noun;
  std::size_t resamples = 5000;  // of the bootstrap over images, for I-AUROC; 0: no intervals
  std::uint64_t seed = 0;
};

// Metrics, each with its signature:
//   group ""               i_auroc, p_auroc, au_pro (and au_spro for LOCO) of the class; of several classes
//                          their mean, every class counting the same
//   group "<class>"        the same per class, where there are several
//   group "defect:<name>"  one kind of defect against all good images
//   group "per_error"      the mean over kinds
//   groups of part_scoring.h, with tags, and of prompt_scoring.h, with maps by other prompts
// Groups below a class are preceded by "<class>/" where there are several. Summary::scores holds every
// image's score.
Result<Summary> score_map_folder(const std::filesystem::path& truth_folder,
                                 const std::filesystem::path& maps_folder,
                                 const MapScoringOptions& options = {});

// Shared with part_scoring.cc.
struct MetricContext {
  Summary& summary;
  const MapScoringOptions& options;
  std::string prefix;  // "", or "<class>/"
  TreeKind tree = TreeKind::kMvtec;
};
score::Signature map_signature(std::string_view key, const MetricContext& context);
// i_auroc with its interval, and the pixel metrics, as far as they are defined.
Result<void> add_map_metrics(const MetricContext& context, const std::string& group,
                             const score::MapScores& scores, std::string_view negatives);
Result<void> add_image_metric(const MetricContext& context, const std::string& group,
                              std::span<const double> image_scores, std::span<const std::uint8_t> labels,
                              std::string_view negatives);
// The mean of one metric over groups that have it; adds nothing when none has.
void add_mean(const MetricContext& context, const std::string& group, std::string_view key,
              std::span<const std::string> over, std::string_view averaged);

// Perfect, constant and permuted maps must score what they must, or nothing is printed.
Result<void> check_map_metrics_first(const MapScoringOptions& options);

}  // namespace awry::benchmarks::tgad
