// SPDX-License-Identifier: Apache-2.0
#include "awry/cli/forge_sources.h"

#include "awry/input/image_files.h"

namespace awry::cli {

Result<forge::SourcePool> open_sources(const std::filesystem::path& folder, int threads, Context& context) {
  const std::string name = folder.string();
  AWRY_TRY_ASSIGN(const std::vector<Sample> samples, input::samples_of_image_files(std::span(&name, 1)));
  std::vector<std::filesystem::path> files;
  for (const Sample& sample : samples) files.emplace_back(sample.images.front().path);
  AWRY_TRY_ASSIGN(forge::SourcePool pool,
                  forge::SourcePool::open(folder, files, {.threads = threads, .cancel = &context.cancel}));
  context.say("{} pictures in {} groups of near-duplicates", pool.images().size(), pool.groups());
  for (const auto& [reason, count] : pool.left_out()) context.say("left out: {} {}", count, reason);
  return pool;
}

}  // namespace awry::cli
