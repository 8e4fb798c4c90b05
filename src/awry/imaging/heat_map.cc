// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <opencv2/imgproc.hpp>

#include "awry/imaging/draw.h"
#include "awry/imaging/opencv.h"

namespace awry::imaging {
namespace {

// Chosen so that lightness (CIE L*) climbs evenly from 7 to 96: order survives grey print and
// colour-blind eyes.
constexpr std::array<Colour, 9> kHeat = {{{24, 16, 42},
                                          {62, 24, 92},
                                          {111, 34, 116},
                                          {162, 52, 112},
                                          {206, 79, 94},
                                          {235, 117, 85},
                                          {249, 161, 92},
                                          {251, 206, 117},
                                          {252, 246, 186}}};

struct Range {
  double low = 0, high = 1;
  double share(float value) const { return high > low ? (value - low) / (high - low) : 0; }
};

Range range_of(const FloatMap& map, const HeatStyle& style) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const float value : map.values) {
    if (!std::isfinite(value)) continue;
    low = std::min<double>(low, value);
    high = std::max<double>(high, value);
  }
  return {style.low.value_or(static_cast<float>(low)), style.high.value_or(static_cast<float>(high))};
}

}  // namespace

Colour heat_colour(double share) {
  if (std::isnan(share)) return {};
  const double place = std::clamp(share, 0.0, 1.0) * (kHeat.size() - 1);
  const std::size_t below = std::min<std::size_t>(static_cast<std::size_t>(place), kHeat.size() - 2);
  const double part = place - static_cast<double>(below);
  const auto mix = [&](std::uint8_t a, std::uint8_t b) {
    return static_cast<std::uint8_t>(std::lround(a + (b - a) * part));
  };
  const Colour &a = kHeat[below], &b = kHeat[below + 1];
  return {mix(a.red, b.red), mix(a.green, b.green), mix(a.blue, b.blue)};
}

Image heat_map_image(const FloatMap& map, const HeatStyle& style) {
  const Range range = range_of(map, style);
  Image image(map.width, map.height, 3);
  for (std::size_t i = 0; i < map.values.size(); ++i) {
    const Colour colour = std::isnan(map.values[i]) ? Colour{} : heat_colour(range.share(map.values[i]));
    image.pixels[i * 3] = colour.red;
    image.pixels[i * 3 + 1] = colour.green;
    image.pixels[i * 3 + 2] = colour.blue;
  }
  return image;
}

void draw_heat_map(Image& image, const FloatMap& map, const HeatStyle& style) {
  if (image.empty() || map.values.empty()) return;
  if (map.width != image.width || map.height != image.height) {
    FloatMap fitted{image.width, image.height,
                    std::vector<float>(static_cast<std::size_t>(image.width) * image.height)};
    const cv::Mat from(map.height, map.width, CV_32FC1, const_cast<float*>(map.values.data()));
    cv::Mat to(fitted.height, fitted.width, CV_32FC1, fitted.values.data());
    cv::resize(from, to, to.size(), 0, 0, cv::INTER_LINEAR);
    return draw_heat_map(image, fitted, style);
  }
  if (image.channels != 3) image = to_rgb(image);
  const Image heat = heat_map_image(map, style);
  const double opacity = std::clamp(style.opacity, 0.0, 1.0);
  for (std::size_t i = 0; i < map.values.size(); ++i) {
    if (std::isnan(map.values[i])) continue;
    for (std::size_t c = i * 3; c < i * 3 + 3; ++c) {
      image.pixels[c] =
          static_cast<std::uint8_t>(std::lround(image.pixels[c] * (1 - opacity) + heat.pixels[c] * opacity));
    }
  }
}

}  // namespace awry::imaging
