// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/forensics/trace_network.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "awry/inspectors/forensics/trace_cells.h"

namespace awry::inspectors::forensics {
namespace {

// Waves, so that every channel and place has a value of its own.
std::vector<cv::Mat1f> waves(int rows, int columns) {
  std::vector<cv::Mat1f> planes;
  for (int c = 0; c < kTraceChannels; ++c) {
    cv::Mat1f plane(rows, columns);
    for (int y = 0; y < rows; ++y) {
      for (int x = 0; x < columns; ++x)
        plane(y, x) = static_cast<float>(std::sin(0.37 * c + 0.91 * y + 0.53 * x));
    }
    planes.push_back(plane);
  }
  return planes;
}

// What PyTorch says of the same planes and weights: perf/quality/tune/check_weights.py prints it.
TEST(TraceNetwork, SaysWhatTheNetworkThatWasTrainedSays) {
  const SpliceOdds odds = trained_trace_network().judge(waves(7, 11));
  ASSERT_EQ(odds.cells.size(), cv::Size(11, 7));
  EXPECT_NEAR(odds.whole, 0.2665, 2e-3);
  const std::array<float, 4> corners = {odds.cells(0, 0), odds.cells(0, 10), odds.cells(6, 0),
                                        odds.cells(6, 10)};
  const std::array<float, 4> expected = {-1.1883f, -2.8433f, -2.6994f, -1.5421f};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(corners[i], expected[i], 2e-3f) << i;
}

TEST(TraceNetwork, TakesImagesOfOneCell) {
  const SpliceOdds odds = trained_trace_network().judge(waves(1, 1));
  EXPECT_EQ(odds.cells.size(), cv::Size(1, 1));
  EXPECT_TRUE(std::isfinite(odds.whole));
}

TEST(TraceNetwork, RefusesWeightsOfAnotherSize) {
  const auto read = TraceNetwork::read("too few");
  ASSERT_FALSE(read.has_value());
  EXPECT_NE(read.error().message().find("7 bytes"), std::string::npos);
}

}  // namespace
}  // namespace awry::inspectors::forensics
