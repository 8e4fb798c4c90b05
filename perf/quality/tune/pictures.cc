// SPDX-License-Identifier: Apache-2.0
#include "pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "awry/forge/paint.h"
#include "awry/forge/themis_item.h"
#include "awry/imaging/encode.h"
#include "sources.h"

namespace awry::tune {
namespace {

namespace fs = std::filesystem;
using forge::PanelKind;
using forge::SeedPath;
using forge::ThemisCategory;

// Charts, tables, diagrams and screenshots have no noise, and noise is what a splice is known by.
constexpr std::array kRecordedKinds = {PanelKind::kMicrograph, PanelKind::kStainedMicrograph,
                                       PanelKind::kBlot, PanelKind::kMedicalScan, PanelKind::kPhysicalObject};

Result<void> write_painted(PanelKind kind, int number, const fs::path& folder) {
  const SeedPath seed = SeedPath{.seed = quality::seed_of(quality::Part::kTuning), .labels = {"splicing"}}
                            .child(forge::name_of(kind))
                            .child(static_cast<std::uint64_t>(number));
  const std::string name = fmt::format("painted_{}-{}", forge::name_of(kind), number);
  for (const ThemisCategory category : {ThemisCategory::kAuthentic, ThemisCategory::kSplicing}) {
    const auto item = forge::forge_themis_item(
        {.category = category, .kind = kind, .seed = seed.child(forge::folder_of(category))});
    if (!item) continue;  // not every panel holds something worth pasting
    const bool spliced = !item->masks.empty();
    AWRY_TRY(
        imaging::write_image(folder / (name + (spliced ? "-spliced.png" : ".png")), item->panels[0].image));
    if (spliced) AWRY_TRY(imaging::write_mask(folder / (name + "-mask.png"), item->masks[0].pixels));
  }
  return {};
}

}  // namespace

Result<void> make_pictures(const PicturePlan& plan, const fs::path& folder) {
  fs::create_directories(folder);
  for (const PanelKind kind : kRecordedKinds) {
    for (int i = 0; i < plan.painted_per_kind; ++i) AWRY_TRY(write_painted(kind, i, folder));
  }
  if (plan.real_images.empty()) return {};
  AWRY_TRY_ASSIGN(const auto sources, quality::real_sources(plan.real_images, quality::Part::kTuning));
  for (std::size_t i = 0; i < sources.size(); ++i) {
    std::string name = sources[i].name;  // "gel/gel_13.png"
    std::ranges::replace(name, '/', '-');
    AWRY_TRY(imaging::write_image(folder / ("real_" + name), sources[i].image));
  }
  return {};
}

}  // namespace awry::tune
