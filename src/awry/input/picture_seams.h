// SPDX-License-Identifier: Apache-2.0
// Where one picture ends and the next begins, along the columns of a solid body. Rows are handled as columns
// of the transpose. Internal to input/, because it speaks OpenCV.
//
// Two things give a boundary away: a thin line of one colour that differs from both its sides (a narrow
// gutter, white or black), and a seam, where colour jumps all along a straight line far more than it does on
// either side of it.
#pragma once

#include <opencv2/core.hpp>
#include <optional>
#include <vector>

namespace awry::input {

struct Cut {
  int from = 0, to = 0;  // the separator: [from, to); empty for a seam
  double clearness = 0;
};

// All boundaries that can be seen by themselves, at least `least` from both ends. `rgb` has 8 bits a channel.
std::vector<Cut> visible_cuts(const cv::Mat& rgb, int least);

// Where a boundary is expected, because the pictures beside go on so or are so large, less is asked: nothing
// at all may be there but black on black, or a seam in a part of the height. Within two pixels of `at`;
// nullopt when something lies across.
std::optional<int> expected_cut(const cv::Mat& rgb, int at);

}  // namespace awry::input
