// SPDX-License-Identifier: Apache-2.0
// MagicBench: scores of a generator from one verdict per image, 100 (1 - images with the label / images).
#pragma once

#include <optional>
#include <string_view>

#include "awry/base/result.h"
#include "awry/benchmarks/magicmirror/kinds.h"
#include "awry/benchmarks/magicmirror/labels.h"
#include "awry/benchmarks/magicmirror/magicmirror.h"

namespace awry::benchmarks::magicmirror {

// One prompt and what became of it.
struct GeneratedImage {
  std::string_view subject_class;  // human | animal | object
  std::string_view detail_class;   // one of kDetailClasses; anything else joins no detail score
  std::optional<bool> has_subject;
  std::optional<LabelSet> verdict;  // nullopt: the reply was no valid verdict, or there was none
  bool generated = true;            // false: a prompt without a row among the answers
};

class GeneratedImages {
 public:
  // An error when the class is none of the three.
  Result<void> add(const GeneratedImage& image);

  std::size_t prompts() const { return kinds_.units(); }
  std::size_t total() const { return total_; }  // generated
  std::size_t valid() const { return valid_; }  // with a verdict and a known subject
  const Kinds& kinds() const { return kinds_; }

 private:
  Kinds kinds_;
  std::size_t total_ = 0, valid_ = 0;
};

// An absent subject overrides the verdict: the image shows an artifact, and its class's L2 alone.
LabelSet labels_with_subject(LabelSet verdict, bool has_subject, std::string_view subject_class);

// Every metric with count, interval and the range that missing verdicts leave open. `summary` keeps the rest.
Result<void> summarise(const GeneratedImages& images, const Options& options, Summary& summary);

// All metrics on a tiny made-up generator without a flaw, with nothing but flaws, and in another order.
Result<void> check_generator_scores(const Options& options);

}  // namespace awry::benchmarks::magicmirror
