// SPDX-License-Identifier: Apache-2.0
#include "awry/imaging/float_map.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstring>
#include <fstream>
#include <new>
#include <string>

#include "awry/base/files.h"
#include "awry/base/text.h"
#include "awry/imaging/codec.h"
#include "awry/imaging/orientation.h"
#include "awry/imaging/tiff_reader.h"
#include "awry/imaging/tiff_samples.h"

namespace awry::imaging {
namespace {

Error about(Error error, const std::filesystem::path& path) {
  error.what = "cannot read map";
  error.input = path.string();
  return error;
}

tl::unexpected<Error> not_single_channel(int channels) {
  return fail({.why = fmt::format("it has {} channels, and a map has one", channels),
               .hint = "Save the scores as a single-channel float TIFF."});
}

Result<FloatMap> read_tiff_map(const std::filesystem::path& path, const DecodeLimits& limits) {
  AWRY_TRY_ASSIGN(TiffReader reader, TiffReader::open(path));
  if (reader.has_more_pages()) {
    return fail({.why = "it has several pages, and nothing says which of them is the map",
                 .hint = "Save the scores as a TIFF of one page."});
  }
  const TiffLayout& layout = reader.layout();
  if (layout.samples != 1 || layout.colours == TiffColours::kConvertedByLibtiff ||
      layout.colours == TiffColours::kPalette) {
    return not_single_channel(std::max(layout.samples, 3));
  }
  if (layout.bits < 8) return unsupported(fmt::format("its samples have {} bits", layout.bits));
  AWRY_TRY(reader.check_samples(limits));
  FloatMap map{.width = static_cast<int>(layout.width), .height = static_cast<int>(layout.height)};
  if (layout.numbers == TiffNumbers::kFloat && layout.bits == 32) {
    map.values.resize(static_cast<std::size_t>(map.width) * map.height);
    AWRY_TRY(reader.read_samples(
        {reinterpret_cast<std::uint8_t*>(map.values.data()), map.values.size() * sizeof(float)}, false));
  } else {
    std::vector<std::uint8_t> raw(layout.total_bytes());
    AWRY_TRY(reader.read_samples(raw, false));
    map.values = samples_as_floats(raw, layout);
  }
  return upright(std::move(map), layout.orientation);
}

Result<FloatMap> read_image_map(const std::filesystem::path& path, const DecodeLimits& limits) {
  AWRY_TRY_ASSIGN(const std::string bytes, read_file(path, limits.max_bytes));
  AWRY_TRY_ASSIGN(const ImageInfo info, probe_image_bytes(bytes, path.string(), limits));
  if (info.channels != 1) return not_single_channel(info.channels);
  if (info.format == ImageFormat::kPng && info.bits == 16) {
    ImageInfo stored = info;
    if (swaps_sides(info.orientation)) std::swap(stored.width, stored.height);
    AWRY_TRY_ASSIGN(const auto samples, png_samples_16(as_bytes(bytes), stored, false));
    return upright({stored.width, stored.height, std::vector<float>(samples.begin(), samples.end())},
                   info.orientation);
  }
  AWRY_TRY_ASSIGN(const Image image, decode_image(bytes, path.string(), {.limits = limits}));
  return FloatMap{image.width, image.height, std::vector<float>(image.pixels.begin(), image.pixels.end())};
}

Result<FloatMap> read_any_map(const std::filesystem::path& path, const DecodeLimits& limits) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error) return read_image_map(path, limits);  // which says what is wrong
  if (size > limits.max_bytes) {
    return fail({.kind = ErrorKind::kLimit,
                 .why = fmt::format("it is larger than the limit of {}", human_bytes(limits.max_bytes))});
  }
  char start[8] = {};
  std::ifstream(path, std::ios::binary).read(start, sizeof start);
  const bool is_tiff = kTiffCodec.recognises(as_bytes({start, sizeof start}));
  return is_tiff ? read_tiff_map(path, limits) : read_image_map(path, limits);
}

}  // namespace

Result<FloatMap> read_float_map(const std::filesystem::path& path, const DecodeLimits& limits) {
  try {
    auto map = read_any_map(path, limits);
    if (!map) return fail(about(map.error(), path));
    return map;
  } catch (const std::bad_alloc&) {
    return fail(about({.kind = ErrorKind::kLimit, .why = "there is not enough memory for it"}, path));
  }
}

// Eleven tags and one strip: written by hand, because libtiff would write to the final path and a crash
// would leave half a map there.
Result<void> write_float_tiff(const std::filesystem::path& path, const FloatMap& map) {
  const std::uint64_t data_bytes = map.values.size() * sizeof(float);
  if (map.width <= 0 || map.height <= 0 ||
      map.values.size() != static_cast<std::size_t>(map.width) * map.height || data_bytes > 0xf0000000ULL) {
    return fail({.what = "cannot write map",
                 .input = path.string(),
                 .why = fmt::format("{} values do not make {} x {} pixels of a TIFF", map.values.size(),
                                    map.width, map.height)});
  }
  struct Tag {
    std::uint16_t name, type;
    std::uint32_t value;
  };
  constexpr std::uint16_t kShort = 3, kLong = 4;
  constexpr std::uint32_t kHeader = 8, kTagCount = 11, kData = kHeader + 2 + kTagCount * 12 + 4 + 2;
  static_assert(kData % 4 == 0);
  const std::array<Tag, kTagCount> tags = {{
      {256, kLong, static_cast<std::uint32_t>(map.width)},
      {257, kLong, static_cast<std::uint32_t>(map.height)},
      {258, kShort, 32},                                     // bits a sample
      {259, kShort, 1},                                      // uncompressed
      {262, kShort, 1},                                      // black is zero
      {273, kLong, kData},                                   // where the strip is
      {277, kShort, 1},                                      // samples a pixel
      {278, kLong, static_cast<std::uint32_t>(map.height)},  // rows in the strip
      {279, kLong, static_cast<std::uint32_t>(data_bytes)},
      {284, kShort, 1},  // samples of a pixel side by side
      {339, kShort, 3},  // IEEE floats
  }};
  static_assert(std::endian::native == std::endian::little, "the header below says little-endian");
  std::string file;
  file.reserve(kData + data_bytes);
  const auto put = [&](auto number) { file.append(reinterpret_cast<const char*>(&number), sizeof number); };
  file.append("II");
  put(std::uint16_t{42});
  put(kHeader);
  put(static_cast<std::uint16_t>(kTagCount));
  for (const Tag& tag : tags) {
    put(tag.name);
    put(tag.type);
    put(std::uint32_t{1});
    put(tag.value);
  }
  put(std::uint32_t{0});  // no further page
  put(std::uint16_t{0});  // so that the floats begin at a multiple of 4
  file.append(reinterpret_cast<const char*>(map.values.data()), data_bytes);
  return write_file(path, file);
}

Image grey_from_map(const FloatMap& map) {
  Image image;
  image.width = map.width, image.height = map.height, image.channels = 1;
  image.pixels = bytes_by_range(map.values);
  return image;
}

}  // namespace awry::imaging
