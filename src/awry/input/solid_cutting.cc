// SPDX-License-Identifier: Apache-2.0
#include "awry/input/solid_cutting.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <optional>
#include <span>

#include "awry/input/figure_ink.h"
#include "awry/input/picture_seams.h"

namespace awry::input {
namespace {

constexpr double kSolid = 0.8;  // share of ink in a picture
constexpr int kDeepest = 7;
constexpr std::size_t kMostParts = 30;

enum Axis : std::uint8_t { kColumns = 0, kRows = 1 };
constexpr std::array kBothAxes = {kColumns, kRows};

int start_of(const cv::Rect& box, Axis axis) {
  return axis == kColumns ? box.x : box.y;
}
int length_of(const cv::Rect& box, Axis axis) {
  return axis == kColumns ? box.width : box.height;
}
int across(const cv::Rect& box, Axis axis) {
  return axis == kColumns ? box.height : box.width;
}

// The part of `box` between two places along an axis, counted from the start of the figure.
cv::Rect slice(const cv::Rect& box, Axis axis, int from, int to) {
  return axis == kColumns ? cv::Rect(from, box.y, to - from, box.height)
                          : cv::Rect(box.x, from, box.width, to - from);
}

cv::Mat as_columns(const cv::Mat& rgb, const cv::Rect& box, Axis axis) {
  return axis == kColumns ? rgb(box) : cv::Mat(rgb(box).t());
}

class SolidCutter {
 public:
  SolidCutter(const cv::Mat& rgb, int least) : rgb_(rgb), least_(least) {}

  std::vector<cv::Rect> cut(const cv::Rect& body) {
    std::vector<cv::Rect> parts;
    cut_where_visible(body, kDeepest, {}, parts);
    while (parts.size() > 0 && parts.size() < kMostParts && cut_where_expected(parts)) {
    }
    return parts;
  }

 private:
  using Places = std::array<std::vector<int>, 2>;  // along each axis, of the figure

  void cut_where_visible(const cv::Rect& box, int depth, Places known, std::vector<cv::Rect>& parts) {
    std::optional<Cut> best;
    Axis along = kColumns;
    double most = 0;
    Places seen = known;
    for (const Axis axis : kBothAxes) {
      if (depth == 0) break;
      for (Cut cut : visible_cuts(as_columns(rgb_, box, axis), least_)) {
        cut.from += start_of(box, axis), cut.to += start_of(box, axis);
        // The upper edge of a ruler is as sharp as the lower edge of its picture, but ends with it.
        const auto goes_on = [&](int place) { return std::abs(place - cut.from) <= 2; };
        const double worth = cut.clearness * (std::ranges::any_of(known[axis], goes_on) ? 2 : 1);
        seen[axis].push_back(cut.from);
        if (worth <= most) continue;
        most = worth;
        best = cut;
        along = axis;
      }
    }
    if (!best) return parts.push_back(box);
    const int start = start_of(box, along), end = start + length_of(box, along);
    cut_where_visible(slice(box, along, start, best->from), depth - 1, seen, parts);
    cut_where_visible(slice(box, along, best->to, end), depth - 1, seen, parts);
  }

  // Whether any part was cut; the new ones are looked at for visible boundaries.
  bool cut_where_expected(std::vector<cv::Rect>& parts) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      for (const Axis axis : kBothAxes) {
        for (const std::vector<int>& places : expectations(parts, i, axis)) {
          const std::vector<cv::Rect> pieces = cut_at(parts[i], axis, places);
          if (pieces.empty()) continue;
          parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(i));
          for (const cv::Rect& piece : pieces) cut_where_visible(piece, kDeepest, {}, parts);
          return true;
        }
      }
    }
    return false;
  }

  // Sets of places at which a part could be made of several: in line with the edges of others; so that the
  // pieces are as large as another part; for a part that is alone, where it shows equal things side by side.
  std::vector<std::vector<int>> expectations(std::span<const cv::Rect> parts, std::size_t index,
                                             Axis axis) const {
    const cv::Rect& part = parts[index];
    const int start = start_of(part, axis), length = length_of(part, axis);
    std::vector<std::vector<int>> sets;
    std::vector<int> edges;
    for (const cv::Rect& other : parts) {
      const int edge = start_of(other, axis);
      if (edge > start + 0.15 * length && edge < start + 0.85 * length) edges.push_back(edge);
    }
    std::ranges::sort(edges);
    const auto same = [](int a, int b) { return b - a <= 4; };
    edges.erase(std::unique(edges.begin(), edges.end(), same), edges.end());
    if (!edges.empty()) sets.push_back(edges);
    const auto equal_parts = [&](int count) {
      std::vector<int> places;
      for (int i = 1; i < count; ++i) places.push_back(start + length * i / count);
      return places;
    };
    for (const int count : {2, 3, 4}) {
      const double size = static_cast<double>(length) / count;
      const auto is_as_large = [&](const cv::Rect& other) {
        return other != part && std::abs(length_of(other, axis) - size) < 0.03 * size + 2 &&
               std::abs(across(other, axis) - across(part, axis)) < 0.05 * across(part, axis) + 2;
      };
      if (std::ranges::any_of(parts, is_as_large)) sets.push_back(equal_parts(count));
    }
    for (const int count : {4, 3, 2}) {
      if (parts.size() == 1 && shows_equal_things(part, axis, equal_parts(count)))
        sets.push_back(equal_parts(count));
    }
    return sets;
  }

  std::vector<cv::Rect> pieces_at(const cv::Rect& part, Axis axis, std::vector<int> places) const {
    std::vector<cv::Rect> pieces;
    int from = start_of(part, axis);
    places.push_back(from + length_of(part, axis));
    for (const int place : places) {
      if (place <= from) return {};
      pieces.push_back(slice(part, axis, from, place));
      from = place;
    }
    return pieces;
  }

  // Empty when something lies across one of the places, or nothing is to be seen in a piece.
  std::vector<cv::Rect> cut_at(const cv::Rect& part, Axis axis, std::vector<int> places) const {
    const cv::Mat columns = as_columns(rgb_, part, axis);
    for (int& place : places) {
      const auto cut = expected_cut(columns, place - start_of(part, axis));
      if (!cut) return {};
      place = *cut + start_of(part, axis);
    }
    std::vector<cv::Rect> pieces = pieces_at(part, axis, std::move(places));
    for (const cv::Rect& piece : pieces) {
      if (std::min(piece.width, piece.height) < least_ || share_above(piece, 60) < 0.05) return {};
    }
    return pieces;
  }

  cv::Mat lit(const cv::Rect& box, double level) const {
    cv::Mat channels[3];
    cv::split(rgb_(box), channels);
    return cv::max(channels[0], cv::max(channels[1], channels[2])) > level;
  }
  double share_above(const cv::Rect& box, double level) const {
    return static_cast<double>(cv::countNonZero(lit(box, level))) / box.area();
  }

  // In the middle of each piece one thing that fills a good part of it, as in slices of a scan.
  bool shows_equal_things(const cv::Rect& part, Axis axis, const std::vector<int>& places) const {
    return std::ranges::all_of(pieces_at(part, axis, places), [&](const cv::Rect& piece) {
      cv::Mat labels, statistics, centres;
      const int count = cv::connectedComponentsWithStats(lit(piece, 40), labels, statistics, centres);
      int largest = 0;
      for (int i = 1; i < count; ++i) {
        if (largest == 0 ||
            statistics.at<int>(i, cv::CC_STAT_AREA) > statistics.at<int>(largest, cv::CC_STAT_AREA))
          largest = i;
      }
      if (largest == 0) return false;
      const int width = statistics.at<int>(largest, cv::CC_STAT_WIDTH);
      const int height = statistics.at<int>(largest, cv::CC_STAT_HEIGHT);
      const double x = statistics.at<int>(largest, cv::CC_STAT_LEFT) + width / 2.0;
      const double y = statistics.at<int>(largest, cv::CC_STAT_TOP) + height / 2.0;
      return width >= 0.2 * piece.width && height >= 0.3 * piece.height &&
             std::abs(x - piece.width / 2.0) <= 0.15 * piece.width &&
             std::abs(y - piece.height / 2.0) <= 0.15 * piece.height;
    });
  }

  const cv::Mat& rgb_;
  int least_;
};

}  // namespace

std::vector<cv::Rect> cut_solid(const cv::Mat& rgb, const cv::Mat& ink, const cv::Rect& body) {
  if (density(ink, body) < kSolid) return {body};
  const double side = std::sqrt(static_cast<double>(ink.total()));
  const int least = std::max(40, static_cast<int>(0.08 * side));
  std::vector<cv::Rect> parts = SolidCutter(rgb, least).cut(body);
  // So many boundaries are those of a pattern: a mesh, a chequered image, a table.
  return parts.size() > kMostParts ? std::vector{body} : parts;
}

}  // namespace awry::input
