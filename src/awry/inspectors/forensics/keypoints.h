// SPDX-License-Identifier: Apache-2.0
// Local features: where they are, what they look like, and which of them look alike.
#pragma once

#include <array>
#include <cstdint>
#include <opencv2/core.hpp>
#include <vector>

namespace awry::inspectors::forensics {

struct Keypoint {
  float x = 0, y = 0;
  float size = 0;   // diameter of the neighbourhood described, in pixels
  float angle = 0;  // degrees
};

// RootSIFT, scaled to whole numbers so that a similarity is an exact integer dot product.
using Descriptor = std::array<std::int16_t, 128>;
inline constexpr int kDescriptorNorm = 1024;

struct Keypoints {
  std::vector<Keypoint> points;
  std::vector<Descriptor> descriptors;  // parallel to points
  std::size_t size() const { return points.size(); }
};

struct Match {
  int first = 0, second = 0;
  float ratio = 1;  // distance to the match over distance to the best rival: small is distinctive
};

// Faint features count too, the strongest `max_count` are kept. Panels whose shorter side exceeds
// `max_side` are looked at in reduced size.
struct KeypointOptions {
  int max_count = 900;
  int max_side = 400;
};
Keypoints find_keypoints(const cv::Mat& grey, const KeypointOptions& options = {});

// The keypoints of the mirror image (left and right exchanged), without looking at its pixels again:
// mirroring a neighbourhood only permutes the bins of its descriptor.
Keypoints mirrored(const Keypoints& keypoints, int image_width);

// Pairs that are each other's best match and clearly better than the runner-up.
std::vector<Match> match_keypoints(const Keypoints& first, const Keypoints& second, float max_ratio);

// Matches between places at least `min_distance` apart in one image. `other` is the same set of keypoints,
// plain or mirrored; distances are measured between the unmirrored points. Several clones of one place are
// allowed for: rivals are compared with the first distance that jumps (generalised 2NN).
std::vector<Match> match_within(const Keypoints& keypoints, const Keypoints& other, float min_distance,
                                float max_ratio);

}  // namespace awry::inspectors::forensics
