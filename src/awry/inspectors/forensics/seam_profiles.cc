// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/forensics/seam_profiles.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <opencv2/imgproc.hpp>
#include <vector>

namespace awry::inspectors::forensics {
namespace {

constexpr int kBrightnessBins = 64;
constexpr float kLeastExpectedNoise = 0.3f;  // grey levels: rounding to 8 bits leaves as much
constexpr float kLogFloor = 0.15f;           // keeps the logarithm of nothing finite
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

cv::Mat1f turned(const cv::Mat& image, const cv::Matx23d& frame_from_image, cv::Size size,
                 int interpolation) {
  cv::Mat1f result;
  cv::warpAffine(image, result, frame_from_image, size, interpolation, cv::BORDER_REFLECT_101);
  return result;
}

cv::Mat1f averaged_along(const cv::Mat1f& values, int stretch) {
  cv::Mat1f result;
  cv::boxFilter(values, result, CV_32F, {stretch, 1}, {-1, -1}, true, cv::BORDER_REFLECT_101);
  return result;
}

cv::Mat1f sampled_logarithm(const cv::Mat1f& values) {
  constexpr int step = SeamFrame::kColumnStep;
  cv::Mat1f result(values.rows, (values.cols + step - 1) / step);
  for (int y = 0; y < values.rows; ++y) {
    for (int x = 0; x < result.cols; ++x) result(y, x) = values(y, x * step) + kLogFloor;
  }
  cv::log(result, result);
  return result;
}

}  // namespace

SeamSubject seam_subject(const cv::Mat& grey) {
  SeamSubject subject{.grey = grey};
  const cv::Matx33f kernel(1 / 6.f, -1 / 3.f, 1 / 6.f, -1 / 3.f, 2 / 3.f, -1 / 3.f, 1 / 6.f, -1 / 3.f,
                           1 / 6.f);
  cv::Mat1f detail, smooth;
  cv::filter2D(grey, detail, CV_32F, kernel, {-1, -1}, 0, cv::BORDER_REFLECT_101);
  detail = cv::abs(detail);
  cv::GaussianBlur(grey, smooth, {}, 1.5);
  const auto usual = usual_noise(smooth, detail);
  subject.expected_noise.create(grey.size());
  for (int y = 0; y < grey.rows; ++y) {
    for (int x = 0; x < grey.cols; ++x) {
      const float place =
          std::clamp(smooth(y, x) * kBrightnessBins / 256 - 0.5f, 0.f, kBrightnessBins - 1.001f);
      const auto below = static_cast<std::size_t>(place);
      const float share = place - static_cast<float>(below);
      subject.expected_noise(y, x) = (1 - share) * usual[below] + share * usual[below + 1];
    }
  }
  subject.relative_noise = cv::min(detail / subject.expected_noise, kMostRelativeNoise);
  return subject;
}

double seam_angle(int direction) {
  return direction * std::numbers::pi / kSeamDirections;
}

cv::Point2d seam_normal(int direction) {
  return {-std::sin(seam_angle(direction)), std::cos(seam_angle(direction))};
}

SeamFrame seam_frame(const SeamSubject& subject, int direction) {
  constexpr int smoothing = 7;  // pixels along the line: enough to see a slope through the noise
  const double c = std::cos(seam_angle(direction)), s = std::sin(seam_angle(direction));
  const double width = subject.grey.cols, height = subject.grey.rows;
  // Lines of this direction become rows; the frame is just large enough for the turned image.
  const cv::Size size(static_cast<int>(std::ceil(width * std::abs(c) + height * std::abs(s))),
                      static_cast<int>(std::ceil(width * std::abs(s) + height * std::abs(c))));
  const double centre_x = (width - 1) / 2, centre_y = (height - 1) / 2;
  SeamFrame frame;
  frame.frame_from_image = {c,  s, (size.width - 1) / 2.0 - c * centre_x - s * centre_y,
                            -s, c, (size.height - 1) / 2.0 + s * centre_x - c * centre_y};
  const bool upright = direction % (kSeamDirections / 2) == 0;
  const int interpolation = upright ? cv::INTER_NEAREST : cv::INTER_LINEAR;
  const cv::Mat1f grey = turned(subject.grey, frame.frame_from_image, size, interpolation);
  const cv::Mat1f expected = turned(subject.expected_noise, frame.frame_from_image, size, cv::INTER_NEAREST);
  const cv::Mat1f noise = turned(subject.relative_noise, frame.frame_from_image, size, cv::INTER_NEAREST);
  cv::Mat1b everywhere(subject.grey.size(), 255), within;
  cv::warpAffine(everywhere, within, frame.frame_from_image, size, cv::INTER_NEAREST, cv::BORDER_CONSTANT, 0);

  const cv::Mat1f line = averaged_along(grey, smoothing);
  cv::Mat1f slope(size, 0.f), bend(size, 0.f);
  for (int y = 1; y + 1 < size.height; ++y) {
    const float *above = line[y - 1], *here = line[y], *below = line[y + 1], *usual = expected[y];
    float *to_slope = slope[y], *to_bend = bend[y];
    for (int x = 0; x < size.width; ++x) {
      to_slope[x] = std::abs(below[x] - above[x]) / usual[x];
      to_bend[x] = std::abs(below[x] - 2 * here[x] + above[x]) / usual[x];
    }
  }
  const std::array<const cv::Mat1f*, kSeamQuantities.size()> sources = {&noise, &noise, &slope, &bend};
  for (std::size_t i = 0; i < sources.size(); ++i)
    frame.quantities[i] = sampled_logarithm(averaged_along(*sources[i], kSeamQuantities[i].stretch));
  frame.inside.create(size.height, frame.quantities[0].cols);
  for (int y = 0; y < size.height; ++y) {
    for (int x = 0; x < frame.inside.cols; ++x) frame.inside(y, x) = within(y, x * SeamFrame::kColumnStep);
  }
  return frame;
}

bool seam_features_at(const SeamFrame& frame, cv::Point2d place, bool flipped, SeamFeatures& features) {
  const cv::Matx23d& m = frame.frame_from_image;
  const int x = cvRound((m(0, 0) * place.x + m(0, 1) * place.y + m(0, 2)) / SeamFrame::kColumnStep);
  const int y = cvRound(m(1, 0) * place.x + m(1, 1) * place.y + m(1, 2));
  const cv::Mat1b& inside = frame.inside;
  if (y < kSeamReach || y + kSeamReach >= inside.rows || x < 0 || x >= inside.cols) return false;
  if (!inside(y - kSeamReach, x) || !inside(y + kSeamReach, x)) return false;
  std::size_t next = 0;
  for (std::size_t i = 0; i < kSeamQuantities.size(); ++i) {
    const int reach = kSeamQuantities[i].reach;
    for (int offset = -reach; offset <= reach; ++offset)
      features[next++] = frame.quantities[i](y + (flipped ? -offset : offset), x);
  }
  return true;
}

}  // namespace awry::inspectors::forensics
