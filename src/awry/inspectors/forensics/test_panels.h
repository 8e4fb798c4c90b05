// SPDX-License-Identifier: Apache-2.0
// Small panels for the tests of this folder: what detectors meet, in a few lines.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "awry/base/random.h"
#include "awry/imaging/image.h"

namespace awry::inspectors::forensics {

inline std::uint8_t to_byte(double value) {
  return static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0, 255.0)));
}

inline imaging::Image noise_panel(int width, int height, std::uint64_t seed, double deviation = 12) {
  RandomStream random(seed);
  imaging::Image image(width, height, 1);
  for (auto& pixel : image.pixels) pixel = to_byte(128 + random.normal(0, deviation));
  return image;
}

// Soft blobs under camera noise: detail of every size, and nothing that repeats.
inline imaging::Image texture(int width, int height, std::uint64_t seed) {
  RandomStream random(seed);
  std::vector<double> level(static_cast<std::size_t>(width) * height, 110);
  for (int blob = 0; blob < width * height / 500; ++blob) {
    const int cx = random.integer(0, width - 1), cy = random.integer(0, height - 1),
              r = random.integer(3, 12);
    const double strength = random.uniform(-50, 50);
    for (int y = std::max(0, cy - r); y <= std::min(height - 1, cy + r); ++y) {
      for (int x = std::max(0, cx - r); x <= std::min(width - 1, cx + r); ++x) {
        const double d = ((x - cx) * (x - cx) + (y - cy) * (y - cy)) / static_cast<double>(r * r);
        if (d < 1) level[static_cast<std::size_t>(y) * width + x] += strength * (1 - d);
      }
    }
  }
  imaging::Image image(width, height, 1);
  for (std::size_t i = 0; i < level.size(); ++i) {
    image.pixels[i] = static_cast<std::uint8_t>(std::clamp(level[i] + random.normal(0, 4), 0.0, 255.0));
  }
  return image;
}

// Strips of equal bands at equal distances, framed on white: all that repeats in a blot without being
// copied.
struct BlotPanel {
  static constexpr int kSize = 320, kStrips = 3, kLanes = 6, kLeft = 20, kPitch = 46, kStripHeight = 92,
                       kGap = 9, kTop = 12;
  static int lane_centre(int lane) { return kLeft + kPitch * lane + kPitch / 2; }
  static int strip_top(int strip) { return kTop + strip * (kStripHeight + kGap); }
};

inline imaging::Image blot(std::uint64_t seed, double noise = 3) {
  using B = BlotPanel;
  RandomStream random(seed);
  imaging::Image image(B::kSize, B::kSize, 1, 255);
  for (int strip = 0; strip < B::kStrips; ++strip) {
    const int top = B::strip_top(strip), right = B::kLeft + B::kPitch * B::kLanes;
    for (int y = top; y < top + B::kStripHeight; ++y) {
      for (int x = B::kLeft; x < right; ++x) {
        if (y == top || y == top + B::kStripHeight - 1 || x == B::kLeft || x == right - 1) {
          *image.at(x, y) = 40;
          continue;
        }
        const double across = ((x - B::kLeft) % B::kPitch - B::kPitch / 2.0) / 15;
        const double down = (y - top - B::kStripHeight / 2.0) / 7;
        const double band = std::exp(-std::pow(across, 4) - down * down);
        *image.at(x, y) = to_byte(190 - 150 * band + random.normal(0, noise));
      }
    }
  }
  return image;
}

}  // namespace awry::inspectors::forensics
