// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/forensics/mask_shapes.h"

#include <opencv2/imgproc.hpp>
#include <vector>

namespace awry::inspectors::forensics {

cv::Mat ellipse(int diameter) {
  return cv::getStructuringElement(cv::MORPH_ELLIPSE, {diameter, diameter});
}

cv::Mat opened(const cv::Mat& mask, const cv::Mat& shape) {
  const cv::Point anchor(shape.cols / 2, shape.rows / 2);
  cv::Mat result;
  cv::erode(mask, result, shape, anchor);
  cv::dilate(result, result, shape, cv::Point(shape.cols - 1, shape.rows - 1) - anchor);
  return result;
}

cv::Mat without_holes(const cv::Mat& mask) {
  std::vector<std::vector<cv::Point>> outlines;
  cv::findContours(mask, outlines, cv::RETR_EXTERNAL, cv::CHAIN_APPROX_NONE);
  cv::Mat result = cv::Mat::zeros(mask.size(), CV_8U);
  cv::drawContours(result, outlines, -1, cv::Scalar(255), cv::FILLED);
  return result;
}

cv::Mat moved_mask(const cv::Mat& mask, const Motion& motion) {
  const Motion m = motion.inv();
  cv::Mat result;
  cv::warpAffine(mask, result, cv::Matx23d(m(0, 0), m(0, 1), m(0, 2), m(1, 0), m(1, 1), m(1, 2)), mask.size(),
                 cv::WARP_INVERSE_MAP | cv::INTER_NEAREST, cv::BORDER_CONSTANT, cv::Scalar(0));
  return result;
}

cv::Mat parts_holding(const cv::Mat& candidates, const cv::Mat& core, double min_core, double min_area) {
  cv::Mat labels;
  const int count = cv::connectedComponents(candidates, labels);
  std::vector<int> areas(static_cast<std::size_t>(count)), cores(static_cast<std::size_t>(count));
  for (int y = 0; y < labels.rows; ++y) {
    for (int x = 0; x < labels.cols; ++x) {
      const auto label = static_cast<std::size_t>(labels.at<int>(y, x));
      ++areas[label];
      cores[label] += core.at<std::uint8_t>(y, x) != 0;
    }
  }
  cv::Mat result = cv::Mat::zeros(candidates.size(), CV_8U);
  for (int y = 0; y < labels.rows; ++y) {
    for (int x = 0; x < labels.cols; ++x) {
      const auto label = static_cast<std::size_t>(labels.at<int>(y, x));
      if (label > 0 && areas[label] >= min_area && cores[label] >= min_core)
        result.at<std::uint8_t>(y, x) = 255;
    }
  }
  return result;
}

}  // namespace awry::inspectors::forensics
