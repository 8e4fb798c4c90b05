// SPDX-License-Identifier: Apache-2.0
#include "awry/forge/similarity.h"

#include <gtest/gtest.h>

#include "awry/forge/paint.h"

namespace awry::forge {
namespace {

TEST(Similarity, OfAPanelWithItselfIsOne) {
  const auto panel = paint_panel(PanelKind::kStainedMicrograph, 128, 96, RandomStream(1));
  ASSERT_TRUE(panel);
  const PanelSignature signature = signature_of(panel->image);
  const PanelSimilarity alike = similarity(signature, signature);
  EXPECT_NEAR(alike.histogram_correlation, 1, 1e-12);
  EXPECT_NEAR(alike.ssim, 1, 1e-9);
  EXPECT_EQ(alike.size, 1);
  EXPECT_NEAR(alike.total(), 1, 1e-9);
}

TEST(Similarity, OfFlatPanelsIsAsWorkedByHand) {
  const PanelSignature black = signature_of(imaging::Image(100, 100, 3, 0)),
                       white = signature_of(imaging::Image(50, 100, 3, 255));
  const PanelSimilarity unlike = similarity(black, white);
  // One full bin each, at different places: -1 / 255 of perfect agreement.
  EXPECT_NEAR(unlike.histogram_correlation, -1.0 / 255, 1e-9);
  EXPECT_NEAR(unlike.ssim, 1e-4 / (1 + 1e-4), 1e-9);
  EXPECT_DOUBLE_EQ(unlike.size, 0.5);
  EXPECT_NEAR(unlike.total(), 0.4 * (254.0 / 255) / 2 + 0.4 * 1e-4 / 1.0001 + 0.1, 1e-9);
}

TEST(Similarity, IgnoresNegativeStructureInTheTotal) {
  const PanelSimilarity opposed{.histogram_correlation = -1, .ssim = -0.5, .size = 1};
  EXPECT_DOUBLE_EQ(opposed.total(), 0.2);
}

TEST(Similarity, DoesNotDependOnTheOrder) {
  const auto a = paint_panel(PanelKind::kMicrograph, 128, 128, RandomStream(1)),
             b = paint_panel(PanelKind::kBlot, 160, 96, RandomStream(2));
  ASSERT_TRUE(a && b);
  EXPECT_DOUBLE_EQ(similarity(signature_of(a->image), signature_of(b->image)).total(),
                   similarity(signature_of(b->image), signature_of(a->image)).total());
}

}  // namespace
}  // namespace awry::forge
