// SPDX-License-Identifier: Apache-2.0
#include "hard_forgeries.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "awry/forge/adjust.h"
#include "awry/forge/compose.h"
#include "awry/forge/objects.h"
#include "awry/imaging/opencv.h"

namespace awry::quality {
namespace {

struct Operations {
  double degrees = 0, scale = 1;
  bool mirrored = false;
};

// About the origin.
cv::Matx33d matrix_of(const Operations& operations) {
  const double radians = operations.degrees * CV_PI / 180;
  const double c = operations.scale * std::cos(radians), s = operations.scale * std::sin(radians);
  const cv::Matx33d turn(c, -s, 0, s, c, 0, 0, 0, 1);
  return operations.mirrored ? turn * cv::Matx33d(-1, 0, 0, 0, 1, 0, 0, 0, 1) : turn;
}

cv::Matx33d shift(double x, double y) {
  return {1, 0, x, 0, 1, y, 0, 0, 1};
}

// Clearly one thing or the other: nobody could say whether a turn by one degree is a rotation.
Operations random_operations(RandomStream& random, bool must_change) {
  Operations operations;
  do {
    if (random.chance(0.6)) operations.degrees = random.uniform(8, 172) * (random.chance(0.5) ? 1 : -1);
    if (random.chance(0.5))
      operations.scale = random.chance(0.5) ? random.uniform(0.7, 0.9) : random.uniform(1.12, 1.4);
    operations.mirrored = random.chance(0.3);
  } while (must_change && operations.degrees == 0 && operations.scale == 1 && !operations.mirrored);
  return operations;
}

// Pixel centres lie at whole coordinates here; truth is told in continuous ones.
cv::Matx33d continuous(const cv::Matx33d& m) {
  return shift(0.5, 0.5) * m * shift(-0.5, -0.5);
}

cv::Mat warped(const cv::Mat& image, const cv::Matx33d& to_from_image, cv::Size size, int interpolation) {
  cv::Mat source = image, result;
  const double scale = std::sqrt(std::abs(cv::determinant(to_from_image)));
  if (scale < 1 && interpolation != cv::INTER_NEAREST)
    cv::GaussianBlur(image, source, {}, 0.45 * std::sqrt(1 / (scale * scale) - 1));
  cv::warpAffine(source, result, to_from_image.get_minor<2, 3>(0, 0), size, interpolation,
                 cv::BORDER_REFLECT);
  return result;
}

bool lies_within(const cv::Matx33d& picture_from_panel, cv::Size panel, cv::Size picture) {
  for (const double x : {0.0, panel.width - 1.0}) {
    for (const double y : {0.0, panel.height - 1.0}) {
      const cv::Vec3d p = picture_from_panel * cv::Vec3d(x, y, 1);
      if (p[0] < 0 || p[1] < 0 || p[0] > picture.width - 1 || p[1] > picture.height - 1) return false;
    }
  }
  return true;
}

imaging::Bitmap pixels_mapped_inside(const cv::Matx33d& other_from_this, cv::Size size) {
  imaging::Bitmap inside(size.width, size.height);
  for (int y = 0; y < size.height; ++y) {
    for (int x = 0; x < size.width; ++x) {
      const cv::Vec3d p = other_from_this * cv::Vec3d(x, y, 1);
      inside.at(x, y) = p[0] >= -0.5 && p[1] >= -0.5 && p[0] < size.width - 0.5 && p[1] < size.height - 0.5;
    }
  }
  return inside;
}

void retouch(forge::DuplicatePair& pair, RandomStream random) {
  constexpr double visible = 2.5;  // grey levels
  if (!random.chance(0.5)) return;
  const forge::Adjustment adjustment = random.pick(forge::kAllAdjustments);
  imaging::Image after = adjusted(pair.second, adjustment, forge::random_amount(adjustment, random));
  const imaging::Bitmap all(after.width, after.height, 1);
  if (forge::mean_change(pair.second, after, all) < visible) return;  // hue of a grey panel
  pair.second = std::move(after);
  pair.letters += 'E';
}

imaging::Bitmap bitmap_of(const cv::Mat& mask) {
  imaging::Bitmap bitmap(mask.cols, mask.rows);
  for (int y = 0; y < mask.rows; ++y) {
    for (int x = 0; x < mask.cols; ++x) bitmap.at(x, y) = mask.at<std::uint8_t>(y, x) != 0;
  }
  return bitmap;
}

cv::Mat mat_of(const imaging::Bitmap& bitmap) {
  cv::Mat mask(bitmap.height, bitmap.width, CV_8U);
  for (int y = 0; y < mask.rows; ++y) {
    for (int x = 0; x < mask.cols; ++x) mask.at<std::uint8_t>(y, x) = bitmap.at(x, y) ? 255 : 0;
  }
  return mask;
}

// Adds one copy of `object`, clear of everything in `taken`. False when no place was found.
bool paste_copy(HardCopyMove& forged, const Source& panel, const imaging::Bitmap& object,
                const Operations& operations, RandomStream& random) {
  constexpr int tries = 60, feather_px = 2;
  constexpr double min_change = 4;
  const cv::Mat mask = mat_of(object);
  const cv::Rect box = cv::boundingRect(mask);
  const cv::Size size = mask.size();
  const double cx = box.x + box.width / 2.0, cy = box.y + box.height / 2.0;
  for (int i = 0; i < tries; ++i) {
    const double x = std::round(random.uniform(0, size.width)),
                 y = std::round(random.uniform(0, size.height));
    // Whole pixels, so that a copy that is not turned or scaled is not interpolated either.
    const cv::Matx33d to_from = shift(x, y) * matrix_of(operations) * shift(-std::round(cx), -std::round(cy));
    cv::Mat unbroken;
    cv::warpAffine(mask, unbroken, to_from.get_minor<2, 3>(0, 0), size, cv::INTER_NEAREST,
                   cv::BORDER_CONSTANT);
    const double wanted = cv::countNonZero(mask) * operations.scale * operations.scale;
    // All of the object must have arrived.
    if (cv::countNonZero(unbroken) < 0.97 * wanted) continue;
    const imaging::Bitmap place = bitmap_of(unbroken);
    if (forge::common_area(place, forged.places) > 0) continue;
    if (std::ranges::any_of(panel.annotations, [&](const Box& b) { return forge::touches(place, b); }))
      continue;
    const bool is_plain = operations.degrees == 0 && operations.scale == 1;
    const imaging::Image moved = imaging::from_mat(
        warped(imaging::as_mat(panel.image), to_from, size, is_plain ? cv::INTER_NEAREST : cv::INTER_CUBIC));
    imaging::Image pasted = forge::paste(forged.image, moved, place, feather_px);
    if (forge::mean_change(forged.image, pasted, place) < min_change) continue;
    forged.image = std::move(pasted);
    forged.places = forge::united(forged.places, place);
    return true;
  }
  return false;
}

}  // namespace

Result<forge::DuplicatePair> duplicate_freely(const imaging::Image& picture, int width, int height,
                                              const forge::SeedPath& seed) {
  constexpr int tries = 3000;
  const cv::Size panel(width, height), all(picture.width, picture.height);
  RandomStream random = seed.stream().fork("place");
  for (int i = 0; i < tries; ++i) {
    const Operations operations = random_operations(random, false);
    const int left = random.integer(0, std::max(0, all.width - width)),
              top = random.integer(0, std::max(0, all.height - height));
    const double x = std::round(random.uniform(0, all.width)), y = std::round(random.uniform(0, all.height));
    const double cx = std::round(width / 2.0), cy = std::round(height / 2.0);
    const cv::Matx33d second_from_picture = shift(cx, cy) * matrix_of(operations) * shift(-x, -y);
    if (!lies_within(second_from_picture.inv(), panel, all)) continue;
    const cv::Matx33d second_from_first = second_from_picture * shift(left, top);
    forge::DuplicatePair pair{.shared_in_first = pixels_mapped_inside(second_from_first, panel)};
    pair.duplication_ratio =
        static_cast<double>(forge::area(pair.shared_in_first)) / (static_cast<double>(width) * height);
    if (pair.duplication_ratio < 0.15 || pair.duplication_ratio > 0.30) continue;
    pair.shared_in_second = pixels_mapped_inside(second_from_first.inv(), panel);
    const cv::Mat pixels = imaging::as_mat(picture);
    pair.first = imaging::from_mat(pixels({left, top, width, height}));
    const bool is_plain = operations.degrees == 0 && operations.scale == 1;
    pair.second = imaging::from_mat(
        warped(pixels, second_from_picture, panel, is_plain ? cv::INTER_NEAREST : cv::INTER_CUBIC));
    const cv::Matx33d truth = continuous(second_from_first);
    for (int k = 0; k < 9; ++k) pair.second_from_first[static_cast<std::size_t>(k)] = truth.val[k];
    if (operations.scale != 1) pair.letters += 'B';
    if (operations.degrees != 0) pair.letters += 'C';
    if (operations.mirrored) pair.letters += 'D';
    retouch(pair, seed.stream().fork("retouch"));
    if (pair.letters.empty()) pair.letters = "A";
    pair.truth.type = "duplication";
    return pair;
  }
  return fail({.what = "cannot duplicate the picture",
               .why = fmt::format("no two panels of {}x{} in {}x{} share 15 to 30%", width, height, all.width,
                                  all.height)});
}

Result<HardCopyMove> copy_move_freely(const Source& panel, const forge::SeedPath& seed) {
  RandomStream random = seed.stream().fork("operations");
  const auto objects = forge::find_objects(
      panel.image, panel.annotations, {.min_area = 0.03, .max_area = 0.12}, seed.stream().fork("objects"));
  for (const forge::Object& object : objects) {
    HardCopyMove forged{.image = panel.image, .places = object.mask};
    if (random.chance(0.25)) {
      if (paste_copy(forged, panel, object.mask, {}, random) &&
          paste_copy(forged, panel, object.mask, {}, random))
        return forged;
    } else if (paste_copy(forged, panel, object.mask, random_operations(random, true), random)) {
      return forged;
    }
  }
  return fail({.what = "cannot plant a copy-move",
               .input = panel.name,
               .why = fmt::format("none of {} objects has a free place to go", objects.size())});
}

std::pair<imaging::Image, imaging::Image> neighbouring_frames(const imaging::Image& scene,
                                                              const forge::SeedPath& seed) {
  constexpr double movement_px = 2.5, drift_px = 4, noise = 4, cell_px = 40;
  RandomStream random = seed.stream().fork("frames");
  cv::Mat clean;
  cv::GaussianBlur(imaging::as_mat(scene), clean, {}, 1.2);  // the scene without the noise of its painter
  const auto smooth_field = [&](double strength) {
    cv::Mat field(clean.size(), CV_32F);
    for (int y = 0; y < field.rows; ++y) {
      for (int x = 0; x < field.cols; ++x) field.at<float>(y, x) = static_cast<float>(random.normal());
    }
    cv::GaussianBlur(field, field, {}, cell_px);
    cv::Scalar mean, deviation;
    cv::meanStdDev(field, mean, deviation);
    return cv::Mat((field - mean[0]) * (strength / std::max(1e-9, deviation[0])));
  };
  const auto recorded = [&](cv::Mat frame) {
    for (int y = 0; y < frame.rows; ++y) {
      for (int x = 0; x < frame.cols; ++x) {
        const double n = random.normal(0, noise);
        for (int c = 0; c < 3; ++c) {
          auto& value = frame.at<cv::Vec3b>(y, x)[c];
          value = cv::saturate_cast<std::uint8_t>(value + n);
        }
      }
    }
    return imaging::from_mat(frame);
  };
  cv::Mat map_x = smooth_field(movement_px) + random.uniform(-drift_px, drift_px);
  cv::Mat map_y = smooth_field(movement_px) + random.uniform(-drift_px, drift_px);
  for (int y = 0; y < clean.rows; ++y) {
    for (int x = 0; x < clean.cols; ++x) {
      map_x.at<float>(y, x) += static_cast<float>(x);
      map_y.at<float>(y, x) += static_cast<float>(y);
    }
  }
  cv::Mat later;
  cv::remap(clean, later, map_x, map_y, cv::INTER_CUBIC, cv::BORDER_REFLECT);
  return {recorded(clean.clone()), recorded(later)};
}

}  // namespace awry::quality
