// SPDX-License-Identifier: Apache-2.0
#include "awry/imaging/fixture_files.h"

#include <cstddef>
#include <cstdio>  // before jpeglib.h, which needs FILE

#include <jpeglib.h>

#include <png.h>
#include <tiffio.h>
#include <webp/encode.h>

#include <cstdlib>
#include <cstring>

#include "awry/base/files.h"

namespace awry::imaging::fixtures {

std::string exif_block(int orientation, bool big_endian) {
  const char value = static_cast<char>(orientation);
  if (big_endian) {
    return std::string("MM\0*\0\0\0\x08\0\1\x01\x12\0\3\0\0\0\1\0", 19) + value + std::string(6, '\0');
  }
  return std::string("II*\0\x08\0\0\0\1\0\x12\x01\3\0\1\0\0\0", 18) + value + std::string(7, '\0');
}

std::string png_file(const PngSpec& spec) {
  std::string bytes;
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  png_set_write_fn(
      png, &bytes,
      [](png_structp writer, png_bytep data, std::size_t count) {
        static_cast<std::string*>(png_get_io_ptr(writer))->append(reinterpret_cast<char*>(data), count);
      },
      [](png_structp) {});
  png_set_IHDR(png, info, spec.width, spec.height, spec.bits, spec.colour_type, spec.interlaced ? 1 : 0, 0,
               0);
  if (!spec.palette.empty()) {
    std::vector<png_color> colours(spec.palette.size() / 3);
    std::memcpy(colours.data(), spec.palette.data(), spec.palette.size());
    png_set_PLTE(png, info, colours.data(), static_cast<int>(colours.size()));
  }
  if (!spec.palette_alpha.empty()) {
    png_set_tRNS(png, info, spec.palette_alpha.data(), static_cast<int>(spec.palette_alpha.size()), nullptr);
  }
  if (!spec.exif.empty()) {
    std::string exif = spec.exif;
    png_set_eXIf_1(png, info, static_cast<png_uint_32>(exif.size()),
                   reinterpret_cast<png_bytep>(exif.data()));
  }
  png_write_info(png, info);
  const std::size_t row_bytes = spec.rows.size() / spec.height;
  std::vector<png_bytep> rows;
  for (int y = 0; y < spec.height; ++y) rows.push_back(const_cast<png_bytep>(&spec.rows[row_bytes * y]));
  png_write_image(png, rows.data());
  png_write_end(png, nullptr);
  png_destroy_write_struct(&png, &info);
  return bytes;
}

std::string jpeg_file(const JpegSpec& spec) {
  jpeg_compress_struct info{};
  jpeg_error_mgr errors;
  info.err = jpeg_std_error(&errors);
  jpeg_create_compress(&info);
  unsigned char* data = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&info, &data, &size);
  info.image_width = spec.width;
  info.image_height = spec.height;
  info.input_components = spec.components;
  info.in_color_space = spec.components == 1 ? JCS_GRAYSCALE : spec.components == 3 ? JCS_RGB : JCS_CMYK;
  jpeg_set_defaults(&info);
  if (spec.components == 4) {
    jpeg_set_colorspace(&info, spec.ycck ? JCS_YCCK : JCS_CMYK);
    info.write_Adobe_marker = spec.adobe_marker ? TRUE : FALSE;
  }
  jpeg_set_quality(&info, spec.quality, TRUE);
  if (spec.progressive) jpeg_simple_progression(&info);
  for (int i = 0; i < info.num_components; ++i) {
    info.comp_info[i].h_samp_factor = info.comp_info[i].v_samp_factor = 1;
  }
  jpeg_start_compress(&info, TRUE);
  if (!spec.exif.empty()) {
    const std::string app1 = std::string("Exif\0\0", 6) + spec.exif;
    jpeg_write_marker(&info, JPEG_APP0 + 1, reinterpret_cast<const JOCTET*>(app1.data()),
                      static_cast<unsigned>(app1.size()));
  }
  while (info.next_scanline < info.image_height) {
    JSAMPROW row = const_cast<std::uint8_t*>(
        &spec.pixels[static_cast<std::size_t>(info.next_scanline) * spec.width * spec.components]);
    jpeg_write_scanlines(&info, &row, 1);
  }
  jpeg_finish_compress(&info);
  jpeg_destroy_compress(&info);
  std::string bytes(reinterpret_cast<char*>(data), size);
  std::free(data);
  return bytes;
}

namespace {

void write_tiles(TIFF* file, const TiffSpec& spec) {
  const int pixel_bytes = spec.samples * spec.bits / 8;
  for (int y = 0; y < spec.height; y += spec.tile_side) {
    for (int x = 0; x < spec.width; x += spec.tile_side) {
      std::string tile(static_cast<std::size_t>(spec.tile_side) * spec.tile_side * pixel_bytes, '\0');
      for (int row = 0; row < spec.tile_side && y + row < spec.height; ++row) {
        const int columns = std::min(spec.tile_side, spec.width - x);
        std::memcpy(&tile[static_cast<std::size_t>(row) * spec.tile_side * pixel_bytes],
                    &spec.rows[(static_cast<std::size_t>(y + row) * spec.width + x) * pixel_bytes],
                    static_cast<std::size_t>(columns) * pixel_bytes);
      }
      TIFFWriteTile(file, tile.data(), x, y, 0, 0);
    }
  }
}

void write_rows(TIFF* file, const TiffSpec& spec) {
  const std::size_t row_bytes = spec.rows.size() / spec.height;
  std::string row;
  for (int plane = 0; plane < (spec.planes_apart ? spec.samples : 1); ++plane) {
    for (int y = 0; y < spec.height; ++y) {
      row = spec.rows.substr(row_bytes * y, row_bytes);
      if (spec.planes_apart) {
        const int sample_bytes = spec.bits / 8;
        std::string apart;
        for (int x = 0; x < spec.width; ++x) {
          apart +=
              row.substr((static_cast<std::size_t>(x) * spec.samples + plane) * sample_bytes, sample_bytes);
        }
        row = apart;
      }
      TIFFWriteScanline(file, row.data(), y, static_cast<std::uint16_t>(plane));
    }
  }
}

}  // namespace

std::string tiff_file(const TiffSpec& spec) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "fixture.tif").string();
  TIFF* file = TIFFOpen(path.c_str(), spec.big_endian ? "wb" : "wl");
  TIFFSetField(file, TIFFTAG_IMAGEWIDTH, spec.width);
  TIFFSetField(file, TIFFTAG_IMAGELENGTH, spec.height);
  TIFFSetField(file, TIFFTAG_SAMPLESPERPIXEL, spec.samples);
  TIFFSetField(file, TIFFTAG_BITSPERSAMPLE, spec.bits);
  TIFFSetField(file, TIFFTAG_SAMPLEFORMAT, spec.sample_format);
  TIFFSetField(file, TIFFTAG_PHOTOMETRIC, spec.photometric);
  TIFFSetField(file, TIFFTAG_COMPRESSION, spec.compression);
  TIFFSetField(file, TIFFTAG_PLANARCONFIG, spec.planes_apart ? 2 : 1);
  TIFFSetField(file, TIFFTAG_ORIENTATION, spec.orientation);
  if (spec.photometric == PHOTOMETRIC_YCBCR) {
    TIFFSetField(file, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
    TIFFSetField(file, TIFFTAG_JPEGQUALITY, 100);
  }
  if (spec.extra_sample >= 0) {
    const std::uint16_t kinds[] = {static_cast<std::uint16_t>(spec.extra_sample)};
    TIFFSetField(file, TIFFTAG_EXTRASAMPLES, 1, kinds);
  }
  if (!spec.palette.empty()) {
    const std::size_t count = spec.palette.size() / 3;
    TIFFSetField(file, TIFFTAG_COLORMAP, &spec.palette[0], &spec.palette[count], &spec.palette[2 * count]);
  }
  if (spec.tile_side > 0) {
    TIFFSetField(file, TIFFTAG_TILEWIDTH, spec.tile_side);
    TIFFSetField(file, TIFFTAG_TILELENGTH, spec.tile_side);
    write_tiles(file, spec);
  } else {
    TIFFSetField(file, TIFFTAG_ROWSPERSTRIP, spec.rows_per_strip > 0 ? spec.rows_per_strip : spec.height);
    write_rows(file, spec);
  }
  TIFFClose(file);
  return value_or_throw(read_file(path));
}

std::string webp_file(int width, int height, int channels, const Samples& pixels, const std::string& exif) {
  std::uint8_t* data = nullptr;
  const auto encode = channels == 4 ? WebPEncodeLosslessRGBA : WebPEncodeLosslessRGB;
  const std::size_t size = encode(pixels.data(), width, height, width * channels, &data);
  std::string bytes(reinterpret_cast<char*>(data), size);
  WebPFree(data);
  if (exif.empty()) return bytes;

  const auto chunk = [](std::string_view name, const std::string& content) {
    std::string result(name);
    result += raw({static_cast<std::uint32_t>(content.size())}) + content;
    if (content.size() % 2 == 1) result += '\0';
    return result;
  };
  const auto three_bytes = [](int number) { return raw({number}).substr(0, 3); };
  const char flags = static_cast<char>(0x08 | (channels == 4 ? 0x10 : 0));
  const std::string extended =
      std::string(1, flags) + std::string(3, '\0') + three_bytes(width - 1) + three_bytes(height - 1);
  const std::string body = "WEBP" + chunk("VP8X", extended) + bytes.substr(12) + chunk("EXIF", exif);
  return chunk("RIFF", body);
}

std::string bmp_file(int width, int height, int bits, std::string_view palette_or_masks,
                     std::string_view rows, int compression, int colours) {
  const auto offset = static_cast<std::uint32_t>(54 + palette_or_masks.size());
  std::string file = "BM" + raw({static_cast<std::uint32_t>(offset + rows.size()), 0U, offset});
  file += raw({40, width, height});
  file += raw({std::uint16_t{1}, static_cast<std::uint16_t>(bits)});
  file += raw({compression, static_cast<int>(rows.size()), 0, 0, colours, 0});
  file += palette_or_masks;
  return file += rows;
}

}  // namespace awry::imaging::fixtures
