// SPDX-License-Identifier: Apache-2.0
#include "awry/forge/anomaly_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "awry/base/files.h"
#include "awry/base/hash.h"
#include "awry/forge/anomaly_picture.h"
#include "awry/forge/apportion.h"
#include "awry/forge/datasheet.h"
#include "awry/forge/parallel.h"
#include "awry/forge/set_folder.h"
#include "awry/imaging/encode.h"

namespace awry::forge {
namespace {

namespace fs = std::filesystem;

struct Plan {
  std::string object;  // the class
  std::string folder;  // "train/good", "test/A05_missing_screw", "test/combined"
  int number = 0;      // within its folder
  std::vector<std::string> categories;
  SeedPath seed;
  std::string name() const { return fmt::format("{}/{}/{:03}", object, folder, number); }
};

std::vector<std::string> objects_of(AnomalySubject subject) {
  if (subject == AnomalySubject::kAssembledPanel) return {"assembled_panel"};
  return {parts_objects().begin(), parts_objects().end()};
}

std::span<const DefectCategory> categories_of(AnomalySubject subject) {
  return subject == AnomalySubject::kAssembledPanel ? assembled_panel_categories() : parts_categories();
}

const Maker& maker_of(AnomalySubject subject) {
  return subject == AnomalySubject::kAssembledPanel ? kPanelMaker : kPartsMaker;
}

Result<AnomalyPicture> paint(const Plan& plan, const AnomalySetOptions& options, const SeedPath& seed) {
  return options.subject == AnomalySubject::kAssembledPanel
             ? paint_assembled_panel(options.width, plan.categories, seed)
             : paint_parts_object(plan.object, options.width, plan.categories, seed);
}

// Two or three different categories, the frequent ones more often.
std::vector<std::string> several(std::span<const DefectCategory> categories, RandomStream random) {
  const std::size_t count = random.chance(0.25) && categories.size() > 3 ? 3 : 2;
  std::vector<std::string> chosen;
  while (chosen.size() < count) {
    double total = 0;
    for (const DefectCategory& category : categories) total += category.together;
    double ticket = random.uniform(0, total);
    for (const DefectCategory& category : categories) {
      if ((ticket -= category.together) >= 0) continue;
      if (std::ranges::find(chosen, category.name) == chosen.end()) chosen.emplace_back(category.name);
      break;
    }
  }
  return chosen;
}

// The rarest categories get a picture from the most frequent ones, as long as there are enough for all.
void have_one_of_each(std::vector<int>& shares) {
  for (int& share : shares) {
    const auto most = std::ranges::max_element(shares);
    if (share == 0 && *most > 1) --*most, ++share;
  }
}

std::vector<Plan> plans_of(const AnomalySetOptions& options) {
  const SeedPath root{.seed = options.seed, .labels = {maker_of(options.subject).name}};
  const auto categories = categories_of(options.subject);
  std::vector<double> alone;
  for (const DefectCategory& category : categories) alone.push_back(category.alone);
  // The paper's panel set has 39 pictures with one category, and 14 with several.
  const int combined = apportion(options.defective, std::array{39.0, 14.0})[1];
  std::vector<int> shares = apportion(options.defective - combined, alone);
  have_one_of_each(shares);
  std::vector<Plan> plans;
  for (const std::string& object : objects_of(options.subject)) {
    const SeedPath own = root.child(object);
    const auto add = [&](std::string folder, int count, auto categories_for) {
      for (int i = 0; i < count; ++i) {
        const SeedPath seed = own.child(folder).child(static_cast<std::uint64_t>(i));
        plans.push_back({object, folder, i, categories_for(seed), seed});
      }
    };
    const auto none = [](const SeedPath&) { return std::vector<std::string>(); };
    add("train/good", options.good_training, none);
    add("test/good", options.good_test, none);
    for (std::size_t c = 0; c < categories.size(); ++c) {
      const std::string name(categories[c].name);
      add("test/" + name, shares[c], [&](const SeedPath&) { return std::vector{name}; });
    }
    add("test/combined", combined,
        [&](const SeedPath& seed) { return several(categories, seed.child("categories").stream()); });
  }
  return plans;
}

struct Written {
  Json metadata;
  std::set<std::string> tags;
};

bool shows_every_defect(const AnomalyPicture& picture) {
  return std::ranges::all_of(picture.defects, [](const PlantedDefect& defect) {
    return std::ranges::count(defect.mask.bits, 1) > 0;
  });
}

// Some categories exclude each other, where both fall on one place or always: other places are tried, then
// other categories. `seed` becomes the stream that it was painted from.
Result<AnomalyPicture> paint_somehow(Plan plan, const AnomalySetOptions& options, SeedPath& seed) {
  constexpr std::uint64_t kPlaces = 30, kDraws = 20;
  const std::uint64_t draws = plan.categories.size() > 1 ? kDraws : 1;
  for (std::uint64_t draw = 0; draw < draws; ++draw) {
    const SeedPath drawn = draw == 0 ? plan.seed : plan.seed.child("draw").child(draw);
    if (draw > 0)
      plan.categories = several(categories_of(options.subject), drawn.child("categories").stream());
    for (std::uint64_t place = 0; place < kPlaces; ++place) {
      seed = drawn.child("try").child(place);
      auto picture = paint(plan, options, seed);
      if (picture && shows_every_defect(*picture)) return picture;
    }
  }
  return fail({.what = "cannot paint",
               .input = plan.name(),
               .why = "no place was found where its defects show",
               .hint = "Choose wider pictures, or another seed."});
}

Result<Written> write_picture(const fs::path& folder, const Plan& plan, const AnomalySetOptions& options) {
  SeedPath seed;
  AWRY_TRY_ASSIGN(const AnomalyPicture picture, paint_somehow(plan, options, seed));
  Written written;
  Json files = Json::object(), operations = Json::array();
  const auto write = [&](const std::string& path, const std::string& bytes) -> Result<void> {
    AWRY_TRY(make_folder((folder / path).parent_path()));
    files[path] = sha256_hex(bytes);
    return write_file(folder / path, bytes);
  };
  AWRY_TRY(write(plan.name() + ".png", imaging::encode_png(picture.image)));
  if (!picture.defects.empty()) {
    const std::string defect_folder = plan.folder.substr(std::string_view("test/").size());
    AWRY_TRY(write(fmt::format("{}/ground_truth/{}/{:03}_mask.png", plan.object, defect_folder, plan.number),
                   imaging::encode_mask_png(picture.combined)));
    for (const PlantedDefect& defect : picture.defects) {
      written.tags.insert(defect.part);
      operations.push_back({{"name", defect.category}, {"part", defect.part}});
      if (picture.defects.size() > 1) {
        AWRY_TRY(write(fmt::format("category_masks/{}/{}/{:03}_{}.png", plan.object, defect_folder,
                                   plan.number, defect.category),
                       imaging::encode_mask_png(defect.mask)));
      }
    }
  }
  written.metadata = {{"question_id", plan.name()},
                      {"category", fmt::format("{}/{}", plan.object, plan.folder)},
                      {"kind", plan.object},
                      {"stream", seed.text()},
                      {"operations", std::move(operations)},
                      {"files", std::move(files)}};
  return written;
}

Result<void> check(const AnomalySetOptions& options) {
  const auto refuse = [](std::string_view option, std::string why) {
    return fail({.kind = ErrorKind::kUsage,
                 .what = "cannot forge a set with option",
                 .input = std::string(option),
                 .why = std::move(why)});
  };
  for (const auto& [name, count] : {std::pair("good_training", options.good_training),
                                    {"good_test", options.good_test},
                                    {"defective", options.defective}}) {
    if (count < 0 || count > 100'000)
      return refuse(name, fmt::format("{} is not between 0 and 100000", count));
  }
  if (options.good_training + options.good_test + options.defective == 0)
    return refuse("counts", "all of them are 0");
  if (options.width < kMinAnomalyWidth || options.width > kMaxAnomalyWidth)
    return refuse("width", fmt::format("{} is not between {} and {}", options.width, kMinAnomalyWidth,
                                       kMaxAnomalyWidth));
  return {};
}

}  // namespace

Result<AnomalySet> forge_anomaly_set(const fs::path& folder, const AnomalySetOptions& options) {
  AWRY_TRY(check(options));
  const std::vector<Plan> plans = plans_of(options);
  AnomalySet set{.folder = folder};
  for (const Plan& plan : plans) ++(plan.categories.empty() ? set.good : set.defective);
  Json recorded{{"seed", options.seed},
                {"good_training", options.good_training},
                {"good_test", options.good_test},
                {"defective", options.defective},
                {"width", options.width}};
  if (options.datasheet) recorded["datasheet"] = true;
  const Maker& maker = maker_of(options.subject);
  AWRY_TRY_ASSIGN(const FolderClaim claim, claim_folder(folder, recorded, maker));
  if (claim.finished) {
    set.already_there = true;
    return set;
  }

  std::vector<Written> written(plans.size());
  const auto work = [&](std::size_t i) -> Result<void> {
    AWRY_TRY_ASSIGN(written[i], write_picture(folder, plans[i], options));
    return {};
  };
  AWRY_TRY(for_each_item(plans.size(), work, {options.threads, options.on_item, options.cancel}));

  Json tags = Json::object(), items = Json::array(), files = Json::object();
  for (std::size_t i = 0; i < plans.size(); ++i) {
    items.push_back(written[i].metadata);
    if (!plans[i].categories.empty()) {
      const std::string id = fmt::format("{}/{:03}", plans[i].folder.substr(5), plans[i].number);
      tags[plans[i].object][id] = written[i].tags;
    }
  }
  const auto write = [&](std::string name, const std::string& text) -> Result<void> {
    files[name] = sha256_hex(text);
    return write_file(folder / name, text);
  };
  AWRY_TRY(write("tags.json", dump_json_pretty(tags)));
  if (options.datasheet) {
    AWRY_TRY(write("datasheet.html",
                   datasheet_html({{"made_by", maker.name}, {"options", recorded}, {"items", items}})));
  }
  AWRY_TRY(
      finish_folder(folder, recorded, {{"items", std::move(items)}, {"files", std::move(files)}}, maker));
  return set;
}

}  // namespace awry::forge
