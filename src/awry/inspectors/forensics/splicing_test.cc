// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/forensics/splicing.h"

#include <gtest/gtest.h>

#include <cmath>

#include "awry/imaging/mask.h"
#include "awry/inspectors/forensics/splicing_evidence.h"
#include "awry/inspectors/forensics/splicing_regions.h"
#include "awry/inspectors/forensics/test_panels.h"

namespace awry::inspectors::forensics {
namespace {

// A disc of one recording in another, blended over four pixels.
imaging::Image with_pasted_disc(imaging::Image host, const imaging::Image& donor, double cx, double cy,
                                double radius) {
  for (int y = 0; y < host.height; ++y) {
    for (int x = 0; x < host.width; ++x) {
      const double depth = radius - std::hypot(x - cx, y - cy);
      const double share = std::clamp(depth / 4, 0.0, 1.0);
      for (int c = 0; c < host.channels; ++c)
        host.at(x, y)[c] = to_byte(share * donor.at(x, y)[c] + (1 - share) * host.at(x, y)[c]);
    }
  }
  return host;
}

TEST(SurroundedRegions, FindsWhatARidgeSurrounds) {
  cv::Mat1f map(128, 128, -3.f);
  for (int y = 0; y < 128; ++y) {
    for (int x = 0; x < 128; ++x) {
      if (std::abs(std::hypot(x - 60, y - 70) - 25) < 1.5) map(y, x) = 3;
    }
  }
  const auto found = surrounded_regions(map);
  ASSERT_FALSE(found.empty());
  EXPECT_NEAR(found.front().area, 3.1416 * 25 * 25 / (128 * 128), 0.02);
  EXPECT_GT(found.front().mean_odds, 1);
  EXPECT_NE(found.front().mask(70, 60), 0);
  EXPECT_EQ(found.front().mask(10, 10), 0);
}

TEST(SurroundedRegions, AFlatMapHasNone) {
  EXPECT_TRUE(surrounded_regions(cv::Mat1f(64, 64, -2.f)).empty());
}

TEST(SplicingFusion, AddsWeightedClues) {
  const SplicingFusion fusion{.weights = {1, 0, 2, 0, 0, -1}, .bias = 0.5};
  EXPECT_DOUBLE_EQ(splicing_log_odds(fusion, {3, 9, 1, 9, 9, 2}), 0.5 + 3 + 2 - 2);
}

// Asked to report whatever it has: what a report holds, not how often it is right (perf/quality measures
// that).
TEST(FindSplicing, ReportsARegionOfTheImageWithAProbability) {
  const imaging::Image image = with_pasted_disc(texture(320, 300, 1), texture(320, 300, 2), 160, 140, 60);
  const Detection detection = find_splicing(image, {.certain_odds = -100});
  ASSERT_EQ(detection.findings.size(), 1u);
  EXPECT_FALSE(detection.undecided);
  const Finding& finding = detection.findings.front();
  EXPECT_EQ(finding.type, "splicing");
  ASSERT_TRUE(finding.probability.has_value());
  EXPECT_GT(*finding.probability, 0);
  EXPECT_LT(*finding.probability, 1);
  EXPECT_EQ(finding.evidence.size(), static_cast<std::size_t>(kSplicingClues));
  const auto mask = imaging::bitmap_from_mask(std::get<Mask>(finding.where));
  ASSERT_TRUE(mask.has_value());
  EXPECT_EQ(mask->width, 320);
  EXPECT_EQ(mask->height, 300);
}

TEST(FindSplicing, LeavesAuthenticPanelsAlone) {
  for (std::uint64_t seed = 1; seed <= 1; ++seed) {
    EXPECT_TRUE(find_splicing(texture(320, 300, seed)).findings.empty()) << seed;
    EXPECT_TRUE(find_splicing(noise_panel(256, 256, seed)).findings.empty()) << seed;
  }
}

TEST(FindSplicing, SurvivesImagesWithNothingToSay) {
  for (const imaging::Image& image : {imaging::Image(), imaging::Image(1, 1, 1), imaging::Image(3000, 2, 3),
                                      imaging::Image(200, 200, 3, 255), imaging::Image(65, 64, 4, 7)}) {
    const Detection detection = find_splicing(image);
    EXPECT_TRUE(detection.findings.empty());
    EXPECT_EQ(splicing_map(image).values.size(), static_cast<std::size_t>(image.width) * image.height);
  }
}

}  // namespace
}  // namespace awry::inspectors::forensics
