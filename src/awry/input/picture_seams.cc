// SPDX-License-Identifier: Apache-2.0
#include "awry/input/picture_seams.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace awry::input {
namespace {

constexpr int kSegments = 16;    // of the height; a boundary has to show in nearly all of them
constexpr int kWidestLine = 14;  // pixels

enum class Demand {
  kVisible,   // by itself
  kExpected,  // where other pictures say that it should be
};

int largest_difference(const cv::Vec3b& a, const cv::Vec3b& b) {
  return std::max({std::abs(a[0] - b[0]), std::abs(a[1] - b[1]), std::abs(a[2] - b[2])});
}

int segment_start(const cv::Mat& rgb, int segment) {
  return rgb.rows * segment / kSegments;
}
int segment_end(const cv::Mat& rgb, int segment) {
  return std::max(segment_start(rgb, segment) + 1, rgb.rows * (segment + 1) / kSegments);
}

// kSegments x columns: how much a pixel differs from the one before it, on average.
cv::Mat jumps_of(const cv::Mat& rgb) {
  cv::Mat difference(rgb.rows, rgb.cols, CV_32F, cv::Scalar(0));
  for (int y = 0; y < rgb.rows; ++y) {
    const auto* row = rgb.ptr<cv::Vec3b>(y);
    auto* out = difference.ptr<float>(y);
    for (int x = 1; x < rgb.cols; ++x) out[x] = static_cast<float>(largest_difference(row[x], row[x - 1]));
  }
  cv::Mat jumps(kSegments, rgb.cols, CV_32F);
  for (int s = 0; s < kSegments; ++s) {
    cv::reduce(difference.rowRange(segment_start(rgb, s), segment_end(rgb, s)), jumps.row(s), 0,
               cv::REDUCE_AVG);
  }
  return jumps;
}

double median_of(std::vector<float>& values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

struct Spread {
  cv::Scalar mean;
  double deviation = 0;  // of the channel that varies most
};

Spread spread_of(const cv::Mat& part) {
  cv::Scalar mean, deviation;
  cv::meanStdDev(part, mean, deviation);
  return {mean, std::max({deviation[0], deviation[1], deviation[2]})};
}

// Bands of gels, rulers and drawn lines jump as well, but a few pixels later everything is as before.
bool stays_different(const cv::Mat& rgb, int x, const std::array<bool, kSegments>& strong, double jump) {
  for (const auto& [apart, share] : {std::pair(7, 0.7), std::pair(18, 0.6)}) {
    if (x - apart < 0 || x + apart >= rgb.cols) continue;
    double sum = 0, rows = 0;
    for (int s = 0; s < kSegments; ++s) {
      if (!strong[static_cast<std::size_t>(s)]) continue;
      for (int y = segment_start(rgb, s); y < std::min(rgb.rows, segment_end(rgb, s)); ++y, ++rows) {
        const auto* row = rgb.ptr<cv::Vec3b>(y);
        sum += largest_difference(row[x + apart], row[x - apart]);
      }
    }
    if (sum < share * jump * rows) return false;
  }
  return true;
}

bool is_empty_around(const cv::Mat& rgb, int x, int segment) {
  const cv::Mat part = rgb(cv::Range(segment_start(rgb, segment), segment_end(rgb, segment)),
                           cv::Range(std::max(0, x - 3), std::min(rgb.cols, x + 3)));
  return spread_of(part).deviation < 4;
}

// How many times the usual jump of its neighbourhood the jump before column x is; 0 where there is no seam.
double seam_at(const cv::Mat& rgb, const cv::Mat& jumps, int x, Demand demand) {
  if (x < 8 || x + 8 >= rgb.cols) return 0;
  std::array<bool, kSegments> strong{};
  std::vector<float> ratios, around;
  int strong_count = 0, supported = 0;
  bool reaches_both_ends = true;
  double jump_sum = 0, near_sum = 0;
  for (int s = 0; s < kSegments; ++s) {
    const auto* row = jumps.ptr<float>(s);
    around.clear();
    for (int d = 3; d <= 14; ++d) {
      if (x - d > 0) around.push_back(row[x - d]);
      if (x + d < jumps.cols) around.push_back(row[x + d]);
    }
    // A picture blurred by resampling spreads the jump over two columns.
    const float jump = std::max(row[x], (row[x] + row[x + 1]) * 0.75F);
    const double ratio = jump / std::max(2.0, median_of(around));
    const bool here = ratio > 1.5 && jump > 4;
    strong[static_cast<std::size_t>(s)] = here;
    const bool support = here || (demand == Demand::kExpected && is_empty_around(rgb, x, s));
    supported += support;
    if (s == 0 || s == kSegments - 1) reaches_both_ends &= support;
    if (!here) continue;
    ++strong_count;
    ratios.push_back(static_cast<float>(ratio));
    jump_sum += jump;
    for (const int d : {-4, -3, -2, 3, 4, 5}) near_sum += row[x + d] / 6;
  }
  const bool visible = demand == Demand::kVisible;
  if (strong_count < (visible ? 10 : 4) || supported < kSegments - (visible ? 2 : 3)) return 0;
  // Lines inside a picture, such as the midline of a brain, end before its edges do.
  if (visible && !reaches_both_ends) return 0;
  const double jump = jump_sum / strong_count;
  // Rows of cells and folds of tissue happen to lie along a line, but their edges are not as sharp.
  const bool sharp = jump >= 2.2 * std::max(2.0, near_sum / strong_count);
  const double ratio = median_of(ratios);
  if (jump < 8 || ratio < 2.6 || !sharp || !stays_different(rgb, x, strong, jump)) return 0;
  return ratio * strong_count / kSegments;
}

// How clearly the columns [from, to) are a line of their own: the share of rows in which they differ from
// what lies on both sides, or 0. A column of pure paper inside a solid picture needs less of it.
double line_at(const cv::Mat& rgb, int from, int to) {
  const int left = from - 2, right = to + 1;
  if (left < 0 || right >= rgb.cols) return 0;
  const Spread line = spread_of(rgb.colRange(from, to));
  const cv::Vec3b colour(cv::saturate_cast<std::uint8_t>(line.mean[0]),
                         cv::saturate_cast<std::uint8_t>(line.mean[1]),
                         cv::saturate_cast<std::uint8_t>(line.mean[2]));
  int different = 0;
  for (int y = 0; y < rgb.rows; ++y) {
    const auto* row = rgb.ptr<cv::Vec3b>(y);
    different += largest_difference(row[left], colour) > 18 && largest_difference(row[right], colour) > 18;
  }
  const double share = static_cast<double>(different) / rgb.rows;
  const bool paper = std::min({colour[0], colour[1], colour[2]}) > 240 && line.deviation < 8;
  return share >= (paper ? 0.5 : 0.88) ? share : 0;
}

bool same_colour(const cv::Scalar& a, const cv::Scalar& b) {
  return std::max({std::abs(a[0] - b[0]), std::abs(a[1] - b[1]), std::abs(a[2] - b[2])}) < 14;
}

void offer_lines(const cv::Mat& rgb, int least, std::vector<Cut>& cuts) {
  constexpr double kEven = 14;
  for (int x = least; x < rgb.cols - least;) {
    const Spread first = spread_of(rgb.col(x));
    int end = x + 1;
    if (first.deviation <= kEven) {
      // White beside black is two runs: a gutter may lie along the empty margin of a dark picture.
      for (; end < rgb.cols - least; ++end) {
        const Spread next = spread_of(rgb.col(end));
        if (next.deviation > kEven || !same_colour(next.mean, first.mean)) break;
      }
      const double share = end - x <= kWidestLine ? line_at(rgb, x, end) : 0;
      if (share > 0) cuts.push_back({x, end, 100 * share});
    }
    x = end;
  }
}

}  // namespace

std::vector<Cut> visible_cuts(const cv::Mat& rgb, int least) {
  std::vector<Cut> cuts;
  if (rgb.cols < 2 * least || rgb.rows < least) return cuts;
  offer_lines(rgb, least, cuts);
  const cv::Mat jumps = jumps_of(rgb);
  for (int x = least; x < rgb.cols - least; ++x) {
    if (const double clearness = seam_at(rgb, jumps, x, Demand::kVisible); clearness > 0)
      cuts.push_back({x, x, clearness});
  }
  return cuts;
}

std::optional<int> expected_cut(const cv::Mat& rgb, int at) {
  if (at < 8 || at + 8 >= rgb.cols) return std::nullopt;
  const Spread here = spread_of(rgb.colRange(at - 3, at + 3));
  const bool black = (here.mean[0] + here.mean[1] + here.mean[2]) / 3 < 16 && here.deviation < 5;
  if (black) return at;
  const cv::Mat jumps = jumps_of(rgb);
  std::optional<int> best;
  double clearest = 0;
  for (int x = at - 2; x <= at + 2; ++x) {
    if (const double clearness = seam_at(rgb, jumps, x, Demand::kExpected); clearness > clearest) {
      clearest = clearness;
      best = x;
    }
  }
  return best;
}

}  // namespace awry::input
