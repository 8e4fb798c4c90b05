// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdio>  // before jpeglib.h, which needs FILE

#include <jpeglib.h>

#include <jerror.h>

#include <fmt/format.h>

#include <csetjmp>
#include <cstring>

#include "awry/imaging/codec.h"
#include "awry/imaging/orientation.h"

namespace awry::imaging {
namespace {

// Real progressive files have some ten scans; an attack has thousands, each over all pixels.
constexpr int kMaxScans = 200;

// libjpeg leaves through longjmp, so nothing between setjmp and here may need a destructor.
struct ErrorState {
  jpeg_error_mgr manager;  // first: libjpeg hands back a pointer to it
  std::jmp_buf leave;
  char message[JMSG_LENGTH_MAX];
  bool ends_early, is_damaged;
};

ErrorState& state_of(j_common_ptr info) {
  return *reinterpret_cast<ErrorState*>(info->err);
}

[[noreturn]] void leave(j_common_ptr info) {
  info->err->format_message(info, state_of(info).message);
  std::longjmp(state_of(info).leave, 1);
}

// libjpeg calls lost pixels a warning and paints them grey. Harmless oddities stay harmless.
void note_warning(j_common_ptr info, int level) {
  if (level >= 0) return;
  ErrorState& state = state_of(info);
  const bool first = !state.ends_early && !state.is_damaged;
  switch (info->err->msg_code) {
    case JWRN_JPEG_EOF:
      state.ends_early = true;
      break;
    case JWRN_HIT_MARKER:
    case JWRN_HUFF_BAD_CODE:
    case JWRN_MUST_RESYNC:
    case JWRN_NOT_SEQUENTIAL:
      state.is_damaged = true;
      break;
    default:
      return;
  }
  if (first) info->err->format_message(info, state.message);
}

void say_nothing(j_common_ptr) {}

void stop_at_too_many_scans(j_common_ptr info) {
  if (!info->is_decompressor) return;
  if (reinterpret_cast<j_decompress_ptr>(info)->input_scan_number > kMaxScans) {
    std::strcpy(state_of(info).message, "it has more scans than any real image");
    std::longjmp(state_of(info).leave, 1);
  }
}

void prepare(jpeg_decompress_struct& info, ErrorState& state) {
  info.err = jpeg_std_error(&state.manager);
  state.manager.error_exit = leave;
  state.manager.emit_message = note_warning;
  state.manager.output_message = say_nothing;
  state.ends_early = state.is_damaged = false;
  state.message[0] = 0;
}

struct Header {
  int width, height, components, orientation;
};

bool read_header(const std::uint8_t* data, std::size_t size, ErrorState& state, Header& header) {
  jpeg_decompress_struct info{};
  prepare(info, state);
  if (setjmp(state.leave)) {
    jpeg_destroy_decompress(&info);
    return false;
  }
  jpeg_create_decompress(&info);
  jpeg_mem_src(&info, data, size);
  jpeg_save_markers(&info, JPEG_APP0 + 1, 0xffff);
  jpeg_read_header(&info, TRUE);
  header = {static_cast<int>(info.image_width), static_cast<int>(info.image_height), info.num_components, 1};
  for (jpeg_saved_marker_ptr marker = info.marker_list; marker != nullptr; marker = marker->next) {
    const Bytes exif(marker->data, marker->data_length);
    if (exif.size() > 6 && std::memcmp(exif.data(), "Exif\0\0", 6) == 0) {
      header.orientation = exif_orientation(exif);
      break;
    }
  }
  jpeg_destroy_decompress(&info);
  return true;
}

enum class Inks { kNone, kPlain, kInverted };

struct Pixels {
  std::uint8_t* rows;  // width x height x components, as libjpeg gives them
  int width, height, components;
  Inks inks;
};

bool read_pixels(const std::uint8_t* data, std::size_t size, ErrorState& state, Pixels& pixels) {
  jpeg_decompress_struct info{};
  jpeg_progress_mgr progress{};
  prepare(info, state);
  if (setjmp(state.leave)) {
    jpeg_destroy_decompress(&info);
    return false;
  }
  jpeg_create_decompress(&info);
  progress.progress_monitor = stop_at_too_many_scans;
  info.progress = &progress;
  jpeg_mem_src(&info, data, size);
  jpeg_read_header(&info, TRUE);
  const bool has_inks = info.jpeg_color_space == JCS_CMYK || info.jpeg_color_space == JCS_YCCK;
  info.out_color_space = has_inks ? JCS_CMYK : pixels.components == 1 ? JCS_GRAYSCALE : JCS_RGB;
  // Adobe's programs store how much paper shows instead of how much ink there is.
  pixels.inks = !has_inks ? Inks::kNone : info.saw_Adobe_marker ? Inks::kInverted : Inks::kPlain;
  jpeg_start_decompress(&info);
  if (static_cast<int>(info.output_width) != pixels.width ||
      static_cast<int>(info.output_height) != pixels.height || info.output_components != pixels.components) {
    std::strcpy(state.message, "the header contradicts itself");
    std::longjmp(state.leave, 1);
  }
  const std::size_t row_bytes = static_cast<std::size_t>(pixels.width) * pixels.components;
  while (info.output_scanline < info.output_height) {
    JSAMPROW row = pixels.rows + row_bytes * info.output_scanline;
    jpeg_read_scanlines(&info, &row, 1);
  }
  jpeg_finish_decompress(&info);
  jpeg_destroy_decompress(&info);
  return true;
}

bool recognises(Bytes bytes) {
  return bytes.size() >= 3 && bytes[0] == 0xff && bytes[1] == 0xd8 && bytes[2] == 0xff &&
         (bytes.size() < 4 || bytes[3] != 0x4f);
}

Result<ImageInfo> probe(Bytes file) {
  ErrorState state;
  Header header;
  const bool read = read_header(file.data(), file.size(), state, header);
  if (state.ends_early)
    return truncated(fmt::format("it ends after {} bytes, inside its header", file.size()));
  if (!read) return damaged(fmt::format("libjpeg says: {}", state.message));
  if (header.components != 1 && header.components != 3 && header.components != 4) {
    return unsupported(fmt::format("it has {} colour components", header.components));
  }
  return ImageInfo{.width = header.width,
                   .height = header.height,
                   .channels = header.components,
                   .orientation = header.orientation};
}

Image rgb_from_inks(const Image& inks, Inks kind) {
  Image rgb(inks.width, inks.height, 3);
  const int flip = kind == Inks::kInverted ? 255 : 0;
  for (std::size_t i = 0; i < inks.pixels.size() / 4; ++i) {
    const std::uint8_t* ink = &inks.pixels[i * 4];
    const auto colour = rgb_from_cmyk(ink[0] ^ flip, ink[1] ^ flip, ink[2] ^ flip, ink[3] ^ flip);
    std::memcpy(&rgb.pixels[i * 3], colour.data(), 3);
  }
  return rgb;
}

Result<Image> decode(Bytes file, const ImageInfo& info, const CodecRequest& request) {
  Image image(info.width, info.height, info.channels);
  Pixels pixels{image.pixels.data(), info.width, info.height, info.channels, Inks::kNone};
  ErrorState state;
  const bool read = read_pixels(file.data(), file.size(), state, pixels);
  if (!request.tolerate_truncation) {
    if (state.ends_early)
      return truncated(fmt::format("it ends after {} bytes, before the last pixel", file.size()));
    if (!read || state.is_damaged) return damaged(fmt::format("libjpeg says: {}", state.message));
  }
  return pixels.inks == Inks::kNone ? std::move(image) : rgb_from_inks(image, pixels.inks);
}

}  // namespace

constinit const Codec kJpegCodec = {ImageFormat::kJpeg, "JPEG", "image/jpeg", recognises, probe, decode};

}  // namespace awry::imaging
