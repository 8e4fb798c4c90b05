// SPDX-License-Identifier: Apache-2.0
// What painters of defective objects share: a drawing board in units of its own, masks by comparison, and the
// camera. Internal to forge/, because it speaks OpenCV.
#pragma once

#include "awry/forge/anomaly_picture.h"
#include "awry/forge/sheet.h"

namespace awry::forge {

// Drawing in a fixed virtual size, shown at any other, moved a little as parts under a camera are.
class Board {
 public:
  Board(int width, int height, double virtual_width, cv::Scalar ground, cv::Point2d offset)
      : sheet_(width, height, ground), scale_(width / virtual_width), offset_(offset) {}

  cv::Point2d at(double x, double y) const { return (cv::Point2d(x, y) + offset_) * scale_; }
  void box(double x, double y, double width, double height, double corner, const cv::Scalar& filling,
           const cv::Scalar& edge = {30, 30, 30}, double line = 1.5);
  void disc(double x, double y, double radius, const cv::Scalar& filling);
  void ring(double x, double y, double radius, double thickness, const cv::Scalar& colour);
  void line(double x1, double y1, double x2, double y2, const cv::Scalar& colour, double width);
  // A round cable along a smooth curve through four points, with its shadow side and its shine.
  void cable(std::span<const cv::Point2d> points, const cv::Scalar& colour, double width);
  void letters(std::string_view text, double x, double y, double height, const cv::Scalar& colour);
  void polygon(const Outline& outline, const cv::Scalar& filling);
  imaging::Image take() { return sheet_.take().image; }

 private:
  Sheet sheet_;
  double scale_;
  cv::Point2d offset_;
};

// Uneven light, a soft lens and sensor noise; the same for the same stream, so that two drawings that agree
// in a neighbourhood agree there afterwards.
imaging::Image photographed(const imaging::Image& drawing, RandomStream random);

}  // namespace awry::forge
