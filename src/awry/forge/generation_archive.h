// SPDX-License-Identifier: Apache-2.0
// Replies of a generator, kept as they came: <folder>/generated/<key>.png, or .json for a refusal. Whatever
// is there is not asked for again, so that an interrupted set goes on without paying twice, and a finished
// one can be replayed when its generator is long gone.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "awry/forge/image_generator.h"

namespace awry::forge {

// Names a request and whom it goes to: the same pixels, region, words and occasion have the same key.
std::string generation_key(const std::string& identity, const GenerationRequest& request);

struct ArchivedGeneration {
  std::string path;  // below the folder of the set
  Generation generation;
};

class GenerationArchive {
 public:
  // The generator must outlive the archive.
  GenerationArchive(std::filesystem::path set_folder, ImageGenerator& generator);

  // Any thread.
  Result<ArchivedGeneration> generate(const GenerationRequest& request) const;
  std::string identity() const { return generator_.identity(); }

 private:
  std::filesystem::path folder_;
  ImageGenerator& generator_;
};

// Answers with what the set in `set_folder` has kept of `identity`; anything else is an error.
std::unique_ptr<ImageGenerator> make_recorded_generator(std::filesystem::path set_folder,
                                                        std::string identity);

}  // namespace awry::forge
