// SPDX-License-Identifier: Apache-2.0
#include "awry/forge/sheet.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <opencv2/imgproc.hpp>

namespace awry::forge {
namespace {

constexpr int kBits = 4;

cv::Point fixed(cv::Point2d point) {
  return {cvRound(point.x * (1 << kBits)), cvRound(point.y * (1 << kBits))};
}

std::vector<cv::Point> fixed(const Outline& outline) {
  std::vector<cv::Point> points;
  for (const cv::Point2d& point : outline) points.push_back(fixed(point));
  return points;
}

int pen(double width) {
  return std::max(1, cvRound(width));
}

Outline rounded(const cv::Rect2d& box, double corner) {
  const double r = std::min({corner, box.width / 2, box.height / 2});
  const cv::Point2d centres[] = {{box.x + box.width - r, box.y + box.height - r},
                                 {box.x + r, box.y + box.height - r},
                                 {box.x + r, box.y + r},
                                 {box.x + box.width - r, box.y + r}};
  Outline outline;
  for (int quarter = 0; quarter < 4; ++quarter) {
    for (int i = 0; i <= 6; ++i) {
      const double turn = std::numbers::pi / 2 * (quarter + i / 6.0);
      outline.push_back(centres[quarter] + r * cv::Point2d(std::cos(turn), std::sin(turn)));
    }
  }
  return outline;
}

}  // namespace

Sheet::Sheet(int width, int height, cv::Scalar paper) {
  painted_.image = imaging::Image(width, height, 3, 255);
  canvas().setTo(paper);
}

void Sheet::write(std::string_view text, cv::Point2d at, TextStyle style, double max_width) {
  if (max_width > 0) style.height_px *= std::min(1.0, max_width / std::max(1.0, text_width(text, style)));
  painted_.annotations.push_back(draw_text(painted_.image, text, at, style));
  painted_.lettering.emplace_back(text);
}

void Sheet::line(cv::Point2d from, cv::Point2d to, const cv::Scalar& colour, double width) {
  cv::line(canvas(), fixed(from), fixed(to), colour, pen(width), cv::LINE_AA, kBits);
}

void Sheet::arrow(cv::Point2d from, cv::Point2d to, const cv::Scalar& colour, double width, double head) {
  const cv::Point2d way = to - from;
  const double length = std::max(1e-6, std::sqrt(way.dot(way)));
  const cv::Point2d along = way / length, across(-along.y, along.x);
  line(from, to - head * 0.8 * along, colour, width);
  polygon({to, to - head * along + head * 0.45 * across, to - head * along - head * 0.45 * across}, colour);
}

void Sheet::box(const cv::Rect2d& box, double corner, const cv::Scalar& filling, const cv::Scalar& edge,
                double width) {
  const Outline outline = rounded(box, corner);
  polygon(outline, filling);
  if (width > 0) cv::polylines(canvas(), fixed(outline), true, edge, pen(width), cv::LINE_AA, kBits);
}

void Sheet::polygon(const Outline& outline, const cv::Scalar& filling) {
  cv::fillPoly(canvas(), std::vector<std::vector<cv::Point>>{fixed(outline)}, filling, cv::LINE_AA, kBits);
}

}  // namespace awry::forge
