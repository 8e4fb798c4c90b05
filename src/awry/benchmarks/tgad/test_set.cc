// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/tgad/test_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "awry/base/json.h"
#include "awry/base/text.h"
#include "awry/benchmarks/tgad/visa.h"

namespace awry::benchmarks::tgad {
namespace {

namespace fs = std::filesystem;

constexpr auto kWhat = "cannot read test set";

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

struct Listing {
  std::vector<fs::path> folders, pictures;
  std::size_t others = 0;
};

Result<Listing> list(const fs::path& folder) {
  Listing listing;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const fs::path& path = entry->path();
    if (path.filename().string().starts_with('.')) continue;
    std::error_code ignored;
    if (entry->is_directory(ignored)) {
      listing.folders.push_back(path);
    } else if (has_picture_ending(path)) {
      listing.pictures.push_back(path);
    } else {
      ++listing.others;
    }
  }
  if (error) {
    return fail({.kind = ErrorKind::kIo, .what = kWhat, .input = folder.string(), .why = error.message()});
  }
  std::ranges::sort(listing.folders);
  std::ranges::sort(listing.pictures);
  return listing;
}

// Pictures of one folder by name without ending. Two with the same name are both kept.
using ByStem = std::multimap<std::string, fs::path>;

Result<ByStem> by_stem(const fs::path& folder) {
  ByStem found;
  if (!is_folder(folder)) return found;
  AWRY_TRY_ASSIGN(const Listing listing, list(folder));
  for (const fs::path& path : listing.pictures) found.emplace(path.stem().string(), path);
  return found;
}

tl::unexpected<Error> no_mask(const fs::path& image, const fs::path& folder, std::string_view names) {
  return fail({.kind = ErrorKind::kNotFound,
               .what = "cannot find the mask of test image",
               .input = image.string(),
               .why = fmt::format("'{}' has no {}", folder.string(), names),
               .hint = "Every image outside test/good needs a mask."});
}

// MVTec AD names it 003_mask.png; trees converted from other data often 003.png.
Result<fs::path> single_mask(const fs::path& image, const fs::path& folder, const ByStem& masks) {
  const std::string stem = image.stem().string();
  std::vector<fs::path> found;
  for (const std::string& name : {stem + "_mask", stem}) {
    for (auto [mask, end] = masks.equal_range(name); mask != end; ++mask) found.push_back(mask->second);
  }
  if (found.empty()) return no_mask(image, folder, fmt::format("{0}_mask.png or {0}.png", stem));
  if (found.size() > 1) {
    return fail({.what = "cannot find the mask of test image",
                 .input = image.string(),
                 .why = fmt::format("both '{}' and '{}' could be it", found[0].string(), found[1].string()),
                 .hint = "Remove one."});
  }
  return found.front();
}

Result<std::vector<fs::path>> loco_masks(const fs::path& image, const fs::path& folder) {
  const fs::path own = folder / image.stem();
  if (!is_folder(own)) return no_mask(image, folder, fmt::format("folder {}", image.stem().string()));
  AWRY_TRY_ASSIGN(Listing listing, list(own));
  if (listing.pictures.empty()) return no_mask(image, own, "masks in it");
  return std::move(listing.pictures);
}

Result<std::vector<Saturation>> read_saturations(const fs::path& path) {
  AWRY_TRY_ASSIGN(const Json json, read_json_file(path));
  const auto refuse = [&](std::string why) {
    return fail({.what = "cannot read defect configuration", .input = path.string(), .why = std::move(why)});
  };
  if (!json.is_array()) return refuse("it is not a list");
  std::vector<Saturation> saturations;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const Json& entry = json[i];
    const auto has = [&](const char* name, auto check) {
      return entry.is_object() && entry.contains(name) && (entry.at(name).*check)();
    };
    if (!has("defect_name", &Json::is_string) || !has("pixel_value", &Json::is_number_integer) ||
        !has("saturation_threshold", &Json::is_number) || !has("relative_saturation", &Json::is_boolean)) {
      return refuse(
          fmt::format("entry {} lacks a defect_name, pixel_value, saturation_threshold or "
                      "relative_saturation of the right type",
                      i + 1));
    }
    Saturation one{.defect = entry.at("defect_name").get<std::string>(),
                   .pixel_value = entry.at("pixel_value").get<int>(),
                   .threshold = entry.at("saturation_threshold").get<double>(),
                   .relative = entry.at("relative_saturation").get<bool>()};
    if (!(one.threshold > 0) || (one.relative && one.threshold > 1)) {
      return refuse(fmt::format("entry {}: a saturation_threshold of {} {}", i + 1, one.threshold,
                                one.relative ? "is not a share" : "is not an area"));
    }
    for (const Saturation& other : saturations) {
      if (other.pixel_value == one.pixel_value) {
        return refuse(
            fmt::format("'{}' and '{}' share the pixel value {}", other.defect, one.defect, one.pixel_value));
      }
    }
    saturations.push_back(std::move(one));
  }
  return saturations;
}

bool has_folders_of_masks(const fs::path& ground_truth) {
  const auto defects = list(ground_truth);
  if (!defects) return false;
  return std::ranges::any_of(defects->folders, [](const fs::path& defect) {
    const auto inside = list(defect);
    return inside && !inside->folders.empty();
  });
}

Result<TestSet> read_class_folder(const fs::path& folder) {
  TestSet set{.name = folder.filename().string()};
  const fs::path test = folder / "test", ground_truth = folder / "ground_truth";
  const fs::path defects_config = folder / "defects_config.json";
  const bool is_loco = fs::exists(defects_config) || has_folders_of_masks(ground_truth);
  if (is_loco) {
    set.kind = TreeKind::kLoco;
    if (fs::exists(defects_config)) {
      AWRY_TRY_ASSIGN(set.saturations, read_saturations(defects_config));
    } else {
      set.notes.push_back(fmt::format("{}: without a defects_config.json there is no au_spro", set.name));
    }
  }
  AWRY_TRY_ASSIGN(const Listing defects, list(test));
  std::size_t unused_masks = 0;
  for (const fs::path& defect_folder : defects.folders) {
    const std::string defect = defect_folder.filename().string();
    AWRY_TRY_ASSIGN(const Listing images, list(defect_folder));
    if (images.others > 0) {
      set.notes.push_back(fmt::format("{}: {} files in test/{} are not pictures and were left out", set.name,
                                      images.others, defect));
    }
    const fs::path masks_folder = ground_truth / defect;
    ByStem masks;
    if (!is_loco) {
      AWRY_TRY_ASSIGN(masks, by_stem(masks_folder));
    }
    std::set<fs::path> used;
    for (const fs::path& path : images.pictures) {
      TestImage image{.id = defect + "/" + path.stem().string(), .defect = defect, .image = path};
      if (image.anomalous() && is_loco) {
        AWRY_TRY_ASSIGN(image.masks, loco_masks(path, masks_folder));
      } else if (image.anomalous()) {
        AWRY_TRY_ASSIGN(fs::path mask, single_mask(path, masks_folder, masks));
        used.insert(mask);
        image.masks.push_back(std::move(mask));
      }
      set.images.push_back(std::move(image));
    }
    if (defect != kGood) unused_masks += masks.size() - used.size();
  }
  if (unused_masks > 0) {
    set.notes.push_back(
        fmt::format("{}: {} masks belong to no test image and were left out", set.name, unused_masks));
  }
  return set;
}

Result<void> check_ids(TestSet& set, const fs::path& truth) {
  if (set.images.empty()) {
    return fail({.kind = ErrorKind::kNotFound,
                 .what = kWhat,
                 .input = truth.string(),
                 .why = fmt::format("class '{}' has no test images", set.name)});
  }
  std::ranges::sort(set.images, {}, &TestImage::id);
  const auto twin = std::ranges::adjacent_find(set.images, {}, &TestImage::id);
  if (twin == set.images.end()) return {};
  return fail({.what = kWhat,
               .input = twin->image.string(),
               .why = fmt::format("'{}' has the same name, so their maps cannot be told apart",
                                  std::next(twin)->image.string()),
               .hint = "Rename or remove one."});
}

}  // namespace

std::string_view name_of(TreeKind kind) {
  switch (kind) {
    case TreeKind::kMvtec:
      return "mvtec";
    case TreeKind::kLoco:
      return "loco";
    case TreeKind::kVisa:
      return "visa";
  }
  return "";
}

bool has_picture_ending(const fs::path& path) {
  static constexpr std::array<std::string_view, 7> kEndings = {".png", ".jpg",  ".jpeg", ".bmp",
                                                               ".tif", ".tiff", ".webp"};
  const std::string ending = to_lower_ascii(path.extension().string());
  return std::ranges::find(kEndings, ending) != kEndings.end();
}

Result<std::vector<TestSet>> find_test_sets(const fs::path& truth_as_given) {
  fs::path truth = fs::absolute(truth_as_given).lexically_normal();
  if (!truth.has_filename()) truth = truth.parent_path();  // "cable/" is named like "cable"
  if (!is_folder(truth)) {
    return fail({.kind = ErrorKind::kNotFound,
                 .what = kWhat,
                 .input = truth_as_given.string(),
                 .why = fs::exists(truth) ? "it is not a folder" : "there is no such folder",
                 .hint = "Give a class folder of MVTec AD or MVTec LOCO, or the root of VisA."});
  }
  std::vector<TestSet> sets;
  if (is_folder(truth / "test")) {
    AWRY_TRY_ASSIGN(TestSet set, read_class_folder(truth));
    sets.push_back(std::move(set));
  } else if (fs::exists(truth / kVisaSplit)) {
    AWRY_TRY_ASSIGN(sets, read_visa_split(truth, ""));
  } else if (fs::exists(truth.parent_path() / kVisaSplit)) {
    AWRY_TRY_ASSIGN(sets, read_visa_split(truth.parent_path(), truth.filename().string()));
  } else {
    AWRY_TRY_ASSIGN(const Listing classes, list(truth));
    for (const fs::path& folder : classes.folders) {
      if (!is_folder(folder / "test")) continue;
      AWRY_TRY_ASSIGN(TestSet set, read_class_folder(folder));
      sets.push_back(std::move(set));
    }
  }
  if (sets.empty()) {
    return fail({.kind = ErrorKind::kNotFound,
                 .what = kWhat,
                 .input = truth_as_given.string(),
                 .why = "neither it nor a folder in it has a folder test/",
                 .hint = "Give a class folder of MVTec AD or MVTec LOCO, or the root of VisA."});
  }
  for (TestSet& set : sets) AWRY_TRY(check_ids(set, truth_as_given));
  return sets;
}

}  // namespace awry::benchmarks::tgad
