// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/forensics/self_shifts.h"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

namespace awry::inspectors::forensics {
namespace {

// Divides every frequency by the mean magnitude around it. OpenCV packs real spectra: column 0 (and, for even
// widths, the last) holds frequencies without a horizontal part, row 0 those without a vertical one. Lines
// and frames dominate them: they go.
void even_out(cv::Mat& product) {
  constexpr int around = 9;
  constexpr double least = 1e-3;  // of the largest mean: frequencies that hold next to nothing stay so
  const int pairs = (product.cols - 1) / 2;
  cv::Mat magnitude(product.rows, pairs, CV_32F);
  for (int y = 0; y < product.rows; ++y) {
    const float* from = product.ptr<float>(y) + 1;
    float* to = magnitude.ptr<float>(y);
    for (int k = 0; k < pairs; ++k)
      to[k] = std::sqrt(from[2 * k] * from[2 * k] + from[2 * k + 1] * from[2 * k + 1]);
  }
  cv::boxFilter(magnitude, magnitude, CV_32F, {around, around}, {-1, -1}, true, cv::BORDER_REFLECT);
  double largest;
  cv::minMaxLoc(magnitude, nullptr, &largest);
  const float floor = static_cast<float>(std::max(1e-9, least * largest));
  for (int y = 0; y < product.rows; ++y) {
    float* row = product.ptr<float>(y);
    const float* mean = magnitude.ptr<float>(y);
    row[0] = 0;
    if (product.cols % 2 == 0) row[product.cols - 1] = 0;
    for (int k = 0; k < pairs; ++k) {
      const float scale = 1 / (mean[k] + floor);
      row[1 + 2 * k] *= scale;
      row[2 + 2 * k] *= scale;
    }
  }
  product.row(0) = 0;
}

// Heights in units of chance, for all dx and dy from 0 on: a sum over n pixels spreads as sqrt(n).
cv::Mat heights(const cv::Mat& surface, cv::Size image) {
  cv::Mat result(image.height, 2 * image.width - 1, CV_32F);
  for (int dy = 0; dy < result.rows; ++dy) {
    const float* from = surface.ptr<float>(dy);
    float* to = result.ptr<float>(dy);
    const float rows = static_cast<float>(image.height - dy);
    for (int x = 0; x < result.cols; ++x) {
      const int dx = x - image.width + 1;
      to[x] = from[dx < 0 ? dx + surface.cols : dx] /
              std::sqrt(rows * static_cast<float>(image.width - std::abs(dx)));
    }
  }
  return result;
}

double usual_height(const cv::Mat& heights) {
  std::vector<float> sample;
  for (int y = 0; y < heights.rows; y += 3) {
    for (int x = y % 7; x < heights.cols; x += 7) sample.push_back(std::abs(heights.at<float>(y, x)));
  }
  const auto middle = sample.begin() + static_cast<std::ptrdiff_t>(sample.size() / 2);
  std::nth_element(sample.begin(), middle, sample.end());
  constexpr double deviation_of_median = 1.4826;
  return std::max(1e-9, deviation_of_median * *middle);
}

}  // namespace

std::vector<ShiftPeak> find_self_shifts(const Spectrum& spectrum, const SelfShiftOptions& options) {
  constexpr int ring = 31, apart = 4;
  cv::Mat product, surface;
  cv::mulSpectrums(spectrum.values, spectrum.values, product, 0, true);
  even_out(product);
  cv::dft(product, surface, cv::DFT_INVERSE | cv::DFT_SCALE | cv::DFT_REAL_OUTPUT);
  const cv::Size size = spectrum.size;
  const cv::Mat height = heights(surface, size);
  const double usual = usual_height(height);
  cv::Mat mean, square;
  cv::boxFilter(height, mean, CV_32F, {ring, ring}, {-1, -1}, true, cv::BORDER_REFLECT);
  cv::boxFilter(height.mul(height), square, CV_32F, {ring, ring}, {-1, -1}, true, cv::BORDER_REFLECT);
  cv::Mat deviations = cv::Mat::zeros(height.size(), CV_32F);
  for (int dy = 0; dy < height.rows; ++dy) {
    for (int x = 0; x < height.cols; ++x) {
      const int dx = x - size.width + 1;
      const double common = (size.height - dy) * static_cast<double>(size.width - std::abs(dx));
      if (common < options.min_overlap * size.area() || (dy == 0 && dx <= 0) ||
          dx * dx + dy * dy < options.min_distance * options.min_distance)
        continue;
      const double here = mean.at<float>(dy, x);
      const double spread = std::sqrt(std::max(usual * usual, square.at<float>(dy, x) - here * here));
      deviations.at<float>(dy, x) = static_cast<float>((height.at<float>(dy, x) - here) / spread);
    }
  }
  std::vector<ShiftPeak> peaks;
  while (static_cast<int>(peaks.size()) < options.max_peaks) {
    double highest;
    cv::Point at;
    cv::minMaxLoc(deviations, nullptr, &highest, nullptr, &at);
    if (highest < options.min_deviations) break;
    peaks.push_back({.dx = at.x - size.width + 1,
                     .dy = at.y,
                     .height = height.at<float>(at) / usual,
                     .deviations = highest});
    cv::rectangle(deviations, at - cv::Point(apart, apart), at + cv::Point(apart, apart), cv::Scalar(0),
                  cv::FILLED);
  }
  return peaks;
}

}  // namespace awry::inspectors::forensics
