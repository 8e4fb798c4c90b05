// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/forensics/photometry.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <opencv2/imgproc.hpp>

namespace awry::inspectors::forensics {
namespace {

struct ColourPair {
  cv::Vec3d first, second;
};

// Blurred, so that interpolation and compression weigh little; clipped pixels say nothing about gain.
std::vector<ColourPair> collect(const cv::Mat& first, const cv::Mat& second, const cv::Mat& shared) {
  cv::Mat a, b, inside;
  cv::GaussianBlur(first, a, {}, 2.0);
  cv::GaussianBlur(second, b, {}, 2.0);
  cv::erode(shared, inside, cv::Mat::ones(7, 7, CV_8U), {-1, -1}, 1, cv::BORDER_CONSTANT, cv::Scalar(0));
  if (cv::countNonZero(inside) < 64) inside = shared;
  // Every brightness gets the same say, or a white background would outvote the few bands of a blot.
  constexpr int levels_per_bin = 8, max_per_bin = 300;
  std::array<std::vector<ColourPair>, 256 / levels_per_bin> bins;
  for (int y = 0; y < a.rows; y += 2) {
    for (int x = 0; x < a.cols; x += 2) {
      if (!inside.at<std::uint8_t>(y, x)) continue;
      const cv::Vec3b p = a.at<cv::Vec3b>(y, x), q = b.at<cv::Vec3b>(y, x);
      const int level = (p[0] + 2 * p[1] + p[2]) / 4;
      bins[level / levels_per_bin].push_back({cv::Vec3d(p[0], p[1], p[2]), cv::Vec3d(q[0], q[1], q[2])});
    }
  }
  std::vector<ColourPair> pairs;
  for (const auto& bin : bins) {
    const std::size_t step = bin.size() / max_per_bin + 1;
    for (std::size_t i = 0; i < bin.size(); i += step) pairs.push_back(bin[i]);
  }
  return pairs;
}

double luma(const cv::Vec3d& c) {
  return 0.299 * c[0] + 0.587 * c[1] + 0.114 * c[2];
}

// Affine map of colours by ridge least squares towards "unchanged", twice: the second pass leaves out what
// the first could not explain.
cv::Matx34d fit_affine(const std::vector<ColourPair>& pairs) {
  cv::Matx34d model(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0);
  double limit = 1e9;
  for (int pass = 0; pass < 3; ++pass) {
    cv::Matx44d normal = cv::Matx44d::zeros();
    cv::Matx<double, 4, 3> right = cv::Matx<double, 4, 3>::zeros();
    std::vector<double> errors;
    for (const ColourPair& pair : pairs) {
      const cv::Vec4d x(pair.first[0], pair.first[1], pair.first[2], 1);
      const double error = cv::norm(model * x - pair.second);
      errors.push_back(error);
      if (pass > 0 && error > limit) continue;
      for (int r = 0; r < 4; ++r) {
        for (int c = 0; c < 4; ++c) normal(r, c) += x[r] * x[c];
        for (int c = 0; c < 3; ++c) right(r, c) += x[r] * (pair.second[c] - pair.first[c]);
      }
    }
    for (int r = 0; r < 4; ++r) normal(r, r) += 0.5 * static_cast<double>(pairs.size()) / 100;
    const cv::Matx<double, 4, 3> change = normal.inv(cv::DECOMP_CHOLESKY) * right;
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c < 4; ++c) model(r, c) = (r == c ? 1.0 : 0.0) + change(c, r);
    }
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const cv::Vec3d& p = pairs[i].first;
      errors[i] = cv::norm(model * cv::Vec4d(p[0], p[1], p[2], 1) - pairs[i].second);
    }
    std::nth_element(errors.begin(), errors.begin() + errors.size() / 2, errors.end());
    limit = std::max(2.0, 4 * errors[errors.size() / 2]);
  }
  return model;
}

double saturation(const cv::Vec3d& c) {
  return std::max({c[0], c[1], c[2]}) - std::min({c[0], c[1], c[2]});
}

}  // namespace

ColourChange fit_colour_change(const cv::Mat& first, const cv::Mat& second, const cv::Mat& shared) {
  ColourChange result;
  const std::vector<ColourPair> pairs = collect(first, second, shared);
  if (pairs.size() < 16) return result;
  const cv::Matx34d model = fit_affine(pairs);

  std::vector<double> explained, leftover;
  double sx = 0, sy = 0, sxx = 0, sxy = 0, saturation_1 = 0, saturation_2 = 0, red = 0, blue = 0, colour = 0;
  for (const ColourPair& pair : pairs) {
    const cv::Vec3d predicted = model * cv::Vec4d(pair.first[0], pair.first[1], pair.first[2], 1);
    explained.push_back(cv::norm(predicted - pair.first) / std::sqrt(3.0));
    leftover.push_back(cv::norm(predicted - pair.second) / std::sqrt(3.0));
    const double x = luma(pair.first), y = luma(predicted);
    sx += x, sy += y, sxx += x * x, sxy += x * y;
    saturation_1 += saturation(pair.first), saturation_2 += saturation(predicted);
    const cv::Vec3d change = predicted - pair.first;
    red += change[0] - change[1], blue += change[2] - change[1];
    colour += cv::norm(change - cv::Vec3d::all((change[0] + change[1] + change[2]) / 3));
  }
  const double n = static_cast<double>(pairs.size());
  auto rms = [&](const std::vector<double>& v) {
    double sum = 0;
    for (double x : v) sum += x * x;
    return std::sqrt(sum / n);
  };
  auto median = [](std::vector<double> v) {
    std::nth_element(v.begin(), v.begin() + v.size() / 2, v.end());
    return v[v.size() / 2];
  };
  result.shift_levels = rms(explained);
  result.leftover_levels = median(leftover);
  const double variance = sxx / n - sx / n * (sx / n);
  result.gain = variance > 0.25 ? (sxy / n - sx / n * (sy / n)) / variance : 1;
  result.offset = sy / n - result.gain * sx / n;

  const double level = std::max(1.0, sx / n);
  // Small shifts count when the model leaves next to nothing unexplained, large ones in any case.
  result.changed = result.shift_levels > std::max(0.4, 1.6 * result.leftover_levels) ||
                   result.shift_levels > std::max(4.0, 1.1 * result.leftover_levels);
  if (!result.changed) return result;
  if (std::abs(result.gain - 1) > 0.05 && std::abs(result.offset) > 2) result.kinds.push_back("contrast");
  if (std::abs(sy - sx) / n > std::max(1.0, 0.02 * level)) result.kinds.push_back("brightness");
  if (colour / n > 1.5) {
    const double ratio = saturation_2 / std::max(1.0, saturation_1);
    if (red * blue < 0 && std::abs(red) > 0.5 * n && std::abs(blue) > 0.5 * n) {
      result.kinds.push_back("colour_temperature");
    } else if (std::abs(std::log(std::max(0.01, ratio))) > 0.1 && saturation_1 > 2 * n) {
      result.kinds.push_back("saturation");
    } else {
      result.kinds.push_back("hue");
    }
  }
  if (result.kinds.empty())
    result.kinds.push_back(std::abs(result.gain - 1) > 0.03 ? "contrast" : "brightness");
  return result;
}

}  // namespace awry::inspectors::forensics
