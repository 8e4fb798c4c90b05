// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/forensics/usual_noise.h"

#include <algorithm>
#include <array>
#include <opencv2/imgproc.hpp>
#include <vector>

namespace awry::inspectors::forensics {
namespace {

constexpr int kBrightnessBins = 64;
constexpr float kLeastExpectedNoise = 0.3f;  // grey levels: rounding to 8 bits leaves as much
constexpr float kMostRelativeNoise = 4;      // more is structure, not noise

float median_of(std::vector<float>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// The usual magnitude of the finest detail at each brightness: cameras are noisier where it is brighter.
std::array<float, kBrightnessBins> usual_noise(const cv::Mat1f& smooth, const cv::Mat1f& detail) {
  constexpr std::size_t least_pixels = 150;
  std::array<std::vector<float>, kBrightnessBins> bins;
  for (int y = 0; y < smooth.rows; y += 2) {
    for (int x = y / 2 % 2; x < smooth.cols; x += 2) {
      const int bin =
          std::clamp(static_cast<int>(smooth(y, x)) * kBrightnessBins / 256, 0, kBrightnessBins - 1);
      bins[static_cast<std::size_t>(bin)].push_back(detail(y, x));
    }
  }
  std::array<float, kBrightnessBins> usual{};
  float last = -1;
  for (std::size_t i = 0; i < bins.size(); ++i) {
    if (bins[i].size() >= least_pixels) last = std::max(kLeastExpectedNoise, median_of(bins[i]));
    usual[i] = last;
  }
  last = kLeastExpectedNoise;
  for (std::size_t i = bins.size(); i-- > 0;) {  // what lies below the first known brightness
    if (usual[i] < 0) usual[i] = last;
    last = usual[i];
  }
  return usual;
}

}  // namespace

RelativeNoise relative_noise(const cv::Mat& grey) {
  RelativeNoise result;
  const cv::Matx33f kernel(1 / 6.f, -1 / 3.f, 1 / 6.f, -1 / 3.f, 2 / 3.f, -1 / 3.f, 1 / 6.f, -1 / 3.f,
                           1 / 6.f);
  cv::Mat1f detail, smooth;
  cv::filter2D(grey, detail, CV_32F, kernel, {-1, -1}, 0, cv::BORDER_REFLECT_101);
  detail = cv::abs(detail);
  cv::GaussianBlur(grey, smooth, {}, 1.5);
  const auto usual = usual_noise(smooth, detail);
  result.expected.create(grey.size());
  for (int y = 0; y < grey.rows; ++y) {
    for (int x = 0; x < grey.cols; ++x) {
      const float place =
          std::clamp(smooth(y, x) * kBrightnessBins / 256 - 0.5f, 0.f, kBrightnessBins - 1.001f);
      const auto below = static_cast<std::size_t>(place);
      const float share = place - static_cast<float>(below);
      result.expected(y, x) = (1 - share) * usual[below] + share * usual[below + 1];
    }
  }
  result.relative = cv::min(detail / result.expected, kMostRelativeNoise);
  return result;
}

}  // namespace awry::inspectors::forensics
