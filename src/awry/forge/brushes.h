// SPDX-License-Identifier: Apache-2.0
// What the painters share: textures, outlines, lettering, and the physics of a camera. Values on a Plane
// are linear light or stain density, nominally 0..1. Internal to forge/, because it speaks OpenCV.
#pragma once

#include <string_view>
#include <vector>

#include "awry/base/random.h"
#include "awry/imaging/opencv.h"
#include "awry/records/region.h"

namespace awry::forge {

using Plane = cv::Mat1f;
using Outline = std::vector<cv::Point2d>;

inline float to_float(double value) {
  return static_cast<float>(value);
}

// Details grow with the square root of the panel: a larger panel shows more of the scene as well as finer.
double detail_scale(cv::Size size);

// Clouds: mean 0, deviation about 1, features of `feature_px` and, per further octave, half of it.
Plane cloud_noise(cv::Size size, double feature_px, int octaves, RandomStream random);

// Strands `length_px` long and `thickness_px` wide that run along `angle` (radians) and meander by
// `waviness_px`. Mean 0, deviation about 1.
struct FibreStyle {
  double length_px = 60, thickness_px = 3, angle = 0, waviness_px = 20;
};
Plane fibre_noise(cv::Size size, const FibreStyle& style, RandomStream random);

// A closed outline around `centre`: an ellipse whose radius wobbles by about `irregularity` (0 = ellipse).
struct BlobStyle {
  double radius_x = 10, radius_y = 10, angle = 0, irregularity = 0.1;
};
Outline blob_outline(cv::Point2d centre, const BlobStyle& style, RandomStream random);

// The part of the canvas an outline touches, and its coverage there (0..255, antialiased).
struct Stamp {
  cv::Rect where;  // inside the canvas; may be empty
  cv::Mat1b coverage;
};
Stamp stamp_of(const Outline& outline, cv::Size canvas);
// plane = plane * (1 - coverage * opacity) + value * coverage * opacity
void fill(Plane& plane, const Outline& outline, double value, double opacity = 1);

// Points at least `spacing` apart, by dart throwing, at most `count`. May lie up to `margin` outside.
std::vector<cv::Point2d> scattered_points(cv::Size size, double spacing, int count, double margin,
                                          RandomStream random);

void blur(Plane& plane, double sigma);

// Photons are counted (Poisson), then the electronics add their own noise, given in photons.
void expose(Plane& plane, double photons_at_one, double read_noise, RandomStream random);

// Clamps 0..1 to 0..255.
imaging::Image to_image(const Plane& red, const Plane& green, const Plane& blue);

enum class Anchor { kLeft, kCentre, kRight };
struct TextStyle {
  double height_px = 10;  // of a capital letter
  cv::Scalar colour = {0, 0, 0};
  Anchor anchor = Anchor::kLeft;
  bool upwards = false;  // turned a quarter to the left, as along a vertical axis
  bool bold = false;
};
double text_width(std::string_view text, const TextStyle& style);
// `at` is on the base line. Returns the box the letters occupy within the image. Only ASCII can be drawn.
Box draw_text(imaging::Image& image, std::string_view text, cv::Point2d at, const TextStyle& style);

// A white (or dark) bar in the lower right corner; returns its box.
Box draw_scale_bar(imaging::Image& image, int length_px, cv::Scalar colour);

}  // namespace awry::forge
