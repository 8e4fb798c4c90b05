// SPDX-License-Identifier: Apache-2.0
// What scoring samples and scoring files have in common.
#pragma once

#include <optional>

#include "awry/benchmarks/magicmirror/classification.h"
#include "awry/benchmarks/magicmirror/generator_scores.h"
#include "awry/benchmarks/magicmirror/verdict.h"

namespace awry::benchmarks::magicmirror {

// The labels that count under options.reading; nullopt: the verdict is not in the form that counts.
std::optional<LabelSet> labels_that_count(const Verdict& verdict, const Options& options);

// Notes on what is missing, then all metrics.
Result<Summary> finish_mirror(const LabelledImages& images, Summary summary, const Options& options);
Result<Summary> finish_bench(const GeneratedImages& images, Summary summary, const Options& options);

}  // namespace awry::benchmarks::magicmirror
