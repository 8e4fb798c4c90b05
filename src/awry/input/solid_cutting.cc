// SPDX-License-Identifier: Apache-2.0
#include "awry/input/solid_cutting.h"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <optional>

#include "awry/input/figure_ink.h"

namespace awry::input {
namespace {

constexpr double kSolid = 0.8;        // share of ink in a picture
constexpr int kSegments = 16;         // a boundary has to show in nearly all of them
constexpr int kWidestLine = 14;       // pixels
constexpr double kLeastShare = 0.12;  // of the body, for each part
constexpr int kLeastSide = 24;
constexpr std::size_t kMostParts = 20;

// Along one axis: where a body could be cut, and how clearly. Rows are handled as columns of the transpose.
struct Cut {
  int from = 0, to = 0;  // the separator: [from, to); empty for a seam
  double clearness = 0;
};

struct Columns {
  cv::Mat grey;   // of the body alone
  cv::Mat jumps;  // kSegments x columns: mean |difference to the column before|
};

Columns columns_of(const cv::Mat& grey) {
  Columns columns{.grey = grey};
  cv::Mat difference(grey.rows, grey.cols, CV_32F, cv::Scalar(0));
  for (int y = 0; y < grey.rows; ++y) {
    const auto* row = grey.ptr<std::uint8_t>(y);
    auto* out = difference.ptr<float>(y);
    for (int x = 1; x < grey.cols; ++x) out[x] = static_cast<float>(std::abs(row[x] - row[x - 1]));
  }
  columns.jumps = cv::Mat(kSegments, grey.cols, CV_32F);
  for (int s = 0; s < kSegments; ++s) {
    const int top = grey.rows * s / kSegments, bottom = std::max(top + 1, grey.rows * (s + 1) / kSegments);
    cv::reduce(difference.rowRange(top, bottom), columns.jumps.row(s), 0, cv::REDUCE_AVG);
  }
  return columns;
}

double median_of(std::vector<float> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Bands of gels and drawn lines jump as well, but a few pixels later everything is as before.
bool stays_different(const cv::Mat& grey, int x, double jump) {
  constexpr int kApart = 7;
  if (x - kApart < 0 || x + kApart >= grey.cols) return false;
  double sum = 0;
  for (int y = 0; y < grey.rows; ++y) {
    const auto* row = grey.ptr<std::uint8_t>(y);
    sum += std::abs(row[x + kApart] - row[x - kApart]);
  }
  return sum / grey.rows >= 0.7 * jump;
}

// How many times the usual jump of its neighbourhood the jump before column x is, in most segments.
double seam_at(const Columns& columns, int x) {
  std::vector<float> ratios;
  int strong = 0;
  bool reaches_both_ends = true;
  double all = 0;
  for (int s = 0; s < kSegments; ++s) {
    const auto* row = columns.jumps.ptr<float>(s);
    std::vector<float> around;
    for (int d = 3; d <= 14; ++d) {
      if (x - d > 0) around.push_back(row[x - d]);
      if (x + d < columns.jumps.cols) around.push_back(row[x + d]);
    }
    // A picture blurred by resampling spreads the jump over two columns.
    const float jump = std::max(row[x], x + 1 < columns.jumps.cols ? (row[x] + row[x + 1]) * 0.75F : row[x]);
    const double usual = std::max(2.0, median_of(around));
    const double ratio = jump / usual;
    ratios.push_back(static_cast<float>(ratio));
    const bool here = ratio > 1.5 && jump > 4;
    strong += here;
    if (s == 0 || s == kSegments - 1) reaches_both_ends &= here;
    all += jump;
  }
  // Lines inside a picture, such as the midline of a brain, end before its edges do.
  if (strong < kSegments - 2 || !reaches_both_ends || all / kSegments < 10) return 0;
  const double ratio = median_of(ratios);
  return ratio >= 2.4 && stays_different(columns.grey, x, all / kSegments) ? ratio : 0;
}

// How clearly the columns [from, to) are a line of their own: the share of rows in which they differ from
// what lies on both sides, or 0. A column of pure paper inside a solid picture needs less of it.
double line_at(const cv::Mat& grey, int from, int to) {
  const int left = from - 2, right = to + 1;
  if (left < 0 || right >= grey.cols) return 0;
  cv::Scalar mean, deviation;
  cv::meanStdDev(grey.colRange(from, to), mean, deviation);
  int different = 0;
  for (int y = 0; y < grey.rows; ++y) {
    const auto* row = grey.ptr<std::uint8_t>(y);
    different += std::abs(row[left] - mean[0]) > 18 && std::abs(row[right] - mean[0]) > 18;
  }
  const double share = static_cast<double>(different) / grey.rows;
  const bool paper = mean[0] > 240 && deviation[0] < 8;
  return share >= (paper ? 0.5 : 0.88) ? share : 0;
}

std::optional<Cut> best_cut(const cv::Mat& grey) {
  if (grey.cols < 2 * kLeastSide || grey.rows < kLeastSide) return std::nullopt;
  const int margin = std::max(kLeastSide, static_cast<int>(kLeastShare * grey.cols));
  std::optional<Cut> best;
  const auto offer = [&](const Cut& cut) {
    if (cut.clearness > 0 && (!best || cut.clearness > best->clearness)) best = cut;
  };
  // Columns of one brightness, in runs.
  std::vector<bool> even(static_cast<std::size_t>(grey.cols));
  for (int x = margin; x < grey.cols - margin; ++x) {
    cv::Scalar mean, deviation;
    cv::meanStdDev(grey.col(x), mean, deviation);
    even[static_cast<std::size_t>(x)] = deviation[0] <= 14;
  }
  for (int x = margin; x < grey.cols - margin; ++x) {
    if (!even[static_cast<std::size_t>(x)]) continue;
    int end = x;
    while (end < grey.cols - margin && even[static_cast<std::size_t>(end)]) ++end;
    if (end - x <= kWidestLine) {
      offer({x, end, 100 * line_at(grey, x, end)});
    }
    x = end;
  }
  const Columns columns = columns_of(grey);
  for (int x = margin; x < grey.cols - margin; ++x) offer({x, x, seam_at(columns, x)});
  return best;
}

void cut_further(const cv::Mat& grey, const cv::Rect& box, int depth, std::vector<cv::Rect>& parts) {
  if (depth > 0) {
    const auto column = best_cut(grey(box));
    const auto row = best_cut(cv::Mat(grey(box).t()));
    if (column && (!row || column->clearness >= row->clearness)) {
      cut_further(grey, {box.x, box.y, column->from, box.height}, depth - 1, parts);
      cut_further(grey, {box.x + column->to, box.y, box.width - column->to, box.height}, depth - 1, parts);
      return;
    }
    if (row) {
      cut_further(grey, {box.x, box.y, box.width, row->from}, depth - 1, parts);
      cut_further(grey, {box.x, box.y + row->to, box.width, box.height - row->to}, depth - 1, parts);
      return;
    }
  }
  parts.push_back(box);
}

}  // namespace

std::vector<cv::Rect> cut_solid(const cv::Mat& grey, const cv::Mat& ink, const cv::Rect& body) {
  if (density(ink, body) < kSolid) return {body};
  std::vector<cv::Rect> parts;
  cut_further(grey, body, 6, parts);
  // So many boundaries are those of a pattern: a mesh, a chequered image, a table.
  return parts.size() > kMostParts ? std::vector{body} : parts;
}

}  // namespace awry::input
