// SPDX-License-Identifier: Apache-2.0
#include "awry/forge/adjust.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>

namespace awry::forge {
namespace {

std::uint8_t clamped(double value) {
  return static_cast<std::uint8_t>(std::clamp(std::lround(value), 0L, 255L));
}

double grey_of(const std::uint8_t* rgb) {
  return 0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2];
}

double mean_grey(const imaging::Image& image) {
  double sum = 0;
  for (std::size_t i = 0; i + 2 < image.pixels.size(); i += 3) sum += grey_of(&image.pixels[i]);
  return 3 * sum / static_cast<double>(image.pixels.size());
}

template <class Change>
imaging::Image changed(const imaging::Image& image, Change change) {
  imaging::Image result = image;
  for (std::size_t i = 0; i + 2 < image.pixels.size(); i += 3) {
    double rgb[3];
    change(&image.pixels[i], rgb);
    for (std::size_t c = 0; c < 3; ++c) result.pixels[i + c] = clamped(rgb[c]);
  }
  return result;
}

// Turns colours about the grey axis: Y stays, I and Q of the YIQ space rotate.
imaging::Image with_hue_turned(const imaging::Image& image, double degrees) {
  const double turn = degrees * std::numbers::pi / 180, cosine = std::cos(turn), sine = std::sin(turn);
  return changed(image, [&](const std::uint8_t* in, double* out) {
    const double y = grey_of(in);
    const double i = 0.595716 * in[0] - 0.274453 * in[1] - 0.321263 * in[2];
    const double q = 0.211456 * in[0] - 0.522591 * in[1] + 0.311135 * in[2];
    const double i2 = i * cosine - q * sine, q2 = i * sine + q * cosine;
    out[0] = y + 0.9563 * i2 + 0.6210 * q2;
    out[1] = y - 0.2721 * i2 - 0.6474 * q2;
    out[2] = y - 1.1070 * i2 + 1.7046 * q2;
  });
}

}  // namespace

std::string_view name_of(Adjustment adjustment) {
  switch (adjustment) {
    case Adjustment::kBrightness:
      return "brightness";
    case Adjustment::kContrast:
      return "contrast";
    case Adjustment::kSaturation:
      return "saturation";
    case Adjustment::kHue:
      return "hue";
    case Adjustment::kColourTemperature:
      return "colour_temperature";
  }
  std::abort();
}

imaging::Image adjusted(const imaging::Image& image, Adjustment adjustment, double amount) {
  switch (adjustment) {
    case Adjustment::kBrightness:
      return changed(image, [&](const std::uint8_t* in, double* out) {
        for (int c = 0; c < 3; ++c) out[c] = in[c] + amount;
      });
    case Adjustment::kContrast:
      return changed(image, [&, middle = mean_grey(image)](const std::uint8_t* in, double* out) {
        for (int c = 0; c < 3; ++c) out[c] = middle + amount * (in[c] - middle);
      });
    case Adjustment::kSaturation:
      return changed(image, [&](const std::uint8_t* in, double* out) {
        for (int c = 0; c < 3; ++c) out[c] = grey_of(in) + amount * (in[c] - grey_of(in));
      });
    case Adjustment::kHue:
      return with_hue_turned(image, amount);
    case Adjustment::kColourTemperature:
      return changed(image, [&](const std::uint8_t* in, double* out) {
        out[0] = in[0] * (1 + amount), out[1] = in[1], out[2] = in[2] * (1 - amount);
      });
  }
  std::abort();
}

double random_amount(Adjustment adjustment, RandomStream& random) {
  const bool up = random.chance(0.5);
  switch (adjustment) {
    case Adjustment::kBrightness:
      return (up ? 1 : -1) * random.uniform(18, 42);
    case Adjustment::kContrast:
    case Adjustment::kSaturation:
      return up ? random.uniform(1.2, 1.5) : random.uniform(0.6, 0.82);
    case Adjustment::kHue:
      return (up ? 1 : -1) * random.uniform(10, 28);
    case Adjustment::kColourTemperature:
      return (up ? 1 : -1) * random.uniform(0.08, 0.2);
  }
  std::abort();
}

}  // namespace awry::forge
