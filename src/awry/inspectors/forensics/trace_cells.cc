// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/forensics/trace_cells.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <opencv2/imgproc.hpp>
#include <vector>

namespace awry::inspectors::forensics {
namespace {

using Planes = std::vector<cv::Mat1f>;

constexpr float kNoiseFloor = 0.05f;  // grey levels; far below what rounding leaves

float log_strength(float value) {
  return std::log(kNoiseFloor + value);
}

// What the cells of an image are, in order, and one way to walk them.
struct Grid {
  int rows = 0, columns = 0;
  explicit Grid(cv::Size size) : rows(size.height / kTraceCell), columns(size.width / kTraceCell) {}
  cv::Mat1f plane() const { return cv::Mat1f(rows, columns, 0.f); }
  cv::Size pixels() const { return {columns * kTraceCell, rows * kTraceCell}; }

  template <typename Of>
  cv::Mat1f map(const Of& of) const {
    cv::Mat1f result = plane();
    for (int r = 0; r < rows; ++r) {
      for (int c = 0; c < columns; ++c)
        result(r, c) = of(cv::Rect(c * kTraceCell, r * kTraceCell, kTraceCell, kTraceCell));
    }
    return result;
  }
};

float mean_of(const cv::Mat1f& image, const cv::Rect& cell) {
  float sum = 0;
  for (int y = cell.y; y < cell.y + cell.height; ++y) {
    const float* row = image[y];
    for (int x = cell.x; x < cell.x + cell.width; ++x) sum += row[x];
  }
  return sum / static_cast<float>(cell.area());
}

float max_of(const cv::Mat1f& image, const cv::Rect& cell) {
  float most = image(cell.y, cell.x);
  for (int y = cell.y; y < cell.y + cell.height; ++y)
    most = std::max(most, *std::max_element(image[y] + cell.x, image[y] + cell.x + cell.width));
  return most;
}

using CellValues = std::array<float, kTraceCell * kTraceCell>;

CellValues sorted_values(const cv::Mat1f& image, const cv::Rect& cell) {
  CellValues values;
  auto next = values.begin();
  for (int y = cell.y; y < cell.y + cell.height; ++y) next = std::copy_n(image[y] + cell.x, cell.width, next);
  std::sort(values.begin(), values.end());
  return values;
}

cv::Mat1f filtered(const cv::Mat1f& image, const cv::Mat1f& kernel) {
  cv::Mat1f result;
  cv::filter2D(image, result, CV_32F, kernel, {-1, -1}, 0, cv::BORDER_REFLECT_101);
  return result;
}

cv::Mat1f magnitude(const cv::Mat1f& image) {
  return cv::Mat1f(cv::abs(image));
}

cv::Mat1f box(const cv::Mat1f& image, int diameter) {
  cv::Mat1f result;
  cv::boxFilter(image, result, CV_32F, {diameter, diameter}, {-1, -1}, true, cv::BORDER_REFLECT_101);
  return result;
}

// Residuals scaled so that white noise of one level leaves one level.
const cv::Mat1f kMixed((cv::Mat1f(3, 3) << 1, -2, 1, -2, 4, -2, 1, -2, 1) / 6.0);
const cv::Mat1f kAcross((cv::Mat1f(1, 3) << 1, -2, 1) / std::sqrt(6.0));
const cv::Mat1f kDown((cv::Mat1f(3, 1) << 1, -2, 1) / std::sqrt(6.0));

// How much finest detail there is: quantiles withstand the edges that cross a cell.
void add_noise(Planes& planes, const Grid& grid, const cv::Mat1f& mixed, const cv::Mat1f& across,
               const cv::Mat1f& down) {
  constexpr int quarter = 16, half = 32, tenth = 57;
  cv::Mat1f q25 = grid.plane(), q50 = grid.plane(), q90 = grid.plane(), most = grid.plane();
  cv::Mat1f h50 = grid.plane(), v50 = grid.plane();
  const cv::Mat1f m = magnitude(mixed), h = magnitude(across), v = magnitude(down);
  for (int r = 0; r < grid.rows; ++r) {
    for (int c = 0; c < grid.columns; ++c) {
      const cv::Rect cell(c * kTraceCell, r * kTraceCell, kTraceCell, kTraceCell);
      const CellValues values = sorted_values(m, cell);
      q25(r, c) = log_strength(values[quarter]), q50(r, c) = log_strength(values[half]);
      q90(r, c) = log_strength(values[tenth]), most(r, c) = log_strength(values.back());
      h50(r, c) = log_strength(sorted_values(h, cell)[half]);
      v50(r, c) = log_strength(sorted_values(v, cell)[half]);
    }
  }
  planes.insert(planes.end(), {q25, q50, q90, most, h50, v50});
}

// Strength of detail by scale, and how sharp the sharpest edge is for its height.
void add_scales(Planes& planes, const Grid& grid, const cv::Mat1f& grey) {
  const cv::Mat1f fine = box(grey, 3), middle = box(box(grey, 3), 3), coarse = box(box(grey, 5), 5),
                  coarsest = box(box(grey, 9), 9);
  for (const auto& [a, b] : {std::pair(grey, fine), {fine, middle}, {middle, coarse}, {coarse, coarsest}}) {
    const cv::Mat1f band = magnitude(cv::Mat1f(a - b));
    planes.push_back(grid.map([&](const cv::Rect& cell) { return log_strength(mean_of(band, cell)); }));
  }
  const auto steepest = [&](const cv::Mat1f& image) {
    cv::Mat1f dx = magnitude(filtered(image, (cv::Mat1f(1, 3) << 0, -1, 1)));
    cv::Mat1f dy = magnitude(filtered(image, (cv::Mat1f(3, 1) << 0, -1, 1)));
    const cv::Mat1f slope(cv::max(dx, dy));
    return grid.map([&](const cv::Rect& cell) { return log_strength(max_of(slope, cell)); });
  };
  const cv::Mat1f sharp = steepest(grey), soft = steepest(middle);
  planes.insert(planes.end(), {sharp, cv::Mat1f(sharp - soft)});
}

// Neighbours that are exactly equal: drawn areas, clipped ones, and pixels doubled by scaling.
void add_equality(Planes& planes, const Grid& grid, const cv::Mat& rgb) {
  const auto equal = [&](int dx, int dy) {
    return grid.map([&](const cv::Rect& cell) {
      int count = 0;
      for (int y = cell.y; y < cell.y + cell.height; ++y) {
        const cv::Vec3b *row = rgb.ptr<cv::Vec3b>(y),
                        *other = rgb.ptr<cv::Vec3b>(std::min(y + dy, rgb.rows - 1));
        for (int x = cell.x; x < cell.x + cell.width; ++x)
          count += row[x] == other[std::min(x + dx, rgb.cols - 1)];
      }
      return static_cast<float>(count) / static_cast<float>(cell.area());
    });
  };
  const auto at_limit = [&](std::uint8_t limit) {
    return grid.map([&](const cv::Rect& cell) {
      int count = 0;
      for (int y = cell.y; y < cell.y + cell.height; ++y) {
        const cv::Vec3b* row = rgb.ptr<cv::Vec3b>(y);
        for (int x = cell.x; x < cell.x + cell.width; ++x) count += row[x][1] == limit;
      }
      return static_cast<float>(count) / static_cast<float>(cell.area());
    });
  };
  planes.insert(planes.end(), {equal(1, 0), equal(0, 1), equal(1, 1), at_limit(0), at_limit(255)});
}

// Stretching contrast leaves gaps in the histogram: which levels a place uses tells what happened to it.
void add_levels(Planes& planes, const Grid& grid, const cv::Mat& rgb) {
  constexpr int reach = 3;
  std::array<float, 256> counts{}, rarity{};
  for (int y = 0; y < rgb.rows; ++y) {
    const cv::Vec3b* row = rgb.ptr<cv::Vec3b>(y);
    for (int x = 0; x < rgb.cols; ++x) counts[row[x][1]] += 1;
  }
  for (int level = 0; level < 256; ++level) {
    float around = 0;
    int levels = 0;
    for (int other = std::max(0, level - reach); other <= std::min(255, level + reach); ++other) {
      if (other == level) continue;
      around += counts[static_cast<std::size_t>(other)];
      ++levels;
    }
    rarity[static_cast<std::size_t>(level)] =
        std::log((counts[static_cast<std::size_t>(level)] + 2) / (around / static_cast<float>(levels) + 2));
  }
  cv::Mat1f mean = grid.plane(), rarest = grid.plane(), distinct = grid.plane();
  for (int r = 0; r < grid.rows; ++r) {
    for (int c = 0; c < grid.columns; ++c) {
      float sum = 0, least = 0;
      std::array<bool, 256> seen{};
      for (int y = r * kTraceCell; y < (r + 1) * kTraceCell; ++y) {
        const cv::Vec3b* row = rgb.ptr<cv::Vec3b>(y);
        for (int x = c * kTraceCell; x < (c + 1) * kTraceCell; ++x) {
          sum += rarity[row[x][1]], least = std::min(least, rarity[row[x][1]]);
          seen[row[x][1]] = true;
        }
      }
      mean(r, c) = sum / (kTraceCell * kTraceCell), rarest(r, c) = least;
      distinct(r, c) = std::log(static_cast<float>(std::count(seen.begin(), seen.end(), true)));
    }
  }
  planes.insert(planes.end(), {mean, rarest, distinct});
}

// Correlation of neighbouring noise, over three by three cells: interpolation and blur leave it behind. Noise
// is cut off at a few times its usual strength, so that edges do not outvote it.
void add_correlations(Planes& planes, const Grid& grid, const cv::Mat1f& mixed, const cv::Mat1f& q50) {
  cv::Mat1f limited(mixed.size());
  for (int y = 0; y < grid.rows * kTraceCell; ++y) {
    for (int x = 0; x < grid.columns * kTraceCell; ++x) {
      const float limit = 3 * std::exp(q50(y / kTraceCell, x / kTraceCell)) + 0.3f;
      limited(y, x) = std::clamp(mixed(y, x), -limit, limit);
    }
  }
  const auto sums = [&](int dx, int dy) {
    cv::Mat1f result = grid.map([&](const cv::Rect& cell) {
      float sum = 0;
      for (int y = cell.y; y < std::min(cell.y + cell.height, grid.rows * kTraceCell - dy); ++y) {
        const float *row = limited[y], *other = limited[y + dy];
        const int end = std::min(cell.x + cell.width, grid.columns * kTraceCell - std::max(dx, 0));
        for (int x = std::max(cell.x, -dx); x < end; ++x) sum += row[x] * other[x + dx];
      }
      return sum;
    });
    cv::boxFilter(result, result, CV_32F, {3, 3}, {-1, -1}, false, cv::BORDER_REFLECT_101);
    return result;
  };
  const cv::Mat1f energy(sums(0, 0) + 1.f);
  for (const auto& [dx, dy] : {std::pair(1, 0), {0, 1}, {2, 0}, {0, 2}, {1, 1}, {-1, 1}})
    planes.push_back(cv::Mat1f(sums(dx, dy) / energy));
}

// Steps between the blocks of JPEG, along whichever of the eight columns and rows they are strongest.
void add_blocks(Planes& planes, const Grid& grid, const cv::Mat1f& grey) {
  constexpr int period = 8;
  constexpr float most = 4;
  for (const bool down : {false, true}) {
    const cv::Size size = grid.pixels();
    cv::Mat1f steps(grey.size(), 0.f);
    const int reach_x = down ? 0 : 1, reach_y = down ? 1 : 0;
    std::array<double, period> totals{};
    for (int y = reach_y; y < grey.rows - 2 * reach_y; ++y) {
      for (int x = reach_x; x < grey.cols - 2 * reach_x; ++x) {
        const float a = grey(y - reach_y, x - reach_x), b = grey(y, x), c = grey(y + reach_y, x + reach_x),
                    d = grey(y + 2 * reach_y, x + 2 * reach_x);
        steps(y, x) = std::clamp(std::abs(b - c) - (std::abs(a - b) + std::abs(c - d)) / 2, -most, most);
        totals[static_cast<std::size_t>((down ? y : x) % period)] += static_cast<double>(steps(y, x));
      }
    }
    const int phase = static_cast<int>(std::max_element(totals.begin(), totals.end()) - totals.begin());
    cv::Mat1f on = grid.plane(), off = grid.plane();
    for (int y = 0; y < size.height; ++y) {
      for (int x = 0; x < size.width; ++x)
        ((down ? y : x) % period == phase ? on : off)(y / kTraceCell, x / kTraceCell) += steps(y, x);
    }
    const cv::Mat1f block(on / kTraceCell - off / (kTraceCell * (period - 1)));
    planes.push_back(box(block, 3));
    planes.push_back(cv::Mat1f(grid.rows, grid.columns, static_cast<float>(cv::mean(block)[0])));
  }
}

void add_colours(Planes& planes, const Grid& grid, const cv::Mat& rgb) {
  cv::Mat1f channels[3];
  std::vector<cv::Mat> bytes;
  cv::split(rgb, bytes);
  for (int c = 0; c < 3; ++c) bytes[static_cast<std::size_t>(c)].convertTo(channels[c], CV_32F);
  for (const int c : {0, 2}) {
    const cv::Mat1f tone(channels[c] - channels[1]);
    const cv::Mat1f detail = magnitude(filtered(tone, kMixed));
    planes.push_back(grid.map([&](const cv::Rect& cell) { return mean_of(tone, cell) / 32; }));
    planes.push_back(grid.map([&](const cv::Rect& cell) { return log_strength(mean_of(detail, cell)); }));
  }
}

// How much each cell exceeds the median of the cells that are about as bright: noise depends on brightness.
cv::Mat1f beyond_equally_bright(const cv::Mat1f& plane, const std::vector<int>& by_brightness) {
  const int total = static_cast<int>(by_brightness.size()), reach = std::max(12, total / 16);
  constexpr int stride = 8;  // medians of neighbours in brightness are all but the same
  cv::Mat1f result(plane.size());
  std::vector<float> window;
  for (int i = 0; i < total; i += stride) {
    const int first = std::max(0, i + stride / 2 - reach), last = std::min(total, i + stride / 2 + reach);
    window.clear();
    for (int j = first; j < last; ++j)
      window.push_back(plane(by_brightness[static_cast<std::size_t>(j)] / plane.cols,
                             by_brightness[static_cast<std::size_t>(j)] % plane.cols));
    std::nth_element(window.begin(), window.begin() + static_cast<std::ptrdiff_t>(window.size() / 2),
                     window.end());
    const float median = window[window.size() / 2];
    for (int j = i; j < std::min(total, i + stride); ++j) {
      const int place = by_brightness[static_cast<std::size_t>(j)];
      result(place / plane.cols, place % plane.cols) = plane(place / plane.cols, place % plane.cols) - median;
    }
  }
  return result;
}

}  // namespace

std::vector<cv::Mat1f> trace_cells(const cv::Mat& rgb) {
  const Grid grid(rgb.size());
  Planes planes;
  if (grid.rows == 0 || grid.columns == 0) return planes;
  cv::Mat1f grey(rgb.size());
  for (int y = 0; y < rgb.rows; ++y) {
    const cv::Vec3b* row = rgb.ptr<cv::Vec3b>(y);
    for (int x = 0; x < rgb.cols; ++x)
      grey(y, x) = static_cast<float>(299 * row[x][0] + 587 * row[x][1] + 114 * row[x][2]) / 1000.f;
  }
  const cv::Mat1f mixed = filtered(grey, kMixed), across = filtered(grey, kAcross),
                  down = filtered(grey, kDown);

  const cv::Mat1f bright = grid.map([&](const cv::Rect& cell) { return mean_of(grey, cell); });
  const cv::Mat1f squares(grey.mul(grey));
  planes.push_back(cv::Mat1f(bright / 64));
  planes.push_back(grid.map([&](const cv::Rect& cell) {
    const float mean = mean_of(grey, cell);
    return log_strength(std::sqrt(std::max(0.f, mean_of(squares, cell) - mean * mean)));
  }));
  const cv::Mat1f brightest = grid.map([&](const cv::Rect& cell) { return max_of(grey, cell) / 64; });
  planes.push_back(cv::Mat1f(brightest - planes[0]));
  add_noise(planes, grid, mixed, across, down);      // 3 to 8
  add_scales(planes, grid, grey);                    // 9 to 14
  add_equality(planes, grid, rgb);                   // 15 to 19
  add_levels(planes, grid, rgb);                     // 20 to 22
  add_correlations(planes, grid, mixed, planes[4]);  // 23 to 28
  add_blocks(planes, grid, grey);                    // 29 to 32
  add_colours(planes, grid, rgb);                    // 33 to 36
  cv::Mat1f floor;  // where texture crowds a place there is plain ground near by
  cv::erode(planes[4], floor, cv::Mat::ones(3, 3, CV_8U));
  planes.push_back(floor);  // 37

  std::vector<int> by_brightness(bright.total());
  std::iota(by_brightness.begin(), by_brightness.end(), 0);
  std::stable_sort(by_brightness.begin(), by_brightness.end(), [&](int a, int b) {
    return bright(a / bright.cols, a % bright.cols) < bright(b / bright.cols, b % bright.cols);
  });
  for (const int compared : {1, 3, 4, 5, 7, 8, 9, 10, 11, 13, 14, 15, 21, 22, 23, 24, 36, 37})
    planes.push_back(beyond_equally_bright(planes[static_cast<std::size_t>(compared)], by_brightness));
  return planes;
}

}  // namespace awry::inspectors::forensics
