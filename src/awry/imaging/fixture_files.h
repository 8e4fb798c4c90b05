// SPDX-License-Identifier: Apache-2.0
// Image files made for tests with the codec libraries themselves, sample by sample. Only tests include it.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace awry::imaging::fixtures {

using Samples = std::vector<std::uint8_t>;

// An EXIF block, without prefix, whose only tag is the orientation.
std::string exif_block(int orientation, bool big_endian = false);

struct PngSpec {
  int width = 1, height = 1;
  int colour_type = 0, bits = 8;      // as in the PNG header; 0 grey, 2 RGB, 3 palette, 4 grey+alpha, 6 RGBA
  Samples rows;                       // packed as in the file: 16-bit samples big-endian, bits from the left
  std::vector<std::uint8_t> palette;  // RGB triples
  std::vector<std::uint8_t> palette_alpha;
  std::string exif;
  bool interlaced = false;
};
std::string png_file(const PngSpec& spec);

struct JpegSpec {
  int width = 8, height = 8;
  int components = 3;                      // 1 grey, 3 RGB, 4 CMYK
  bool ycck = false, adobe_marker = true;  // for CMYK
  bool progressive = false;
  int quality = 100;
  Samples pixels;
  std::string exif;
};
std::string jpeg_file(const JpegSpec& spec);

struct TiffSpec {
  int width = 1, height = 1, samples = 1, bits = 8;
  int sample_format = 1;  // 1 unsigned, 2 signed, 3 float
  int photometric = 1;    // 0 white is zero, 1 black is zero, 2 RGB, 3 palette, 5 CMYK, 6 YCbCr
  int compression = 1;    // 1 none, 5 LZW, 7 JPEG, 8 deflate
  int rows_per_strip = 0, tile_side = 0;
  bool planes_apart = false, big_endian = false;
  int extra_sample = -1;  // 0 unspecified, 1 premultiplied, 2 straight alpha
  int orientation = 1;
  std::string rows;                    // interleaved, native byte order
  std::vector<std::uint16_t> palette;  // 2^bits reds, then greens, then blues
};
std::string tiff_file(const TiffSpec& spec);

// Lossless; with EXIF in the extended layout.
std::string webp_file(int width, int height, int channels, const Samples& pixels,
                      const std::string& exif = "");

// Little-endian bytes of any numbers.
template <class T>
std::string raw(std::initializer_list<T> numbers) {
  return {reinterpret_cast<const char*>(numbers.begin()), numbers.size() * sizeof(T)};
}
template <class T>
std::string raw(const std::vector<T>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(T)};
}

// File and info header, then whatever follows; `height` may be negative.
std::string bmp_file(int width, int height, int bits, std::string_view palette_or_masks,
                     std::string_view rows, int compression = 0, int colours = 0);

}  // namespace awry::imaging::fixtures
