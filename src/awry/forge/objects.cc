// SPDX-License-Identifier: Apache-2.0
#include "awry/forge/objects.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "awry/forge/brushes.h"

namespace awry::forge {
namespace {

constexpr int kClearancePx = 2;  // between an object and what must be kept clear

cv::Mat1b clear_zone(cv::Size size, std::span<const Box> keep_clear) {
  cv::Mat1b zone(size, 0);
  for (const Box& box : keep_clear) {
    const cv::Rect around(static_cast<int>(box.x) - kClearancePx, static_cast<int>(box.y) - kClearancePx,
                          static_cast<int>(std::ceil(box.width)) + 2 * kClearancePx,
                          static_cast<int>(std::ceil(box.height)) + 2 * kClearancePx);
    zone(around & cv::Rect({0, 0}, size)).setTo(255);
  }
  return zone;
}

// Objects rarely touch the edge all around, so the class that does is the background.
void make_border_background(cv::Mat1b& binary) {
  int bright = 0, total = 0;
  for (int x = 0; x < binary.cols; ++x, total += 2) {
    bright += (binary(0, x) != 0) + (binary(binary.rows - 1, x) != 0);
  }
  for (int y = 0; y < binary.rows; ++y, total += 2) {
    bright += (binary(y, 0) != 0) + (binary(y, binary.cols - 1) != 0);
  }
  if (2 * bright > total) cv::bitwise_not(binary, binary);
}

void tidy(cv::Mat1b& binary) {
  const cv::Mat square = cv::getStructuringElement(cv::MORPH_RECT, {5, 5});
  cv::morphologyEx(binary, binary, cv::MORPH_CLOSE, square);
  cv::morphologyEx(binary, binary, cv::MORPH_OPEN, square);
}

imaging::Bitmap to_bitmap(const cv::Mat1b& binary) {
  imaging::Bitmap bitmap(binary.cols, binary.rows);
  std::ranges::transform(binary, bitmap.bits.begin(), [](std::uint8_t v) { return std::uint8_t{v != 0}; });
  return bitmap;
}

// The piece with the largest outline, without its holes.
cv::Mat1b largest_filled(const cv::Mat1b& binary) {
  std::vector<std::vector<cv::Point>> contours;
  cv::findContours(binary, contours, cv::RETR_EXTERNAL, cv::CHAIN_APPROX_NONE);
  cv::Mat1b filled(binary.size(), 0);
  if (contours.empty()) return filled;
  const auto largest =
      std::ranges::max_element(contours, {}, [](const auto& contour) { return cv::contourArea(contour); });
  cv::drawContours(filled, contours, static_cast<int>(largest - contours.begin()), 255, cv::FILLED);
  return filled;
}

// What the panel's edge cuts off would show a straight side anywhere else.
bool touches_edge(const cv::Mat1b& binary) {
  return cv::countNonZero(binary.row(0)) + cv::countNonZero(binary.row(binary.rows - 1)) +
             cv::countNonZero(binary.col(0)) + cv::countNonZero(binary.col(binary.cols - 1)) >
         0;
}

class ObjectFinder {
 public:
  ObjectFinder(const imaging::Image& panel, std::span<const Box> keep_clear, const ObjectOptions& options)
      : options_(options), clear_(clear_zone({panel.width, panel.height}, keep_clear)) {
    const imaging::Image grey = imaging::to_grey(panel);
    grey_ = imaging::as_mat(grey).clone();
  }

  void try_otsu(double blur_px) {
    cv::Mat1b smooth = grey_, binary;
    if (blur_px > 0) cv::GaussianBlur(grey_, smooth, {}, blur_px);
    cv::threshold(smooth, binary, 0, 255, cv::THRESH_BINARY | cv::THRESH_OTSU);
    add_components(binary, {.name = "otsu", .settings = {{"blur_px", blur_px}}});
  }

  void try_adaptive() {
    const int window = std::max(11, std::min(grey_.cols, grey_.rows) / 4 * 2 + 1);
    cv::Mat1b smooth, binary;
    cv::GaussianBlur(grey_, smooth, {}, 3);
    cv::adaptiveThreshold(smooth, binary, 255, cv::ADAPTIVE_THRESH_MEAN_C, cv::THRESH_BINARY, window, 0);
    add_components(binary,
                   {.name = "adaptive_threshold", .settings = {{"window_px", window}, {"blur_px", 3}}});
  }

  void try_patch(RandomStream random) {
    const double panel_area = static_cast<double>(grey_.total());
    const double largest = std::max(options_.min_area, std::min(0.22, options_.max_area * 0.9));
    const double area = panel_area * std::min(random.uniform(1.1, 1.4) * options_.min_area, largest);
    const double stretch = random.uniform(0.75, 1.3), radius = std::sqrt(area / 3.1416);
    const BlobStyle style{.radius_x = radius * stretch, .radius_y = radius / stretch, .irregularity = 0.12};
    const double reach_x = style.radius_x * 1.25, reach_y = style.radius_y * 1.25;
    if (2 * reach_x >= grey_.cols || 2 * reach_y >= grey_.rows) return;
    const cv::Point2d centre(random.uniform(reach_x, grey_.cols - reach_x),
                             random.uniform(reach_y, grey_.rows - reach_y));
    const Stamp stamp = stamp_of(blob_outline(centre, style, random.fork("outline")), grey_.size());
    cv::Mat1b binary(grey_.size(), 0);
    if (!stamp.where.empty()) binary(stamp.where).setTo(255, stamp.coverage >= 128);
    keep_if_suitable(binary, {.name = "smooth_patch", .settings = {{"x", centre.x}, {"y", centre.y}}});
  }

  // Windows between the bars and boxes of a drawing: those whose four sides meet the least ink or, where the
  // host is known, the least that differs from it.
  void try_windows(RandomStream random) {
    constexpr int kInk = 24;  // grey levels from the paper, which is the commonest grey
    const int tries = options_.host != nullptr ? 1500 : 160;
    const cv::Mat1i ink =
        sums_beyond(grey_, cv::Mat1b(grey_.size(), static_cast<std::uint8_t>(paper())), kInk);
    cv::Mat1i breaks = ink;
    if (options_.host != nullptr) {
      const imaging::Image host = imaging::to_grey(*options_.host);
      breaks = sums_beyond(grey_, imaging::as_mat(host), kInk);
    }
    struct Window {
      cv::Rect where;
      double crossings;  // ink, or breaks, along the sides as a share of them
    };
    std::vector<Window> windows;
    for (int i = 0; i < tries; ++i) {
      const cv::Size size(random.integer(grey_.cols / 10, grey_.cols / 2),
                          random.integer(grey_.rows / 10, grey_.rows * 7 / 10));
      const cv::Rect where(random.integer(1, grey_.cols - size.width - 1),
                           random.integer(1, grey_.rows - size.height - 1), size.width, size.height);
      if (sum_in(ink, where) < where.area() / 20) continue;  // mostly paper
      const cv::Rect inner(where.x + 1, where.y + 1, where.width - 2, where.height - 2);
      if (options_.host != nullptr && sum_in(breaks, inner) < where.area() / 50) continue;  // much the same
      const int along = sum_in(breaks, where) - sum_in(breaks, inner);
      windows.push_back({where, along / (2.0 * (where.width + where.height))});
    }
    std::ranges::stable_sort(windows, {}, &Window::crossings);
    const int enough = count() + options_.max_found;
    for (const Window& window : windows) {
      if (count() >= enough) break;
      cv::Mat1b binary(grey_.size(), 0);
      binary(window.where).setTo(255);
      keep_if_suitable(binary, {.name = "window",
                                .settings = {{"x", static_cast<double>(window.where.x)},
                                             {"y", static_cast<double>(window.where.y)}}});
    }
  }

  int count() const { return static_cast<int>(found_.size()); }
  std::vector<Object> take() { return std::move(found_); }

 private:
  // Summed up from the corner: pixels of `a` more than `levels` from those of `b`.
  static cv::Mat1i sums_beyond(const cv::Mat& a, const cv::Mat& b, int levels) {
    cv::Mat1b differs;
    cv::absdiff(a, b, differs);
    cv::threshold(differs, differs, levels, 1, cv::THRESH_BINARY);
    cv::Mat1i sums;
    cv::integral(differs, sums);
    return sums;
  }
  static int sum_in(const cv::Mat1i& sums, const cv::Rect& r) {
    return sums(r.y + r.height, r.x + r.width) - sums(r.y, r.x + r.width) - sums(r.y + r.height, r.x) +
           sums(r.y, r.x);
  }

  double paper() const {
    std::array<int, 256> counts{};
    for (const std::uint8_t value : grey_) ++counts[value];
    return static_cast<double>(std::ranges::max_element(counts) - counts.begin());
  }

  void add_components(cv::Mat1b& binary, const Operation& operation) {
    make_border_background(binary);
    tidy(binary);
    binary.setTo(0, clear_);
    cv::Mat1i labels;
    cv::Mat stats, centroids;
    const int count = cv::connectedComponentsWithStats(binary, labels, stats, centroids, 8);
    std::vector<int> order;
    for (int label = 1; label < count; ++label) order.push_back(label);
    const auto area = [&](int label) { return stats.at<int>(label, cv::CC_STAT_AREA); };
    std::ranges::stable_sort(order, [&](int a, int b) { return area(a) > area(b); });
    // Holes may fill up, so components somewhat too small still deserve a look.
    for (std::size_t i = 0; i < std::min<std::size_t>(order.size(), 2) && this->count() < options_.max_found;
         ++i) {
      if (area(order[i]) < 0.5 * options_.min_area * static_cast<double>(grey_.total())) break;
      keep_if_suitable(with_smooth_outline(cv::Mat1b(labels == order[i])), operation);
    }
  }

  // Thresholds follow every grain of noise; scissors do not. Holes are filled.
  cv::Mat1b with_smooth_outline(const cv::Mat1b& component) const {
    constexpr double kRadiusPx = 2.5;
    cv::Mat1b smooth = largest_filled(component);
    if (options_.drawn) return smooth;
    cv::GaussianBlur(smooth, smooth, {}, kRadiusPx);
    cv::threshold(smooth, smooth, 127, 255, cv::THRESH_BINARY);
    smooth.setTo(0, clear_);
    return largest_filled(smooth);
  }

  void keep_if_suitable(const cv::Mat1b& binary, const Operation& operation) {
    const double share = cv::countNonZero(binary) / static_cast<double>(grey_.total());
    if (share < options_.min_area || share > options_.max_area) return;
    if (cv::countNonZero(binary & clear_) > 0 || touches_edge(binary)) return;
    std::vector<std::vector<cv::Point>> contours;
    cv::findContours(binary, contours, cv::RETR_EXTERNAL, cv::CHAIN_APPROX_NONE);
    if (contours.size() != 1) return;
    std::vector<cv::Point> hull;
    cv::convexHull(contours.front(), hull);
    if (cv::contourArea(contours.front()) < options_.min_solidity * cv::contourArea(hull)) return;
    found_.push_back({.mask = to_bitmap(binary), .found_by = operation});
  }

  const ObjectOptions& options_;
  cv::Mat1b grey_, clear_;
  std::vector<Object> found_;
};

}  // namespace

std::vector<Object> find_objects(const imaging::Image& panel, std::span<const Box> keep_clear,
                                 const ObjectOptions& options, RandomStream random) {
  ObjectFinder finder(panel, keep_clear, options);
  if (options.drawn) {
    for (const double blur_px : {0.0, 1.5}) {
      if (finder.count() < options.max_found) finder.try_otsu(blur_px);
    }
    finder.try_windows(random.fork("windows"));
    return finder.take();
  }
  for (const double blur_px : {0.0, 1.5, 3.0, 6.0, 10.0}) {
    if (finder.count() < options.max_found) finder.try_otsu(blur_px);
  }
  if (finder.count() < options.max_found) finder.try_adaptive();
  const int enough = finder.count() + options.max_found;
  for (std::uint64_t i = 0; i < 40 && finder.count() < enough; ++i) finder.try_patch(random.fork(i));
  return finder.take();
}

}  // namespace awry::forge
