// SPDX-License-Identifier: Apache-2.0
#include "awry/forge/compose.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdlib>
#include <opencv2/imgproc.hpp>

#include "awry/imaging/opencv.h"

namespace awry::forge {

imaging::Image paste(const imaging::Image& host, const imaging::Image& object, const imaging::Bitmap& mask,
                     int feather_px) {
  assert(host.width == mask.width && host.height == mask.height &&
         object.pixels.size() == host.pixels.size());
  imaging::Image result = host;
  cv::Mat1b inside(mask.height, mask.width, const_cast<std::uint8_t*>(mask.bits.data()));
  cv::Mat1f depth;
  cv::distanceTransform(inside, depth, cv::DIST_L2, cv::DIST_MASK_PRECISE);
  for (int y = 0; y < host.height; ++y) {
    for (int x = 0; x < host.width; ++x) {
      if (mask.at(x, y) == 0) continue;
      const double alpha = std::min(1.0, depth(y, x) / (feather_px + 1.0));
      for (int c = 0; c < host.channels; ++c) {
        const double blended = alpha * object.at(x, y)[c] + (1 - alpha) * host.at(x, y)[c];
        result.at(x, y)[c] = static_cast<std::uint8_t>(std::lround(blended));
      }
    }
  }
  return result;
}

imaging::Image shifted(const imaging::Image& image, int dx, int dy) {
  imaging::Image moved(image.width, image.height, image.channels);
  for (int y = std::max(0, dy); y < std::min(image.height, image.height + dy); ++y) {
    for (int x = std::max(0, dx); x < std::min(image.width, image.width + dx); ++x) {
      std::copy_n(image.at(x - dx, y - dy), image.channels, moved.at(x, y));
    }
  }
  return moved;
}

imaging::Bitmap shifted(const imaging::Bitmap& bitmap, int dx, int dy) {
  imaging::Bitmap moved(bitmap.width, bitmap.height);
  for (int y = std::max(0, dy); y < std::min(bitmap.height, bitmap.height + dy); ++y) {
    for (int x = std::max(0, dx); x < std::min(bitmap.width, bitmap.width + dx); ++x) {
      moved.at(x, y) = bitmap.at(x - dx, y - dy);
    }
  }
  return moved;
}

imaging::Bitmap united(const imaging::Bitmap& a, const imaging::Bitmap& b) {
  imaging::Bitmap both = a;
  for (std::size_t i = 0; i < both.bits.size(); ++i) both.bits[i] |= b.bits[i];
  return both;
}

std::size_t area(const imaging::Bitmap& bitmap) {
  return static_cast<std::size_t>(std::ranges::count(bitmap.bits, 1));
}

std::size_t common_area(const imaging::Bitmap& a, const imaging::Bitmap& b) {
  std::size_t common = 0;
  for (std::size_t i = 0; i < a.bits.size(); ++i) common += a.bits[i] & b.bits[i];
  return common;
}

bool touches(const imaging::Bitmap& bitmap, const Box& box) {
  const int left = std::max(0, static_cast<int>(box.x)), top = std::max(0, static_cast<int>(box.y));
  const int right = std::min(bitmap.width, static_cast<int>(std::ceil(box.x + box.width)));
  const int bottom = std::min(bitmap.height, static_cast<int>(std::ceil(box.y + box.height)));
  for (int y = top; y < bottom; ++y) {
    for (int x = left; x < right; ++x) {
      if (bitmap.at(x, y) != 0) return true;
    }
  }
  return false;
}

imaging::Bitmap changed_pixels(const imaging::Image& before, const imaging::Image& after) {
  assert(before.width == after.width && before.height == after.height && before.channels == after.channels);
  imaging::Bitmap changed(before.width, before.height);
  const auto channels = static_cast<std::size_t>(before.channels);
  for (std::size_t i = 0; i < changed.bits.size(); ++i) {
    for (std::size_t c = 0; c < channels; ++c)
      changed.bits[i] |= before.pixels[channels * i + c] != after.pixels[channels * i + c];
  }
  return changed;
}

double mean_change(const imaging::Image& before, const imaging::Image& after, const imaging::Bitmap& mask) {
  double sum = 0;
  std::size_t pixels = 0;
  for (int y = 0; y < mask.height; ++y) {
    for (int x = 0; x < mask.width; ++x) {
      if (mask.at(x, y) == 0) continue;
      ++pixels;
      for (int c = 0; c < before.channels; ++c) sum += std::abs(before.at(x, y)[c] - after.at(x, y)[c]);
    }
  }
  return pixels == 0 ? 0 : sum / (static_cast<double>(pixels) * before.channels);
}

}  // namespace awry::forge
