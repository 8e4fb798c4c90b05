// SPDX-License-Identifier: Apache-2.0
// The output folder of an image generation: which pictures it has, and what they cost.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "awry/base/result.h"
#include "awry/inspectors/vlm/image_request.h"
#include "awry/pipeline/budget.h"
#include "awry/records/asking.h"

namespace awry::pipeline {

class GeneratedImages {
 public:
  static Result<GeneratedImages> open(const std::filesystem::path& folder);

  // The picture's file, relative to the folder. A line without its file, or a file that was cut off, is as if
  // it were not there.
  std::optional<std::string> find(const std::string& key) const;

  // Any thread. The picture is on disk, then its line, when this returns. Fails for bytes that are no image.
  Result<void> keep(const std::string& key, const std::string& prompt,
                    const inspectors::vlm::Generated& picture, const Reply& reply);

  Spending spent() const { return spent_; }  // for all pictures that were there when it was opened

 private:
  std::filesystem::path folder_;
  std::map<std::string, std::string> files_;
  Spending spent_;
  std::unique_ptr<std::mutex> writing_ = std::make_unique<std::mutex>();
};

}  // namespace awry::pipeline
