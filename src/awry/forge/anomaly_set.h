// SPDX-License-Identifier: Apache-2.0
// Forged sets for anomaly maps, in the tree of MVTec AD:
//   <class>/train/good/000.png
//   <class>/test/{good,<category>,combined}/000.png      combined: several categories in one picture
//   <class>/ground_truth/<category>/000_mask.png
//   category_masks/<class>/combined/000_<category>.png    each defect of a combined picture alone
//   tags.json                                             the parts that each defective picture touches
//   metadata.json, datasheet.html
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>

#include "awry/base/cancel.h"
#include "awry/base/result.h"

namespace awry::forge {

enum class AnomalySubject { kAssembledPanel, kParts };

struct AnomalySetOptions {
  AnomalySubject subject = AnomalySubject::kAssembledPanel;
  std::uint64_t seed = 1;
  // Pictures of each class. The defective ones are dealt over the categories, and over single and combined
  // ones, as in the paper.
  int good_training = 40, good_test = 20, defective = 53;
  int width = 960;
  bool datasheet = true;

  // These three do not change what is written.
  int threads = 1;
  std::function<void(std::size_t done, std::size_t total)> on_item;
  const CancelToken* cancel = nullptr;
};

inline constexpr int kMinAnomalyWidth = 128, kMaxAnomalyWidth = 4096;

struct AnomalySet {
  std::filesystem::path folder;
  std::size_t good = 0, defective = 0;
  bool already_there = false;  // the folder held the finished set; nothing was written
};

// As forge_themis_set: the same options give the same bytes, finished sets are left alone, unfinished ones
// completed, and other folders refused.
Result<AnomalySet> forge_anomaly_set(const std::filesystem::path& folder, const AnomalySetOptions& options);

}  // namespace awry::forge
