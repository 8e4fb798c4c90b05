// SPDX-License-Identifier: Apache-2.0
#include "awry/pipeline/perturbed_images.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <map>

#include "awry/base/files.h"
#include "awry/base/hash.h"
#include "awry/base/text.h"
#include "awry/imaging/decode.h"
#include "awry/imaging/encode.h"
#include "awry/imaging/mask.h"
#include "awry/imaging/perturb.h"
#include "awry/pipeline/parallel.h"

namespace awry::pipeline {
namespace {

namespace fs = std::filesystem;

// Changes whenever other bytes would be written for the same image and perturbation.
constexpr std::string_view kRecipe = "perturbed-v1";

struct Kind {
  std::string_view name;
  Damage damage;
  double least, most;
  bool whole;
};
constexpr std::array kKinds = {Kind{"blur", Damage::kBlur, 0, 100, false},
                               Kind{"jpeg", Damage::kJpeg, 1, 100, true},
                               Kind{"scale", Damage::kScale, 0.01, 8, false}};

const Kind& kind_of(Damage damage) {
  return *std::find_if(kKinds.begin(), kKinds.end(), [&](const Kind& kind) { return kind.damage == damage; });
}

Result<Perturbation> parse_one(std::string_view text) {
  const auto refuse = [&](std::string why) {
    return fail({.kind = ErrorKind::kUsage,
                 .what = "cannot perturb images by",
                 .input = std::string(text),
                 .why = std::move(why),
                 .hint = "Write blur:SIGMA, jpeg:QUALITY or scale:FACTOR, several separated by commas."});
  };
  const std::size_t colon = text.find(':');
  const std::string_view name = trim(text.substr(0, colon));
  for (const Kind& kind : kKinds) {
    if (name != kind.name) continue;
    if (colon == std::string_view::npos) return refuse("it does not say how strongly");
    const auto strength = parse_double(trim(text.substr(colon + 1)));
    // Written so that NaN is refused as well.
    const bool inside = strength && *strength >= kind.least && *strength <= kind.most;
    if (!inside || (kind.whole && *strength != std::floor(*strength))) {
      return refuse(fmt::format("{} takes a {}number from {} to {}", kind.name, kind.whole ? "whole " : "",
                                kind.least, kind.most));
    }
    return Perturbation{kind.damage, *strength};
  }
  return refuse(fmt::format("'{}' is none of blur, jpeg, scale", name));
}

struct Copy {
  std::string path;
  int width = 0, height = 0;                    // of the copy
  int original_width = 0, original_height = 0;  // upright
  bool made = false;
};

Result<imaging::Image> damaged(imaging::Image image, const Perturbation& by) {
  switch (by.damage) {
    case Damage::kBlur:
      return imaging::gaussian_blurred(image, by.strength);
    case Damage::kJpeg:
      return imaging::jpeg_round_trip(image, static_cast<int>(by.strength));
    case Damage::kScale: {
      const imaging::DecodeLimits limits;
      const double pixels = image.width * by.strength * image.height * by.strength;
      if (pixels > static_cast<double>(limits.max_pixels)) {
        return fail({.kind = ErrorKind::kLimit,
                     .what = "cannot scale image",
                     .why = fmt::format("it would have {:.0f} pixels", pixels)});
      }
      return imaging::scaled(image, by.strength, imaging::ScaledSize::kKept);
    }
  }
  return image;
}

// A copy whose last step is JPEG is that JPEG, not a picture of it.
Result<std::string> perturbed_bytes(imaging::Image image, std::span<const Perturbation> by) {
  const bool ends_as_jpeg = by.back().damage == Damage::kJpeg;
  for (const Perturbation& step : ends_as_jpeg ? by.first(by.size() - 1) : by) {
    AWRY_TRY_ASSIGN(image, damaged(std::move(image), step));
  }
  if (ends_as_jpeg) return imaging::encode_jpeg(image, static_cast<int>(by.back().strength));
  return imaging::encode_png(image);
}

Result<Copy> make_copy(const std::string& original, std::span<const Perturbation> by,
                       const fs::path& folder) {
  AWRY_TRY_ASSIGN(const std::string bytes, read_file(original));
  AWRY_TRY_ASSIGN(const imaging::ImageInfo before, imaging::probe_image_bytes(bytes, original));
  const std::string_view ending = by.back().damage == Damage::kJpeg ? ".jpg" : ".png";
  const fs::path path = folder / FieldHasher().add(kRecipe).add(text_of(by)).add(bytes).hex().append(ending);
  Copy copy{.path = path.string(), .original_width = before.width, .original_height = before.height};
  std::error_code error;
  if (!fs::exists(path, error)) {
    AWRY_TRY_ASSIGN(imaging::Image image, imaging::decode_image(bytes, original));
    AWRY_TRY_ASSIGN(const std::string written, perturbed_bytes(std::move(image), by));
    AWRY_TRY(write_file(path, written));
    copy.made = true;
  }
  AWRY_TRY_ASSIGN(const imaging::ImageInfo after, imaging::probe_image(path));
  copy.width = after.width, copy.height = after.height;
  return copy;
}

// How much wider and higher an image became.
struct Stretch {
  double x = 1, y = 1;
  int width = 0, height = 0;  // now
  bool changes() const { return x != 1 || y != 1; }
};

Result<Mask> stretched(const Mask& mask, const Stretch& by) {
  AWRY_TRY_ASSIGN(const imaging::Bitmap before, imaging::bitmap_from_mask(mask));
  imaging::Bitmap after(by.width, by.height);
  for (int y = 0; y < after.height; ++y) {
    for (int x = 0; x < after.width; ++x) {
      const int from_x = std::min(before.width - 1, static_cast<int>((x + 0.5) / by.x));
      const int from_y = std::min(before.height - 1, static_cast<int>((y + 0.5) / by.y));
      after.at(x, y) = before.at(from_x, from_y);
    }
  }
  return imaging::mask_from_bitmap(after);
}

// second' = S2 T S1^-1, with S the stretch of each image.
Transform stretched(const Transform& second_from_first, const Stretch& first, const Stretch& second) {
  Transform to = second_from_first;
  for (int row = 0; row < 3; ++row) {
    const double by_row = row == 0 ? second.x : row == 1 ? second.y : 1;
    to[row * 3] *= by_row / first.x;
    to[row * 3 + 1] *= by_row / first.y;
    to[row * 3 + 2] *= by_row;
  }
  return to;
}

Result<void> stretch_truth(Finding& finding, std::span<const Stretch> images) {
  const auto of = [&](int image) {
    return image >= 0 && image < static_cast<int>(images.size()) ? images[static_cast<std::size_t>(image)]
                                                                 : Stretch{};
  };
  if (Box* box = std::get_if<Box>(&finding.where)) {
    const Stretch by = of(finding.image);
    *box = {box->x * by.x, box->y * by.y, box->width * by.x, box->height * by.y};
  } else if (Mask* mask = std::get_if<Mask>(&finding.where); mask && of(finding.image).changes()) {
    AWRY_TRY_ASSIGN(*mask, stretched(*mask, of(finding.image)));
  } else if (Pair* pair = std::get_if<Pair>(&finding.where)) {
    const Stretch first = of(pair->first_image), second = of(pair->second_image);
    if (pair->in_first && first.changes()) {
      AWRY_TRY_ASSIGN(*pair->in_first, stretched(*pair->in_first, first));
    }
    if (pair->in_second && second.changes()) {
      AWRY_TRY_ASSIGN(*pair->in_second, stretched(*pair->in_second, second));
    }
    if (pair->second_from_first) {
      *pair->second_from_first = stretched(*pair->second_from_first, first, second);
    }
  }
  return {};
}

Result<void> show_copies(Sample& sample, const std::map<std::string, Copy>& copies, const std::string& text) {
  std::vector<Stretch> stretches;
  for (ImageRef& image : sample.images) {
    const auto copy = copies.find(image.path);
    if (copy == copies.end()) {
      stretches.emplace_back();
      continue;
    }
    const Copy& to = copy->second;
    stretches.push_back({.x = static_cast<double>(to.width) / to.original_width,
                         .y = static_cast<double>(to.height) / to.original_height,
                         .width = to.width,
                         .height = to.height});
    image = {.path = to.path, .width = to.width, .height = to.height};
  }
  for (Finding& finding : sample.truth) AWRY_TRY(stretch_truth(finding, stretches));
  sample.attributes["perturbation"] = text;
  return {};
}

}  // namespace

Result<std::vector<Perturbation>> parse_perturbations(std::string_view text) {
  std::vector<Perturbation> perturbations;
  for (const std::string_view part : split(text, ',')) {
    AWRY_TRY_ASSIGN(const Perturbation one, parse_one(trim(part)));
    perturbations.push_back(one);
  }
  return perturbations;
}

std::string text_of(std::span<const Perturbation> perturbations) {
  std::vector<std::string> parts;
  for (const Perturbation& one : perturbations) {
    parts.push_back(fmt::format("{}:{}", kind_of(one.damage).name, one.strength));
  }
  return join(parts, ",");
}

Result<PerturbedSamples> perturb_images(std::vector<Sample> samples,
                                        std::span<const Perturbation> perturbations,
                                        const PerturbOptions& options) {
  PerturbedSamples result{.samples = std::move(samples)};
  if (perturbations.empty()) return result;
  AWRY_TRY(make_folder(options.folder));

  // Each file once, whoever shows it: two threads never write the same copy.
  std::map<std::string, Result<Copy>> files;
  for (const Sample& sample : result.samples) {
    for (const ImageRef& image : sample.images) files.try_emplace(image.path, Copy());
  }
  std::vector<std::pair<const std::string, Result<Copy>>*> work;
  for (auto& file : files) work.push_back(&file);
  const std::size_t done = for_each_index(
      work.size(), {.threads = options.threads, .cancel = options.cancel},
      [&](std::size_t i) { work[i]->second = make_copy(work[i]->first, perturbations, options.folder); });
  if (done < work.size()) {
    return fail({.kind = ErrorKind::kCancelled, .what = "stopped while perturbing images"});
  }

  std::map<std::string, Copy> copies;
  for (const auto& [path, copy] : files) {
    if (copy) {
      ++(copy->made ? result.made : result.reused);
      copies.emplace(path, *copy);
    } else if (copy.error().kind == ErrorKind::kIo && !fs::is_directory(options.folder)) {
      return fail(copy.error());  // not the image's fault: nothing can be written
    } else {
      result.unreadable.push_back(copy.error().message());
    }
  }
  const std::string text = text_of(perturbations);
  for (Sample& sample : result.samples) AWRY_TRY(show_copies(sample, copies, text));
  return result;
}

}  // namespace awry::pipeline
