// SPDX-License-Identifier: Apache-2.0
#include "sources.h"

#include <algorithm>
#include <array>

#include "awry/imaging/decode.h"
#include "awry/imaging/opencv.h"

namespace awry::quality {
namespace {

namespace fs = std::filesystem;

// Whole series, studies and plates go to one part, so that no test image has a sibling among the tuning ones.
constexpr std::array<std::string_view, 15> kTuningNames = {
    "micrograph/ExampleCometAssay",
    "micrograph/ExampleIlluminationCorrection_images_AS_09047_050428030001_O01",
    "micrograph/ExampleSpeckles",
    "micrograph/ExampleTrackObjects_images_Sequence1",
    "micrograph/cpt_Deprecated",
    "micrograph/cpt_AdvancedSegmentation",
    "micrograph/data_banana",
    "micrograph/data_hela",
    "gel/gel_1",
    "gel/gel_2",
    "blot/ECA",
    "blot/SCC25DDP",
    "blot/TSCCADDP",
    "photo/astronaut",
    "photo/c",
};
constexpr std::array<std::string_view, 10> kNotAuthentic = {
    "_mani",      "mask",    "annotations", "otsu",      "button",
    "chessboard", "bw_text", "real_cat",    "mri_fruit", "photo/grass",  // made seamless with a clone stamp
};
// Further pictures of gels that are there already, as the inspector said: 1, 18, 28, 24 and 36. Three
// would stand on both sides of tuning and test, and every two would count as an authentic pair.
constexpr std::array<std::string_view, 5> kShownBefore = {"gel_11.", "gel_34.", "gel_37.", "gel_42.",
                                                          "gel_43."};

struct RealKind {
  std::string_view folder;
  forge::PanelKind kind;
};
constexpr std::array kRealKinds = {
    RealKind{"micrograph", forge::PanelKind::kMicrograph}, RealKind{"gel", forge::PanelKind::kBlot},
    RealKind{"blot", forge::PanelKind::kBlot}, RealKind{"photo", forge::PanelKind::kStainedMicrograph}};

bool contains_any(std::string_view text, std::span<const std::string_view> parts) {
  return std::ranges::any_of(parts, [&](std::string_view part) { return text.find(part) != text.npos; });
}

// The middle of large images, at full resolution: scaling would remove the noise that detectors live on.
imaging::Image trimmed(const imaging::Image& image) {
  constexpr int longest = 640;
  const imaging::Image rgb = imaging::to_rgb(image);
  const int width = std::min(longest, rgb.width), height = std::min(longest, rgb.height);
  const cv::Rect middle((rgb.width - width) / 2, (rgb.height - height) / 2, width, height);
  return imaging::from_mat(imaging::as_mat(rgb)(middle));
}

}  // namespace

std::string_view name_of(Part part) {
  return part == Part::kTuning ? "tuning" : "test";
}

std::uint64_t seed_of(Part part) {
  return part == Part::kTuning ? 310'001 : 870'001;
}

Result<Source> painted_source(forge::PanelKind kind, int width, int height, const forge::SeedPath& seed) {
  AWRY_TRY_ASSIGN(forge::Painted painted, forge::paint_panel(kind, width, height, seed.stream()));
  return Source{.name = seed.text(),
                .kind = kind,
                .image = std::move(painted.image),
                .annotations = std::move(painted.annotations)};
}

Result<std::vector<Source>> real_sources(const fs::path& folder, Part part) {
  constexpr int smallest = 200;
  std::vector<Source> sources;
  for (const RealKind& real : kRealKinds) {
    std::vector<fs::path> files;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder / real.folder, error))
      files.push_back(entry.path());
    std::ranges::sort(files);
    for (const fs::path& file : files) {
      const std::string name = fs::path(real.folder) / file.filename();
      const bool for_tuning = std::ranges::any_of(
          kTuningNames, [&](std::string_view prefix) { return name.starts_with(prefix); });
      if (for_tuning != (part == Part::kTuning)) continue;
      if (contains_any(name, kNotAuthentic) || contains_any(name, kShownBefore)) continue;
      AWRY_TRY_ASSIGN(const imaging::Image image, imaging::read_image(file));
      if (std::min(image.width, image.height) < smallest) continue;
      sources.push_back({.name = name, .kind = real.kind, .image = trimmed(image)});
    }
  }
  if (sources.empty()) {
    return fail({.kind = ErrorKind::kNotFound,
                 .what = "no real images found in",
                 .input = folder.string(),
                 .hint = "It should hold the folders micrograph, gel, blot and photo."});
  }
  return sources;
}

}  // namespace awry::quality
