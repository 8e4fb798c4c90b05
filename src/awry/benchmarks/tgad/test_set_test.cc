// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/tgad/test_set.h"

#include <gmock/gmock.h>

#include "awry/benchmarks/tgad/support_test.h"

namespace awry::benchmarks::tgad {
namespace {

using ::testing::HasSubstr;
using Files = std::vector<std::string>;

// Names are all that counts here: the files are empty.
class Tree {
 public:
  explicit Tree(const Files& files) {
    for (const std::string& file : files) SmallClass::write(path() / file, "");
  }
  std::filesystem::path path() const { return folder_.path(); }

 private:
  TemporaryFolder folder_;
};

std::vector<std::string> ids_of(const TestSet& set) {
  std::vector<std::string> ids;
  for (const TestImage& image : set.images) ids.push_back(image.id);
  return ids;
}

TEST(FindTestSets, ReadsAnMvtecClass) {
  const Tree tree({"cable/train/good/000.png", "cable/test/good/000.png", "cable/test/cut/000.png",
                   "cable/test/cut/Thumbs.db", "cable/test/cut/.hidden.png",
                   "cable/ground_truth/cut/000_mask.png", "cable/ground_truth/cut/001_mask.png"});
  for (const char* name : {"cable", "cable/"}) {
    const auto sets = find_test_sets(tree.path() / name);
    ASSERT_TRUE(sets) << sets.error().message();
    ASSERT_EQ(sets->size(), 1U);
    const TestSet& set = sets->front();
    EXPECT_EQ(set.name, "cable");
    EXPECT_EQ(set.kind, TreeKind::kMvtec);
    EXPECT_EQ(ids_of(set), (Files{"cut/000", "good/000"}));
    ASSERT_EQ(set.images[0].masks.size(), 1U);
    EXPECT_EQ(set.images[0].masks[0].filename(), "000_mask.png");
    EXPECT_TRUE(set.images[1].masks.empty());
    EXPECT_THAT(set.notes, ::testing::UnorderedElementsAre(HasSubstr("1 files in test/cut"),
                                                           HasSubstr("1 masks belong to no test image")));
  }
}

TEST(FindTestSets, ReadsMasksNamedLikeTheirImagesAndUnicodeNames) {
  const Tree tree({"test/Riß/Bild ä.JPG", "ground_truth/Riß/Bild ä.png", "test/good/1.JPG"});
  const auto sets = find_test_sets(tree.path());
  ASSERT_TRUE(sets) << sets.error().message();
  EXPECT_EQ(ids_of(sets->front()), (Files{"Riß/Bild ä", "good/1"}));
}

TEST(FindTestSets, ReadsEveryClassOfAFolder) {
  const Tree tree({"pill/test/good/000.png", "cable/test/good/000.png", "notes/readme.txt"});
  const auto sets = find_test_sets(tree.path());
  ASSERT_TRUE(sets) << sets.error().message();
  ASSERT_EQ(sets->size(), 2U);
  EXPECT_EQ((*sets)[0].name, "cable");
  EXPECT_EQ((*sets)[1].name, "pill");
}

TEST(FindTestSets, NamesWhatIsMissingOrDouble) {
  EXPECT_THAT(message_of(find_test_sets("/nowhere/at/all")), HasSubstr("there is no such folder"));
  EXPECT_THAT(message_of(find_test_sets(Tree({"train/good/000.png"}).path())), HasSubstr("test/"));
  EXPECT_THAT(message_of(find_test_sets(Tree({"test/good/readme.txt"}).path())), HasSubstr("no test images"));
  EXPECT_THAT(message_of(find_test_sets(Tree({"test/cut/000.png"}).path())),
              HasSubstr("has no 000_mask.png or 000.png"));
  EXPECT_THAT(message_of(find_test_sets(Tree({"test/good/000.png", "test/good/000.jpg"}).path())),
              HasSubstr("the same name"));
  EXPECT_THAT(message_of(find_test_sets(
                  Tree({"test/cut/0.png", "ground_truth/cut/0.png", "ground_truth/cut/0_mask.png"}).path())),
              HasSubstr("could be it"));
}

constexpr auto kLocoDefects = R"([
  {"defect_name": "missing", "pixel_value": 255, "saturation_threshold": 0.5, "relative_saturation": true},
  {"defect_name": "scratch", "pixel_value": 254, "saturation_threshold": 40, "relative_saturation": false}])";

TEST(FindTestSets, ReadsLocoWithSeveralMasksAndSaturations) {
  const Tree tree({"test/good/000.png", "test/logical_anomalies/000.png",
                   "ground_truth/logical_anomalies/000/000.png",
                   "ground_truth/logical_anomalies/000/001.png"});
  EXPECT_TRUE(value_or_throw(find_test_sets(tree.path())).front().saturations.empty());
  SmallClass::write(tree.path() / "defects_config.json", kLocoDefects);
  const auto sets = find_test_sets(tree.path());
  ASSERT_TRUE(sets) << sets.error().message();
  const TestSet& set = sets->front();
  EXPECT_EQ(set.kind, TreeKind::kLoco);
  ASSERT_EQ(set.saturations.size(), 2U);
  EXPECT_TRUE(set.saturations[0].relative);
  EXPECT_EQ(set.saturations[1].threshold, 40);
  EXPECT_EQ(set.images[1].masks.size(), 2U);
}

TEST(FindTestSets, RefusesBrokenSaturations) {
  const Tree tree({"test/good/000.png"});
  for (const char* config :
       {"{}", "[1]", "[", R"([{"defect_name": "a"}])",
        R"([{"defect_name":"a","pixel_value":1,"saturation_threshold":1.5,"relative_saturation":true}])",
        R"([{"defect_name":"a","pixel_value":1,"saturation_threshold":0,"relative_saturation":false}])",
        R"([{"defect_name":"a","pixel_value":1,"saturation_threshold":1,"relative_saturation":false},
               {"defect_name":"b","pixel_value":1,"saturation_threshold":1,"relative_saturation":false}])"}) {
    SmallClass::write(tree.path() / "defects_config.json", config);
    EXPECT_THAT(message_of(find_test_sets(tree.path())), HasSubstr("defects_config.json")) << config;
  }
}

TEST(FindTestSets, ReadsTheTestRowsOfVisa) {
  const Tree tree({"candle/Data/Masks/Anomaly/000.png", "candle/x", "pcb1/x"});
  SmallClass::write(
      tree.path() / "split_csv/1cls.csv",
      "object,split,label,image,mask\r\n"
      "candle,train,normal,candle/Data/Images/Normal/0001.JPG,\r\n"
      "candle,test,normal,candle/Data/Images/Normal/0002.JPG,\r\n"
      "candle,test,anomaly,candle/Data/Images/Anomaly/000.JPG,candle/Data/Masks/Anomaly/000.png\r\n"
      "pcb1,test,normal,pcb1/Data/Images/Normal/0002.JPG,\r\n");
  const auto all = find_test_sets(tree.path());
  ASSERT_TRUE(all) << all.error().message();
  EXPECT_EQ(all->size(), 2U);
  const auto candle = find_test_sets(tree.path() / "candle");
  ASSERT_TRUE(candle) << candle.error().message();
  ASSERT_EQ(candle->size(), 1U);
  EXPECT_EQ(candle->front().kind, TreeKind::kVisa);
  EXPECT_EQ(ids_of(candle->front()), (Files{"Anomaly/000", "Normal/0002"}));
  EXPECT_TRUE(candle->front().images[0].anomalous());
  EXPECT_FALSE(candle->front().images[1].anomalous());
}

TEST(FindTestSets, NamesTheLineOfABrokenVisaTable) {
  const Tree tree({"x"});
  const auto message = [&](std::string_view table) {
    SmallClass::write(tree.path() / "split_csv/1cls.csv", table);
    return message_of(find_test_sets(tree.path()));
  };
  EXPECT_THAT(message(""), HasSubstr("line 1: it has no column object"));
  EXPECT_THAT(message("object,split,label,image,mask\na,test,normal\n"), HasSubstr("line 2: it has 3 cells"));
  EXPECT_THAT(message("object,split,label,image,mask\na,test,odd,a/b.JPG,\n"), HasSubstr("'odd'"));
  EXPECT_THAT(message("object,split,label,image,mask\na,test,anomaly,a/b.JPG,\n"),
              HasSubstr("without a mask"));
  EXPECT_THAT(message("object,split,label,image,mask\na,test,anomaly,a/b.JPG,a/m.png\n"),
              HasSubstr("is not there"));
}

}  // namespace
}  // namespace awry::benchmarks::tgad
