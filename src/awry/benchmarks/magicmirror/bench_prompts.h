// SPDX-License-Identifier: Apache-2.0
// Prompts for image generators in MagicBench's eight detail classes, made of the lists in entities.json.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "awry/base/result.h"

namespace awry::benchmarks::magicmirror {

struct BenchPrompt {
  std::string prompt;         // ends by asking for the whole subject, which generators like to hide
  std::string subject;        // "violinist": what is verified to be there
  std::string subject_class;  // human | animal | object
  std::string detail_class;
};

struct BenchPromptOptions {
  std::size_t per_class = 100;  // at most as many as there are different ones: 5,000
  std::uint64_t seed = 0;
  std::vector<std::string> classes;  // detail classes; empty: all eight
};

// No two alike. Prompt i of a class depends on the seed, the class and the ones before it only: asking for
// more, or for other classes, changes none of them.
Result<std::vector<BenchPrompt>> make_bench_prompts(const BenchPromptOptions& options);

// As MagicBench's rows: {"prompt_t2i", "subject", "class", "detail_class"}, one a line.
std::string bench_prompt_lines(const std::vector<BenchPrompt>& prompts);

}  // namespace awry::benchmarks::magicmirror
