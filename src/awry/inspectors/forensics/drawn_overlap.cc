// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/forensics/drawn_overlap.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <vector>

namespace awry::inspectors::forensics {
namespace {

constexpr int kWindow = 9;

cv::Mat window_mean(const cv::Mat& values) {
  cv::Mat result;
  cv::boxFilter(values, result, CV_32F, {kWindow, kWindow}, {-1, -1}, true, cv::BORDER_REFLECT);
  return result;
}

struct Levels {
  double low = 0, high = 0;
  double range() const { return high - low; }
};

// Without the rarest, so that one bright speck does not make everything else look faint.
Levels levels_of(const cv::Mat& values, const cv::Mat& covered) {
  std::array<int, 256> histogram{};
  int total = 0;
  for (int y = 0; y < values.rows; ++y) {
    for (int x = 0; x < values.cols; ++x) {
      if (!covered.at<std::uint8_t>(y, x)) continue;
      ++histogram[static_cast<std::size_t>(std::clamp(cvRound(values.at<float>(y, x)), 0, 255))];
      ++total;
    }
  }
  const auto quantile = [&](double share) {
    int seen = 0;
    for (std::size_t level = 0; level < histogram.size(); ++level) {
      seen += histogram[level];
      if (seen > share * total) return static_cast<double>(level);
    }
    return 255.0;
  };
  return {quantile(0.002), quantile(0.998)};
}

// The usual level in the second image of each level in the first.
std::array<float, 256> level_map(const cv::Mat& first, const cv::Mat& second, const cv::Mat& covered) {
  std::array<std::vector<float>, 256> seen;
  for (int y = 0; y < first.rows; ++y) {
    for (int x = y % 2; x < first.cols; x += 2) {
      if (!covered.at<std::uint8_t>(y, x)) continue;
      seen[static_cast<std::size_t>(std::clamp(cvRound(first.at<float>(y, x)), 0, 255))].push_back(
          second.at<float>(y, x));
    }
  }
  std::array<float, 256> map{};
  float last = 0;
  for (std::size_t level = 0; level < map.size(); ++level) {
    std::vector<float>& values = seen[level];
    if (values.size() > 8) {
      const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
      std::nth_element(values.begin(), middle, values.end());
      last = *middle;
    }
    map[level] = last;
  }
  return map;
}

// Share of the small squares within `covered` in which nothing is drawn in at least one of the two.
double plain_share(const cv::Mat& first, const cv::Mat& second, const cv::Mat& covered) {
  constexpr double plain_levels = 8;
  const auto is_plain = [](const cv::Mat& square) {
    double low, high;
    cv::minMaxLoc(square, &low, &high);
    return high - low < plain_levels;
  };
  int plain = 0, squares = 0;
  for (int y = 0; y + kWindow <= first.rows; y += kWindow) {
    for (int x = 0; x + kWindow <= first.cols; x += kWindow) {
      const cv::Rect square(x, y, kWindow, kWindow);
      if (cv::countNonZero(covered(square)) < kWindow * kWindow) continue;
      ++squares;
      plain += is_plain(first(square)) || is_plain(second(square));
    }
  }
  return squares > 0 ? plain / static_cast<double>(squares) : 0;
}

}  // namespace

DrawnOverlap look_at_drawn_overlap(const cv::Mat& first, const cv::Mat& second, const cv::Mat& covered) {
  constexpr double least_plain = 0.25;
  // Blur and compression leave this much of a line's contrast, and differ by less.
  constexpr double line = 0.12, same = 0.8, near = 0.06;
  DrawnOverlap result{.is_drawn = plain_share(first, second, covered) > least_plain};
  if (!result.is_drawn) return result;
  cv::Mat a, b, inside;
  cv::GaussianBlur(first, a, {}, 1.0);
  cv::GaussianBlur(second, b, {}, 1.0);
  cv::erode(covered, inside, cv::Mat::ones(kWindow, kWindow, CV_8U), {-1, -1}, 1, cv::BORDER_CONSTANT,
            cv::Scalar(0));
  const double area = cv::countNonZero(inside);
  if (area < 64) return result;
  const cv::Mat ma = window_mean(a), mb = window_mean(b);
  const cv::Mat va = window_mean(a.mul(a)) - ma.mul(ma), vb = window_mean(b.mul(b)) - mb.mul(mb);
  const cv::Mat vab = window_mean(a.mul(b)) - ma.mul(mb);
  const Levels levels_a = levels_of(a, inside), levels_b = levels_of(b, inside);
  const auto map = level_map(a, b, inside);
  cv::Mat mapped(a.size(), CV_32F);
  for (int y = 0; y < a.rows; ++y) {
    for (int x = 0; x < a.cols; ++x)
      mapped.at<float>(y, x) = map[static_cast<std::size_t>(std::clamp(cvRound(a.at<float>(y, x)), 0, 255))];
  }
  const cv::Mat difference = window_mean(cv::abs(mapped - b));
  const double line_a = line * levels_a.range(), line_b = line * levels_b.range();
  double ink = 0, unexplained = 0;
  for (int y = 0; y < a.rows; ++y) {
    for (int x = 0; x < a.cols; ++x) {
      if (!inside.at<std::uint8_t>(y, x)) continue;
      const double da = std::sqrt(std::max(0.0f, va.at<float>(y, x))),
                   db = std::sqrt(std::max(0.0f, vb.at<float>(y, x)));
      if (da < line_a && db < line_b) continue;
      ++ink;
      const bool agrees = vab.at<float>(y, x) >= same * std::max(1e-3, da * db);
      unexplained += !agrees && difference.at<float>(y, x) > near * levels_b.range();
    }
  }
  result.ink = ink / area;
  result.unexplained = ink > 0 ? unexplained / ink : 0;
  return result;
}

}  // namespace awry::inspectors::forensics
