// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/tgad/prompt_scoring.h"

#include <gmock/gmock.h>

#include "awry/benchmarks/tgad/support_test.h"

namespace awry::benchmarks::tgad {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

// Four good images and one defective one; `above` of the good ones score less than the defect.
void write_maps(SmallClass& small, const std::string& prompt, int above) {
  const std::filesystem::path kept = small.maps;
  small.maps = kept.parent_path() / prompt;
  small.add("dent", "000", {5, 0}, {1, 0});
  for (int i = 0; i < 4; ++i) {
    small.add("good", std::to_string(i), {i < above ? 1.0F : 9.0F, 0});
  }
  small.maps = kept;
}

struct Prompts {
  SmallClass small;
  std::filesystem::path maps(const std::string& prompt) const { return small.maps.parent_path() / prompt; }
  Prompts() {
    write_maps(small, "original", 4);  // I-AUROC 1
    write_maps(small, "new", 4);       // 1
    write_maps(small, "worse", 3);     // 0.75
    write_maps(small, "minimal", 2);   // 0.5
  }
};

TEST(ScorePrompts, TellsACollapseByHand) {
  const Prompts prompts;
  const auto summary = score_map_folder(
      prompts.small.truth, prompts.maps("original"),
      {.reworded = {prompts.maps("new")}, .without_noun = prompts.maps("minimal"), .resamples = 0});
  ASSERT_TRUE(summary) << message_of(summary);
  EXPECT_DOUBLE_EQ(*value_of(*summary, "", "i_auroc"), 1);
  EXPECT_DOUBLE_EQ(*value_of(*summary, "prompt/new", "i_auroc"), 1);
  EXPECT_DOUBLE_EQ(*value_of(*summary, "prompt/minimal", "i_auroc"), 0.5);
  EXPECT_DOUBLE_EQ(*value_of(*summary, "object_anchor_collapse", "with_noun_spread"), 0);
  EXPECT_DOUBLE_EQ(*value_of(*summary, "object_anchor_collapse", "without_noun_drop"), 0.5);
  EXPECT_DOUBLE_EQ(*value_of(*summary, "object_anchor_collapse", "present"), 1);
  EXPECT_THAT(summary->notes, Contains(HasSubstr("object-anchor collapse: I-AUROC moves 0.0 points")));
}

TEST(ScorePrompts, WordingThatMovesTheDecisionIsNoCollapse) {
  const Prompts prompts;
  const auto summary = score_map_folder(prompts.small.truth, prompts.maps("original"),
                                        {.reworded = {prompts.maps("new"), prompts.maps("worse")},
                                         .without_noun = prompts.maps("minimal"),
                                         .resamples = 0});
  ASSERT_TRUE(summary) << message_of(summary);
  EXPECT_DOUBLE_EQ(*value_of(*summary, "object_anchor_collapse", "with_noun_spread"), 0.25);
  EXPECT_DOUBLE_EQ(*value_of(*summary, "object_anchor_collapse", "present"), 0);
}

TEST(ScorePrompts, WithoutANamelessPromptThereIsNoVerdict) {
  const Prompts prompts;
  const auto summary = score_map_folder(prompts.small.truth, prompts.maps("original"),
                                        {.reworded = {prompts.maps("worse")}, .resamples = 0});
  ASSERT_TRUE(summary) << message_of(summary);
  EXPECT_DOUBLE_EQ(*value_of(*summary, "object_anchor_collapse", "with_noun_spread"), 0.25);
  EXPECT_FALSE(value_of(*summary, "object_anchor_collapse", "present"));
}

TEST(ScorePrompts, RefusesWhatItCannotTellApart) {
  const Prompts prompts;
  const auto twice =
      score_map_folder(prompts.small.truth, prompts.maps("original"),
                       {.reworded = {prompts.maps("new"), prompts.maps("new")}, .resamples = 0});
  EXPECT_THAT(message_of(twice), HasSubstr("another folder of maps has the same name"));
  const auto both = score_map_folder(prompts.small.truth, prompts.maps("original"),
                                     {.tags = "tags.json", .reworded = {prompts.maps("new")}});
  EXPECT_THAT(message_of(both), HasSubstr("Give one of the two"));
}

}  // namespace
}  // namespace awry::benchmarks::tgad
