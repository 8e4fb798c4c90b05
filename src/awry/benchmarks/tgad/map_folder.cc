// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/tgad/map_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "awry/base/text.h"
#include "awry/imaging/decode.h"
#include "awry/imaging/float_map.h"

namespace awry::benchmarks::tgad {
namespace {

namespace fs = std::filesystem;

bool has_map_ending(const fs::path& path) {
  const std::string ending = to_lower_ascii(path.extension().string());
  return ending == ".tiff" || ending == ".tif" || ending == ".png";
}

// "crack" of "crack/003".
std::string_view folder_of(std::string_view id) {
  return id.substr(0, id.find('/'));
}

// The folder below which the ids of the set are paths.
Result<fs::path> find_root(const TestSet& set, const fs::path& maps) {
  const std::array<fs::path, 6> candidates = {maps / set.name / "test", maps / set.name / "Data" / "Images",
                                              maps / set.name,          maps / "test",
                                              maps / "Data" / "Images", maps};
  std::vector<fs::path> found;
  for (const fs::path& candidate : candidates) {
    const bool fits = std::ranges::any_of(set.images, [&](const TestImage& image) {
      std::error_code ignored;
      return fs::is_directory(candidate / folder_of(image.id), ignored);
    });
    if (fits) found.push_back(candidate);
  }
  if (found.size() == 1) return found.front();
  if (std::error_code ignored; !fs::is_directory(maps, ignored)) {
    return fail({.kind = ErrorKind::kNotFound,
                 .what = "cannot find maps",
                 .input = maps.string(),
                 .why = "there is no such folder"});
  }
  if (found.empty()) {
    return fail({.kind = ErrorKind::kNotFound,
                 .what = "cannot find maps",
                 .input = maps.string(),
                 .why = fmt::format("it has no folder {0}/test/{1}, {0}/{1}, test/{1} or {1}", set.name,
                                    folder_of(set.images.front().id)),
                 .hint = "Name the maps like the test images: <class>/test/<defect>/<image>.tiff."});
  }
  return fail({.what = "cannot find maps",
               .input = maps.string(),
               .why = fmt::format("both '{}' and '{}' could hold those of class '{}'", found[0].string(),
                                  found[1].string(), set.name),
               .hint = "Name the one you mean."});
}

using MapsById = std::multimap<std::string, fs::path>;

Result<MapsById> list_maps(const TestSet& set, const fs::path& root) {
  std::set<std::string> folders;
  for (const TestImage& image : set.images) folders.emplace(folder_of(image.id));
  MapsById maps;
  for (const std::string& folder : folders) {
    std::error_code error;
    for (fs::directory_iterator entry(root / folder, error), end; !error && entry != end;
         entry.increment(error)) {
      const fs::path& path = entry->path();
      if (has_map_ending(path)) maps.emplace(folder + "/" + path.stem().string(), path);
    }
    if (error && error != std::errc::no_such_file_or_directory) {
      return fail({.kind = ErrorKind::kIo,
                   .what = "cannot read folder of maps",
                   .input = (root / folder).string(),
                   .why = error.message()});
    }
  }
  return maps;
}

std::string size_text(int width, int height) {
  return fmt::format("{}x{}", width, height);
}

}  // namespace

Result<PairedMaps> find_map_pairs(const TestSet& set, const fs::path& maps_folder) {
  AWRY_TRY_ASSIGN(const fs::path root, find_root(set, maps_folder));
  AWRY_TRY_ASSIGN(const MapsById maps, list_maps(set, root));
  PairedMaps paired{.set = set};
  std::vector<const TestImage*> without;
  std::size_t used = 0;
  for (const TestImage& image : set.images) {
    const auto [first, end] = maps.equal_range(image.id);
    const auto count = std::distance(first, end);
    if (count > 1) {
      return fail({.what = "cannot choose a map",
                   .input = image.image.string(),
                   .why = fmt::format("both '{}' and '{}' could be its map", first->second.string(),
                                      std::next(first)->second.string()),
                   .hint = "Remove one."});
    }
    if (count == 0) {
      without.push_back(&image);
      continue;
    }
    ++used;
    paired.pairs.push_back({.truth = image, .map = first->second});
  }
  if (!without.empty()) {
    return fail({.kind = ErrorKind::kNotFound,
                 .what = "cannot find the map of test image",
                 .input = without.front()->image.string(),
                 .why = fmt::format("'{}' has no {}.tiff, .tif or .png{}", root.string(), without.front()->id,
                                    without.size() == 1 ? ""
                                                        : fmt::format(" ({} of {} maps are missing)",
                                                                      without.size(), set.images.size())),
                 .hint = "Every test image needs a map, good ones too."});
  }
  if (used < maps.size()) {
    paired.notes.push_back(
        fmt::format("{}: {} maps belong to no test image and were left out", set.name, maps.size() - used));
  }
  return paired;
}

Result<std::vector<PairedMaps>> find_map_pairs(const fs::path& truth_folder, const fs::path& maps_folder) {
  AWRY_TRY_ASSIGN(const std::vector<TestSet> sets, find_test_sets(truth_folder));
  std::vector<PairedMaps> paired;
  for (const TestSet& set : sets) {
    AWRY_TRY_ASSIGN(PairedMaps one, find_map_pairs(set, maps_folder));
    paired.push_back(std::move(one));
  }
  return paired;
}

FolderMaps::FolderMaps(const PairedMaps& maps)
    : FolderMaps(maps, [&] {
        std::vector<MapUse> uses;
        for (std::size_t i = 0; i < maps.pairs.size(); ++i) {
          uses.push_back({.pair = i, .anomalous = maps.pairs[i].truth.anomalous()});
        }
        return uses;
      }()) {}

FolderMaps::FolderMaps(const PairedMaps& maps, std::vector<MapUse> uses)
    : maps_(maps), uses_(std::move(uses)) {
  for (const MapPair& pair : maps_.pairs) {
    if (pair.truth.masks.empty()) continue;
    const auto mask = imaging::probe_image(pair.truth.masks.front());
    const auto image = imaging::probe_image(pair.truth.image);
    truth_has_image_size_ = mask && image && mask->width == image->width && mask->height == image->height;
    break;
  }
}

Result<score::ScoredMap> FolderMaps::read(std::size_t index) {
  const MapUse& use = uses_[index];
  const MapPair& pair = maps_.pairs[use.pair];
  AWRY_TRY_ASSIGN(map_, imaging::read_float_map(pair.map));
  AWRY_TRY(read_masks(pair));
  AWRY_TRY(check_size(pair));
  if (use.anomalous && std::ranges::find(mask_.bits, 1) == mask_.bits.end()) empty_masks_.insert(index);
  return score::ScoredMap{.name = pair.map.string(),
                          .width = map_.width,
                          .height = map_.height,
                          .scores = map_.values,
                          .mask_width = mask_.width,
                          .mask_height = mask_.height,
                          .mask = mask_.bits,
                          .defects = defects_,
                          .anomalous = use.anomalous,
                          .in_pixel_metrics = use.in_pixel_metrics};
}

Result<void> FolderMaps::read_masks(const MapPair& pair) {
  mask_ = {};
  defect_masks_.clear();
  defects_.clear();
  for (const fs::path& path : pair.truth.masks) {
    mask_path_ = path;
    if (maps_.set.kind != TreeKind::kLoco) {
      AWRY_TRY_ASSIGN(mask_, imaging::read_bitmap(path));
    } else {
      AWRY_TRY(read_marked_defect(path));
    }
  }
  for (std::size_t i = 0; i < defects_.size(); ++i) defects_[i].mask = defect_masks_[i].bits;
  return {};
}

// A LOCO mask shows one defect, in the pixel value of its kind.
Result<void> FolderMaps::read_marked_defect(const fs::path& path) {
  AWRY_TRY_ASSIGN(const imaging::Image image, imaging::read_image(path));
  const auto refuse = [&](std::string why) {
    return fail({.what = "cannot read mask", .input = path.string(), .why = std::move(why)});
  };
  if (image.channels != 1) return refuse(fmt::format("it has {} channels instead of one", image.channels));
  const bool has_saturations = !maps_.set.saturations.empty();
  imaging::Bitmap mask(image.width, image.height);
  int value = 0;
  std::uint32_t area = 0;
  for (std::size_t i = 0; i < image.pixels.size(); ++i) {
    if (image.pixels[i] == 0) continue;
    if (value != 0 && image.pixels[i] != value && has_saturations) {
      return refuse(fmt::format("it holds both {} and {}, but one defect has one value", value,
                                static_cast<int>(image.pixels[i])));
    }
    value = image.pixels[i];
    mask.bits[i] = 1;
    ++area;
  }
  if (area == 0) return refuse("it marks nothing");
  const auto& saturations = maps_.set.saturations;
  const auto kind = std::ranges::find(saturations, value, &Saturation::pixel_value);
  if (has_saturations && kind == saturations.end())
    return refuse(fmt::format("defects_config.json has no pixel value {}", value));
  if (mask_.bits.empty()) {
    mask_ = mask;
  } else if (mask_.width != mask.width || mask_.height != mask.height) {
    return refuse(fmt::format("it is {}, but another mask of its image is {}",
                              size_text(mask.width, mask.height), size_text(mask_.width, mask_.height)));
  } else {
    for (std::size_t i = 0; i < mask.bits.size(); ++i) mask_.bits[i] |= mask.bits[i];
  }
  if (!has_saturations) return {};
  // Whole pixels, rounded down, as the official evaluation does; never none, which nothing could cover.
  const double wanted = kind->relative ? kind->threshold * area : kind->threshold;
  const double most = std::clamp(wanted, 1.0, static_cast<double>(area));
  defects_.push_back({.saturation_area = static_cast<std::uint32_t>(most)});
  defect_masks_.push_back(std::move(mask));
  return {};
}

Result<void> FolderMaps::check_size(const MapPair& pair) const {
  const auto refuse = [&](std::string_view what, const fs::path& path, int width, int height) {
    return fail(
        {.what = "cannot score map",
         .input = pair.map.string(),
         .why = fmt::format("the map is {}, but its {} '{}' is {}", size_text(map_.width, map_.height), what,
                            path.string(), size_text(width, height)),
         .hint = "Resize the maps to the size of the masks."});
  };
  if (!mask_.bits.empty()) {
    if (mask_.width == map_.width && mask_.height == map_.height) return {};
    return refuse("mask", mask_path_, mask_.width, mask_.height);
  }
  if (!truth_has_image_size_) return {};
  const auto image = imaging::probe_image(pair.truth.image);
  if (!image || (image->width == map_.width && image->height == map_.height)) return {};
  return refuse("image", pair.truth.image, image->width, image->height);
}

}  // namespace awry::benchmarks::tgad
