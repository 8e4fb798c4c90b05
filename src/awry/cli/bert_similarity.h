// SPDX-License-Identifier: Apache-2.0
// --similarity bert:MODEL: how texts are compared, for the commands that score. What changes a number is
// part of the name, so that it is stored with a run; what only changes time and memory are options of
// their own.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "awry/benchmarks/protocol.h"
#include "awry/cli/context.h"
#include "awry/cli/options.h"
#include "awry/inspectors/networks/model_folders.h"

namespace awry::cli {

struct SimilarityOptions {
  std::string similarity;
  std::filesystem::path embedding_cache;
  int memory_mb = 1024;
  int threads = 0;
};
void declare_similarity(OptionSet& set, SimilarityOptions& options);

// Offers "bert" to whatever scores in this command, and hands --similarity on to the protocol. Call it
// before anything is scored; `options` and `context` must outlive that.
void use_similarity(const SimilarityOptions& options, Context& context,
                    benchmarks::ProtocolOptions& switches);

inspectors::networks::ModelPlaces model_places(const Context& context);

}  // namespace awry::cli
