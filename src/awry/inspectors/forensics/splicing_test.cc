// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/forensics/splicing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "awry/imaging/mask.h"
#include "awry/inspectors/forensics/test_panels.h"

namespace awry::inspectors::forensics {
namespace {

// A disc of one recording in another.
imaging::Image with_pasted_disc(imaging::Image host, const imaging::Image& donor, double cx, double cy,
                                double radius) {
  for (int y = 0; y < host.height; ++y) {
    for (int x = 0; x < host.width; ++x) {
      if (std::hypot(x - cx, y - cy) < radius) std::copy_n(donor.at(x, y), host.channels, host.at(x, y));
    }
  }
  return host;
}

// Asked to report whatever it has: what a report holds, not how often it is right (perf/quality measures
// that).
TEST(FindSplicing, ReportsARegionOfTheImageWithItsFalseAlarms) {
  const imaging::Image image = with_pasted_disc(texture(323, 300, 1), noise_panel(323, 300, 2), 160, 140, 60);
  const Detection detection = find_splicing(image, {.max_false_alarms = 1});
  ASSERT_EQ(detection.findings.size(), 1u);
  EXPECT_FALSE(detection.undecided);
  const Finding& finding = detection.findings.front();
  EXPECT_EQ(finding.type, "splicing");
  ASSERT_TRUE(finding.false_alarms.has_value());
  EXPECT_GT(*finding.false_alarms, 0);
  EXPECT_LE(*finding.false_alarms, 1);
  EXPECT_FALSE(finding.evidence.empty());
  const auto mask = imaging::bitmap_from_mask(std::get<Mask>(finding.where));
  ASSERT_TRUE(mask.has_value());
  EXPECT_EQ(mask->width, 323);
  EXPECT_EQ(mask->height, 300);
  const auto marked = std::ranges::count_if(mask->bits, [](std::uint8_t bit) { return bit != 0; });
  EXPECT_GT(marked, 0);
  EXPECT_LT(marked, 323 * 300);
}

TEST(FindSplicing, WhoIsNotSureStillNamesThePlace) {
  const imaging::Image image = texture(200, 200, 5);
  const Detection detection = find_splicing(image, {.max_false_alarms = 0, .doubtful_false_alarms = 1});
  EXPECT_TRUE(detection.findings.empty());
  EXPECT_TRUE(detection.undecided);
  ASSERT_EQ(detection.leads.size(), 1u);
  EXPECT_EQ(detection.leads.front().type, "splicing");
}

TEST(FindSplicing, LeavesAuthenticPanelsAlone) {
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    EXPECT_TRUE(find_splicing(texture(320, 300, seed)).findings.empty()) << seed;
    EXPECT_TRUE(find_splicing(noise_panel(256, 256, seed)).findings.empty()) << seed;
  }
}

TEST(SplicingMap, IsAProbability) {
  const auto map = splicing_map(texture(200, 131, 4));
  ASSERT_EQ(map.values.size(), 200u * 131u);
  EXPECT_TRUE(std::ranges::all_of(map.values, [](float value) { return value >= 0 && value <= 1; }));
}

TEST(FindSplicing, SurvivesImagesWithNothingToSay) {
  for (const imaging::Image& image : {imaging::Image(), imaging::Image(1, 1, 1), imaging::Image(3000, 2, 3),
                                      imaging::Image(200, 200, 3, 255), imaging::Image(65, 64, 4, 7)}) {
    const Detection detection = find_splicing(image);
    EXPECT_TRUE(detection.findings.empty());
    EXPECT_EQ(splicing_map(image).values.size(),
              static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height));
  }
}

}  // namespace
}  // namespace awry::inspectors::forensics
