// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/forensics/keypoints.h"

#include <algorithm>
#include <cmath>
#include <opencv2/features2d.hpp>
#include <opencv2/imgproc.hpp>

namespace awry::inspectors::forensics {
namespace {

constexpr int kLength = 128;
constexpr int kSpatialBins = 4, kAngleBins = 8;

Descriptor root_sift(const float* values) {
  float sum = 0;
  for (int i = 0; i < kLength; ++i) sum += values[i];
  Descriptor result{};
  if (sum <= 0) return result;
  for (int i = 0; i < kLength; ++i) {
    result[i] = static_cast<std::int16_t>(std::lround(kDescriptorNorm * std::sqrt(values[i] / sum)));
  }
  return result;
}

// Written as a plain loop: compilers turn it into multiply-add instructions of whatever width there is.
[[gnu::always_inline]] inline void dot_block(const Descriptor& a, const Descriptor* b, int count, int* out) {
  for (int j = 0; j < count; ++j) {
    const std::int16_t* left = a.data();
    const std::int16_t* right = b[j].data();
    int sum = 0;
    for (int i = 0; i < kLength; ++i) sum += static_cast<int>(left[i]) * right[i];
    out[j] = sum;
  }
}

void dots_portable(const Descriptor& a, const Descriptor* b, int count, int* out) {
  dot_block(a, b, count, out);
}

#if defined(__x86_64__)
[[gnu::target("avx2")]] void dots_avx2(const Descriptor& a, const Descriptor* b, int count, int* out) {
  dot_block(a, b, count, out);
}
#endif

void dots(const Descriptor& a, const std::vector<Descriptor>& b, std::vector<int>& out) {
  out.resize(b.size());
#if defined(__x86_64__)
  static const bool has_avx2 = __builtin_cpu_supports("avx2");
  if (has_avx2) return dots_avx2(a, b.data(), static_cast<int>(b.size()), out.data());
#endif
  dots_portable(a, b.data(), static_cast<int>(b.size()), out.data());
}

float distance(int dot) {
  constexpr float one = static_cast<float>(kDescriptorNorm) * kDescriptorNorm;
  return std::sqrt(std::max(0.0f, 2 - 2 * static_cast<float>(dot) / one));
}

struct Nearest {
  int best = -1;
  float ratio = 1;
};

// Nearby descriptors of one blob at several scales are not rivals, so rivals closer than a few pixels to
// the best match are not counted as such.
Nearest nearest(const std::vector<int>& row, const Keypoints& candidates) {
  constexpr float same_place = 4;
  Nearest result;
  int best_dot = -1;
  for (int j = 0; j < static_cast<int>(row.size()); ++j) {
    if (row[j] > best_dot) best_dot = row[j], result.best = j;
  }
  if (result.best < 0) return result;
  const Keypoint& best = candidates.points[result.best];
  int rival = -1;
  for (int j = 0; j < static_cast<int>(row.size()); ++j) {
    if (row[j] <= rival) continue;
    const Keypoint& point = candidates.points[j];
    if (std::abs(point.x - best.x) < same_place && std::abs(point.y - best.y) < same_place) continue;
    rival = row[j];
  }
  if (rival >= 0) result.ratio = distance(best_dot) / std::max(1e-3f, distance(rival));
  return result;
}

}  // namespace

Keypoints find_keypoints(const cv::Mat& grey, const KeypointOptions& options) {
  Keypoints result;
  if (std::min(grey.cols, grey.rows) < 12) return result;
  const double scale = std::min(1.0, options.max_side / static_cast<double>(std::min(grey.cols, grey.rows)));
  cv::Mat small = grey, bytes;
  if (scale < 1) cv::resize(grey, small, {}, scale, scale, cv::INTER_AREA);
  // Faint panels use few of the 256 levels: stretching them keeps rounding from eating the features.
  double low, high;
  cv::minMaxLoc(small, &low, &high);
  if (high - low < 2) return result;
  small.convertTo(bytes, CV_8U, 255 / (high - low), -low * 255 / (high - low));

  const auto sift = cv::SIFT::create(options.max_count, 3, 0.012, 12, 1.6);
  std::vector<cv::KeyPoint> points;
  cv::Mat descriptors;
  sift->detectAndCompute(bytes, cv::noArray(), points, descriptors);

  const float back = static_cast<float>(1 / scale), shift = static_cast<float>((1 / scale - 1) / 2);
  for (int i = 0; i < static_cast<int>(points.size()); ++i) {
    const cv::KeyPoint& p = points[i];
    result.points.push_back({p.pt.x * back + shift, p.pt.y * back + shift, p.size * back, p.angle});
    result.descriptors.push_back(root_sift(descriptors.ptr<float>(i)));
  }
  return result;
}

Keypoints mirrored(const Keypoints& keypoints, int image_width) {
  Keypoints result = keypoints;
  for (std::size_t k = 0; k < keypoints.size(); ++k) {
    Keypoint& point = result.points[k];
    point.x = static_cast<float>(image_width - 1) - point.x;
    point.angle = std::fmod(540 - point.angle, 360.0f);
    for (int row = 0; row < kSpatialBins; ++row) {
      for (int column = 0; column < kSpatialBins; ++column) {
        for (int angle = 0; angle < kAngleBins; ++angle) {
          const int from = (row * kSpatialBins + column) * kAngleBins + angle;
          const int to = ((kSpatialBins - 1 - row) * kSpatialBins + column) * kAngleBins +
                         (kAngleBins - angle) % kAngleBins;
          result.descriptors[k][to] = keypoints.descriptors[k][from];
        }
      }
    }
  }
  return result;
}

std::vector<Match> match_keypoints(const Keypoints& first, const Keypoints& second, float max_ratio) {
  std::vector<Match> matches;
  if (first.size() == 0 || second.size() == 0) return matches;
  std::vector<int> row;
  std::vector<Nearest> forward(first.size());
  std::vector<int> best_first(second.size(), -1), best_dot(second.size(), -1);
  for (int i = 0; i < static_cast<int>(first.size()); ++i) {
    dots(first.descriptors[i], second.descriptors, row);
    forward[i] = nearest(row, second);
    for (int j = 0; j < static_cast<int>(row.size()); ++j) {
      if (row[j] > best_dot[j]) best_dot[j] = row[j], best_first[j] = i;
    }
  }
  for (int i = 0; i < static_cast<int>(first.size()); ++i) {
    const Nearest& n = forward[i];
    if (n.best >= 0 && n.ratio < max_ratio && best_first[n.best] == i)
      matches.push_back({i, n.best, n.ratio});
  }
  return matches;
}

std::vector<Match> match_within(const Keypoints& keypoints, const Keypoints& other, float min_distance,
                                float max_ratio) {
  constexpr int max_clones = 4;
  std::vector<Match> matches;
  std::vector<int> row;
  for (int i = 0; i < static_cast<int>(keypoints.size()); ++i) {
    dots(keypoints.descriptors[i], other.descriptors, row);
    const Keypoint& here = keypoints.points[i];
    // The best few places away from here, best first, each counted once however many keypoints it has.
    std::vector<std::pair<int, int>> best;  // dot, index
    for (int j = 0; j < static_cast<int>(row.size()); ++j) {
      if (best.size() == max_clones + 1 && row[j] <= best.back().first) continue;
      const Keypoint& there = keypoints.points[j];
      const float dx = here.x - there.x, dy = here.y - there.y;
      if (dx * dx + dy * dy < min_distance * min_distance) continue;
      const auto same = std::find_if(best.begin(), best.end(), [&](const auto& entry) {
        const Keypoint& seen = keypoints.points[entry.second];
        return std::abs(seen.x - there.x) < 4 && std::abs(seen.y - there.y) < 4;
      });
      if (same != best.end()) {
        if (row[j] > same->first) *same = {row[j], j};
      } else {
        best.emplace_back(row[j], j);
      }
      std::sort(best.begin(), best.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
      if (best.size() > max_clones + 1) best.pop_back();
    }
    for (std::size_t k = 0; k + 1 < best.size(); ++k) {
      const float ratio = distance(best[k].first) / std::max(1e-3f, distance(best[k + 1].first));
      if (ratio >= max_ratio) continue;
      for (std::size_t m = 0; m <= k; ++m) matches.push_back({i, best[m].second, ratio});
      break;
    }
  }
  return matches;
}

}  // namespace awry::inspectors::forensics
