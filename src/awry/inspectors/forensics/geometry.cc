// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/forensics/geometry.h"

#include <cmath>
#include <opencv2/imgproc.hpp>

namespace awry::inspectors::forensics {
namespace {

constexpr double kDegrees = 180 / CV_PI;

double wrap_degrees(double angle) {
  while (angle > 180) angle -= 360;
  while (angle <= -180) angle += 360;
  return angle;
}

}  // namespace

cv::Point2d apply(const Motion& motion, double x, double y) {
  return {motion(0, 0) * x + motion(0, 1) * y + motion(0, 2),
          motion(1, 0) * x + motion(1, 1) * y + motion(1, 2)};
}

Motion translation(double x, double y) {
  return {1, 0, x, 0, 1, y, 0, 0, 1};
}

Motion mirror(int width) {
  return {-1, 0, width - 1.0, 0, 1, 0, 0, 0, 1};
}

Motion similarity(double scale, double degrees, double shift_x, double shift_y) {
  const double c = scale * std::cos(degrees / kDegrees), s = scale * std::sin(degrees / kDegrees);
  return {c, -s, shift_x, s, c, shift_y, 0, 0, 1};
}

Motion dihedral(int which, int width, int height) {
  Motion motion = which >= 4 ? mirror(width) : Motion::eye();
  int h = height, w = width;
  for (int turn = 0; turn < which % 4; ++turn) {
    motion = Motion(0, -1, h - 1.0, 1, 0, 0, 0, 0, 1) * motion;  // clockwise on the screen
    std::swap(w, h);
  }
  return motion;
}

cv::Mat dihedral_image(const cv::Mat& image, int which) {
  cv::Mat result = image;
  if (which >= 4) cv::flip(image, result, 1);
  switch (which % 4) {
    case 1:
      cv::rotate(result, result, cv::ROTATE_90_CLOCKWISE);
      break;
    case 2:
      cv::rotate(result, result, cv::ROTATE_180);
      break;
    case 3:
      cv::rotate(result, result, cv::ROTATE_90_COUNTERCLOCKWISE);
      break;
    default:
      break;
  }
  return result;
}

std::optional<Motion> nearest_lossless(const Motion& motion, cv::Size first, double max_px) {
  Motion exact = Motion::eye();
  for (int r = 0; r < 2; ++r) {
    for (int c = 0; c < 2; ++c) exact(r, c) = std::round(motion(r, c));
  }
  if (std::abs(exact(0, 0) * exact(1, 1) - exact(0, 1) * exact(1, 0)) != 1) return std::nullopt;
  const double cx = first.width / 2.0, cy = first.height / 2.0;
  const cv::Point2d centre = apply(motion, cx, cy) - apply(exact, cx, cy);
  exact(0, 2) = std::round(centre.x);
  exact(1, 2) = std::round(centre.y);
  for (const double x : {0.0, 2 * cx}) {
    for (const double y : {0.0, 2 * cy}) {
      if (cv::norm(apply(exact, x, y) - apply(motion, x, y)) > max_px) return std::nullopt;
    }
  }
  return exact;
}

MotionParts parts_of(const Motion& motion) {
  const double determinant = motion(0, 0) * motion(1, 1) - motion(0, 1) * motion(1, 0);
  MotionParts parts{.scale = std::sqrt(std::abs(determinant))};
  if (determinant >= 0) {
    parts.rotation_degrees =
        wrap_degrees(kDegrees * std::atan2(motion(1, 0) - motion(0, 1), motion(0, 0) + motion(1, 1)));
    return parts;
  }
  // motion = rotation * diag(-1, 1): undo the horizontal flip, then see which flip leaves less to turn.
  const double after_horizontal =
      wrap_degrees(kDegrees * std::atan2(-motion(1, 0) - motion(0, 1), -motion(0, 0) + motion(1, 1)));
  const double after_vertical = wrap_degrees(after_horizontal + 180);
  parts.horizontal_flip = std::abs(after_horizontal) <= std::abs(after_vertical);
  parts.vertical_flip = !parts.horizontal_flip;
  parts.rotation_degrees = parts.horizontal_flip ? after_horizontal : after_vertical;
  return parts;
}

std::vector<std::string> geometric_operations(const MotionParts& parts, const MotionTolerance& tolerance) {
  std::vector<std::string> operations;
  if (std::abs(std::log(parts.scale)) > tolerance.scale) operations.push_back("scaling");
  if (std::abs(parts.rotation_degrees) > tolerance.degrees) operations.push_back("rotation");
  if (parts.horizontal_flip) operations.push_back("horizontal_flip");
  if (parts.vertical_flip) operations.push_back("vertical_flip");
  return operations;
}

double overlap_share(const Motion& second_from_first, cv::Size first, cv::Size second) {
  const Motion first_from_second = second_from_first.inv();
  std::vector<cv::Point2f> a{{0, 0},
                             {static_cast<float>(first.width), 0},
                             {static_cast<float>(first.width), static_cast<float>(first.height)},
                             {0, static_cast<float>(first.height)}};
  std::vector<cv::Point2f> b, common;
  for (const auto& [x, y] :
       {std::pair{0, 0}, {second.width, 0}, {second.width, second.height}, {0, second.height}}) {
    const cv::Point2d p = apply(first_from_second, x, y);
    b.emplace_back(static_cast<float>(p.x), static_cast<float>(p.y));
  }
  const double area = cv::intersectConvexConvex(a, b, common);
  return area / std::max(1.0, static_cast<double>(first.area()));
}

}  // namespace awry::inspectors::forensics
