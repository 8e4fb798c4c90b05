// SPDX-License-Identifier: Apache-2.0
#include "awry/forge/similarity.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <opencv2/imgproc.hpp>

#include "awry/imaging/opencv.h"

namespace awry::forge {
namespace {

constexpr int kSide = 224;
constexpr double kPixels = kSide * kSide;

// Pearson's coefficient over the 256 bins; two flat histograms correlate perfectly, as in OpenCV.
double correlation(const std::array<std::uint32_t, 256>& a, const std::array<std::uint32_t, 256>& b) {
  constexpr double kMeanCount = kPixels / 256;
  double product = 0, square_a = 0, square_b = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double x = a[i] - kMeanCount, y = b[i] - kMeanCount;
    product += x * y, square_a += x * x, square_b += y * y;
  }
  const double scale = square_a * square_b;
  return scale > std::numeric_limits<double>::epsilon() ? product / std::sqrt(scale) : 1.0;
}

double closeness(int a, int b) {
  return 1 - std::abs(a - b) / static_cast<double>(std::max(a, b));
}

}  // namespace

double PanelSimilarity::total() const {
  return 0.4 * (histogram_correlation + 1) / 2 + 0.4 * std::max(ssim, 0.0) + 0.2 * size;
}

PanelSignature signature_of(const imaging::Image& panel) {
  PanelSignature signature{.width = panel.width, .height = panel.height};
  cv::Mat small;
  cv::resize(imaging::as_mat(panel), small, {kSide, kSide}, 0, 0, cv::INTER_LINEAR);
  signature.grey = imaging::to_grey(imaging::from_mat(small)).pixels;
  double sum = 0, squares = 0;
  for (const std::uint8_t grey : signature.grey) {
    ++signature.histogram[grey];
    sum += grey, squares += static_cast<double>(grey) * grey;
  }
  signature.mean = sum / kPixels / 255;
  signature.variance = squares / kPixels / (255.0 * 255.0) - signature.mean * signature.mean;
  return signature;
}

PanelSimilarity similarity_from_sums(const PanelSignature& a, const PanelSignature& b,
                                     double histogram_correlation, std::uint64_t products) {
  constexpr double kC1 = 0.01 * 0.01, kC2 = 0.03 * 0.03;
  const double covariance = static_cast<double>(products) / kPixels / (255.0 * 255.0) - a.mean * b.mean;
  const double ssim = (2 * a.mean * b.mean + kC1) * (2 * covariance + kC2) /
                      ((a.mean * a.mean + b.mean * b.mean + kC1) * (a.variance + b.variance + kC2));
  return {.histogram_correlation = histogram_correlation,
          .ssim = ssim,
          .size = closeness(a.height, b.height) * closeness(a.width, b.width)};
}

PanelSimilarity similarity(const PanelSignature& a, const PanelSignature& b) {
  std::uint64_t products = 0;
  for (std::size_t i = 0; i < a.grey.size(); ++i)
    products += static_cast<std::uint64_t>(a.grey[i]) * b.grey[i];
  return similarity_from_sums(a, b, correlation(a.histogram, b.histogram), products);
}

}  // namespace awry::forge
