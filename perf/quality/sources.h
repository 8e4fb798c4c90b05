// SPDX-License-Identifier: Apache-2.0
// Where the measured forgeries come from: painted panels and real images, each in two parts that never meet.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "awry/forge/paint.h"
#include "awry/forge/recipe.h"
#include "awry/imaging/image.h"

namespace awry::quality {

// Thresholds may be chosen on kTuning only; what is published comes from kTest.
enum class Part { kTuning, kTest };

std::string_view name_of(Part part);

// The seed from which everything of a part is painted and forged.
std::uint64_t seed_of(Part part);

struct Source {
  std::string name;
  forge::PanelKind kind = forge::PanelKind::kMicrograph;
  imaging::Image image;          // RGB
  std::vector<Box> annotations;  // what a forger leaves alone
};

Result<Source> painted_source(forge::PanelKind kind, int width, int height, const forge::SeedPath& seed);

// The real images of a part below `folder` (micrograph/, gel/, blot/, photo/), in order of their names, so
// that frames of one time-lapse follow each other. Drawings, masks and images known to be manipulated are
// left out, as sources must be authentic.
Result<std::vector<Source>> real_sources(const std::filesystem::path& folder, Part part);

}  // namespace awry::quality
