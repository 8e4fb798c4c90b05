// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/forensics/forensics.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "awry/base/random.h"
#include "awry/imaging/mask.h"
#include "awry/inspectors/forensics/copy_move.h"
#include "awry/inspectors/forensics/pair_duplication.h"

namespace awry::inspectors::forensics {
namespace {

// Soft blobs under camera noise: detail of every size, and nothing that repeats.
imaging::Image texture(int width, int height, std::uint64_t seed) {
  RandomStream random(seed);
  std::vector<double> level(static_cast<std::size_t>(width) * height, 110);
  for (int blob = 0; blob < width * height / 500; ++blob) {
    const int cx = random.integer(0, width - 1), cy = random.integer(0, height - 1),
              r = random.integer(3, 12);
    const double strength = random.uniform(-50, 50);
    for (int y = std::max(0, cy - r); y <= std::min(height - 1, cy + r); ++y) {
      for (int x = std::max(0, cx - r); x <= std::min(width - 1, cx + r); ++x) {
        const double d = ((x - cx) * (x - cx) + (y - cy) * (y - cy)) / static_cast<double>(r * r);
        if (d < 1) level[static_cast<std::size_t>(y) * width + x] += strength * (1 - d);
      }
    }
  }
  imaging::Image image(width, height, 1);
  for (std::size_t i = 0; i < level.size(); ++i) {
    image.pixels[i] = static_cast<std::uint8_t>(std::clamp(level[i] + random.normal(0, 4), 0.0, 255.0));
  }
  return image;
}

TEST(CopyMove, FindsAnExactCopyWithItsOffsetAndOutline) {
  imaging::Image image = texture(300, 300, 1);
  imaging::Bitmap truth(300, 300);
  for (int y = 30; y < 110; ++y) {
    for (int x = 20; x < 110; ++x) {
      *image.at(x + 150, y + 140) = *image.at(x, y);
      truth.at(x, y) = truth.at(x + 150, y + 140) = 1;
    }
  }
  const Detection detection = find_copy_move(image);
  ASSERT_EQ(detection.findings.size(), 1u);
  const Pair& pair = std::get<Pair>(detection.findings[0].where);
  const Transform& t = *pair.second_from_first;
  EXPECT_NEAR(std::abs(t[2]), 150, 0.01);  // there or back: which is the source cannot be told
  EXPECT_NEAR(std::abs(t[5]), 140, 0.01);
  const auto both = imaging::unite(*pair.in_first, *pair.in_second);
  ASSERT_TRUE(both.has_value());
  EXPECT_GT(imaging::overlap(*both, imaging::mask_from_bitmap(truth))->iou(), 0.8);
  EXPECT_EQ(find_copy_move(image).findings, detection.findings);
}

TEST(CopyMove, IsSilentOnAuthenticTextures) {
  for (std::uint64_t seed = 10; seed < 14; ++seed) {
    EXPECT_TRUE(find_copy_move(texture(256, 256, seed)).findings.empty()) << "seed " << seed;
  }
}

TEST(PairDuplication, NamesAMirrorAndABrightnessChange) {
  const imaging::Image first = texture(256, 256, 2);
  imaging::Image second = first;
  for (int y = 0; y < 256; ++y) {
    for (int x = 0; x < 256; ++x)
      *second.at(x, y) = static_cast<std::uint8_t>(std::min(255, *first.at(255 - x, y) + 20));
  }
  const Detection detection = find_pair_duplication(first, second);
  ASSERT_EQ(detection.findings.size(), 1u);
  const auto& operations = std::get<Pair>(detection.findings[0].where).operations;
  EXPECT_NE(std::ranges::find(operations, "horizontal_flip"), operations.end());
  EXPECT_NE(std::ranges::find(operations, "brightness"), operations.end());
  EXPECT_EQ(std::ranges::find(operations, "scaling"), operations.end());
}

TEST(PairDuplication, IsSilentOnUnrelatedTextures) {
  EXPECT_TRUE(find_pair_duplication(texture(256, 256, 3), texture(256, 256, 4)).findings.empty());
}

TEST(Detectors, SurviveTinyAndFlatImages) {
  for (const auto& [width, height] : {std::pair(1, 1), {2, 300}, {300, 2}, {16, 16}, {200, 200}}) {
    const imaging::Image flat(width, height, 3, 200);
    EXPECT_TRUE(find_copy_move(flat).findings.empty());
    EXPECT_TRUE(find_pair_duplication(flat, flat).findings.empty());
  }
}

TEST(ForensicInspector, RefusesWhatItCannotLookAt) {
  const auto inspector = make_forensic_inspector();
  const Sample sample{.id = "s", .images = {{.path = "does-not-exist.png"}}};
  EXPECT_FALSE(inspector->inspect(sample, {}).has_value());
  const std::vector<int> absent{3}, unreadable{0};
  EXPECT_FALSE(inspector->inspect(sample, absent).has_value());
  EXPECT_FALSE(inspector->inspect(sample, unreadable).has_value());
}

}  // namespace
}  // namespace awry::inspectors::forensics
