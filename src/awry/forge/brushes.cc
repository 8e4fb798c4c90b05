// SPDX-License-Identifier: Apache-2.0
#include "awry/forge/brushes.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <opencv2/imgproc.hpp>

namespace awry::forge {
namespace {

constexpr int kSubpixelBits = 4;

Plane lattice_of(cv::Size size, RandomStream& random) {
  Plane lattice(size);
  for (float& value : lattice) value = to_float(random.normal());
  return lattice;
}

void standardise(Plane& plane) {
  cv::Scalar mean, deviation;
  cv::meanStdDev(plane, mean, deviation);
  plane = (plane - mean[0]) / std::max(deviation[0], 1e-6);
}

}  // namespace

double detail_scale(cv::Size size) {
  return std::clamp(std::sqrt(std::min(size.width, size.height) / 320.0), 0.45, 2.5);
}

Plane cloud_noise(cv::Size size, double feature_px, int octaves, RandomStream random) {
  Plane sum = Plane(size, 0.0F);
  double amplitude = 1;
  for (int octave = 0; octave < octaves; ++octave) {
    const double feature = std::max(feature_px / (1 << octave), 1.0);
    RandomStream stream = random.fork(static_cast<std::uint64_t>(octave));
    // Two lattice cells beyond the edge on each side keep the interpolation away from the border.
    const cv::Size cells(static_cast<int>(std::ceil(size.width / feature)) + 5,
                         static_cast<int>(std::ceil(size.height / feature)) + 5);
    Plane layer;
    const double shift_x = 2 + stream.uniform(), shift_y = 2 + stream.uniform();
    const cv::Matx23d lattice_from_canvas(1 / feature, 0, shift_x, 0, 1 / feature, shift_y);
    cv::warpAffine(lattice_of(cells, stream), layer, lattice_from_canvas, size,
                   cv::INTER_CUBIC | cv::WARP_INVERSE_MAP, cv::BORDER_REFLECT_101);
    sum += amplitude * layer;
    amplitude *= 0.55;
  }
  standardise(sum);
  return sum;
}

Plane fibre_noise(cv::Size size, const FibreStyle& style, RandomStream random) {
  RandomStream stream = random.fork("lattice");
  const Plane lattice = lattice_of({128, 256}, stream);
  const Plane meander = cloud_noise(size, style.waviness_px * 3 + 8, 2, random.fork("meander"));
  const double cosine = std::cos(style.angle), sine = std::sin(style.angle);
  Plane map_x(size), map_y(size), layer;
  for (int y = 0; y < size.height; ++y) {
    for (int x = 0; x < size.width; ++x) {
      const double along = x * cosine + y * sine;
      const double across = -x * sine + y * cosine + style.waviness_px * meander(y, x);
      map_x(y, x) = to_float(along / style.length_px + 64);
      map_y(y, x) = to_float(across / style.thickness_px + 128);
    }
  }
  cv::remap(lattice, layer, map_x, map_y, cv::INTER_CUBIC, cv::BORDER_WRAP);
  standardise(layer);
  return layer;
}

Outline blob_outline(cv::Point2d centre, const BlobStyle& style, RandomStream random) {
  constexpr int kPoints = 48;
  double amplitude[4], phase[4];
  for (int k = 0; k < 4; ++k) {
    amplitude[k] = style.irregularity * random.uniform(0.3, 1.0) / (k + 1);
    phase[k] = random.uniform(0, 2 * std::numbers::pi);
  }
  const double cosine = std::cos(style.angle), sine = std::sin(style.angle);
  Outline outline;
  for (int i = 0; i < kPoints; ++i) {
    const double turn = 2 * std::numbers::pi * i / kPoints;
    double radius = 1;
    for (int k = 0; k < 4; ++k) radius += amplitude[k] * std::cos((k + 2) * turn + phase[k]);
    const double x = style.radius_x * radius * std::cos(turn), y = style.radius_y * radius * std::sin(turn);
    outline.emplace_back(centre.x + x * cosine - y * sine, centre.y + x * sine + y * cosine);
  }
  return outline;
}

Stamp stamp_of(const Outline& outline, cv::Size canvas) {
  double left = 1e9, top = 1e9, right = -1e9, bottom = -1e9;
  for (const cv::Point2d& point : outline) {
    left = std::min(left, point.x), right = std::max(right, point.x);
    top = std::min(top, point.y), bottom = std::max(bottom, point.y);
  }
  const cv::Point corner(static_cast<int>(std::floor(left)) - 2, static_cast<int>(std::floor(top)) - 2);
  const cv::Rect around(corner, cv::Point(static_cast<int>(right) + 3, static_cast<int>(bottom) + 3));
  Stamp stamp{.where = around & cv::Rect({0, 0}, canvas)};
  if (stamp.where.empty()) return stamp;
  std::vector<cv::Point> fixed;
  for (const cv::Point2d& point : outline) {
    fixed.emplace_back(cvRound((point.x - stamp.where.x) * (1 << kSubpixelBits)),
                       cvRound((point.y - stamp.where.y) * (1 << kSubpixelBits)));
  }
  stamp.coverage = cv::Mat1b(stamp.where.size(), 0);
  cv::fillPoly(stamp.coverage, std::vector<std::vector<cv::Point>>{fixed}, 255, cv::LINE_AA, kSubpixelBits);
  return stamp;
}

void fill(Plane& plane, const Outline& outline, double value, double opacity) {
  const Stamp stamp = stamp_of(outline, plane.size());
  for (int y = 0; y < stamp.where.height; ++y) {
    for (int x = 0; x < stamp.where.width; ++x) {
      float& target = plane(stamp.where.y + y, stamp.where.x + x);
      target += to_float(stamp.coverage(y, x) / 255.0 * opacity * (value - target));
    }
  }
}

std::vector<cv::Point2d> scattered_points(cv::Size size, double spacing, int count, double margin,
                                          RandomStream random) {
  std::vector<cv::Point2d> points;
  for (int attempt = 0; attempt < count * 12 && static_cast<int>(points.size()) < count; ++attempt) {
    const cv::Point2d dart(random.uniform(-margin, size.width + margin),
                           random.uniform(-margin, size.height + margin));
    const bool free = std::ranges::none_of(points, [&](const cv::Point2d& point) {
      const cv::Point2d gap = point - dart;
      return gap.dot(gap) < spacing * spacing;
    });
    if (free) points.push_back(dart);
  }
  return points;
}

void blur(Plane& plane, double sigma) {
  if (sigma > 0.05) cv::GaussianBlur(plane, plane, {}, sigma, sigma, cv::BORDER_REFLECT_101);
}

void expose(Plane& plane, double photons_at_one, double read_noise, RandomStream random) {
  // Above this many photons the Poisson law is a normal law to the eye, and much cheaper to draw.
  constexpr double kManyPhotons = 25;
  for (float& value : plane) {
    const double expected = std::max(0.0, value * photons_at_one);
    const double counted = expected > kManyPhotons ? random.normal(expected, std::sqrt(expected))
                                                   : static_cast<double>(random.poisson(expected));
    value = to_float((counted + random.normal(0, read_noise)) / photons_at_one);
  }
}

imaging::Image to_image(const Plane& red, const Plane& green, const Plane& blue) {
  imaging::Image image(red.cols, red.rows, 3);
  cv::Mat merged;
  cv::merge(std::vector<cv::Mat>{red, green, blue}, merged);
  merged.convertTo(imaging::as_mat(image), CV_8UC3, 255.0);
  return image;
}

}  // namespace awry::forge
