// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/forensics/shift_search.h"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "awry/inspectors/forensics/working_image.h"

namespace awry::inspectors::forensics {

cv::Mat whitened_detail(const cv::Mat& grey, double fine_sigma, double coarse_sigma) {
  cv::Mat detail = band_pass(grey, fine_sigma, coarse_sigma);
  cv::Mat strength;
  cv::boxFilter(detail.mul(detail), strength, CV_32F, {25, 25}, {-1, -1}, true, cv::BORDER_REFLECT);
  for (int y = 0; y < detail.rows; ++y) {
    float* row = detail.ptr<float>(y);
    const float* energy = strength.ptr<float>(y);
    for (int x = 0; x < detail.cols; ++x) {
      row[x] = energy[x] < 0.01f ? 0 : std::clamp(row[x] / std::sqrt(energy[x] + 0.05f), -2.5f, 2.5f);
    }
  }
  return detail;
}

cv::Size padded_size(cv::Size first, cv::Size second) {
  return {cv::getOptimalDFTSize(first.width + second.width - 1),
          cv::getOptimalDFTSize(first.height + second.height - 1)};
}

Spectrum spectrum_of(const cv::Mat& whitened, cv::Size padded) {
  Spectrum result{.size = whitened.size(), .padded = padded};
  cv::Mat canvas = cv::Mat::zeros(padded, CV_32F);
  whitened.copyTo(canvas({0, 0, whitened.cols, whitened.rows}));
  cv::dft(canvas, result.values, 0, whitened.rows);
  return result;
}

std::vector<ShiftPeak> find_shifts(const Spectrum& first, const Spectrum& second,
                                   const ShiftOptions& options) {
  cv::Mat product, surface;
  cv::mulSpectrums(second.values, first.values, product, 0, true);
  cv::dft(product, surface, cv::DFT_INVERSE | cv::DFT_SCALE | cv::DFT_REAL_OUTPUT);

  const cv::Size a = first.size, b = second.size, p = first.padded;
  const double smaller = std::min(static_cast<double>(a.area()), static_cast<double>(b.area()));
  auto overlap = [&](int dx, int dy) {
    const int w = std::min(a.width + dx, b.width) - std::max(0, dx);
    const int h = std::min(a.height + dy, b.height) - std::max(0, dy);
    return w > 0 && h > 0 ? static_cast<double>(w) * h : 0.0;
  };
  // Heights in units of chance: a sum over n independent whitened pixels spreads as sqrt(n). The common
  // area is a width times a height, so its root is a product of two short tables.
  auto common_length = [](int shift, int la, int lb) {
    return std::min(la + shift, lb) - std::max(0, shift);
  };
  std::vector<float> inverse_root(static_cast<std::size_t>(a.width + b.width));
  for (int dx = -a.width + 1; dx < b.width; ++dx) {
    inverse_root[dx + a.width] = 1 / std::sqrt(static_cast<float>(common_length(dx, a.width, b.width)));
  }
  std::vector<float> sample;
  cv::Mat wanted = cv::Mat::zeros(surface.size(), CV_8U);
  for (int dy = -a.height + 1; dy < b.height; ++dy) {
    const int y = (dy + p.height) % p.height, common_rows = common_length(dy, a.height, b.height);
    float* row = surface.ptr<float>(y);
    const float root_rows = 1 / std::sqrt(static_cast<float>(common_rows));
    for (int dx = -a.width + 1; dx < b.width; ++dx) {
      if (common_rows * static_cast<double>(common_length(dx, a.width, b.width)) <
              options.min_overlap * smaller ||
          static_cast<double>(dx) * dx + static_cast<double>(dy) * dy <
              static_cast<double>(options.min_distance) * options.min_distance) {
        continue;
      }
      const int x = dx < 0 ? dx + p.width : dx;
      row[x] *= root_rows * inverse_root[dx + a.width];
      wanted.at<std::uint8_t>(y, x) = 255;
      if (((dx * 7 + dy * 13) & 15) == 0) sample.push_back(std::abs(row[x]));
    }
  }
  std::vector<ShiftPeak> peaks;
  if (sample.size() < 16) return peaks;
  std::nth_element(sample.begin(), sample.begin() + sample.size() / 2, sample.end());
  const double spread = std::max(0.3, sample[sample.size() / 2] * 1.4826);
  while (static_cast<int>(peaks.size()) < options.max_peaks) {
    double height;
    cv::Point at;
    cv::minMaxLoc(surface, nullptr, &height, nullptr, &at, wanted);
    if (height <= 4 * spread) break;
    const int dx = at.x < b.width ? at.x : at.x - p.width, dy = at.y < b.height ? at.y : at.y - p.height;
    peaks.push_back(
        {.dx = dx, .dy = dy, .height = height / std::sqrt(overlap(dx, dy)), .deviations = height / spread});
    for (int y = -options.peak_radius; y <= options.peak_radius; ++y) {
      for (int x = -options.peak_radius; x <= options.peak_radius; ++x) {
        surface.at<float>((at.y + y + p.height) % p.height, (at.x + x + p.width) % p.width) = 0;
      }
    }
  }
  return peaks;
}

}  // namespace awry::inspectors::forensics
