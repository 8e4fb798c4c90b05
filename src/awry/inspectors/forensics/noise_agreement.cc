// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/forensics/noise_agreement.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "awry/inspectors/forensics/dense_check.h"
#include "awry/inspectors/forensics/false_alarms.h"
#include "awry/inspectors/forensics/working_image.h"

namespace awry::inspectors::forensics {
namespace {

// The finest detail in units of its local strength, so that no edge outvotes the noise around it.
cv::Mat residual_of(const cv::Mat& grey, double fine_sigma, double coarse_sigma) {
  constexpr int window = 11;
  constexpr double rounding = 0.02, loudest = 2;
  cv::Mat residual = band_pass(grey, fine_sigma, coarse_sigma), strength;
  cv::boxFilter(residual.mul(residual), strength, CV_32F, {window, window}, {-1, -1}, true,
                cv::BORDER_REFLECT);
  cv::sqrt(strength + rounding, strength);
  residual /= strength;
  return cv::min(cv::max(residual, -loudest), loudest);
}

double correlation(const cv::Mat& a, const cv::Mat& b, const cv::Mat& where) {
  const double aa = cv::mean(a.mul(a), where)[0], bb = cv::mean(b.mul(b), where)[0];
  return aa > 0 && bb > 0 ? cv::mean(a.mul(b), where)[0] / std::sqrt(aa * bb) : 0;
}

double fisher_z(double correlation) {
  return std::atanh(std::clamp(correlation, -0.9999, 0.9999));
}

}  // namespace

NoiseAgreement compare_noise(const cv::Mat& grey, const Motion& motion, const cv::Mat& where,
                             double fine_sigma, double coarse_sigma) {
  // On a spiral, so that no direction or distance is preferred; far enough to leave a pixel of blur behind.
  constexpr int kPlacesOff = 16;
  constexpr double golden_angle = 2.39996, nearest_px = 4, farthest_px = 9;
  constexpr double least_spread = 0.03;  // sixteen places cannot vouch for less
  const cv::Rect box = cv::boundingRect(where);
  if (box.empty()) return {};
  const cv::Mat residual = residual_of(grey, fine_sigma, coarse_sigma), here = residual(box),
                inside = where(box);
  const auto correlation_at = [&](double dx, double dy) {
    const Motion from_box = translation(dx, dy) * motion * translation(box.x, box.y);
    return correlation(here, warp_to_first(residual, from_box, box.size(), nullptr), inside);
  };
  std::array<double, kPlacesOff> off{};
  double mean = 0, square = 0;
  NoiseAgreement result{.correlation = correlation_at(0, 0)};
  for (int i = 0; i < kPlacesOff; ++i) {
    const double distance = nearest_px + (farthest_px - nearest_px) * i / (kPlacesOff - 1);
    const double c = correlation_at(std::round(distance * std::cos(golden_angle * i)),
                                    std::round(distance * std::sin(golden_angle * i)));
    result.usual += c / kPlacesOff;
    off[static_cast<std::size_t>(i)] = fisher_z(c);
    mean += fisher_z(c) / kPlacesOff;
  }
  for (const double z : off) square += (z - mean) * (z - mean) / (kPlacesOff - 1);
  const double independent = cv::countNonZero(inside) / 2.0;  // neighbours share part of their noise
  const double spread =
      std::max({least_spread, std::sqrt(square), 1 / std::sqrt(std::max(1.0, independent))});
  result.deviations = (fisher_z(result.correlation) - mean) / spread;
  result.log10_chance = log10_normal_tail(result.deviations);
  return result;
}

}  // namespace awry::inspectors::forensics
