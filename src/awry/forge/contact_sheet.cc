// SPDX-License-Identifier: Apache-2.0
#include "awry/forge/contact_sheet.h"

#include <algorithm>
#include <cmath>
#include <opencv2/core.hpp>

#include "awry/imaging/opencv.h"
#include "awry/imaging/resize.h"

namespace awry::forge {

imaging::Image contact_sheet(std::span<const imaging::Image> pictures, int side) {
  constexpr int kGap = 6;
  const int count = static_cast<int>(std::clamp<std::size_t>(pictures.size(), 1, kMaxContactPictures));
  const int columns = static_cast<int>(std::ceil(std::sqrt(count))), rows = (count + columns - 1) / columns;
  imaging::Image sheet(columns * (side + kGap) + kGap, rows * (side + kGap) + kGap, 3, 128);
  cv::Mat canvas = imaging::as_mat(sheet);
  for (int i = 0; i < std::min(count, static_cast<int>(pictures.size())); ++i) {
    const imaging::Image small =
        imaging::resize_long_edge(imaging::to_rgb(pictures[static_cast<std::size_t>(i)]), side).image;
    const cv::Rect place(kGap + (i % columns) * (side + kGap), kGap + (i / columns) * (side + kGap),
                         small.width, small.height);
    imaging::as_mat(small).copyTo(canvas(place));
  }
  return sheet;
}

}  // namespace awry::forge
