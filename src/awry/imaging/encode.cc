// SPDX-License-Identifier: Apache-2.0
#include "awry/imaging/encode.h"

#include <cstddef>
#include <cstdio>  // before jpeglib.h, which needs FILE

#include <jpeglib.h>

#include <fmt/format.h>
#include <png.h>
#include <webp/encode.h>

#include <cassert>
#include <csetjmp>
#include <cstdlib>
#include <new>
#include <vector>

#include "awry/base/files.h"
#include "awry/base/text.h"

namespace awry::imaging {
namespace {

void append(png_structp png, png_bytep bytes, std::size_t count) {
  static_cast<std::string*>(png_get_io_ptr(png))->append(reinterpret_cast<const char*>(bytes), count);
}
void no_flush(png_structp) {}
void ignore_warning(png_structp, png_const_charp) {}

// libpng leaves through longjmp: everything with a destructor belongs to the caller.
bool write_png_rows(const Image& image, std::string& bytes) {
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, ignore_warning);
  png_infop info = png == nullptr ? nullptr : png_create_info_struct(png);
  if (info == nullptr || setjmp(png_jmpbuf(png))) {
    png_destroy_write_struct(&png, &info);
    return false;
  }
  const int colours = image.channels == 1   ? PNG_COLOR_TYPE_GRAY
                      : image.channels == 3 ? PNG_COLOR_TYPE_RGB
                                            : PNG_COLOR_TYPE_RGB_ALPHA;
  png_set_user_limits(png, 0x7fffffff, 0x7fffffff);
  png_set_write_fn(png, &bytes, append, no_flush);
  png_set_IHDR(png, info, image.width, image.height, 8, colours, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_compression_level(png, 6);
  png_write_info(png, info);
  for (int y = 0; y < image.height; ++y) png_write_row(png, image.at(0, y));
  png_write_end(png, nullptr);
  png_destroy_write_struct(&png, &info);
  return true;
}

struct JpegErrors {
  jpeg_error_mgr manager;
  std::jmp_buf leave;
  char message[JMSG_LENGTH_MAX];
};

[[noreturn]] void leave_jpeg(j_common_ptr info) {
  auto& errors = *reinterpret_cast<JpegErrors*>(info->err);
  info->err->format_message(info, errors.message);
  std::longjmp(errors.leave, 1);
}
void say_nothing(j_common_ptr) {}

struct JpegBuffer {
  unsigned char* data = nullptr;
  unsigned long size = 0;
  ~JpegBuffer() { std::free(data); }
};

bool write_jpeg_rows(const Image& image, int quality, JpegErrors& errors, JpegBuffer& buffer) {
  jpeg_compress_struct info{};
  info.err = jpeg_std_error(&errors.manager);
  errors.manager.error_exit = leave_jpeg;
  errors.manager.output_message = say_nothing;
  if (setjmp(errors.leave)) {
    jpeg_destroy_compress(&info);
    return false;
  }
  jpeg_create_compress(&info);
  jpeg_mem_dest(&info, &buffer.data, &buffer.size);
  info.image_width = image.width;
  info.image_height = image.height;
  info.input_components = image.channels;
  info.in_color_space = image.channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
  jpeg_set_defaults(&info);
  jpeg_set_quality(&info, quality, TRUE);
  if (quality >= 90) info.comp_info[0].h_samp_factor = info.comp_info[0].v_samp_factor = 1;
  jpeg_start_compress(&info, TRUE);
  while (info.next_scanline < info.image_height) {
    JSAMPROW row = const_cast<std::uint8_t*>(image.at(0, static_cast<int>(info.next_scanline)));
    jpeg_write_scanlines(&info, &row, 1);
  }
  jpeg_finish_compress(&info);
  jpeg_destroy_compress(&info);
  return true;
}

Result<void> check_encodable(const Image& image, int quality, int min_quality, int max_side,
                             std::string_view format) {
  const auto refuse = [&](std::string why, std::string hint) {
    return fail(
        {.what = fmt::format("cannot write {}", format), .why = std::move(why), .hint = std::move(hint)});
  };
  if (image.empty()) return refuse("the image is empty", "");
  if (quality < min_quality || quality > 100) {
    return refuse(fmt::format("quality {} is not between {} and 100", quality, min_quality), "");
  }
  if (image.width > max_side || image.height > max_side) {
    return refuse(fmt::format("{} x {} pixels are above its {} a side", image.width, image.height, max_side),
                  "Write PNG, or shrink the image.");
  }
  return {};
}

}  // namespace

std::string encode_png(const Image& image) {
  assert(!image.empty() && "an image without pixels has no PNG");
  std::string bytes;
  // With valid sizes only memory can fail, and that is not a value anybody handles.
  if (!write_png_rows(image, bytes)) throw std::bad_alloc();
  return bytes;
}

Result<std::string> encode_jpeg(const Image& image, int quality) {
  AWRY_TRY(check_encodable(image, quality, 1, JPEG_MAX_DIMENSION, "JPEG"));
  if (image.channels == 4) return encode_jpeg(to_rgb(image), quality);
  JpegErrors errors;
  JpegBuffer buffer;
  if (!write_jpeg_rows(image, quality, errors, buffer)) {
    return fail({.what = "cannot write JPEG", .why = fmt::format("libjpeg says: {}", errors.message)});
  }
  return std::string(reinterpret_cast<const char*>(buffer.data), buffer.size);
}

Result<std::string> encode_webp(const Image& image, int quality) {
  AWRY_TRY(check_encodable(image, quality, 0, WEBP_MAX_DIMENSION, "WebP"));
  if (image.channels == 1) return encode_webp(to_rgb(image), quality);
  std::uint8_t* bytes = nullptr;
  const auto encode = image.channels == 4 ? WebPEncodeRGBA : WebPEncodeRGB;
  const std::size_t size = encode(image.pixels.data(), image.width, image.height,
                                  image.width * image.channels, static_cast<float>(quality), &bytes);
  if (size == 0) return fail({.what = "cannot write WebP", .why = "libwebp gave no reason"});
  std::string result(reinterpret_cast<const char*>(bytes), size);
  WebPFree(bytes);
  return result;
}

Result<void> write_image(const std::filesystem::path& path, const Image& image) {
  const auto write = [&](Result<std::string> bytes) -> Result<void> {
    if (bytes) return write_file(path, *bytes);
    bytes.error().input = path.string();
    return fail(bytes.error());
  };
  if (image.empty()) {
    return fail({.what = "cannot write image", .input = path.string(), .why = "it has no pixels"});
  }
  const std::string ending = to_lower_ascii(path.extension().string());
  if (ending == ".png") return write(encode_png(image));
  if (ending == ".jpg" || ending == ".jpeg") return write(encode_jpeg(image));
  if (ending == ".webp") return write(encode_webp(image));
  return fail({.kind = ErrorKind::kUsage,
               .what = "cannot write image",
               .input = path.string(),
               .why = fmt::format("'{}' names no format that awry writes", ending),
               .hint = "Use .png, .jpg or .webp."});
}

}  // namespace awry::imaging
