// SPDX-License-Identifier: Apache-2.0
#include "awry/forge/themis_item.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "awry/forge/compose.h"

namespace awry::forge {
namespace {

ThemisItem forged(ThemisCategory category, PanelKind kind, std::uint64_t seed = 1) {
  auto item = forge_themis_item(
      {.category = category, .kind = kind, .number = 7, .seed = {seed, {"test"}}, .panel_side = 192});
  if (!item) throw std::runtime_error(item.error().message());
  return std::move(*item);
}

// Paints a source again from nothing but what the item recorded.
imaging::Image repainted(const ItemSource& source) {
  return paint_panel(source.kind, source.width, source.height, source.seed.stream(), source.style.stream())
      ->image;
}

void expect_blocks_follow_mask(const ThemisItem& item, const imaging::Bitmap& mask) {
  ASSERT_TRUE(item.grid);
  for (int block = 1; block <= item.grid->rows * item.grid->columns; ++block) {
    const auto rect = imaging::block_rect(*item.grid, block, mask.width, mask.height);
    ASSERT_TRUE(rect);
    int marked = 0;
    for (int y = rect->y; y < rect->y + rect->height; ++y) {
      for (int x = rect->x; x < rect->x + rect->width; ++x) marked += mask.at(x, y);
    }
    const bool forged = marked * 50 >= rect->width * rect->height;  // two per cent
    EXPECT_EQ(std::ranges::find(item.blocks, block) != item.blocks.end(), forged) << block;
  }
}

TEST(ThemisItem, OfSplicingDiffersFromItsHostExactlyInTheMask) {
  for (const PanelKind kind : {PanelKind::kStainedMicrograph, PanelKind::kChart}) {
    const ThemisItem item = forged(ThemisCategory::kSplicing, kind);
    EXPECT_EQ(item.question_id, "forgery_7");
    EXPECT_EQ(item.letters, "A");
    ASSERT_EQ(item.sources.size(), 2);
    EXPECT_EQ(item.sources[0].role, "host");
    EXPECT_EQ(item.sources[0].style, item.sources[1].style);
    const imaging::Image host = repainted(item.sources[0]);
    const imaging::Image& panel = item.panels.front().image;
    const imaging::Bitmap& mask = item.masks.front().pixels;
    for (int y = 0; y < panel.height; ++y) {
      for (int x = 0; x < panel.width; ++x) {
        const bool same = std::equal(host.at(x, y), host.at(x, y) + 3, panel.at(x, y));
        ASSERT_EQ(mask.at(x, y) == 0, same) << x << "," << y;
      }
    }
    EXPECT_EQ(std::get<Mask>(item.truth->where), imaging::mask_from_bitmap(mask));
    expect_blocks_follow_mask(item, mask);
  }
}

TEST(ThemisItem, OfCopyMoveMarksOriginalAndCopy) {
  const ThemisItem item = forged(ThemisCategory::kCopyMove, PanelKind::kMicrograph);
  EXPECT_EQ(item.letters, "B");
  ASSERT_EQ(item.masks.size(), 3);
  EXPECT_EQ(item.masks[0].pixels, united(item.masks[1].pixels, item.masks[2].pixels));
  EXPECT_EQ(item.masks[2].pixels, shifted(item.masks[1].pixels, static_cast<int>((*item.transform)[2]),
                                          static_cast<int>((*item.transform)[5])));
  expect_blocks_follow_mask(item, item.masks[0].pixels);
}

TEST(ThemisItem, OfAuthenticPanelsIsThePaintedPanelWithAGridAndNoBlocks) {
  const ThemisItem item = forged(ThemisCategory::kAuthentic, PanelKind::kChart);
  EXPECT_EQ(item.letters, "D");
  EXPECT_FALSE(item.truth);
  EXPECT_TRUE(item.grid);
  EXPECT_TRUE(item.blocks.empty());
  EXPECT_TRUE(item.masks.empty());
  EXPECT_EQ(item.panels.front().image, repainted(item.sources.front()));
}

TEST(ThemisItem, OfUnrelatedPairsHasTwoPanelsOfOneStyle) {
  const ThemisItem item = forged(ThemisCategory::kUnrelatedPair, PanelKind::kBlot);
  EXPECT_EQ(item.question_id, "duplication_7");
  EXPECT_EQ(item.letters, "F");
  EXPECT_FALSE(item.truth);
  ASSERT_EQ(item.panels.size(), 2);
  EXPECT_NE(item.panels[0].image, item.panels[1].image);
  EXPECT_EQ(item.sources[0].style, item.sources[1].style);
}

TEST(ThemisItem, OfDuplicatesSharesWhatTheTransformMaps) {
  for (const ThemisCategory category : {ThemisCategory::kGlobalDuplicate, ThemisCategory::kLocalDuplicate}) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const ThemisItem item = forged(category, PanelKind::kMicrograph, seed);
      ASSERT_EQ(item.panels.size(), 2);
      ASSERT_EQ(item.masks.size(), 2);
      const Transform& t = *item.transform;
      const imaging::Bitmap &first = item.masks[0].pixels, &second = item.masks[1].pixels;
      for (int y = 0; y < first.height; y += 3) {
        for (int x = 0; x < first.width; x += 3) {
          const double u = t[0] * (x + 0.5) + t[2],
                       v = t[4] * (y + 0.5) + t[5];  // no shear, no quarter turns
          const bool inside = u >= 0 && v >= 0 && u < second.width && v < second.height;
          ASSERT_EQ(first.at(x, y) != 0, inside);
          if (inside) {
            ASSERT_EQ(second.at(static_cast<int>(u), static_cast<int>(v)), 1);
          }
        }
      }
      EXPECT_EQ(item.letters.find_first_not_of("ABCDE"), std::string::npos);
    }
  }
}

TEST(ThemisItem, IsTheSameForTheSamePlan) {
  const ThemisItem once = forged(ThemisCategory::kLocalDuplicate, PanelKind::kStainedMicrograph),
                   again = forged(ThemisCategory::kLocalDuplicate, PanelKind::kStainedMicrograph);
  EXPECT_EQ(once.panels[0].image, again.panels[0].image);
  EXPECT_EQ(once.panels[1].image, again.panels[1].image);
  EXPECT_EQ(once.recipe, again.recipe);
}

TEST(ThemisItem, RefusesPlansThatCannotWork) {
  EXPECT_FALSE(forge_themis_item({.seed = {.seed = 1}, .max_tries = 0}));
  EXPECT_FALSE(forge_themis_item({.seed = {.seed = 1}, .donor_candidates = 0}));
  EXPECT_FALSE(forge_themis_item({.seed = {.seed = 1}, .panel_side = 10}));
  EXPECT_FALSE(forge_themis_item({.seed = {.seed = 1}, .panel_side = -384}));
}

TEST(SeedPath, NamesTheStreamItStandsFor) {
  const SeedPath path = SeedPath{7}.child("splicing").child(3);
  EXPECT_EQ(path.text(), "7/splicing/3");
  RandomStream named = path.stream(), forked = RandomStream(7).fork("splicing").fork("3");
  EXPECT_EQ(named.next(), forked.next());
}

}  // namespace
}  // namespace awry::forge
