// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/forensics/seam_map.h"

#include <algorithm>
#include <vector>

namespace awry::inspectors::forensics {
namespace {

constexpr int kRowStep = 2;

// The log odds at every place of a frame, every kRowStep rows. Row by row and unit by unit, so that the
// innermost loops run along memory.
cv::Mat1f evaluate(const SeamFrame& frame, const SeamNetwork& network) {
  const int columns = frame.inside.cols, rows = frame.inside.rows;
  cv::Mat1f result((rows + kRowStep - 1) / kRowStep, columns, kNoSeam);
  std::vector<float> sums(static_cast<std::size_t>(columns)), odds(sums.size());
  for (int y = kSeamReach; y + kSeamReach < rows; y += kRowStep) {
    // Rows of a turned image are inside in one stretch.
    const std::uint8_t *above = frame.inside[y - kSeamReach], *below = frame.inside[y + kSeamReach];
    int begin = 0, end = columns;
    while (begin < columns && !(above[begin] && below[begin])) ++begin;
    while (end > begin && !(above[end - 1] && below[end - 1])) --end;
    for (const int sign : {1, -1}) {
      std::fill(odds.begin(), odds.end(), network.output_bias);
      for (std::size_t unit = 0; unit < kSeamUnits; ++unit) {
        std::fill(sums.begin(), sums.end(), network.biases[unit]);
        std::size_t next = 0;
        for (std::size_t i = 0; i < kSeamQuantities.size(); ++i) {
          const int reach = kSeamQuantities[i].reach;
          for (int offset = -reach; offset <= reach; ++offset) {
            const float weight = network.weights[unit][next++];
            const float* values = frame.quantities[i][y + sign * offset];
            float* to = sums.data();
            for (int x = begin; x < end; ++x) to[x] += weight * values[x];
          }
        }
        const float weight = network.output_weights[unit];
        float* to = odds.data();
        const float* from = sums.data();
        for (int x = begin; x < end; ++x) to[x] += weight * std::max(0.f, from[x]);
      }
      float* to = result[y / kRowStep];
      for (int x = begin; x < end; ++x) to[x] = std::max(to[x], odds[static_cast<std::size_t>(x)]);
    }
  }
  return result;
}

}  // namespace

cv::Mat1f seam_map(const SeamSubject& subject, const SeamNetwork& network) {
  const cv::Size size((subject.grey.cols + kSeamMapStep - 1) / kSeamMapStep,
                      (subject.grey.rows + kSeamMapStep - 1) / kSeamMapStep);
  cv::Mat1f map(size, kNoSeam);
  for (int direction = 0; direction < kSeamDirections; ++direction) {
    const SeamFrame frame = seam_frame(subject, direction);
    const cv::Mat1f odds = evaluate(frame, network);
    const cv::Matx23d& m = frame.frame_from_image;
    for (int y = 0; y < size.height; ++y) {
      for (int x = 0; x < size.width; ++x) {
        const double px = x * kSeamMapStep, py = y * kSeamMapStep;
        const int fx = cvRound((m(0, 0) * px + m(0, 1) * py + m(0, 2)) / SeamFrame::kColumnStep);
        const int fy = cvRound((m(1, 0) * px + m(1, 1) * py + m(1, 2)) / kRowStep);
        if (fx < 0 || fy < 0 || fx >= odds.cols || fy >= odds.rows) continue;
        map(y, x) = std::max(map(y, x), odds(fy, fx));
      }
    }
  }
  return map;
}

}  // namespace awry::inspectors::forensics
