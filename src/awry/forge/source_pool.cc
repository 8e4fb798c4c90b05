// SPDX-License-Identifier: Apache-2.0
#include "awry/forge/source_pool.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <opencv2/core.hpp>
#include <optional>

#include "awry/base/files.h"
#include "awry/base/hash.h"
#include "awry/forge/apportion.h"
#include "awry/imaging/decode.h"
#include "awry/imaging/opencv.h"
#include "awry/imaging/resize.h"

namespace awry::forge {
namespace {

namespace fs = std::filesystem;

std::string scenario_of_path(const std::string& name) {
  for (const PanelKind kind : kAllPanelKinds) {
    if (("/" + name).find(fmt::format("/{}/", name_of(kind))) != std::string::npos)
      return std::string(scenario_of(kind));
  }
  return "Others";
}

std::vector<std::uint8_t> flipped(const std::vector<std::uint8_t>& grey, int side, int code) {
  std::vector<std::uint8_t> result(grey.size());
  cv::Mat1b to(side, side, result.data());
  cv::flip(cv::Mat1b(side, side, const_cast<std::uint8_t*>(grey.data())), to, code);
  return result;
}

// Union-find over the pictures.
class Groups {
 public:
  explicit Groups(std::size_t count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
  }
  std::size_t root(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::size_t a, std::size_t b) {
    a = root(a), b = root(b);
    if (a != b) parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::size_t> parent_;
};

// Pearson's coefficient of all greys against all, also turned and mirrored: covariances are the same matrix
// products as in the pair search.
void join_near_duplicates(std::span<const PanelSignature> panels, double least, Groups& groups) {
  constexpr std::size_t kBlock = 64;
  const double n = static_cast<double>(panels.front().grey.size());
  const int side = cvRound(std::sqrt(n));
  for (std::size_t j = 0; j < panels.size(); j += kBlock) {
    const std::size_t columns = std::min(kBlock, panels.size() - j);
    for (const std::optional<int> code :
         {std::optional<int>(), std::optional(0), std::optional(1), std::optional(-1)}) {
      std::vector<std::vector<std::uint8_t>> turned;
      std::vector<const std::uint8_t*> right, left;
      for (std::size_t c = 0; c < columns; ++c)
        turned.push_back(code ? flipped(panels[j + c].grey, side, *code) : panels[j + c].grey);
      for (const auto& grey : turned) right.push_back(grey.data());
      for (std::size_t i = 0; i < j + columns; ++i) left.push_back(panels[i].grey.data());
      const auto products = grey_products(left, right, panels.front().grey.size());
      for (std::size_t i = 0; i < left.size(); ++i) {
        for (std::size_t c = 0; c < columns; ++c) {
          const PanelSignature &a = panels[i], &b = panels[j + c];
          const double covariance =
              static_cast<double>(products[i * columns + c]) / n / (255.0 * 255.0) - a.mean * b.mean;
          const double scale = std::sqrt(std::max(0.0, a.variance) * std::max(0.0, b.variance));
          const bool both_flat = scale < 1e-7;
          if (both_flat ? std::abs(a.mean - b.mean) < 0.01 : covariance >= least * scale)
            groups.join(i, j + c);
        }
      }
    }
  }
}

void join_related(std::span<const PoolImage> images, const SourcePoolOptions& options, Groups& groups) {
  std::map<fs::path, std::size_t> index;
  for (std::size_t i = 0; i < images.size(); ++i) index[images[i].file] = i;
  for (const auto& [first, second] : options.related) {
    const auto a = index.find(first), b = index.find(second);
    if (a != index.end() && b != index.end()) groups.join(a->second, b->second);
  }
}

// Groups that a figure shows parts of cannot be dealt apart.
std::vector<std::size_t> blocks_of(std::span<const PoolImage> images,
                                   std::span<const CaptionedFigure> figures, int groups) {
  std::map<std::string_view, std::size_t> group_of;
  for (const PoolImage& image : images) group_of[image.name] = static_cast<std::size_t>(image.group);
  Groups blocks(static_cast<std::size_t>(groups));
  for (const CaptionedFigure& figure : figures) {
    std::optional<std::size_t> first;
    for (const std::string& name : figure.pictures) {
      const auto found = group_of.find(name);
      if (found == group_of.end()) continue;
      blocks.join(first.value_or(found->second), found->second);
      first = found->second;
    }
  }
  std::vector<std::size_t> roots;
  for (std::size_t i = 0; i < static_cast<std::size_t>(groups); ++i) roots.push_back(blocks.root(i));
  return roots;
}

bool shows_one_of(const CaptionedFigure& figure, std::span<const PoolImage> images) {
  return std::ranges::any_of(figure.pictures, [&](const std::string& name) {
    return std::ranges::find(images, name, &PoolImage::name) != images.end();
  });
}

// Why a picture cannot be forged with; empty when it can.
std::string_view reason_against(const imaging::Image& image, const PanelSignature& signature, int min_side) {
  constexpr int kLongest = 5;                           // times as long as wide: a strip of a panel
  constexpr double kBlank = (1.5 / 255) * (1.5 / 255);  // variance: one colour, or as good as
  const auto [shorter, longer] = std::minmax(image.width, image.height);
  if (shorter < min_side) return "too_small";
  if (longer > kLongest * shorter) return "too_long";
  return signature.variance < kBlank ? "blank" : "";
}

tl::unexpected<Error> no_longer(const std::string& name, std::string why) {
  return fail({.kind = ErrorKind::kNotFound,
               .what = "cannot use the source",
               .input = name,
               .why = std::move(why),
               .hint = "Name the folder with the very files that the set was made from."});
}

Result<imaging::Image> load_unchanged(const fs::path& file, const std::string& sha256, int longer_side) {
  AWRY_TRY_ASSIGN(const std::string bytes, read_file(file));
  if (sha256_hex(bytes) != sha256) {
    return fail({.what = "cannot use the source",
                 .input = file.string(),
                 .why = "it has changed since it was first read",
                 .hint = "Leave the sources alone while forging."});
  }
  AWRY_TRY_ASSIGN(const imaging::Image image, imaging::decode_image(bytes, file.string()));
  return imaging::resize_long_edge(imaging::to_rgb(image), longer_side).image;
}

}  // namespace

Result<SourcePool> SourcePool::open(const fs::path& folder, std::span<const fs::path> files,
                                    const SourcePoolOptions& options) {
  SourcePool pool;
  pool.options_ = options;
  pool.options_.cancel = nullptr;
  for (const fs::path& file : files) {
    if (options.cancel != nullptr && options.cancel->requested())
      return fail(
          {.kind = ErrorKind::kCancelled, .what = "stopped reading sources in", .input = folder.string()});
    std::string name = file.lexically_relative(folder).generic_string();
    const auto bytes = read_file(file);
    const auto image = bytes ? imaging::decode_image(*bytes, file.string()) : Result<imaging::Image>();
    if (!bytes || !image) {
      pool.left_out_["unreadable"].push_back(name);
      continue;
    }
    PanelSignature signature = signature_of(imaging::to_rgb(*image));
    if (const auto reason = reason_against(*image, signature, options.min_side); !reason.empty()) {
      pool.left_out_[std::string(reason)].push_back(name);
      continue;
    }
    pool.images_.push_back({.file = file,
                            .name = name,
                            .sha256 = sha256_hex(*bytes),
                            .width = image->width,
                            .height = image->height,
                            .scenario = scenario_of_path(name)});
    PoolImage& added = pool.images_.back();
    if (const auto read = options.annotations.find(file); read != options.annotations.end())
      added.annotations = read->second;
    if (const auto marked = options.masks.find(file); marked != options.masks.end()) {
      added.mask = marked->second;
      AWRY_TRY_ASSIGN(added.mask_sha256, sha256_hex_of_file(added.mask));
    }
    pool.signatures_.push_back(std::move(signature));
  }
  if (pool.images_.size() < 2) {
    return fail({.kind = ErrorKind::kNotFound,
                 .what = "cannot take sources from",
                 .input = folder.string(),
                 .why = fmt::format("{} of {} pictures can be used", pool.images_.size(), files.size()),
                 .hint = fmt::format("It takes two that show something, each at least {} pixels a side.",
                                     options.min_side)});
  }
  Groups groups(pool.images_.size());
  join_near_duplicates(pool.signatures_, options.near_duplicate, groups);
  join_related(pool.images_, options, groups);
  std::map<std::size_t, int> numbers;
  for (std::size_t i = 0; i < pool.images_.size(); ++i)
    pool.images_[i].group =
        numbers.try_emplace(groups.root(i), static_cast<int>(numbers.size())).first->second;
  pool.groups_ = static_cast<int>(numbers.size());
  for (CaptionedFigure figure : options.figures) {
    if (!figure.lettering || !shows_one_of(figure, pool.images_)) {
      pool.left_out_[figure.lettering ? "figures_without_a_usable_picture" : "figures_not_read"].push_back(
          figure.name);
      continue;
    }
    AWRY_TRY_ASSIGN(figure.sha256, sha256_hex_of_file(figure.file));
    pool.figures_.push_back(std::move(figure));
  }
  pool.find_pairs(options);
  return pool;
}

void SourcePool::find_pairs(const SourcePoolOptions& options) {
  std::vector<int> groups;
  for (const PoolImage& image : images_) groups.push_back(image.group);
  pairs_ =
      most_similar_pairs(signatures_, {.keep = options.pairs, .groups = groups, .threads = options.threads});
}

Result<imaging::Image> SourcePool::load(std::size_t index, int longer_side) const {
  return load_unchanged(images_[index].file, images_[index].sha256, longer_side);
}

Result<imaging::Image> SourcePool::load_figure(std::size_t index, int longer_side) const {
  return load_unchanged(figures_[index].file, figures_[index].sha256, longer_side);
}

Result<std::optional<imaging::Bitmap>> SourcePool::load_mask(std::size_t index, int width, int height) const {
  const PoolImage& source = images_[index];
  if (source.mask.empty()) return std::optional<imaging::Bitmap>();
  AWRY_TRY_ASSIGN(const imaging::Image marked,
                  load_unchanged(source.mask, source.mask_sha256, std::numeric_limits<int>::max()));
  if (marked.width != source.width || marked.height != source.height) {
    return fail({.what = "cannot use the mask",
                 .input = source.mask.string(),
                 .why = fmt::format("it measures {}x{}, its picture {}x{}", marked.width, marked.height,
                                    source.width, source.height)});
  }
  imaging::Bitmap mask(width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const std::uint8_t* pixel =
          marked.at((2 * x + 1) * marked.width / (2 * width), (2 * y + 1) * marked.height / (2 * height));
      mask.at(x, y) = pixel[0] + pixel[1] + pixel[2] > 0;
    }
  }
  return std::optional(std::move(mask));
}

SourcePool SourcePool::part(std::span<const std::size_t> indices) const {
  SourcePool pool;
  pool.options_ = options_;
  pool.groups_ = groups_;
  for (const std::size_t i : indices) {
    pool.images_.push_back(images_[i]);
    pool.signatures_.push_back(signatures_[i]);
  }
  for (const CaptionedFigure& figure : figures_) {
    if (shows_one_of(figure, pool.images_)) pool.figures_.push_back(figure);
  }
  pool.find_pairs(options_);
  return pool;
}

Result<SourcePool> SourcePool::restricted_to(std::span<const PoolImage> images,
                                             std::span<const CaptionedFigure> figures) const {
  constexpr const char* kAbsent = "it is not there, or cannot be used any more";
  constexpr const char* kChanged = "it has changed since the set was made";
  SourcePool known = *this;
  std::vector<std::size_t> indices;
  for (const PoolImage& image : images) {
    const auto found = std::ranges::find(images_, image.name, &PoolImage::name);
    if (found == images_.end()) return no_longer(image.name, kAbsent);
    if (found->sha256 != image.sha256) return no_longer(image.name, kChanged);
    if (found->mask_sha256 != image.mask_sha256)
      return no_longer(image.name, "the mask of its object is missing or has changed");
    indices.push_back(static_cast<std::size_t>(found - images_.begin()));
    known.images_[indices.back()].annotations = image.annotations;
    known.images_[indices.back()].group = image.group;
  }
  SourcePool pool = known.part(indices);
  pool.figures_.clear();
  for (const CaptionedFigure& figure : figures) {
    const auto found = std::ranges::find(options_.figures, figure.name, &CaptionedFigure::name);
    if (found == options_.figures.end()) return no_longer(figure.name, kAbsent);
    pool.figures_.push_back(figure);
    pool.figures_.back().file = found->file;
    pool.figures_.back().pictures = found->pictures;
  }
  return pool;
}

std::vector<SourcePool> SourcePool::split(std::span<const double> shares, RandomStream random) const {
  const std::vector<std::size_t> blocks = blocks_of(images_, figures_, groups_);
  std::vector<std::vector<std::size_t>> members(static_cast<std::size_t>(groups_));
  for (std::size_t i = 0; i < images_.size(); ++i)
    members[blocks[static_cast<std::size_t>(images_[i].group)]].push_back(i);
  random.shuffle(std::span(members));
  // Large groups first: what is left over can then still even things out.
  std::ranges::stable_sort(members, std::ranges::greater{}, &std::vector<std::size_t>::size);
  const std::vector<int> wanted = apportion(static_cast<int>(images_.size()), shares);
  std::vector<std::vector<std::size_t>> parts(shares.size());
  for (const auto& group : members) {
    const auto missing = [&](std::size_t part) {
      return wanted[part] - static_cast<double>(parts[part].size());
    };
    std::size_t best = 0;
    for (std::size_t part = 1; part < parts.size(); ++part) {
      if (missing(part) > missing(best)) best = part;
    }
    parts[best].insert(parts[best].end(), group.begin(), group.end());
  }
  std::vector<SourcePool> pools;
  for (auto& part : parts) {
    std::ranges::sort(part);
    pools.push_back(this->part(part));
  }
  return pools;
}

}  // namespace awry::forge
