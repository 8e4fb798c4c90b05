// SPDX-License-Identifier: Apache-2.0
#include "awry/imaging/tiff_reader.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <tiffio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstring>
#include <utility>

#include "awry/base/text.h"

namespace awry::imaging {

// What libtiff reads from (memory, or a file descriptor of its own) and what it complains about.
struct TiffReader::Source {
  Bytes bytes;
  int descriptor = -1;
  std::uint64_t position = 0, size = 0;
  std::string complaint, lost_tag;
  tiff* handle = nullptr;

  Source() = default;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  ~Source() {
    if (handle != nullptr) TIFFClose(handle);
    if (descriptor >= 0) ::close(descriptor);
  }

  static Source& of(void* handle) { return *static_cast<Source*>(handle); }

  static tmsize_t read(thandle_t handle, void* to, tmsize_t count) {
    Source& source = of(handle);
    if (count <= 0 || source.position >= source.size) return 0;
    const auto wanted = std::min<std::uint64_t>(count, source.size - source.position);
    std::uint64_t got = 0;
    if (source.descriptor < 0) {
      std::memcpy(to, source.bytes.data() + source.position, wanted);
      got = wanted;
    }
    while (got < wanted) {
      const ssize_t now = ::pread(source.descriptor, static_cast<char*>(to) + got, wanted - got,
                                  static_cast<off_t>(source.position + got));
      if (now < 0 && errno == EINTR) continue;
      if (now <= 0) break;
      got += static_cast<std::uint64_t>(now);
    }
    source.position += got;
    return static_cast<tmsize_t>(got);
  }
  static tmsize_t refuse_write(thandle_t, void*, tmsize_t) { return 0; }
  static toff_t seek(thandle_t handle, toff_t offset, int whence) {
    Source& source = of(handle);
    const std::uint64_t base = whence == SEEK_CUR ? source.position : whence == SEEK_END ? source.size : 0;
    return source.position = base + offset;
  }
  static int leave_open(thandle_t) { return 0; }
  static toff_t size_of(thandle_t handle) { return of(handle).size; }

  [[gnu::format(printf, 4, 0)]] static int complain(tiff*, void* user, const char*, const char* format,
                                                    va_list arguments) {
    std::string& complaint = of(user).complaint;
    if (complaint.empty()) {
      char text[256];
      std::vsnprintf(text, sizeof text, format, arguments);
      complaint = text;
    }
    return 1;  // nobody else prints it
  }
  // libtiff drops a tag that lies beyond the end of the file with a warning, and would show a palette
  // without its colours as grey. All other warnings are about oddities that change nothing.
  [[gnu::format(printf, 4, 0)]] static int note_lost_tag(tiff*, void* user, const char*, const char* format,
                                                         va_list arguments) {
    char text[256];
    std::vsnprintf(text, sizeof text, format, arguments);
    if (std::string_view(text).starts_with("IO error during reading")) of(user).lost_tag = text;
    return 1;
  }

  // Any single block that libtiff takes for itself: a strip, a tile, a table of offsets.
  static constexpr tmsize_t kMaxBlock = tmsize_t{1} << 30;

  bool open() {
    TIFFOpenOptions* options = TIFFOpenOptionsAlloc();
    if (options == nullptr) return false;
    TIFFOpenOptionsSetMaxSingleMemAlloc(options, kMaxBlock);
    TIFFOpenOptionsSetErrorHandlerExtR(options, complain, this);
    TIFFOpenOptionsSetWarningHandlerExtR(options, note_lost_tag, this);
    // "m": no memory mapping, so that strips are read straight into our buffer.
    handle = TIFFClientOpenExt("image", "rm", this, read, refuse_write, seek, leave_open, size_of, nullptr,
                               nullptr, options);
    TIFFOpenOptionsFree(options);
    return handle != nullptr;
  }
};

namespace {

constexpr std::uint64_t kOrdinaryTilePixels = 4096ULL * 4096;

template <class T>
T field(tiff* handle, std::uint32_t tag, T otherwise) {
  T value = otherwise;
  return TIFFGetFieldDefaulted(handle, tag, &value) == 1 ? value : otherwise;
}

Result<TiffColours> colours_of(tiff* handle, int samples, int bits) {
  std::uint16_t photometric = PHOTOMETRIC_MINISBLACK;
  if (TIFFGetField(handle, TIFFTAG_PHOTOMETRIC, &photometric) != 1 && samples >= 3) {
    photometric = PHOTOMETRIC_RGB;
  }
  switch (photometric) {
    case PHOTOMETRIC_MINISWHITE:
      return TiffColours::kWhiteIsZero;
    case PHOTOMETRIC_MINISBLACK:
      return TiffColours::kBlackIsZero;
    case PHOTOMETRIC_RGB:
      if (samples < 3) return damaged(fmt::format("it claims to be RGB with {} samples a pixel", samples));
      return TiffColours::kRgb;
    case PHOTOMETRIC_PALETTE:
      if (bits > 8) return unsupported(fmt::format("it has a palette of {} bits", bits));
      return TiffColours::kPalette;
    case PHOTOMETRIC_SEPARATED:
      if (samples < 4) return unsupported(fmt::format("it has {} inks, not the four of CMYK", samples));
      return TiffColours::kCmyk;
    case PHOTOMETRIC_YCBCR:
      if (field<std::uint16_t>(handle, TIFFTAG_COMPRESSION, COMPRESSION_NONE) == COMPRESSION_JPEG) {
        TIFFSetField(handle, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
        if (samples == 3 && bits == 8) return TiffColours::kRgb;
      }
      return TiffColours::kConvertedByLibtiff;
    case PHOTOMETRIC_CIELAB:
      return TiffColours::kConvertedByLibtiff;
    default:
      return unsupported(fmt::format("its colours (photometric {}) are not ones awry reads", photometric));
  }
}

Result<TiffNumbers> numbers_of(tiff* handle, int bits) {
  const auto format = field<std::uint16_t>(handle, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_UINT);
  const bool is_unsigned = format == SAMPLEFORMAT_UINT || format == SAMPLEFORMAT_VOID;
  if (is_unsigned && (bits == 1 || bits == 2 || bits == 4 || bits == 8 || bits == 16 || bits == 32)) {
    return TiffNumbers::kUnsigned;
  }
  if (format == SAMPLEFORMAT_INT && (bits == 8 || bits == 16 || bits == 32)) return TiffNumbers::kSigned;
  if (format == SAMPLEFORMAT_IEEEFP && (bits == 16 || bits == 32 || bits == 64)) return TiffNumbers::kFloat;
  return unsupported(fmt::format("samples of {} bits in format {} are not ones awry reads", bits, format));
}

TiffAlpha alpha_of(tiff* handle) {
  std::uint16_t count = 0;
  const std::uint16_t* kinds = nullptr;
  if (TIFFGetFieldDefaulted(handle, TIFFTAG_EXTRASAMPLES, &count, &kinds) != 1 || count == 0) {
    return TiffAlpha::kNone;
  }
  if (kinds[0] == EXTRASAMPLE_UNASSALPHA) return TiffAlpha::kStraight;
  return kinds[0] == EXTRASAMPLE_ASSOCALPHA ? TiffAlpha::kPremultiplied : TiffAlpha::kNone;
}

// Puts the samples of one plane among those of the others.
void interleave(const std::uint8_t* plane, std::uint8_t* to, std::int64_t count, std::size_t sample_bytes,
                std::size_t pixel_bytes) {
  for (std::int64_t i = 0; i < count; ++i) {
    std::memcpy(to + static_cast<std::size_t>(i) * pixel_bytes,
                plane + static_cast<std::size_t>(i) * sample_bytes, sample_bytes);
  }
}

}  // namespace

TiffReader::TiffReader() : source_(std::make_unique<Source>()) {}
TiffReader::~TiffReader() = default;
TiffReader::TiffReader(TiffReader&&) noexcept = default;
TiffReader& TiffReader::operator=(TiffReader&&) noexcept = default;

tl::unexpected<Error> TiffReader::failure(const std::string& otherwise) const {
  const std::string& complaint = source_->complaint;
  const std::string why =
      complaint.empty() ? otherwise : fmt::format("libtiff says: {}", repair_utf8(complaint));
  // libtiff reports a short file as a failed read, not by name.
  const bool ends_early = contains_ignoring_case(complaint, "read error") ||
                          contains_ignoring_case(complaint, "not enough data") ||
                          contains_ignoring_case(complaint, "can not read");
  return ends_early ? truncated(why) : damaged(why);
}

Result<TiffReader> TiffReader::open(Bytes bytes) {
  TiffReader reader;
  reader.source_->bytes = bytes;
  reader.source_->size = bytes.size();
  if (!reader.source_->open()) return reader.failure("its first page cannot be read");
  AWRY_TRY(reader.read_layout());
  return reader;
}

Result<TiffReader> TiffReader::open(const std::filesystem::path& path) {
  TiffReader reader;
  Source& source = *reader.source_;
  source.descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status {};
  if (source.descriptor < 0 || ::fstat(source.descriptor, &status) != 0) {
    return fail(
        {.kind = errno == ENOENT ? ErrorKind::kNotFound : ErrorKind::kIo, .why = std::strerror(errno)});
  }
  source.size = static_cast<std::uint64_t>(status.st_size);
  if (!source.open()) return reader.failure("its first page cannot be read");
  AWRY_TRY(reader.read_layout());
  return reader;
}

bool TiffReader::has_more_pages() const {
  return TIFFLastDirectory(source_->handle) == 0;
}

Result<void> TiffReader::read_layout() {
  tiff* const handle = source_->handle;
  if (!source_->lost_tag.empty()) {
    return truncated(fmt::format("libtiff says: {}", repair_utf8(source_->lost_tag)));
  }
  layout_.width = field<std::uint32_t>(handle, TIFFTAG_IMAGEWIDTH, 0);
  layout_.height = field<std::uint32_t>(handle, TIFFTAG_IMAGELENGTH, 0);
  layout_.samples = field<std::uint16_t>(handle, TIFFTAG_SAMPLESPERPIXEL, 1);
  layout_.bits = field<std::uint16_t>(handle, TIFFTAG_BITSPERSAMPLE, 1);
  layout_.orientation = field<std::uint16_t>(handle, TIFFTAG_ORIENTATION, 1);
  if (layout_.orientation < 1 || layout_.orientation > 8) layout_.orientation = 1;
  if (layout_.samples == 0) return damaged("it claims no sample for a pixel");
  const auto compression = field<std::uint16_t>(handle, TIFFTAG_COMPRESSION, COMPRESSION_NONE);
  if (TIFFIsCODECConfigured(compression) == 0) {
    return unsupported(fmt::format("its compression ({}) is not one awry reads", compression));
  }
  AWRY_TRY_ASSIGN(layout_.colours, colours_of(handle, layout_.samples, layout_.bits));
  if (layout_.colours != TiffColours::kConvertedByLibtiff) {
    AWRY_TRY_ASSIGN(layout_.numbers, numbers_of(handle, layout_.bits));
  }
  layout_.alpha = layout_.samples > layout_.colour_samples() ? alpha_of(handle) : TiffAlpha::kNone;
  if (layout_.alpha != TiffAlpha::kNone && layout_.colours == TiffColours::kWhiteIsZero) {
    return unsupported("it is white-is-zero with transparency");
  }
  planes_apart_ = layout_.samples > 1 && field<std::uint16_t>(handle, TIFFTAG_PLANARCONFIG,
                                                              PLANARCONFIG_CONTIG) == PLANARCONFIG_SEPARATE;
  if (planes_apart_ && layout_.bits < 8)
    return unsupported("its planes are packed apart with less than 8 bits");
  return {};
}

Result<void> TiffReader::check_samples(const DecodeLimits& limits) const {
  AWRY_TRY(check_image_size(layout_.width, layout_.height, limits));
  tiff* const handle = source_->handle;
  // 16 bytes a pixel hold four floats; more samples than that multiply the memory, not the picture.
  const std::uint64_t pixels = static_cast<std::uint64_t>(layout_.width) * layout_.height;
  const std::uint64_t bits_each = static_cast<std::uint64_t>(layout_.samples) * layout_.bits;
  if (layout_.samples > 64 || pixels > limits.max_pixels * 128 / bits_each) {
    return fail({.kind = ErrorKind::kLimit,
                 .why = fmt::format("{} samples of {} bits for each of {} x {} pixels are too many",
                                    layout_.samples, layout_.bits, layout_.width, layout_.height),
                 .hint = "Keep only the channels that matter."});
  }
  const bool is_raw = field<std::uint16_t>(handle, TIFFTAG_COMPRESSION, COMPRESSION_NONE) == COMPRESSION_NONE;
  if (is_raw && layout_.colours != TiffColours::kConvertedByLibtiff &&
      layout_.total_bytes() > source_->size) {
    return truncated(
        fmt::format("{} bytes cannot hold {} x {} pixels", source_->size, layout_.width, layout_.height));
  }
  if (TIFFIsTiled(handle) != 0) {
    const std::uint64_t tile_width = field<std::uint32_t>(handle, TIFFTAG_TILEWIDTH, 0);
    const std::uint64_t tile_height = field<std::uint32_t>(handle, TIFFTAG_TILELENGTH, 0);
    if (tile_width == 0 || tile_height == 0) return damaged("its tiles have no size");
    if (tile_width * tile_height > std::max(kOrdinaryTilePixels, 2 * pixels)) {
      return fail({.kind = ErrorKind::kLimit,
                   .why = fmt::format("tiles of {} x {} pixels are too large for an image of {} x {}",
                                      tile_width, tile_height, layout_.width, layout_.height)});
    }
  }
  return {};
}

Result<void> TiffReader::read_samples(std::span<std::uint8_t> samples, bool tolerate_truncation) {
  return TIFFIsTiled(source_->handle) != 0 ? read_tiles(samples, tolerate_truncation)
                                           : read_strips(samples, tolerate_truncation);
}

Result<void> TiffReader::read_strips(std::span<std::uint8_t> samples, bool tolerate_truncation) {
  tiff* const handle = source_->handle;
  const std::int64_t strip_rows =
      std::min<std::int64_t>(field<std::uint32_t>(handle, TIFFTAG_ROWSPERSTRIP, 0xffffffff), layout_.height);
  const int planes = planes_apart_ ? layout_.samples : 1;
  const std::size_t sample_bytes = layout_.bits / 8, pixel_bytes = sample_bytes * layout_.samples;
  const std::uint64_t plane_row = planes_apart_ ? layout_.width * sample_bytes : layout_.row_bytes();
  if (strip_rows <= 0) return damaged("its strips have no rows");
  if (TIFFScanlineSize64(handle) != plane_row) return damaged("its rows are not as long as the header says");

  std::vector<std::uint8_t> apart(planes_apart_ ? plane_row * strip_rows : 0);
  std::uint32_t strip = 0;
  for (int plane = 0; plane < planes; ++plane) {
    for (std::int64_t y = 0; y < layout_.height; y += strip_rows, ++strip) {
      const std::int64_t rows = std::min(strip_rows, layout_.height - y);
      const auto wanted = static_cast<tmsize_t>(plane_row * rows);
      std::uint8_t* const destination = samples.data() + layout_.row_bytes() * y;
      std::uint8_t* const into = planes_apart_ ? apart.data() : destination;
      if (TIFFReadEncodedStrip(handle, strip, into, wanted) != wanted && !tolerate_truncation) {
        return failure(fmt::format("strip {} is too short", strip));
      }
      if (planes_apart_) {
        interleave(into, destination + plane * sample_bytes, layout_.width * rows, sample_bytes, pixel_bytes);
      }
    }
  }
  return {};
}

Result<void> TiffReader::read_tiles(std::span<std::uint8_t> samples, bool tolerate_truncation) {
  tiff* const handle = source_->handle;
  const auto tile_width = static_cast<std::int64_t>(field<std::uint32_t>(handle, TIFFTAG_TILEWIDTH, 0));
  const auto tile_height = static_cast<std::int64_t>(field<std::uint32_t>(handle, TIFFTAG_TILELENGTH, 0));
  const int planes = planes_apart_ ? layout_.samples : 1;
  const std::uint64_t tile_pixel_bits =
      static_cast<std::uint64_t>(layout_.bits) * (planes_apart_ ? 1 : layout_.samples);
  const std::uint64_t tile_row = (tile_width * tile_pixel_bits + 7) / 8;
  const std::size_t sample_bytes = layout_.bits / 8, pixel_bytes = sample_bytes * layout_.samples;
  if (TIFFTileRowSize64(handle) != tile_row || tile_width * tile_pixel_bits % 8 != 0) {
    return damaged("its tiles are not as wide as the header says");
  }
  std::vector<std::uint8_t> tile(tile_row * tile_height);
  const auto tile_bytes = static_cast<tmsize_t>(tile.size());
  std::uint32_t index = 0;
  for (int plane = 0; plane < planes; ++plane) {
    for (std::int64_t y = 0; y < layout_.height; y += tile_height) {
      for (std::int64_t x = 0; x < layout_.width; x += tile_width, ++index) {
        if (TIFFReadEncodedTile(handle, index, tile.data(), tile_bytes) != tile_bytes &&
            !tolerate_truncation) {
          return failure(fmt::format("tile {} is too short", index));
        }
        const std::int64_t columns = std::min(tile_width, layout_.width - x);
        for (std::int64_t row = 0; row < std::min(tile_height, layout_.height - y); ++row) {
          const std::uint8_t* const from = tile.data() + tile_row * row;
          std::uint8_t* const to = samples.data() + layout_.row_bytes() * (y + row);
          if (planes_apart_) {
            interleave(from, to + x * pixel_bytes + plane * sample_bytes, columns, sample_bytes, pixel_bytes);
          } else {
            std::memcpy(to + x * tile_pixel_bits / 8, from, (columns * tile_pixel_bits + 7) / 8);
          }
        }
      }
    }
  }
  return {};
}

Result<Image> TiffReader::read_converted() {
  tiff* const handle = source_->handle;
  char message[1024] = "";
  if (TIFFRGBAImageOK(handle, message) == 0) return unsupported(fmt::format("libtiff says: {}", message));
  const int width = static_cast<int>(layout_.width), height = static_cast<int>(layout_.height);
  std::vector<std::uint32_t> raster(static_cast<std::size_t>(width) * height);
  // Asking for the stored orientation leaves the turning to us, as for all other images.
  if (TIFFReadRGBAImageOriented(handle, width, height, raster.data(), layout_.orientation, 1) == 0) {
    return failure("its pixels cannot be read");
  }
  Image image(width, height, 3);
  for (std::size_t i = 0; i < raster.size(); ++i) {
    image.pixels[i * 3] = TIFFGetR(raster[i]);
    image.pixels[i * 3 + 1] = TIFFGetG(raster[i]);
    image.pixels[i * 3 + 2] = TIFFGetB(raster[i]);
  }
  return image;
}

Result<std::vector<std::array<std::uint8_t, 3>>> TiffReader::palette() const {
  const std::uint16_t* channels[3] = {};
  if (TIFFGetField(source_->handle, TIFFTAG_COLORMAP, &channels[0], &channels[1], &channels[2]) != 1) {
    return damaged("it has a palette without colours");
  }
  const std::size_t count = std::size_t{1} << layout_.bits;
  // Some old programs stored 8-bit colours in the 16-bit table.
  const bool is_8_bit = std::ranges::all_of(channels, [&](const std::uint16_t* channel) {
    return *std::max_element(channel, channel + count) < 256;
  });
  std::vector<std::array<std::uint8_t, 3>> colours(count);
  for (std::size_t i = 0; i < count; ++i) {
    for (int c = 0; c < 3; ++c) {
      colours[i][c] =
          is_8_bit ? static_cast<std::uint8_t>(channels[c][i]) : narrow_16(channels[c][i], Narrowing::kScale);
    }
  }
  return colours;
}

}  // namespace awry::imaging
