// SPDX-License-Identifier: Apache-2.0
#include "awry/imaging/tiff_samples.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace awry::imaging {
namespace {

float float_from_half(std::uint16_t half) {
  const int exponent = half >> 10 & 31, fraction = half & 1023;
  float magnitude = 0;
  if (exponent == 31) {
    magnitude =
        fraction == 0 ? std::numeric_limits<float>::infinity() : std::numeric_limits<float>::quiet_NaN();
  } else if (exponent == 0) {
    magnitude = std::ldexp(static_cast<float>(fraction), -24);
  } else {
    magnitude = std::ldexp(static_cast<float>(fraction + 1024), exponent - 25);
  }
  return (half & 0x8000) != 0 ? -magnitude : magnitude;
}

template <class Stored, class Convert>
std::vector<float> convert_all(std::span<const std::uint8_t> raw, Convert convert) {
  std::vector<float> values(raw.size() / sizeof(Stored));
  for (std::size_t i = 0; i < values.size(); ++i) {
    Stored stored;
    std::memcpy(&stored, &raw[i * sizeof stored], sizeof stored);
    values[i] = convert(stored);
  }
  return values;
}

template <class Stored>
std::vector<float> cast_all(std::span<const std::uint8_t> raw) {
  return convert_all<Stored>(raw, [](Stored stored) { return static_cast<float>(stored); });
}

// A double beyond the range of float is infinite there, not undefined.
float float_from_double(double value) {
  if (std::abs(value) > std::numeric_limits<float>::max()) {
    return std::copysign(std::numeric_limits<float>::infinity(),
                         static_cast<float>(std::copysign(1.0, value)));
  }
  return static_cast<float>(value);
}

// 1, 2 or 4 bits, most significant first. Palette indices keep their value; greys are spread over 0 to 255.
std::vector<std::uint8_t> unpack_bits(std::span<const std::uint8_t> raw, const TiffLayout& layout) {
  const std::size_t row_samples = static_cast<std::size_t>(layout.width) * layout.samples;
  const int largest = (1 << layout.bits) - 1;
  const int scale = layout.colours == TiffColours::kPalette ? 1 : 255 / largest;
  std::vector<std::uint8_t> bytes(row_samples * layout.height);
  for (std::int64_t y = 0; y < layout.height; ++y) {
    const std::uint8_t* const row = raw.data() + layout.row_bytes() * y;
    for (std::size_t i = 0; i < row_samples; ++i) {
      const std::size_t bit = i * layout.bits;
      const int value = row[bit / 8] >> (8 - layout.bits - static_cast<int>(bit % 8)) & largest;
      bytes[row_samples * y + i] = static_cast<std::uint8_t>(value * scale);
    }
  }
  return bytes;
}

bool is_inverted(const TiffLayout& layout) {
  return layout.colours == TiffColours::kWhiteIsZero;
}

}  // namespace

std::vector<float> samples_as_floats(std::span<const std::uint8_t> raw, const TiffLayout& layout) {
  switch (layout.numbers) {
    case TiffNumbers::kFloat:
      if (layout.bits == 16) return convert_all<std::uint16_t>(raw, float_from_half);
      if (layout.bits == 32) return cast_all<float>(raw);
      return convert_all<double>(raw, float_from_double);
    case TiffNumbers::kSigned:
      if (layout.bits == 8) return cast_all<std::int8_t>(raw);
      if (layout.bits == 16) return cast_all<std::int16_t>(raw);
      return cast_all<std::int32_t>(raw);
    case TiffNumbers::kUnsigned:
      break;
  }
  if (layout.bits == 8) return cast_all<std::uint8_t>(raw);
  if (layout.bits == 16) return cast_all<std::uint16_t>(raw);
  return cast_all<std::uint32_t>(raw);
}

std::vector<std::uint8_t> bytes_by_range(std::span<const float> values) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const float value : values) {
    if (!std::isfinite(value)) continue;
    low = std::min<double>(low, value);
    high = std::max<double>(high, value);
  }
  std::vector<std::uint8_t> bytes(values.size());
  if (!(high > low)) return bytes;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isnan(values[i])) continue;
    bytes[i] =
        static_cast<std::uint8_t>(std::lround(std::clamp((values[i] - low) / (high - low), 0.0, 1.0) * 255));
  }
  return bytes;
}

std::vector<std::uint8_t> samples_as_bytes(std::vector<std::uint8_t> raw, const TiffLayout& layout,
                                           Narrowing narrowing) {
  std::vector<std::uint8_t> bytes;
  const bool is_wide = layout.numbers != TiffNumbers::kUnsigned || layout.bits == 32;
  if (is_wide && narrowing == Narrowing::kPresence) {
    for (const float value : samples_as_floats(raw, layout))
      bytes.push_back(value != 0 && !std::isnan(value) ? 255 : 0);
    return bytes;
  }
  if (is_wide) {
    bytes = bytes_by_range(samples_as_floats(raw, layout));
  } else if (layout.bits < 8) {
    bytes = unpack_bits(raw, layout);
  } else if (layout.bits == 8) {
    bytes = std::move(raw);
  } else {
    bytes.resize(raw.size() / 2);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      std::uint16_t sample;
      std::memcpy(&sample, &raw[i * 2], 2);
      if (is_inverted(layout)) sample = static_cast<std::uint16_t>(~sample);
      bytes[i] = narrow_16(sample, narrowing);
    }
    return bytes;
  }
  if (is_inverted(layout)) {
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(~byte);
  }
  return bytes;
}

}  // namespace awry::imaging
