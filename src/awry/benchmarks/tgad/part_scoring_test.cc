// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/tgad/part_scoring.h"

#include <gmock/gmock.h>

#include "awry/benchmarks/tgad/component_tags.h"
#include "awry/benchmarks/tgad/support_test.h"

namespace awry::benchmarks::tgad {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::HasSubstr;

TEST(RoleOf, FollowsTheTagSets) {
  const TagSet instructed = {"wire", "plug"};
  EXPECT_EQ(role_of({}, instructed), PartRole::kDefectFree);
  EXPECT_EQ(role_of({"plug", "wire"}, instructed), PartRole::kAnomalous);
  EXPECT_EQ(role_of({"case"}, instructed), PartRole::kIrrelevantDefect);
  EXPECT_EQ(role_of({"wire"}, instructed), PartRole::kExcluded);                  // fewer
  EXPECT_EQ(role_of({"wire", "plug", "case"}, instructed), PartRole::kExcluded);  // more
  EXPECT_EQ(role_of({"wire", "case"}, instructed), PartRole::kExcluded);          // across
}

TEST(SubclassesOf, AreTheSetsThatOccurFewestTagsFirst) {
  const std::vector<TagSet> images = {{"b"}, {"a", "b"}, {}, {"c"}, {"b"}};
  EXPECT_EQ(subclasses_of(images), (std::vector<TagSet>{{"b"}, {"c"}, {"a", "b"}}));
  EXPECT_EQ(name_of(TagSet{"b", "a"}), "a_b");
}

// One image with a defect in p1, one in p2, one in both, two good ones. Image scores are the maxima.
class Parts : public ::testing::Test {
 protected:
  Parts() {
    small.add("x", "000", {3, 1}, {1, 0});
    small.add("x", "001", {4, 1}, {1, 0});
    small.add("x", "002", {9, 10}, {1, 0});
    small.add("good", "000", {2, 0});
    small.add("good", "001", {3.5F, 0});
    write_tags(R"({"widget": {"x/000": ["p1"], "x/001": ["p2"], "x/002": ["p1", "p2"], "good/000": []}})");
  }
  void write_tags(std::string_view json) { SmallClass::write(tags(), json); }
  fs::path tags() const { return small.maps / "tags.json"; }
  Result<Summary> score() const { return score_map_folder(small.truth, small.maps, {.tags = tags()}); }

  SmallClass small;
};

TEST_F(Parts, ScoreUnderBothSettingsByHand) {
  const auto summary = score();
  ASSERT_TRUE(summary) << message_of(summary);
  // p1: 3 against 2 and 3.5; under EV2 also against the 4 of p2. The image with both parts is left out.
  EXPECT_DOUBLE_EQ(*value_of(*summary, "p1/ev1", "i_auroc"), 0.5);
  EXPECT_DOUBLE_EQ(*value_of(*summary, "p1/ev2", "i_auroc"), 1.0 / 3);
  EXPECT_DOUBLE_EQ(*value_of(*summary, "p1/drop", "i_auroc"), 0.5 - 1.0 / 3);
  // p2: 4 against 2 and 3.5, and against the 3 of p1.
  EXPECT_DOUBLE_EQ(*value_of(*summary, "p2/ev1", "i_auroc"), 1);
  EXPECT_DOUBLE_EQ(*value_of(*summary, "p2/ev2", "i_auroc"), 1);
  EXPECT_DOUBLE_EQ(*value_of(*summary, "1_part/ev1", "i_auroc"), 0.75);
  EXPECT_DOUBLE_EQ(*value_of(*summary, "1_part/ev2", "i_auroc"), 2.0 / 3);
  EXPECT_NEAR(*value_of(*summary, "1_part/drop", "i_auroc"), 1.0 / 12, 1e-12);
  EXPECT_DOUBLE_EQ(*value_of(*summary, "1_part/drop", "dissociation"), 1);
  // Pixels count within the anomalous images alone: 9 lies below the only normal pixel there, 10.
  EXPECT_DOUBLE_EQ(*value_of(*summary, "p1_p2/ev2", "p_auroc"), 0);
  EXPECT_DOUBLE_EQ(*value_of(*summary, "p1/ev2", "p_auroc"), 1);
  EXPECT_DOUBLE_EQ(*value_of(*summary, "2_parts/ev1", "i_auroc"), 1);
  EXPECT_NEAR(*value_of(*summary, "parts/ev1", "i_auroc"), 2.5 / 3, 1e-12);
  EXPECT_THAT(summary->notes, Contains("p1: 1 anomalous, 2 good, 1 with irrelevant defects, 1 excluded"));
  EXPECT_THAT(summary->notes,
              Contains(HasSubstr("1_part: localization-decision dissociation: I-AUROC loses 8.3")));
}

TEST_F(Parts, TakeTheMapsThatAnswerTheirInstruction) {
  fs::create_directories(small.maps / "p1");
  fs::copy(small.maps / "x", small.maps / "p1" / "x", fs::copy_options::recursive);
  fs::copy(small.maps / "good", small.maps / "p1" / "good", fs::copy_options::recursive);
  // Asked for p1, the model keeps quiet about p2.
  SmallClass::write_map(small.maps / "p1/x/001.tiff", {.width = 2, .height = 1, .values = {0, 0}});
  const auto summary = score();
  ASSERT_TRUE(summary) << message_of(summary);
  EXPECT_DOUBLE_EQ(*value_of(*summary, "p1/ev1", "i_auroc"), 0.5);
  EXPECT_DOUBLE_EQ(*value_of(*summary, "p1/ev2", "i_auroc"), 2.0 / 3);
  EXPECT_DOUBLE_EQ(*value_of(*summary, "p2/ev2", "i_auroc"), 1);
}

TEST_F(Parts, RefuseTagsThatDoNotFitTheImages) {
  const auto message = [&](std::string_view json) {
    write_tags(json);
    return message_of(score());
  };
  EXPECT_THAT(message(R"({"widget": {"x/000": ["p1"]}})"),
              HasSubstr("'x/001' of class 'widget' has no tags"));
  EXPECT_THAT(message(R"({"widget": {"x/000": ["a"], "x/001": ["a"], "x/002": ["a"], "good/000": ["a"]}})"),
              HasSubstr("good image 'good/000'"));
  EXPECT_THAT(message(R"({"widget": {"x/000": ["a"], "x/001": ["a"], "x/002": ["a"], "x/777": ["a"]}})"),
              HasSubstr("no test image 'x/777'"));
  EXPECT_THAT(message(R"({"gadget": {}})"), HasSubstr("none of the classes"));
  EXPECT_THAT(message(R"([])"), HasSubstr("not an object"));
  EXPECT_THAT(message(R"({"widget": []})"), HasSubstr("class 'widget' is not an object"));
  EXPECT_THAT(message(R"({"widget": {"x/000": "p1"}})"), HasSubstr("not a list"));
  EXPECT_THAT(message(R"({"widget": {"x/000": [1]}})"), HasSubstr("not a name"));
  EXPECT_THAT(message(R"({"widget": {"x/000": ["a", "a"]}})"), HasSubstr("twice"));
  EXPECT_THAT(message(R"({"widget": {"x/000": ["a")"), HasSubstr("tags.json"));
}

}  // namespace
}  // namespace awry::benchmarks::tgad
