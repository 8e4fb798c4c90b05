// SPDX-License-Identifier: Apache-2.0
// Reads pictures from standard input until it ends (width and height as 32-bit integers, then RGB bytes) and
// answers each with its traces: channels, rows and columns as 32-bit integers, then floats. So training sees
// exactly what the detector sees.
#include <cstdint>
#include <cstdio>
#include <vector>

#include "awry/inspectors/forensics/trace_cells.h"

int main() {
  std::int32_t size[2];
  while (std::fread(size, sizeof size, 1, stdin) == 1) {
    cv::Mat rgb(size[1], size[0], CV_8UC3);
    if (std::fread(rgb.data, 3, rgb.total(), stdin) != rgb.total()) return 1;
    const std::vector<cv::Mat1f> planes = awry::inspectors::forensics::trace_cells(rgb);
    const std::int32_t shape[3] = {static_cast<std::int32_t>(planes.size()),
                                   planes.empty() ? 0 : planes[0].rows, planes.empty() ? 0 : planes[0].cols};
    std::fwrite(shape, sizeof shape, 1, stdout);
    for (const cv::Mat1f& plane : planes) std::fwrite(plane.data, sizeof(float), plane.total(), stdout);
    std::fflush(stdout);
  }
}
