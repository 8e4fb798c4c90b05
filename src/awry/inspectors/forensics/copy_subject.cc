// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/forensics/copy_subject.h"

#include <algorithm>
#include <opencv2/imgproc.hpp>

#include "awry/inspectors/forensics/noise_level.h"
#include "awry/inspectors/forensics/working_image.h"

namespace awry::inspectors::forensics {
namespace {

cv::Mat window_mean(const cv::Mat& values) {
  cv::Mat result;
  cv::boxFilter(values, result, CV_32F, {2 * kCopyRadius + 1, 2 * kCopyRadius + 1}, {-1, -1}, true,
                cv::BORDER_REFLECT);
  return result;
}

}  // namespace

CopySubject copy_subject(const cv::Mat& grey) {
  CopySubject subject{.grey = grey,
                      .noise = noise_floor(grey, 2 * kCopyRadius + 1),
                      .required = cv::Mat(grey.size(), CV_32F)};
  const cv::Mat band = band_pass(grey, kCopyBand.fine_sigma, kCopyBand.coarse_sigma);
  const cv::Mat all = window_mean(band.mul(band));
  constexpr double deviation_of_median = 1.4826, darkest_paper = 40;
  constexpr double least_detail = 0.2;  // grey levels, of the band that is compared
  subject.recorded =
      (all >= least_detail * least_detail) & ~drawn_areas(grey, 2 * kCopyRadius + 1, darkest_paper);
  for (int y = 0; y < grey.rows; ++y) {
    for (int x = 0; x < grey.cols; ++x) {
      // From the floor, because a thin line, the frame of a blot say, is as fine as noise.
      const double noise = deviation_of_median * subject.noise.at<float>(y, x);
      const double noisiness = noise * noise / (all.at<float>(y, x) + 0.05);
      const double smooth = std::clamp((0.5 - noisiness) / 0.35, 0.0, 1.0);
      subject.required.at<float>(y, x) = static_cast<float>(
          kNoisyCopyCorrelation + smooth * (kSmoothCopyCorrelation - kNoisyCopyCorrelation));
    }
  }
  return subject;
}

bool is_drawing(const CopySubject& subject) {
  constexpr int window = 15;
  constexpr double least_recorded = 0.05, most_paper = 0.36, white = 200;
  // Windows of programs hold less paper, and letters that look recorded once they were scaled.
  constexpr double some_paper = 0.25, little_recorded = 0.3;
  const cv::Mat plain = plain_areas(subject.grey) & (subject.grey >= white);
  const double area = static_cast<double>(plain.total()), paper = cv::countNonZero(plain) / area;
  if (paper > most_paper) return true;
  cv::Mat recorded = subject.recorded;
  cv::morphologyEx(recorded, recorded, cv::MORPH_OPEN, cv::Mat::ones(window, window, CV_8U));
  return cv::countNonZero(recorded) < (paper > some_paper ? little_recorded : least_recorded) * area;
}

double least_copy_distance(cv::Size size) {
  return std::max(16.0, 0.05 * std::min(size.width, size.height));
}

cv::Mat moved_far_enough(const Motion& motion, cv::Size size) {
  const double nearest = least_copy_distance(size);
  cv::Mat result(size, CV_8U);
  for (int y = 0; y < size.height; ++y) {
    std::uint8_t* row = result.ptr(y);
    const cv::Point2d left = apply(motion, 0, y) - cv::Point2d(0, y);
    for (int x = 0; x < size.width; ++x) {
      const double dx = left.x + x * (motion(0, 0) - 1), dy = left.y + x * motion(1, 0);
      row[x] = dx * dx + dy * dy < nearest * nearest ? 0 : 255;
    }
  }
  return result;
}

}  // namespace awry::inspectors::forensics
