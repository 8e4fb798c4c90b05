// SPDX-License-Identifier: Apache-2.0
#include "awry/cli/forge_sources.h"

#include "awry/input/image_files.h"
#include "awry/pipeline/inspect_collection.h"

namespace awry::cli {

Result<forge::SourcePool> open_sources(const std::filesystem::path& folder, int threads, Context& context) {
  const std::string name = folder.string();
  AWRY_TRY_ASSIGN(const std::vector<Sample> samples, input::samples_of_image_files(std::span(&name, 1)));
  std::vector<std::filesystem::path> files;
  for (const Sample& sample : samples) files.emplace_back(sample.images.front().path);
  // Crops of one picture do not look alike as a whole; what the detectors recognise stays together.
  forge::SourcePoolOptions options{.threads = threads, .cancel = &context.cancel};
  const pipeline::ReusedPanels reused = pipeline::find_reused_panels(
      samples, {.threads = threads, .progress = context.progress(), .cancel = &context.cancel});
  for (const pipeline::InspectedImage& pair : reused.pairs)
    options.related.emplace_back(pair.sample.images[0].path, pair.sample.images[1].path);
  AWRY_TRY_ASSIGN(forge::SourcePool pool, forge::SourcePool::open(folder, files, options));
  context.say("{} pictures in {} groups of near-duplicates", pool.images().size(), pool.groups());
  for (const auto& [reason, count] : pool.left_out()) context.say("left out: {} {}", count, reason);
  return pool;
}

}  // namespace awry::cli
