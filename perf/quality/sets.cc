// SPDX-License-Identifier: Apache-2.0
#include "sets.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <span>

#include "awry/base/files.h"
#include "awry/base/json.h"
#include "awry/forge/compose.h"
#include "awry/forge/copy_move.h"
#include "awry/forge/splice.h"
#include "awry/forge/themis_json.h"
#include "awry/imaging/encode.h"
#include "awry/imaging/perturb.h"
#include "hard_forgeries.h"

namespace awry::quality {
namespace {

namespace fs = std::filesystem;
using forge::PanelKind;
using forge::SeedPath;
using forge::ThemisCategory;
using forge::ThemisItem;

constexpr int kPanelSide = 448;
constexpr std::array kTextured = {PanelKind::kMicrograph, PanelKind::kStainedMicrograph};
// Little detail, or detail that repeats by itself.
constexpr std::array kWithoutTexture = {PanelKind::kBlot, PanelKind::kMedicalScan};
constexpr std::array kObjectKinds = {PanelKind::kMicrograph, PanelKind::kStainedMicrograph, PanelKind::kBlot,
                                     PanelKind::kMedicalScan};

// Of a question within its file: the same whichever other categories are in it.
int number_of(ThemisCategory category, int made_before) {
  return 10'000 * (1 + static_cast<int>(category)) + made_before;
}

// Collects questions.
class Collector {
 public:
  explicit Collector(SeedPath seed) : seed_(std::move(seed)) {}

  ThemisItem start(ThemisCategory category, PanelKind kind) {
    ThemisItem item;
    const int number = number_of(category, made_[category]++);
    item.plan = {.category = category, .kind = kind, .number = number, .seed = seed_};
    item.question_id = fmt::format("{}_{}", forge::question_file_of(category), number);
    return item;
  }

  void add_panel(ThemisItem& item, std::string_view suffix, imaging::Image image) {
    const std::string id = item.question_id + std::string(suffix);
    item.panels.push_back({id, fmt::format("panels/{}.png", id), std::move(image)});
  }

  void add_single(ThemisCategory category, PanelKind kind, imaging::Image image,
                  const imaging::Bitmap* forged) {
    ThemisItem item = start(category, kind);
    constexpr std::array grids = {imaging::BlockGrid{2, 2}, imaging::BlockGrid{2, 3},
                                  imaging::BlockGrid{3, 2}};
    item.grid = seed_.child("grid").child(item.question_id).stream().pick(grids);
    item.letters = category == ThemisCategory::kSplicing   ? "A"
                   : category == ThemisCategory::kCopyMove ? "B"
                                                           : "D";
    add_panel(item, "", std::move(image));
    if (forged != nullptr) {
      if (const auto blocks = imaging::blocks_from_bitmap(*forged, *item.grid)) item.blocks = blocks->blocks;
      item.truth = Finding{.type = item.letters == "A" ? "splicing" : "copy_move"};
      item.masks.push_back({"forged", fmt::format("masks/{}.png", item.question_id), *forged});
    }
    items.push_back(std::move(item));
  }

  void add_pair(ThemisCategory category, PanelKind kind, imaging::Image first, imaging::Image second,
                std::string letters) {
    ThemisItem item = start(category, kind);
    // Otherwise the retouched panel would always be the second one asked about.
    if (letters != "F" && seed_.child("order").child(item.question_id).stream().chance(0.5))
      std::swap(first, second);
    if (letters != "F") item.truth = Finding{.type = "duplication"};
    item.letters = std::move(letters);
    add_panel(item, "_a", std::move(first));
    add_panel(item, "_b", std::move(second));
    items.push_back(std::move(item));
  }

  std::vector<ThemisItem> items;

 private:
  SeedPath seed_;
  std::map<ThemisCategory, int> made_;
};

// Calls `attempt` until `count` of its calls gave an item; sources that do not allow the forgery are skipped.
void repeat(int count, const std::function<bool(std::uint64_t)>& attempt) {
  int made = 0;
  for (std::uint64_t i = 0; made < count && i < 6 * static_cast<std::uint64_t>(count); ++i)
    made += attempt(i);
}

std::span<const Source> first_of(const std::vector<Source>& sources, int count) {
  return std::span(sources).first(std::min(sources.size(), static_cast<std::size_t>(count)));
}

// Written out, so that a kind added to the painters leaves the measured sets as they are.
constexpr std::array kMeasuredKinds = {
    PanelKind::kMicrograph,  PanelKind::kStainedMicrograph, PanelKind::kBlot,           PanelKind::kChart,
    PanelKind::kMedicalScan, PanelKind::kDiagram,           PanelKind::kPhysicalObject, PanelKind::kTable,
    PanelKind::kScreenshot};

struct PanelSize {
  int width = 0, height = 0;
};

PanelSize share_of(const imaging::Image& image, double share) {
  return {static_cast<int>(image.width * share), static_cast<int>(image.height * share)};
}

}  // namespace

Result<std::vector<ThemisItem>> painted_recipe_items(Part part, const SetOrder& order) {
  struct Wanted {
    ThemisCategory category;
    int count;
    std::span<const PanelKind> kinds;
  };
  constexpr std::array copied = {PanelKind::kMicrograph, PanelKind::kStainedMicrograph, PanelKind::kBlot};
  const std::array wanted = {Wanted{ThemisCategory::kSplicing, order.splices, kMeasuredKinds},
                             Wanted{ThemisCategory::kCopyMove, order.copy_moves, copied},
                             Wanted{ThemisCategory::kAuthentic, order.authentic_panels, kMeasuredKinds},
                             Wanted{ThemisCategory::kGlobalDuplicate, order.duplicates, kMeasuredKinds},
                             Wanted{ThemisCategory::kLocalDuplicate, order.duplicates, kTextured},
                             Wanted{ThemisCategory::kUnrelatedPair, order.authentic_pairs, kMeasuredKinds}};
  const SeedPath root{.seed = seed_of(part), .labels = {"quality", "recipe"}};
  std::vector<ThemisItem> items;
  for (const Wanted& want : wanted) {
    int made = 0;
    // Not every kind allows every forgery from every seed: a table may hold nothing worth pasting.
    for (int i = 0; made < want.count && i < 4 * want.count; ++i) {
      auto item = forge::forge_themis_item(
          {.category = want.category,
           .kind = want.kinds[static_cast<std::size_t>(i) % want.kinds.size()],
           .number = number_of(want.category, made),
           .seed = root.child(forge::folder_of(want.category)).child(static_cast<std::uint64_t>(i)),
           .panel_side = kPanelSide});
      if (!item) continue;
      items.push_back(std::move(*item));
      ++made;
    }
    if (made < want.count) {
      return fail({.what = "cannot paint the measured set",
                   .input = std::string(forge::folder_of(want.category)),
                   .why = fmt::format("only {} of {} could be forged", made, want.count)});
    }
  }
  return items;
}

Result<std::vector<ThemisItem>> painted_hard_items(Part part, const SetOrder& order) {
  const SeedPath root{.seed = seed_of(part), .labels = {"quality", "hard"}};
  Collector set(root);
  const auto kind_of = [](std::span<const PanelKind> kinds, std::uint64_t i) {
    return kinds[i % kinds.size()];
  };
  repeat(order.copy_moves, [&](std::uint64_t i) {
    const SeedPath seed = root.child("copy_move").child(i);
    const auto panel = painted_source(kind_of(kObjectKinds, i), kPanelSide, kPanelSide, seed);
    if (!panel) return false;
    const auto forged = copy_move_freely(*panel, seed.child("forgery"));
    if (forged) set.add_single(ThemisCategory::kCopyMove, panel->kind, forged->image, &forged->places);
    return forged.has_value();
  });
  repeat(order.splices, [&](std::uint64_t i) {
    const SeedPath seed = root.child("splicing").child(i);
    const PanelKind kind = kind_of(kObjectKinds, i);
    const auto host = painted_source(kind, kPanelSide, kPanelSide, seed.child("host"));
    const auto donor = painted_source(kind, kPanelSide, kPanelSide, seed.child("donor"));
    if (!host || !donor) return false;
    const auto forged =
        forge::forge_splice({donor->image, donor->annotations}, {host->image, host->annotations},
                            seed.child("forgery"), {.min_area = 0.015, .max_area = 0.08, .feather_px = 5});
    if (forged) set.add_single(ThemisCategory::kSplicing, kind, forged->image, &forged->mask);
    return forged.has_value();
  });
  repeat(order.authentic_panels, [&](std::uint64_t i) {
    // Every other panel is a blot: of all kinds their bands repeat the most.
    const PanelKind kind = i % 2 == 0 ? PanelKind::kBlot : kind_of(kObjectKinds, i / 2);
    auto panel = painted_source(kind, kPanelSide, kPanelSide, root.child("authentic").child(i));
    if (panel) set.add_single(ThemisCategory::kAuthentic, kind, std::move(panel->image), nullptr);
    return panel.has_value();
  });
  repeat(2 * order.duplicates, [&](std::uint64_t i) {
    const SeedPath seed = root.child("duplicate").child(i);
    const PanelKind kind = i % 3 == 2 ? kind_of(kWithoutTexture, i / 3) : kind_of(kTextured, i);
    const int side = 5 * kPanelSide / 2;
    const auto picture = painted_source(kind, side, side, seed);
    if (!picture) return false;
    auto pair = duplicate_freely(picture->image, kPanelSide, kPanelSide, seed.child("forgery"));
    if (pair) {
      set.add_pair(ThemisCategory::kLocalDuplicate, kind, std::move(pair->first), std::move(pair->second),
                   pair->letters);
    }
    return pair.has_value();
  });
  repeat(order.authentic_pairs, [&](std::uint64_t i) {
    const SeedPath seed = root.child("frames").child(i);
    const PanelKind kind = kind_of(kObjectKinds, i);
    const auto scene = painted_source(kind, kPanelSide, kPanelSide, seed);
    if (!scene) return false;
    auto [now, later] = neighbouring_frames(scene->image, seed);
    set.add_pair(ThemisCategory::kUnrelatedPair, kind, std::move(now), std::move(later), "F");
    return true;
  });
  return std::move(set.items);
}

std::vector<ThemisItem> real_recipe_items(const std::vector<Source>& sources, Part part,
                                          const SetOrder& order) {
  const SeedPath root{.seed = seed_of(part), .labels = {"quality", "real-recipe"}};
  Collector set(root);
  const auto source = [&](std::uint64_t i) -> const Source& { return sources[i % sources.size()]; };
  repeat(order.copy_moves, [&](std::uint64_t i) {
    const Source& panel = source(i);
    const auto forged = forge::forge_copy_move(panel.image, {}, root.child("copy_move").child(i));
    if (forged) {
      const imaging::Bitmap both = forge::united(forged->source, forged->target);
      set.add_single(ThemisCategory::kCopyMove, panel.kind, forged->image, &both);
    }
    return forged.has_value();
  });
  repeat(order.splices, [&](std::uint64_t i) {
    const Source &host = source(i), &donor = source(i + 1 + i / sources.size());
    if (host.kind != donor.kind) return false;
    const auto forged =
        forge::forge_splice({donor.image, {}}, {host.image, {}}, root.child("splicing").child(i));
    if (forged) set.add_single(ThemisCategory::kSplicing, host.kind, forged->image, &forged->mask);
    return forged.has_value();
  });
  for (const Source& panel : first_of(sources, order.authentic_panels))
    set.add_single(ThemisCategory::kAuthentic, panel.kind, panel.image, nullptr);
  const auto add = [&](ThemisCategory category, PanelKind kind, Result<forge::DuplicatePair> pair) {
    if (pair) set.add_pair(category, kind, std::move(pair->first), std::move(pair->second), pair->letters);
    return pair.has_value();
  };
  repeat(order.duplicates, [&](std::uint64_t i) {
    const SeedPath seed = root.child("global").child(i);
    return add(ThemisCategory::kGlobalDuplicate, source(i).kind,
               duplicate_globally(source(i).image, forge::plan_global_duplication(seed.stream()), seed));
  });
  repeat(order.duplicates, [&](std::uint64_t i) {
    const SeedPath seed = root.child("local").child(i);
    const PanelSize panel = share_of(source(i).image, 0.57);
    return add(ThemisCategory::kLocalDuplicate, source(i).kind,
               duplicate_locally(source(i).image, panel.width, panel.height,
                                 forge::plan_local_duplication(seed.stream()), seed));
  });
  // Of the same kind, but not neighbours by name.
  repeat(order.authentic_pairs, [&](std::uint64_t i) {
    const Source &first = source(i), &second = source(i + 3 + i / sources.size());
    if (first.kind != second.kind || first.name == second.name) return false;
    set.add_pair(ThemisCategory::kUnrelatedPair, first.kind, first.image, second.image, "F");
    return true;
  });
  return std::move(set.items);
}

std::vector<ThemisItem> real_hard_items(const std::vector<Source>& sources, Part part,
                                        const SetOrder& order) {
  const SeedPath root{.seed = seed_of(part), .labels = {"quality", "real-hard"}};
  Collector set(root);
  const auto source = [&](std::uint64_t i) -> const Source& { return sources[i % sources.size()]; };
  repeat(order.copy_moves, [&](std::uint64_t i) {
    const auto forged = copy_move_freely(source(i), root.child("copy_move").child(i));
    if (forged) set.add_single(ThemisCategory::kCopyMove, source(i).kind, forged->image, &forged->places);
    return forged.has_value();
  });
  repeat(order.splices, [&](std::uint64_t i) {
    const Source &host = source(i), &donor = source(i + 1 + i / sources.size());
    if (host.kind != donor.kind) return false;
    const auto forged =
        forge::forge_splice({donor.image, {}}, {host.image, {}}, root.child("splicing").child(i),
                            {.min_area = 0.015, .max_area = 0.08, .feather_px = 5});
    if (forged) set.add_single(ThemisCategory::kSplicing, host.kind, forged->image, &forged->mask);
    return forged.has_value();
  });
  for (const Source& panel : first_of(sources, order.authentic_panels))
    set.add_single(ThemisCategory::kAuthentic, panel.kind, panel.image, nullptr);
  repeat(2 * order.duplicates, [&](std::uint64_t i) {
    const PanelSize panel = share_of(source(i).image, 0.5);
    auto pair = duplicate_freely(source(i).image, panel.width, panel.height, root.child("pair").child(i));
    if (pair) {
      set.add_pair(ThemisCategory::kLocalDuplicate, source(i).kind, std::move(pair->first),
                   std::move(pair->second), pair->letters);
    }
    return pair.has_value();
  });
  // Neighbours by name, the nearest first: frames of one time-lapse, fields of one well, gels of one series.
  int pairs = 0;
  for (std::size_t apart = 1; apart < sources.size(); ++apart) {
    for (std::size_t i = 0; i + apart < sources.size() && pairs < order.authentic_pairs; ++i) {
      const Source &first = sources[i], &second = sources[i + apart];
      if (first.kind != second.kind) continue;
      set.add_pair(ThemisCategory::kUnrelatedPair, first.kind, first.image, second.image, "F");
      ++pairs;
    }
  }
  return std::move(set.items);
}

Result<void> write_set(const fs::path& folder, const std::vector<ThemisItem>& items) {
  using Change = std::function<Result<imaging::Image>(const imaging::Image&)>;
  const std::vector<std::pair<std::string, Change>> versions = {
      {"clean", [](const imaging::Image& image) { return image; }},
      {"blur", [](const imaging::Image& image) { return imaging::gaussian_blurred(image, 1); }},
      {"jpeg", [](const imaging::Image& image) { return imaging::jpeg_round_trip(image, 70); }},
      {"half",
       [](const imaging::Image& image) { return imaging::scaled(image, 0.5, imaging::ScaledSize::kKept); }}};
  Json panels = Json::array(), pairs = Json::array();
  for (const ThemisItem& item : items)
    (forge::is_about_pairs(item.plan.category) ? pairs : panels).push_back(forge::question_json(item));
  for (const auto& [name, change] : versions) {
    const fs::path target = folder / name;
    for (const ThemisItem& item : items) {
      for (const forge::ItemPanel& panel : item.panels) {
        AWRY_TRY(make_folder((target / panel.path).parent_path()));
        AWRY_TRY_ASSIGN(const imaging::Image changed, change(panel.image));
        AWRY_TRY(imaging::write_image(target / panel.path, changed));
      }
      for (const forge::ItemMask& mask : item.masks) {
        AWRY_TRY(make_folder((target / mask.path).parent_path()));
        AWRY_TRY(imaging::write_mask(target / mask.path, mask.pixels));
      }
    }
    AWRY_TRY(write_file(target / "forgery.json", dump_json_pretty({{"question", panels}})));
    AWRY_TRY(write_file(target / "duplication.json", dump_json_pretty({{"question", pairs}})));
  }
  return {};
}

}  // namespace awry::quality
