// SPDX-License-Identifier: Apache-2.0
#include "awry/imaging/sniff.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "awry/base/text.h"

namespace awry::imaging {
namespace {

struct Signature {
  std::size_t offset;
  std::string_view magic, looks_like;
  bool is_image;
};

using namespace std::string_view_literals;
constexpr Signature kSignatures[] = {
    {0, "GIF8"sv, "a GIF image", true},
    {4, "ftypheic"sv, "a HEIC image", true},
    {4, "ftypheix"sv, "a HEIC image", true},
    {4, "ftypmif1"sv, "a HEIF image", true},
    {4, "ftypavif"sv, "an AVIF image", true},
    {4, "jP  "sv, "a JPEG 2000 image", true},
    {0, "\xff\x4f\xff\x51"sv, "a JPEG 2000 image", true},
    {0, "\xff\x0a"sv, "a JPEG XL image", true},
    {4, "JXL "sv, "a JPEG XL image", true},
    {0, "8BPS"sv, "a Photoshop document", true},
    {0, "v/1\x01"sv, "an OpenEXR image", true},
    {0, "\0\0\1\0"sv, "a Windows icon", true},
    {0, "#?RADIANCE"sv, "a Radiance HDR image", true},
    {0, "%PDF"sv, "a PDF document", false},
    {0, "%!PS"sv, "a PostScript document", false},
    {0, "PK\3\4"sv, "a ZIP archive (or an office document)", false},
    {0, "\x1f\x8b"sv, "gzip-compressed data", false},
    {0, "\x93NUMPY"sv, "a NumPy array", false},
    {0, "\x89HDF"sv, "an HDF5 file", false},
    {0,
     "\x7f"
     "ELF"sv,
     "a program", false},
    {4, "ftyp"sv, "a video", false},
    {0, "version https://git-lfs"sv, "a Git LFS pointer whose content was not fetched", false},
};

std::string describe_text(std::string_view text) {
  const std::string_view start = trim(text);
  if (start.starts_with("<svg") || contains_ignoring_case(start.substr(0, 400), "<svg")) {
    return "an SVG drawing";
  }
  if (contains_ignoring_case(start.substr(0, 200), "<!doctype html") ||
      contains_ignoring_case(start.substr(0, 200), "<html")) {
    return "an HTML page (perhaps an error page saved in place of the image)";
  }
  if (start.starts_with("<?xml")) return "an XML document";
  if (start.starts_with("{") || start.starts_with("[")) return "JSON text";
  return "plain text";
}

bool is_text(std::string_view text) {
  const auto is_control = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && c != '\n' && c != '\r' && c != '\t') || byte == 0x7f;
  };
  if (std::ranges::any_of(text, is_control)) return false;
  // The excerpt may end inside a letter of up to four bytes.
  for (std::size_t cut = 0; cut < 4 && cut < text.size(); ++cut) {
    if (is_valid_utf8(text.substr(0, text.size() - cut))) return true;
  }
  return false;
}

}  // namespace

Sniffed sniff_content(Bytes bytes) {
  if (bytes.empty()) return {"an empty file"};
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()),
                              std::min<std::size_t>(bytes.size(), 4096));
  for (const Signature& signature : kSignatures) {
    if (text.size() >= signature.offset && text.substr(signature.offset).starts_with(signature.magic)) {
      return {std::string(signature.looks_like), signature.is_image};
    }
  }
  if (is_text(text)) return {describe_text(text)};
  if (std::ranges::all_of(text, [](char c) { return c == 0; })) {
    return {"zeros (perhaps an unfinished download)"};
  }
  std::string start;
  for (const std::uint8_t byte : bytes.first(std::min<std::size_t>(bytes.size(), 8))) {
    start += fmt::format("{}{:02x}", start.empty() ? "" : " ", byte);
  }
  return {fmt::format("binary data that begins with {}", start)};
}

}  // namespace awry::imaging
