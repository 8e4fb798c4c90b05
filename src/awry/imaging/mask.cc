// SPDX-License-Identifier: Apache-2.0
#include "awry/imaging/mask.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "awry/base/files.h"
#include "awry/imaging/codec.h"
#include "awry/imaging/encode.h"

namespace awry::imaging {
namespace {

constexpr std::uint64_t kMaxMaskPixels = 1ULL << 31;

tl::unexpected<Error> bad_mask(std::string why) {
  return fail({.what = "cannot use mask", .why = std::move(why), .hint = "Export the mask again."});
}

Result<void> check_mask_size(int width, int height) {
  if (width <= 0 || height <= 0) return bad_mask(fmt::format("its size is {} x {}", width, height));
  if (static_cast<std::uint64_t>(width) * height > kMaxMaskPixels) {
    return fail({.kind = ErrorKind::kLimit,
                 .what = "cannot use mask",
                 .why = fmt::format("{} x {} pixels are too many", width, height)});
  }
  return {};
}

Result<void> check_both(const Mask& a, const Mask& b) {
  AWRY_TRY(check_mask(a));
  AWRY_TRY(check_mask(b));
  if (a.width == b.width && a.height == b.height) return {};
  return fail(
      {.what = "cannot compare masks",
       .why = fmt::format("one has {} x {} pixels, the other {} x {}", a.width, a.height, b.width, b.height),
       .hint = "Export both at the size of their image."});
}

// Runs in the making: equal neighbours are joined, and zeros come first.
class RunWriter {
 public:
  void add(bool value, std::uint64_t length) {
    if (length == 0) return;
    if (value != value_) {
      runs_.push_back(static_cast<std::uint32_t>(pending_));
      value_ = value;
      pending_ = 0;
    }
    pending_ += length;
  }
  std::vector<std::uint32_t> finish() {
    if (pending_ > 0) runs_.push_back(static_cast<std::uint32_t>(pending_));
    return std::move(runs_);
  }

 private:
  std::vector<std::uint32_t> runs_;
  bool value_ = false;
  std::uint64_t pending_ = 0;
};

// Calls visit(in_a, in_b, length) for each stretch in which neither mask changes.
template <class Visit>
void walk_both(const Mask& a, const Mask& b, Visit visit) {
  std::size_t i = 0, j = 0;
  std::uint64_t left_a = a.runs[0], left_b = b.runs[0];
  while (true) {
    while (left_a == 0 && ++i < a.runs.size()) left_a = a.runs[i];
    while (left_b == 0 && ++j < b.runs.size()) left_b = b.runs[j];
    if (left_a == 0 || left_b == 0) return;  // both end together: they have been checked
    const std::uint64_t length = std::min(left_a, left_b);
    visit(i % 2 == 1, j % 2 == 1, length);
    left_a -= length;
    left_b -= length;
  }
}

}  // namespace

Result<void> check_mask(const Mask& mask) {
  AWRY_TRY(check_mask_size(mask.width, mask.height));
  std::uint64_t sum = 0;
  for (const std::uint32_t run : mask.runs) sum += run;
  const std::uint64_t pixels = static_cast<std::uint64_t>(mask.width) * mask.height;
  if (sum != pixels) {
    return bad_mask(
        fmt::format("its runs cover {} pixels, but {} x {} are {}", sum, mask.width, mask.height, pixels));
  }
  return {};
}

Mask mask_from_bitmap(const Bitmap& bitmap) {
  RunWriter writer;
  for (int x = 0; x < bitmap.width; ++x) {
    for (int y = 0; y < bitmap.height; ++y) writer.add(bitmap.at(x, y) != 0, 1);
  }
  return {bitmap.width, bitmap.height, writer.finish()};
}

Result<Bitmap> bitmap_from_mask(const Mask& mask, const DecodeLimits& limits) {
  AWRY_TRY(check_mask(mask));
  if (static_cast<std::uint64_t>(mask.width) * mask.height > limits.max_pixels) {
    return fail({.kind = ErrorKind::kLimit,
                 .what = "cannot use mask",
                 .why = fmt::format("{} x {} pixels are above the limit of {}", mask.width, mask.height,
                                    limits.max_pixels)});
  }
  Bitmap bitmap(mask.width, mask.height);
  std::uint64_t position = 0;
  for (std::size_t i = 0; i < mask.runs.size(); ++i) {
    const std::uint64_t end = position + mask.runs[i];
    if (i % 2 == 0) {
      position = end;
      continue;
    }
    for (; position < end; ++position) {
      bitmap.at(static_cast<int>(position / mask.height), static_cast<int>(position % mask.height)) = 1;
    }
  }
  return bitmap;
}

Result<Bitmap> read_bitmap(const std::filesystem::path& path, const DecodeLimits& limits) {
  const auto read = [&]() -> Result<Image> {
    AWRY_TRY_ASSIGN(const std::string bytes, read_file(path, limits.max_bytes));
    return decode_with(as_bytes(bytes), path.string(), {.limits = limits, .alpha = Alpha::kKeep},
                       Narrowing::kPresence);
  };
  auto image = read();
  if (!image) {
    image.error().what = "cannot read mask";
    return fail(image.error());
  }
  Bitmap bitmap(image->width, image->height);
  const int colours = std::min(image->channels, 3);
  const std::uint8_t* pixel = image->pixels.data();
  for (std::uint8_t& bit : bitmap.bits) {
    const bool is_visible = image->channels != 4 || pixel[3] != 0;
    bit = is_visible && std::any_of(pixel, pixel + colours, [](std::uint8_t value) { return value != 0; });
    pixel += image->channels;
  }
  return bitmap;
}

Result<Mask> read_mask(const std::filesystem::path& path, const DecodeLimits& limits) {
  return read_bitmap(path, limits).map(mask_from_bitmap);
}

std::string encode_mask_png(const Bitmap& bitmap) {
  Image image(bitmap.width, bitmap.height, 1);
  std::ranges::transform(bitmap.bits, image.pixels.begin(),
                         [](std::uint8_t bit) { return static_cast<std::uint8_t>(bit != 0 ? 255 : 0); });
  return encode_png(image);
}

Result<void> write_mask(const std::filesystem::path& path, const Bitmap& bitmap) {
  AWRY_TRY(check_mask_size(bitmap.width, bitmap.height));
  return write_file(path, encode_mask_png(bitmap));
}

Result<void> write_mask(const std::filesystem::path& path, const Mask& mask) {
  AWRY_TRY_ASSIGN(const Bitmap bitmap, bitmap_from_mask(mask));
  return write_mask(path, bitmap);
}

Result<Mask> mask_from_box(const Box& box, int width, int height) {
  AWRY_TRY(check_mask_size(width, height));
  const double right = box.x + box.width, bottom = box.y + box.height;
  if (!std::isfinite(box.x) || !std::isfinite(box.y) || !std::isfinite(right) || !std::isfinite(bottom)) {
    return bad_mask("its box has a side that is not a number");
  }
  // Pixel i has its centre at i + 0.5, so it lies in [from, to) when i is at least ceil(from - 0.5).
  const auto first_inside = [](double from, int side) {
    return static_cast<std::int64_t>(std::clamp(std::ceil(from - 0.5), 0.0, static_cast<double>(side)));
  };
  const std::int64_t x0 = first_inside(box.x, width), x1 = first_inside(right, width);
  const std::int64_t y0 = first_inside(box.y, height), y1 = first_inside(bottom, height);
  RunWriter writer;
  if (x0 >= x1 || y0 >= y1) {
    writer.add(false, static_cast<std::uint64_t>(width) * height);
    return Mask{width, height, writer.finish()};
  }
  writer.add(false, static_cast<std::uint64_t>(x0) * height);
  for (std::int64_t x = x0; x < x1; ++x) {
    writer.add(false, y0);
    writer.add(true, y1 - y0);
    writer.add(false, height - y1);
  }
  writer.add(false, static_cast<std::uint64_t>(width - x1) * height);
  return Mask{width, height, writer.finish()};
}

Result<Overlap> overlap(const Mask& a, const Mask& b) {
  AWRY_TRY(check_both(a, b));
  Overlap result;
  walk_both(a, b, [&](bool in_a, bool in_b, std::uint64_t length) {
    if (in_a && in_b) result.intersection_area += length;
    if (in_a || in_b) result.union_area += length;
  });
  return result;
}

Result<Mask> intersect(const Mask& a, const Mask& b) {
  AWRY_TRY(check_both(a, b));
  RunWriter writer;
  walk_both(a, b, [&](bool in_a, bool in_b, std::uint64_t length) { writer.add(in_a && in_b, length); });
  return Mask{a.width, a.height, writer.finish()};
}

Result<Mask> unite(const Mask& a, const Mask& b) {
  AWRY_TRY(check_both(a, b));
  RunWriter writer;
  walk_both(a, b, [&](bool in_a, bool in_b, std::uint64_t length) { writer.add(in_a || in_b, length); });
  return Mask{a.width, a.height, writer.finish()};
}

std::uint64_t mask_area(const Mask& mask) {
  std::uint64_t area = 0;
  for (std::size_t i = 1; i < mask.runs.size(); i += 2) area += mask.runs[i];
  return area;
}

Result<std::optional<Box>> mask_bounding_box(const Mask& mask) {
  AWRY_TRY(check_mask(mask));
  const std::int64_t height = mask.height;
  std::int64_t position = 0, left = mask.width, right = -1, top = height, bottom = -1;
  for (std::size_t i = 0; i < mask.runs.size(); ++i) {
    const std::int64_t last = position + mask.runs[i] - 1;
    if (i % 2 == 1 && mask.runs[i] > 0) {
      left = std::min(left, position / height);
      right = std::max(right, last / height);
      const bool spans_columns = position / height != last / height;
      top = std::min(top, spans_columns ? 0 : position % height);
      bottom = std::max(bottom, spans_columns ? height - 1 : last % height);
    }
    position = last + 1;
  }
  if (right < 0) return std::optional<Box>{};
  return std::optional<Box>{{static_cast<double>(left), static_cast<double>(top),
                             static_cast<double>(right - left + 1), static_cast<double>(bottom - top + 1)}};
}

}  // namespace awry::imaging
