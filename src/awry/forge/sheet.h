// SPDX-License-Identifier: Apache-2.0
// Drawn panels: letters, rounded boxes and arrows on paper, with every word and its place remembered.
// Internal to forge/, because it speaks OpenCV.
#pragma once

#include <string_view>

#include "awry/forge/brushes.h"
#include "awry/forge/paint.h"

namespace awry::forge {

class Sheet {
 public:
  Sheet(int width, int height, cv::Scalar paper = {255, 255, 255});

  // Letters are made smaller, if need be, to fit into `max_width` pixels (0: no limit).
  void write(std::string_view text, cv::Point2d at, TextStyle style, double max_width = 0);
  void line(cv::Point2d from, cv::Point2d to, const cv::Scalar& colour, double width);
  void arrow(cv::Point2d from, cv::Point2d to, const cv::Scalar& colour, double width, double head);
  void box(const cv::Rect2d& box, double corner, const cv::Scalar& filling, const cv::Scalar& edge,
           double width);
  void polygon(const Outline& outline, const cv::Scalar& filling);

  int width() const { return painted_.image.width; }
  int height() const { return painted_.image.height; }
  Painted& painted() { return painted_; }
  Painted take() { return std::move(painted_); }

 private:
  cv::Mat canvas() { return imaging::as_mat(painted_.image); }
  Painted painted_;
};

}  // namespace awry::forge
