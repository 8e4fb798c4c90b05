// SPDX-License-Identifier: Apache-2.0
#include "awry/input/figure_ink.h"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "awry/imaging/opencv.h"

namespace awry::input {
namespace {

constexpr int kPaperTolerance = 26;  // JPEG leaves this much around letters
constexpr int kBorderTolerance = 12;

cv::Vec3i paper_of(const cv::Mat& rgb) {
  std::vector<int> channels[3];
  const auto look = [&](int x, int y) {
    const auto& pixel = rgb.at<cv::Vec3b>(y, x);
    for (int c = 0; c < 3; ++c) channels[c].push_back(pixel[c]);
  };
  for (int x = 0; x < rgb.cols; ++x) look(x, 0), look(x, rgb.rows - 1);
  for (int y = 0; y < rgb.rows; ++y) look(0, y), look(rgb.cols - 1, y);
  cv::Vec3i median;
  for (int c = 0; c < 3; ++c) {
    auto sorted = channels[c];
    std::ranges::nth_element(sorted, sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2));
    median[c] = sorted[sorted.size() / 2];
  }
  std::size_t alike = 0;
  for (std::size_t i = 0; i < channels[0].size(); ++i) {
    bool near = true;
    for (int c = 0; c < 3; ++c) near &= std::abs(channels[c][i] - median[c]) <= kBorderTolerance;
    alike += near;
  }
  // Paper is light; a dark border belongs to a picture.
  const bool light = median[0] + median[1] + median[2] > 3 * 200;
  return light && alike * 10 >= channels[0].size() * 6 ? median : cv::Vec3i(255, 255, 255);
}

}  // namespace

cv::Mat ink_of(const imaging::Image& image) {
  const imaging::Image colour = imaging::to_rgb(image);
  const cv::Mat rgb = imaging::as_mat(colour);
  const cv::Vec3i paper = paper_of(rgb);
  cv::Mat ink(rgb.rows, rgb.cols, CV_8U);
  for (int y = 0; y < rgb.rows; ++y) {
    const auto* row = rgb.ptr<cv::Vec3b>(y);
    auto* out = ink.ptr<std::uint8_t>(y);
    for (int x = 0; x < rgb.cols; ++x) {
      const int difference = std::max(
          {std::abs(row[x][0] - paper[0]), std::abs(row[x][1] - paper[1]), std::abs(row[x][2] - paper[2])});
      out[x] = difference > kPaperTolerance ? 255 : 0;
    }
  }
  return ink;
}

double density(const cv::Mat& ink, const cv::Rect& box) {
  return box.empty() ? 0 : static_cast<double>(cv::countNonZero(ink(box))) / box.area();
}

cv::Rect trimmed(const cv::Mat& ink, const cv::Rect& box) {
  if (box.empty()) return {};
  const cv::Rect inside = cv::boundingRect(ink(box));
  return inside.empty() ? cv::Rect() : inside + box.tl();
}

std::vector<cv::Rect> pieces_of(const cv::Mat& ink, int gap) {
  cv::Mat closed;
  const cv::Mat brush = cv::getStructuringElement(cv::MORPH_RECT, {std::max(1, gap), std::max(1, gap)});
  cv::dilate(ink, closed, brush);
  cv::Mat labels, statistics, centres;
  const int count = cv::connectedComponentsWithStats(closed, labels, statistics, centres, 8, CV_32S);
  std::vector<cv::Rect> pieces;
  for (int i = 1; i < count; ++i) {
    const cv::Rect grown(statistics.at<int>(i, cv::CC_STAT_LEFT), statistics.at<int>(i, cv::CC_STAT_TOP),
                         statistics.at<int>(i, cv::CC_STAT_WIDTH), statistics.at<int>(i, cv::CC_STAT_HEIGHT));
    // Undo what the brush added; beyond the edges of the image it added nothing.
    const int half = gap / 2;
    const int left = grown.x == 0 ? 0 : grown.x + half, top = grown.y == 0 ? 0 : grown.y + half;
    const int right = grown.br().x == ink.cols ? ink.cols : grown.br().x - half;
    const int low = grown.br().y == ink.rows ? ink.rows : grown.br().y - half;
    cv::Rect piece(left, top, right - left, low - top);
    piece &= cv::Rect(0, 0, ink.cols, ink.rows);
    if (piece.width > 0 && piece.height > 0) pieces.push_back(piece);
  }
  return pieces;
}

double distance_between(const cv::Rect& a, const cv::Rect& b) {
  const int dx = std::max({0, b.x - a.br().x, a.x - b.br().x});
  const int dy = std::max({0, b.y - a.br().y, a.y - b.br().y});
  return std::hypot(dx, dy);
}

}  // namespace awry::input
