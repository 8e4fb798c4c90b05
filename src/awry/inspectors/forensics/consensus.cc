// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/forensics/consensus.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "awry/inspectors/forensics/false_alarms.h"

namespace awry::inspectors::forensics {
namespace {

constexpr double kAngleTolerance = 25;      // degrees
constexpr double kLogScaleTolerance = 0.5;  // natural logarithm

struct Agreement {
  double x1, y1, x2, y2;
  double log_scale, angle;
};

double square(double x) {
  return x * x;
}

double angle_between(double a, double b) {
  const double difference = std::fmod(std::abs(a - b), 360.0);
  return std::min(difference, 360 - difference);
}

std::vector<int> supporters(const Motion& motion, std::span<const Agreement> pairs,
                            const std::vector<char>& used, double tolerance, double tolerance_per_px,
                            const Agreement* origin) {
  const MotionParts parts = parts_of(motion);
  const double log_scale = std::log(std::max(1e-9, parts.scale));
  std::vector<int> result;
  for (int i = 0; i < static_cast<int>(pairs.size()); ++i) {
    const Agreement& p = pairs[i];
    if (used[i] || std::abs(p.log_scale - log_scale) > kLogScaleTolerance ||
        angle_between(p.angle, parts.rotation_degrees) > kAngleTolerance) {
      continue;
    }
    const cv::Point2d q = apply(motion, p.x1, p.y1);
    const double reach = origin ? std::sqrt(square(p.x2 - origin->x2) + square(p.y2 - origin->y2)) : 0;
    const double dx = q.x - p.x2, dy = q.y - p.y2, allowed = tolerance + tolerance_per_px * reach;
    if (dx * dx + dy * dy <= allowed * allowed) result.push_back(i);
  }
  return result;
}

// Least-squares similarity through the given pairs (closed form in complex numbers).
std::optional<Motion> fit(std::span<const Agreement> pairs, std::span<const int> chosen) {
  if (chosen.size() < 2) return std::nullopt;
  double mx1 = 0, my1 = 0, mx2 = 0, my2 = 0;
  for (int i : chosen) mx1 += pairs[i].x1, my1 += pairs[i].y1, mx2 += pairs[i].x2, my2 += pairs[i].y2;
  const double n = static_cast<double>(chosen.size());
  mx1 /= n, my1 /= n, mx2 /= n, my2 /= n;
  double real = 0, imaginary = 0, spread = 0;
  for (int i : chosen) {
    const double x1 = pairs[i].x1 - mx1, y1 = pairs[i].y1 - my1;
    const double x2 = pairs[i].x2 - mx2, y2 = pairs[i].y2 - my2;
    real += x1 * x2 + y1 * y2;
    imaginary += x1 * y2 - y1 * x2;
    spread += x1 * x1 + y1 * y1;
  }
  if (spread < 4) return std::nullopt;
  const double a = real / spread, b = imaginary / spread;
  if (std::hypot(a, b) < 1e-3) return std::nullopt;
  return Motion(a, -b, mx2 - a * mx1 + b * my1, b, a, my2 - b * mx1 - a * my1, 0, 0, 1);
}

}  // namespace

std::vector<Consensus> find_consensus(const Keypoints& first, const Keypoints& second,
                                      std::span<const Match> matches, cv::Size second_size,
                                      const ConsensusOptions& options) {
  std::vector<Agreement> pairs;
  for (const Match& match : matches) {
    const Keypoint& a = first.points[match.first];
    const Keypoint& b = second.points[match.second];
    pairs.push_back({a.x, a.y, b.x, b.y, std::log(b.size / a.size), static_cast<double>(b.angle - a.angle)});
  }
  const double area = std::max(1, second_size.area());
  const double by_chance =
      std::min(0.5, CV_PI * options.tolerance_px * options.tolerance_px / area) * (2 * kAngleTolerance / 360);

  std::vector<Consensus> result;
  std::vector<char> used(pairs.size(), 0);
  while (static_cast<int>(result.size()) < options.max_motions) {
    // Direction and size of one keypoint are rough: far from it, allow what that roughness amounts to.
    std::vector<std::pair<int, int>> support;  // -count, hypothesis
    for (int i = 0; i < static_cast<int>(pairs.size()); ++i) {
      if (used[i]) continue;
      const Agreement& p = pairs[i];
      Motion motion = similarity(std::exp(p.log_scale), p.angle, 0, 0);
      const cv::Point2d moved = apply(motion, p.x1, p.y1);
      motion = translation(p.x2 - moved.x, p.y2 - moved.y) * motion;
      support.emplace_back(-static_cast<int>(supporters(motion, pairs, used, 4, 0.08, &p).size()), i);
    }
    std::sort(support.begin(), support.end());
    Consensus best;
    for (std::size_t h = 0; h < std::min<std::size_t>(support.size(), 12); ++h) {
      if (-support[h].first < 3) break;
      const Agreement& p = pairs[support[h].second];
      Motion motion = similarity(std::exp(p.log_scale), p.angle, 0, 0);
      const cv::Point2d moved = apply(motion, p.x1, p.y1);
      motion = translation(p.x2 - moved.x, p.y2 - moved.y) * motion;
      std::vector<int> inliers = supporters(motion, pairs, used, 4, 0.08, &p);
      for (double widen : {4.0, 2.5, 1.5, 1.0, 1.0}) {
        const auto fitted = fit(pairs, inliers);
        if (!fitted) {
          inliers.clear();
          break;
        }
        motion = *fitted;
        inliers = supporters(motion, pairs, used, options.tolerance_px * widen, 0, nullptr);
      }
      if (inliers.size() > best.inliers.size()) {
        best.motion = motion;
        best.inliers = inliers;
      }
    }
    if (best.inliers.size() < 3) break;
    // Several keypoints on one spot are one observation.
    std::vector<cv::Point2d> spots;
    for (int i : best.inliers) {
      const cv::Point2d spot(pairs[i].x1, pairs[i].y1);
      const bool seen = std::any_of(spots.begin(), spots.end(),
                                    [&](const cv::Point2d& s) { return cv::norm(s - spot) < 5; });
      if (!seen) spots.push_back(spot);
    }
    const double n = static_cast<double>(pairs.size()), k = static_cast<double>(spots.size());
    best.log10_false_alarms =
        std::log10(n) + log10_choose(n, k) + std::max(0.0, k - 2) * std::log10(by_chance);
    if (k < 3 || best.log10_false_alarms > options.max_log10_false_alarms) break;
    for (int i : best.inliers) used[i] = 1;
    result.push_back(std::move(best));
  }
  return result;
}

}  // namespace awry::inspectors::forensics
