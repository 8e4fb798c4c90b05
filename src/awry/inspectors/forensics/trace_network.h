// SPDX-License-Identifier: Apache-2.0
// The learned part of the splicing detector: from the traces of an image's cells to the odds that each was
// pasted in. Trained by perf/quality/tune/train_splicing.py, whose splice_network.py is the same network.
#pragma once

#include <opencv2/core.hpp>
#include <span>
#include <string_view>
#include <vector>

#include "awry/base/result.h"

namespace awry::inspectors::forensics {

struct SpliceOdds {
  cv::Mat1f cells;   // log odds that a cell was pasted in
  double whole = 0;  // log odds that anything was
};

class TraceNetwork {
 public:
  // `bytes`: what train_splicing.py writes. An error when they are not as many as the network needs.
  static Result<TraceNetwork> read(std::string_view bytes);

  // All planes must have one size, and there must be as many as the network was trained on.
  SpliceOdds judge(std::span<const cv::Mat1f> traces) const;

 private:
  struct Layer {
    int inputs = 0, outputs = 0, taps = 0;  // 9: 3x3; 1: one matrix
    std::vector<float> weights, bias;       // [output][input][tap]
  };
  struct Planes {  // [channel][row][column]
    int channels = 0, rows = 0, columns = 0;
    std::vector<float> values;
    std::size_t area() const { return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns); }
    float* channel(int c) { return values.data() + static_cast<std::size_t>(c) * area(); }
    const float* channel(int c) const { return values.data() + static_cast<std::size_t>(c) * area(); }
  };

  static Planes make_planes(int channels, int rows, int columns);
  static Planes convolve(const Planes& in, const Layer& layer);
  static Planes residual_level(const Planes& in, const Layer& first, const Layer& second);
  static void mix_in_whole(Planes& planes, const Layer& layer);
  static Planes halved(const Planes& in);
  static Planes joined(const Planes& coarse, const Planes& fine);
  static std::vector<float> multiply(const Layer& layer, std::span<const float> in);

  std::vector<float> mean_, scale_;
  std::vector<Layer> layers_;
};

// The network that comes with awry.
const TraceNetwork& trained_trace_network();

}  // namespace awry::inspectors::forensics
