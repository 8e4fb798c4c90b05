// SPDX-License-Identifier: Apache-2.0
// Regions that a seam may surround: basins between the ridges of a seam map, merged step by step across their
// weakest borders. Every region that exists at some step is a candidate.
#pragma once

#include <opencv2/core.hpp>
#include <vector>

namespace awry::inspectors::forensics {

struct BorderedRegion {
  cv::Mat1b mask;         // CV_8U, in places of the map
  double area = 0;        // share of the map
  double length = 0;      // of its border within the image, in places
  double mean_odds = 0;   // of a seam, along that border
  double low_odds = 0;    // the border's tenth percentile: how closed the seam is
  double inner_odds = 0;  // mean of the strongest border among the parts it was merged from
};

struct RegionSearch {
  double min_area = 0.008, max_area = 0.65;  // shares of the map
  int max_found = 6;
};

// Most convincing border first.
std::vector<BorderedRegion> surrounded_regions(const cv::Mat1f& seam_map, const RegionSearch& search = {});

}  // namespace awry::inspectors::forensics
