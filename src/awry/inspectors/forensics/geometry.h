// SPDX-License-Identifier: Apache-2.0
// Transforms between panels, and what a person would call them.
#pragma once

#include <opencv2/core.hpp>
#include <optional>
#include <string>
#include <vector>

namespace awry::inspectors::forensics {

// A point of the first image, in homogeneous pixel coordinates, to where it lies in the second.
using Motion = cv::Matx33d;

cv::Point2d apply(const Motion& motion, double x, double y);
Motion translation(double x, double y);
// Left and right exchanged in an image of this width.
Motion mirror(int width);
// Scale and rotation about the origin, then a shift.
Motion similarity(double scale, double degrees, double shift_x, double shift_y);

// One of the eight ways to lay a rectangle onto itself: quarter turns 0..3, first mirrored for 4..7.
Motion dihedral(int which, int width, int height);
// The pixels so moved.
cv::Mat dihedral_image(const cv::Mat& image, int which);

// The flip, quarter turn and whole-pixel shift nearest to this motion, when it is within `max_px` of one all
// over an image of this size: such copies lost nothing to interpolation.
std::optional<Motion> nearest_lossless(const Motion& motion, cv::Size first, double max_px = 0.75);

struct MotionParts {
  double scale = 1;
  double rotation_degrees = 0;  // (-180, 180]; of what is left once the nearest flip is undone
  bool horizontal_flip = false, vertical_flip = false;  // at most one: both together are a half turn
};

// A mirrored motion is read as the flip that needs the smaller rotation beside it, so that upside down
// means "vertical flip" and not "horizontal flip, then a half turn".
MotionParts parts_of(const Motion& motion);

struct MotionTolerance {
  double scale = 0.02;  // relative
  double degrees = 1.0;
};

// Any of "scaling", "rotation", "horizontal_flip", "vertical_flip"; empty when the motion only shifts.
std::vector<std::string> geometric_operations(const MotionParts& parts,
                                              const MotionTolerance& tolerance = {});

// Share of the first rectangle that the second covers once laid over it.
double overlap_share(const Motion& second_from_first, cv::Size first, cv::Size second);

}  // namespace awry::inspectors::forensics
