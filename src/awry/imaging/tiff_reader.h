// SPDX-License-Identifier: Apache-2.0
// libtiff behind a small door: layout and raw samples of the first page. Internal to imaging.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "awry/imaging/codec.h"

struct tiff;

namespace awry::imaging {

enum class TiffColours { kWhiteIsZero, kBlackIsZero, kRgb, kPalette, kCmyk, kConvertedByLibtiff };
enum class TiffNumbers { kUnsigned, kSigned, kFloat };
enum class TiffAlpha { kNone, kStraight, kPremultiplied };

struct TiffLayout {
  std::int64_t width = 0, height = 0;
  int samples = 1;  // a pixel, alpha and others included
  int bits = 1;     // a sample
  TiffNumbers numbers = TiffNumbers::kUnsigned;
  TiffColours colours = TiffColours::kBlackIsZero;
  TiffAlpha alpha = TiffAlpha::kNone;  // the sample right after the colours
  int orientation = 1;

  // Interleaved, each row beginning at a full byte.
  std::uint64_t row_bytes() const { return (static_cast<std::uint64_t>(width) * samples * bits + 7) / 8; }
  std::uint64_t total_bytes() const { return row_bytes() * height; }
  int colour_samples() const {
    return colours == TiffColours::kRgb ? 3 : colours == TiffColours::kCmyk ? 4 : 1;
  }
};

class TiffReader {
 public:
  // The bytes must outlive the reader.
  static Result<TiffReader> open(Bytes bytes);
  // Strips are read from the file straight to where they are wanted.
  static Result<TiffReader> open(const std::filesystem::path& path);
  ~TiffReader();
  TiffReader(TiffReader&&) noexcept;
  TiffReader& operator=(TiffReader&&) noexcept;

  const TiffLayout& layout() const { return layout_; }
  // Only the first page is ever read.
  bool has_more_pages() const;

  // Fails, before memory is taken, when the samples are above the limits or cannot be in the file.
  Result<void> check_samples(const DecodeLimits& limits) const;
  // All samples in native byte order; `samples` has layout().total_bytes().
  Result<void> read_samples(std::span<std::uint8_t> samples, bool tolerate_truncation);
  // For kConvertedByLibtiff: RGB.
  Result<Image> read_converted();
  // 2^bits colours of a palette of at most 8 bits.
  Result<std::vector<std::array<std::uint8_t, 3>>> palette() const;

 private:
  struct Source;
  TiffReader();
  Result<void> read_layout();
  Result<void> read_strips(std::span<std::uint8_t> samples, bool tolerate_truncation);
  Result<void> read_tiles(std::span<std::uint8_t> samples, bool tolerate_truncation);
  tl::unexpected<Error> failure(const std::string& otherwise) const;

  std::unique_ptr<Source> source_;
  TiffLayout layout_;
  bool planes_apart_ = false;
};

}  // namespace awry::imaging
