// SPDX-License-Identifier: Apache-2.0
#include <png.h>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <csetjmp>
#include <cstring>
#include <utility>

#include "awry/imaging/codec.h"
#include "awry/imaging/orientation.h"

namespace awry::imaging {
namespace {

constexpr std::uint8_t kSignature[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
constexpr int kGrey = 0, kRgb = 2, kPalette = 3, kGreyAlpha = 4, kRgba = 6;

struct Chunk {
  std::string_view type;
  Bytes data;
  std::size_t end = 0;  // offset of what follows
};

std::uint32_t big_endian_32(const std::uint8_t* bytes) {
  return std::uint32_t{bytes[0]} << 24 | std::uint32_t{bytes[1]} << 16 | std::uint32_t{bytes[2]} << 8 |
         bytes[3];
}

Result<Chunk> chunk_at(Bytes file, std::size_t offset) {
  if (file.size() - offset < 12) return truncated(fmt::format("it ends after {} bytes", file.size()));
  const std::uint64_t length = big_endian_32(&file[offset]);
  const std::string_view type(reinterpret_cast<const char*>(&file[offset + 4]), 4);
  if (length > file.size() - offset - 12) {
    return truncated(fmt::format("it ends after {} bytes, inside a part that should reach {}", file.size(),
                                 offset + 12 + length));
  }
  return Chunk{type, file.subspan(offset + 8, length), offset + 12 + length};
}

bool recognises(Bytes bytes) {
  return bytes.size() >= 8 && std::equal(std::begin(kSignature), std::end(kSignature), bytes.begin());
}

Result<ImageInfo> read_header_chunk(const Chunk& header) {
  if (header.type != "IHDR" || header.data.size() != 13)
    return damaged("it does not begin with a PNG header");
  const std::uint32_t width = big_endian_32(&header.data[0]), height = big_endian_32(&header.data[4]);
  if (width > 0x7fffffff || height > 0x7fffffff) return damaged("the header claims impossible sizes");
  ImageInfo info{.width = static_cast<int>(width), .height = static_cast<int>(height)};
  info.bits = header.data[8];
  switch (header.data[9]) {
    case kGrey:
      info.channels = 1;
      break;
    case kRgb:
    case kPalette:
      info.channels = 3;
      break;
    case kGreyAlpha:
      info.channels = 2, info.has_alpha = true;
      break;
    case kRgba:
      info.channels = 4, info.has_alpha = true;
      break;
    default:
      return damaged(fmt::format("the header names colour type {}", header.data[9]));
  }
  if (info.bits != 1 && info.bits != 2 && info.bits != 4 && info.bits != 8 && info.bits != 16) {
    return damaged(fmt::format("the header claims {} bits a sample", info.bits));
  }
  return info;
}

// Everything that changes how pixels are read stands before the first IDAT. (eXIf may legally come later,
// but then a probe would have to read the whole file: such orientations are ignored, here and in decode.)
Result<ImageInfo> probe(Bytes file) {
  AWRY_TRY_ASSIGN(Chunk chunk, chunk_at(file, sizeof kSignature));
  AWRY_TRY_ASSIGN(ImageInfo info, read_header_chunk(chunk));
  while (true) {
    // Image data need not be complete to be probed, so only its name is looked at.
    if (file.size() - chunk.end >= 8 && std::memcmp(&file[chunk.end + 4], "IDAT", 4) == 0) return info;
    AWRY_TRY_ASSIGN(chunk, chunk_at(file, chunk.end));
    if (chunk.type == "IEND") return damaged("it holds no image data");
    if (chunk.type == "eXIf") info.orientation = exif_orientation(chunk.data);
    if (chunk.type == "tRNS" && !info.has_alpha) {
      info.has_alpha = true;
      ++info.channels;
    }
  }
}

Result<void> check_complete(Bytes file) {
  for (std::size_t offset = sizeof kSignature;;) {
    AWRY_TRY_ASSIGN(const Chunk chunk, chunk_at(file, offset));
    if (chunk.type == "IEND") return {};
    offset = chunk.end;
  }
}

// Deflate cannot do better than about 1,032 to 1, so a file this short cannot hold that many pixels.
Result<void> check_plausible(Bytes file, const ImageInfo& info) {
  const std::uint64_t least_bytes = static_cast<std::uint64_t>(info.width) * info.height * info.bits / 8;
  if (least_bytes / 1040 > file.size()) {
    return truncated(
        fmt::format("{} bytes cannot hold {} x {} pixels", file.size(), info.width, info.height));
  }
  return {};
}

// Plain data only: libpng leaves through longjmp, which would skip destructors.
struct Job {
  const std::uint8_t* data;
  std::size_t size, offset;
  std::uint8_t** rows;
  std::size_t row_bytes;
  bool tolerates_damage;
  char message[160];
};

void read_bytes(png_structp png, png_bytep to, std::size_t count) {
  Job& job = *static_cast<Job*>(png_get_io_ptr(png));
  if (count > job.size - job.offset) png_error(png, "the file ends too early");
  std::memcpy(to, job.data + job.offset, count);
  job.offset += count;
}

[[noreturn]] void leave(png_structp png, png_const_charp message) {
  Job& job = *static_cast<Job*>(png_get_error_ptr(png));
  std::strncpy(job.message, message, sizeof job.message - 1);
  png_longjmp(png, 1);
}
void ignore_warning(png_structp, png_const_charp) {}

bool read_rows(Job& job) {
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &job, leave, ignore_warning);
  if (png == nullptr) return false;
  png_infop info = png_create_info_struct(png);
  if (info == nullptr || setjmp(png_jmpbuf(png))) {
    png_destroy_read_struct(&png, &info, nullptr);
    return false;
  }
  png_set_read_fn(png, &job, read_bytes);
  png_set_user_limits(png, 0x7fffffff, 0x7fffffff);  // our own limits have been checked
  if (job.tolerates_damage) {
    png_set_crc_action(png, PNG_CRC_WARN_USE, PNG_CRC_WARN_DISCARD);
    // libpng drops the buffer in which the file ends: a small one loses little.
    png_set_compression_buffer_size(png, 64);
  }
  png_read_info(png, info);
  png_set_expand(png);  // palettes to RGB, few bits to 8, tRNS to alpha
  if constexpr (std::endian::native == std::endian::little) png_set_swap(png);
  png_set_interlace_handling(png);
  png_read_update_info(png, info);
  // Guards the buffer against any disagreement between our reading of the header and libpng's.
  if (png_get_rowbytes(png, info) != job.row_bytes) png_error(png, "the header contradicts itself");
  png_read_image(png, job.rows);
  png_read_end(png, nullptr);
  png_destroy_read_struct(&png, &info, nullptr);
  return true;
}

template <class Sample>
Result<std::vector<Sample>> read_samples(Bytes file, const ImageInfo& info, bool tolerate_truncation) {
  AWRY_TRY(check_plausible(file, info));
  if (!tolerate_truncation) AWRY_TRY(check_complete(file));
  const std::size_t row_samples = static_cast<std::size_t>(info.width) * info.channels;
  std::vector<Sample> samples(row_samples * info.height);
  std::vector<std::uint8_t*> rows(info.height);
  for (int y = 0; y < info.height; ++y) {
    rows[y] = reinterpret_cast<std::uint8_t*>(samples.data() + row_samples * y);
  }
  Job job{.data = file.data(),
          .size = file.size(),
          .offset = 0,
          .rows = rows.data(),
          .row_bytes = row_samples * sizeof(Sample),
          .tolerates_damage = tolerate_truncation,
          .message = {}};
  if (!read_rows(job) && !tolerate_truncation) return damaged(fmt::format("libpng says: {}", job.message));
  return samples;
}

Result<Image> decode(Bytes file, const ImageInfo& info, const CodecRequest& request) {
  Image image;
  image.width = info.width, image.height = info.height, image.channels = info.channels;
  if (info.bits == 16) {
    AWRY_TRY_ASSIGN(const auto samples, png_samples_16(file, info, request.tolerate_truncation));
    image.pixels.resize(samples.size());
    std::ranges::transform(samples, image.pixels.begin(),
                           [&](std::uint16_t sample) { return narrow_16(sample, request.narrowing); });
  } else {
    AWRY_TRY_ASSIGN(image.pixels, read_samples<std::uint8_t>(file, info, request.tolerate_truncation));
  }
  return image;
}

}  // namespace

Result<std::vector<std::uint16_t>> png_samples_16(Bytes file, const ImageInfo& info,
                                                  bool tolerate_truncation) {
  return read_samples<std::uint16_t>(file, info, tolerate_truncation);
}

constinit const Codec kPngCodec = {ImageFormat::kPng, "PNG", "image/png", recognises, probe, decode};

}  // namespace awry::imaging
