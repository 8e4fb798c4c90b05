// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/forensics/coding_noise.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace awry::inspectors::forensics {
namespace {

constexpr int kBlock = 8;
using Table = std::array<double, kBlock * kBlock>;

// The luma table of the JPEG standard's annex K, which encoders scale by their quality setting.
constexpr std::array<int, kBlock* kBlock> kLuma = {
    16, 11,  10,  16, 24, 40, 51, 61, 12,  12,  14,  19,  26, 58, 60, 55,  14,  13,  16,  24, 40, 57,
    69, 56,  14,  17, 22, 29, 51, 87, 80,  62,  18,  22,  37, 56, 68, 109, 103, 77,  24,  35, 55, 64,
    81, 104, 113, 92, 49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98,  112, 100, 103, 99};

Table steps_at(int quality) {
  const double scale = quality < 50 ? 5000.0 / quality : 200.0 - 2 * quality;
  Table steps{};
  for (std::size_t i = 0; i < steps.size(); ++i)
    steps[i] = std::clamp(std::floor((kLuma[i] * scale + 50) / 100), 1.0, 255.0);
  return steps;
}

// Blocks from all over the image.
std::vector<cv::Mat> sampled_coefficients(const cv::Mat& grey) {
  constexpr int most = 300;
  const int columns = grey.cols / kBlock, rows = grey.rows / kBlock;
  const int every = std::max(1, columns * rows / most);
  std::vector<cv::Mat> blocks;
  for (int i = 0; i < columns * rows; i += every) {
    const cv::Rect place(i % columns * kBlock, i / columns * kBlock, kBlock, kBlock);
    cv::Mat coefficients;
    cv::dct(grey(place) - 128, coefficients);
    blocks.push_back(coefficients);
  }
  return blocks;
}

// How far coefficients lie from whole steps, in steps: 0.25 on average when there are none. Those that would
// have been rounded to nothing are left out, since they fit any table.
double distance_from_steps(const std::vector<cv::Mat>& blocks, const Table& steps, int& counted) {
  double sum = 0;
  counted = 0;
  for (const cv::Mat& block : blocks) {
    for (std::size_t i = 1; i < steps.size(); ++i) {
      const double in_steps =
          std::abs(block.at<float>(static_cast<int>(i) / kBlock, static_cast<int>(i) % kBlock)) / steps[i];
      if (in_steps < 0.5 || steps[i] < 3) continue;
      sum += std::abs(in_steps - std::round(in_steps));
      ++counted;
    }
  }
  return counted > 0 ? sum / counted : 1;
}

// Share of a wave's variance that band_pass lets through.
double passed(double cycles_x, double cycles_y, double fine_sigma, double coarse_sigma) {
  const double w2 = 4 * std::numbers::pi * std::numbers::pi * (cycles_x * cycles_x + cycles_y * cycles_y);
  const double gain =
      std::exp(-w2 * fine_sigma * fine_sigma / 2) - std::exp(-w2 * coarse_sigma * coarse_sigma / 2);
  return gain * gain;
}

}  // namespace

int jpeg_quality_of(const cv::Mat& grey) {
  constexpr int least_counted = 40, finest = 97, coarsest = 20;
  constexpr double at_steps = 0.13;
  const std::vector<cv::Mat> blocks = sampled_coefficients(grey);
  // Finer tables whose steps divide the true ones fit as well, so the coarsest that fits is meant, or the
  // best of its neighbours.
  constexpr int neighbours = 6;
  int best_quality = 0;
  double best = at_steps;
  for (int quality = coarsest; quality <= finest; ++quality) {
    if (best_quality > 0 && quality > best_quality + neighbours) break;
    int counted = 0;
    const double distance = distance_from_steps(blocks, steps_at(quality), counted);
    if (distance < best && counted >= least_counted) best = distance, best_quality = quality;
  }
  return best_quality;
}

double coding_noise(int jpeg_quality, double fine_sigma, double coarse_sigma) {
  // What was rounded to nothing lost at most its own variance, and usually less than a full step would.
  constexpr double rounding = 1 / 12.0, lost = 0.5;
  const Table steps = steps_at(std::max(1, jpeg_quality));
  double sum = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const double fx = static_cast<double>(i % kBlock) / (2 * kBlock),
                 fy = static_cast<double>(i / kBlock) / (2 * kBlock);
    const double error = rounding + (jpeg_quality > 0 ? lost * steps[i] * steps[i] / 12 : 0.0);
    sum += error * passed(fx, fy, fine_sigma, coarse_sigma);
  }
  return sum / (kBlock * kBlock);
}

}  // namespace awry::inspectors::forensics
