// SPDX-License-Identifier: Apache-2.0
#include "awry/forge/quality.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <opencv2/imgproc.hpp>

#include "awry/imaging/opencv.h"

namespace awry::forge {
namespace {

double step_between(const imaging::Image& image, int x, int y, int dx, int dy) {
  const std::uint8_t *here = image.at(x, y), *there = image.at(x + dx, y + dy);
  double step = 0;
  for (int c = 0; c < image.channels; ++c) step += std::abs(here[c] - there[c]);
  return step / image.channels;
}

}  // namespace

double seam_visibility(const imaging::Image& image, const imaging::Bitmap& mask) {
  constexpr int kBeside = 4;  // pixels to either side of the edge that it is compared with
  double across = 0, beside = 0;
  std::size_t edges = 0, steps = 0;
  for (const auto& [dx, dy] : {std::pair(1, 0), std::pair(0, 1)}) {
    for (int y = 0; y + dy < mask.height; ++y) {
      for (int x = 0; x + dx < mask.width; ++x) {
        if (mask.at(x, y) == mask.at(x + dx, y + dy)) continue;
        across += step_between(image, x, y, dx, dy);
        ++edges;
        for (const int away : {-kBeside, kBeside}) {
          const int bx = x + away * dx, by = y + away * dy;
          if (bx < 0 || by < 0 || bx + dx >= mask.width || by + dy >= mask.height) continue;
          beside += step_between(image, bx, by, dx, dy);
          ++steps;
        }
      }
    }
  }
  if (edges == 0 || steps == 0) return 0;
  // One grey level of tolerance: on perfectly flat ground any step would otherwise be infinitely strong.
  return (across / static_cast<double>(edges) + 1) / (beside / static_cast<double>(steps) + 1);
}

double seam_breaks(const imaging::Image& host, const imaging::Image& image, const imaging::Bitmap& mask) {
  constexpr int kOtherInk = 24;  // grey levels
  const imaging::Image before = imaging::to_grey(host), now = imaging::to_grey(image);
  std::size_t breaks = 0;
  const auto is_edge = [&](int x, int y) {
    return (x > 0 && mask.at(x - 1, y) == 0) || (x + 1 < mask.width && mask.at(x + 1, y) == 0) ||
           (y > 0 && mask.at(x, y - 1) == 0) || (y + 1 < mask.height && mask.at(x, y + 1) == 0);
  };
  for (int y = 0; y < mask.height; ++y) {
    for (int x = 0; x < mask.width; ++x) {
      if (mask.at(x, y) == 0 || std::abs(*before.at(x, y) - *now.at(x, y)) <= kOtherInk) continue;
      breaks += is_edge(x, y) ? 1 : 0;
    }
  }
  return static_cast<double>(breaks) / std::max(mask.width, mask.height);
}

double blank_share(const imaging::Image& image, const imaging::Bitmap& mask) {
  constexpr int kNeighbourhood = 9, kFlat = 2;
  const imaging::Image grey = imaging::to_grey(image);
  const cv::Mat kernel = cv::Mat::ones(kNeighbourhood, kNeighbourhood, CV_8U);
  cv::Mat1b darkest, brightest;
  cv::erode(imaging::as_mat(grey), darkest, kernel);
  cv::dilate(imaging::as_mat(grey), brightest, kernel);
  std::size_t blank = 0, total = 0;
  for (int y = 0; y < mask.height; ++y) {
    for (int x = 0; x < mask.width; ++x) {
      if (mask.at(x, y) == 0) continue;
      ++total;
      blank += brightest(y, x) - darkest(y, x) <= kFlat;
    }
  }
  return total == 0 ? 0 : static_cast<double>(blank) / static_cast<double>(total);
}

double sharpness(const imaging::Image& image) {
  double steps = 0;
  std::size_t count = 0;
  for (const auto& [dx, dy] : {std::pair(1, 0), std::pair(0, 1)}) {
    for (int y = 0; y + dy < image.height; ++y) {
      for (int x = 0; x + dx < image.width; ++x, ++count) steps += step_between(image, x, y, dx, dy);
    }
  }
  return count == 0 ? 0 : steps / static_cast<double>(count);
}

}  // namespace awry::forge
