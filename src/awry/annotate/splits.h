// SPDX-License-Identifier: Apache-2.0
// Which images to train on and which to test with: decided by their bytes, not by their order or by luck.
//
// Images of the same prompt, and near-duplicates, always go to the same part. A group goes where the smallest
// hash among its images sends it, so adding other images later moves nothing that was there, unless a new
// image joins two groups or is the smallest of its own.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "awry/annotate/picture_hash.h"
#include "awry/base/result.h"

namespace awry::annotate {

struct SplitPart {
  std::string name;
  double share = 0;
};

// "train=0.8,test=0.2"; shares are divided by their sum.
Result<std::vector<SplitPart>> parse_parts(std::string_view text);

struct SplitImage {
  std::string id, sha256, prompt;  // prompt may be empty: not known
  std::optional<PictureHash> looks;
};

struct Placed {
  std::size_t part = 0;   // place in the parts
  std::size_t group = 0;  // images of one group belong together
};

struct Split {
  std::vector<Placed> placed;  // parallel to the images
  std::size_t groups = 0;
  std::size_t same_prompt = 0, near_duplicates = 0;  // how many images joined another for that reason
};

// `seed` gives another, equally fixed split.
Split split_images(std::span<const SplitImage> images, std::span<const SplitPart> parts,
                   std::uint64_t seed = 0);

}  // namespace awry::annotate
