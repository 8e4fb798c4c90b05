// SPDX-License-Identifier: Apache-2.0
#include "awry/forge/anomaly_render.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <opencv2/imgproc.hpp>

namespace awry::forge {
namespace {

Outline circle(cv::Point2d centre, double radius) {
  Outline outline;
  for (int i = 0; i < 40; ++i) {
    const double turn = 2 * std::numbers::pi * i / 40;
    outline.push_back(centre + radius * cv::Point2d(std::cos(turn), std::sin(turn)));
  }
  return outline;
}

cv::Scalar shaded(const cv::Scalar& colour, double factor) {
  return {std::min(255.0, colour[0] * factor), std::min(255.0, colour[1] * factor),
          std::min(255.0, colour[2] * factor)};
}

cv::Point2d spline(std::span<const cv::Point2d> p, double t) {
  const double segment = t * static_cast<double>(p.size() - 1);
  const std::size_t i = std::min(static_cast<std::size_t>(segment), p.size() - 2);
  const double u = segment - static_cast<double>(i);
  const auto point = [&](std::ptrdiff_t k) {
    return p[static_cast<std::size_t>(
        std::clamp<std::ptrdiff_t>(k, 0, static_cast<std::ptrdiff_t>(p.size()) - 1))];
  };
  const auto n = static_cast<std::ptrdiff_t>(i);
  const cv::Point2d a = point(n - 1), b = point(n), c = point(n + 1), d = point(n + 2);
  return 0.5 *
         ((2 * b) + u * (c - a) + u * u * (2 * a - 5 * b + 4 * c - d) + u * u * u * (3 * b - a - 3 * c + d));
}

}  // namespace

void Board::box(double x, double y, double width, double height, double corner, const cv::Scalar& filling,
                const cv::Scalar& edge, double line) {
  sheet_.box({at(x, y), cv::Size2d(width * scale_, height * scale_)}, corner * scale_, filling, edge,
             line * scale_);
}

void Board::disc(double x, double y, double radius, const cv::Scalar& filling) {
  sheet_.polygon(circle(at(x, y), radius * scale_), filling);
}

void Board::ring(double x, double y, double radius, double thickness, const cv::Scalar& colour) {
  const Outline outline = circle(at(x, y), radius * scale_);
  for (std::size_t i = 0; i < outline.size(); ++i)
    sheet_.line(outline[i], outline[(i + 1) % outline.size()], colour, thickness * scale_);
}

void Board::line(double x1, double y1, double x2, double y2, const cv::Scalar& colour, double width) {
  sheet_.line(at(x1, y1), at(x2, y2), colour, width * scale_);
}

void Board::cable(std::span<const cv::Point2d> points, const cv::Scalar& colour, double width) {
  constexpr int kSteps = 48;
  const struct {
    double width, factor, aside;
  } layers[] = {{width, 0.45, 0}, {width * 0.78, 1, -0.04}, {width * 0.2, 1.35, -0.2}};
  for (const auto& layer : layers) {
    cv::Point2d before;
    for (int i = 0; i <= kSteps; ++i) {
      const cv::Point2d here = spline(points, static_cast<double>(i) / kSteps);
      const cv::Point2d now = at(here.x + layer.aside * width, here.y + layer.aside * width);
      if (i > 0) sheet_.line(before, now, shaded(colour, layer.factor), layer.width * scale_);
      before = now;
    }
  }
}

void Board::letters(std::string_view text, double x, double y, double height, const cv::Scalar& colour) {
  sheet_.write(text, at(x, y),
               {.height_px = height * scale_, .colour = colour, .anchor = Anchor::kCentre, .bold = true});
}

void Board::polygon(const Outline& outline, const cv::Scalar& filling) {
  Outline moved;
  for (const cv::Point2d& point : outline) moved.push_back(at(point.x, point.y));
  sheet_.polygon(moved, filling);
}

imaging::Image photographed(const imaging::Image& drawing, RandomStream random) {
  const cv::Size size(drawing.width, drawing.height);
  const Plane light = cloud_noise(size, std::max(size.width, size.height) * 0.7, 2, random.fork("light"));
  const Plane texture = cloud_noise(size, 3, 2, random.fork("texture"));
  imaging::Image photo = drawing;
  RandomStream sensor = random.fork("sensor");
  for (int y = 0; y < photo.height; ++y) {
    for (int x = 0; x < photo.width; ++x) {
      const double gain = 1 + 0.05 * light(y, x) + 0.012 * texture(y, x);
      for (int c = 0; c < 3; ++c)
        photo.at(x, y)[c] = cv::saturate_cast<std::uint8_t>(photo.at(x, y)[c] * gain + sensor.normal(0, 2.2));
    }
  }
  return photo;
}

}  // namespace awry::forge
