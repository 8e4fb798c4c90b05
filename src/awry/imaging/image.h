// SPDX-License-Identifier: Apache-2.0
// Pixels. Every decoder ends here, and nothing outside imaging, forge and forensics needs OpenCV.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace awry::imaging {

// 8 bits a channel, interleaved, row by row from the top left; 1 channel = grey, 3 = RGB, 4 = RGBA.
struct Image {
  int width = 0, height = 0, channels = 3;
  std::vector<std::uint8_t> pixels;

  Image() = default;
  Image(int width_, int height_, int channels_, std::uint8_t fill = 0)
      : width(width_),
        height(height_),
        channels(channels_),
        pixels(static_cast<std::size_t>(width_) * height_ * channels_, fill) {}

  bool empty() const { return pixels.empty(); }
  std::uint8_t* at(int x, int y) { return &pixels[(static_cast<std::size_t>(y) * width + x) * channels]; }
  const std::uint8_t* at(int x, int y) const {
    return &pixels[(static_cast<std::size_t>(y) * width + x) * channels];
  }
  bool operator==(const Image&) const = default;
};

// One float a pixel: anomaly scores, heat maps.
struct FloatMap {
  int width = 0, height = 0;
  std::vector<float> values;
};

Image to_grey(const Image& image);  // BT.601 luma
Image to_rgb(const Image& image);   // grey is repeated; alpha is composed over white

}  // namespace awry::imaging
