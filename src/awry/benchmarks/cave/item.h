// SPDX-License-Identifier: Apache-2.0
// One image compared with its truth: what every metric of CAVE is a sum over.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "awry/base/result.h"
#include "awry/benchmarks/cave/cave.h"
#include "awry/benchmarks/cave/matching.h"

namespace awry::benchmarks::cave {

// What became of one question.
enum class Standing {
  kNotAsked,
  kFailed,    // the model gave no usable answer: counts as wrong
  kUnjudged,  // it did, but the judge gave no usable verdict: left out, and in the range of `missing`
  kScored,
};

struct AnomalyItem {
  const Finding* truth = nullptr;
  std::optional<bool> described;  // found in the description of the image; nullopt: nobody knows

  Standing explained = Standing::kNotAsked;
  double right = 0;  // of the explanation: 0 or 1

  Standing located = Standing::kNotAsked;  // kNotAsked as well where the truth has no box
  double iou = 0, coverage = 0;            // coverage: area predicted / area true
  double most_coverage = 1;                // of a box as large as the image

  Standing categorised = Standing::kNotAsked;      // kNotAsked as well where the truth has no category
  double right_category = 0;                       // 0 or 1
  Standing own_categorised = Standing::kNotAsked;  // of the model's description that found it
  double right_own_category = 0;                   // 0 or 1
  Standing cultured = Standing::kNotAsked;
  double usual_somewhere = 0;  // 0 or 1: what the model says; nobody knows the truth

  Standing justified = Standing::kNotAsked;
  std::array<std::vector<Evidence>, kCriteria.size()>
      ratings;  // one per rater: 1 better, 0 similar, -1 worse

  std::array<Standing, kFeatures.size()> rated{};  // kNotAsked as well where no person rated it
  std::array<double, kFeatures.size()> rating{};
  std::array<std::optional<double>, kFeatures.size()> people;  // their mean
};

struct ImageItem {
  const Sample* sample = nullptr;
  Standing described = Standing::kNotAsked;
  Detection detection;  // kScored: as judged; kUnjudged: with every unknown pair different
  Detection best;       // with every unknown pair the same
  // Anomalies that were described; nullopt: the description is lost, so nobody knows how many.
  std::optional<std::size_t> claims;
  std::vector<AnomalyItem> anomalies;
};

// Outcomes of all questions are added to `outcomes`, an answer without its verdict as kJudgeFailed. The item
// points into `answered`. nullopt: the sample has no truth to compare with.
Result<std::optional<ImageItem>> compare(const AnsweredSample& answered, OutcomeCounts& outcomes);

}  // namespace awry::benchmarks::cave
