// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "awry/base/files.h"
#include "awry/base/text.h"
#include "awry/benchmarks/cave/cave.h"

namespace awry::benchmarks::cave {
namespace {

using testing::HasSubstr;

const std::filesystem::path kSmall = std::filesystem::path(AWRY_MODULE_DIR) / "cave/testdata/small";

std::string why_not(std::string_view annotations, const ProtocolOptions& options = {},
                    const char* name = "annotations.json") {
  const TemporaryFolder folder;
  EXPECT_TRUE(write_file(folder.path() / name, annotations));
  const auto read = read_samples(folder.path(), options);
  return read ? "read" : read.error().message();
}

std::string with_anomaly(std::string_view fields) {
  return R"([{"image": "a.png", "width": 100, "height": 80, "anomalies": [)" + std::string(fields) + "]}]";
}

TEST(CaveSamples, AreReadWithTruth) {
  const Dataset dataset = read_samples(kSmall, {}).value();
  ASSERT_EQ(dataset.samples.size(), 5u);
  const Sample& elevator = dataset.samples[0];
  EXPECT_EQ(elevator.id, "elevator");
  EXPECT_EQ(elevator.passages[0].text, "The panel of an elevator.");
  ASSERT_EQ(elevator.truth.size(), 1u);
  const Finding& anomaly = elevator.truth[0];
  EXPECT_EQ(anomaly.id, "elevator/truth/1");
  EXPECT_EQ(anomaly.type, "absence");
  EXPECT_EQ(std::get<Box>(anomaly.where), (Box{100, 100, 50, 50}));
  EXPECT_EQ(anomaly.evidence.size(), 2u + 9u);  // justification, correct version, three raters each
  EXPECT_EQ(std::get<Box>(dataset.samples[1].truth[1].where), (Box{200, 60, 40, 60}));
  EXPECT_TRUE(dataset.samples[4].has_truth);
  EXPECT_TRUE(dataset.samples[4].truth.empty());
  EXPECT_EQ(dataset.samples[2].unknown.raw[0].first, "camera");
  EXPECT_THAT(join(dataset.notes, "\n"), HasSubstr("5 of 5 images cannot be read"));
}

TEST(CaveSamples, MayComeAsLinesAndWithoutTruth) {
  const TemporaryFolder folder;
  ASSERT_TRUE(
      write_file(folder.path() / "metadata.jsonl",
                 "{\"file_name\": \"ü 1.png\", \"anomalies\": null}\n\n{\"file_name\": \"b.png\"}\n"));
  const Dataset dataset = read_samples(folder.path(), {}).value();
  ASSERT_EQ(dataset.samples.size(), 2u);
  EXPECT_EQ(dataset.samples[0].id, "ü 1");
  EXPECT_TRUE(dataset.samples[0].has_truth);
  EXPECT_FALSE(dataset.samples[1].has_truth);
}

TEST(CaveSamples, CategoriesGoByAllTheirNames) {
  EXPECT_EQ(category_named("Entity Presence"), "presence");
  EXPECT_EQ(category_named("spatial_relation"), "relation");
  EXPECT_EQ(category_named("Uniformity Breach"), "uniformity");
  EXPECT_EQ(category_named("textual"), "textual");
  EXPECT_EQ(category_named("colour"), std::nullopt);
}

TEST(CaveSamples, ListsOfFourAreCornersUnlessToldOtherwise) {
  const std::string row = with_anomaly(R"({"description": "x", "box": [60, 10, 30, 40]})");
  EXPECT_THAT(why_not(row), HasSubstr("has no area"));
  EXPECT_EQ(why_not(row, {{"boxes", "xywh"}}), "read");
}

TEST(CaveSamples, WrongFilesSayWhatIsWrong) {
  EXPECT_THAT(why_not(R"([{"image": "a.png", "anomal)"), HasSubstr("ends in the middle"));
  EXPECT_THAT(why_not("{}"), HasSubstr("neither a list nor an object with a list named 'images'"));
  EXPECT_THAT(why_not("[3]"), HasSubstr("row 1: it is not an object"));
  EXPECT_THAT(why_not(R"([{"id": "a"}])"), HasSubstr("'image' is missing"));
  EXPECT_THAT(why_not(R"([{"image": 3}])"), HasSubstr("'image' is not a string"));
  EXPECT_THAT(why_not(R"([{"image": "../a.png"}])"), HasSubstr("leaves the folder"));
  EXPECT_THAT(why_not(R"([{"image": "a.png", "width": -3}])"), HasSubstr("'width' is -3"));
  EXPECT_THAT(why_not(R"([{"image": "a.png", "file_name": "b.png"}])"),
              HasSubstr("both 'image' and 'file_name'"));
  EXPECT_THAT(why_not(R"([{"image": "x/a.png"}, {"image": "y/a.png"}])"),
              HasSubstr("another row has the id 'a'"));
  EXPECT_THAT(why_not(R"([{"image": "a.png", "anomalies": {}}])"), HasSubstr("'anomalies' is not a list"));
  EXPECT_THAT(why_not(with_anomaly("{}")), HasSubstr("row 1, anomaly 1: field 'anomaly_description'"));
  EXPECT_THAT(why_not(with_anomaly(R"({"description": "x", "category": "colour"})")),
              HasSubstr("\"colour\" is unknown"));
  EXPECT_THAT(why_not(with_anomaly(R"({"description": "x", "severity": [2, 6]})")),
              HasSubstr("6 is outside 1 to 5"));
  EXPECT_THAT(why_not(with_anomaly(R"({"description": "x", "severity": "high"})")),
              HasSubstr("not a number"));
  EXPECT_THAT(why_not(with_anomaly(R"({"description": "x", "box": [1, 2, 3]})")),
              HasSubstr("not four numbers"));
  EXPECT_THAT(why_not(with_anomaly(R"({"description": "x", "box": [1, 2, 300, 40]})")),
              HasSubstr("leaves the image"));
  EXPECT_THAT(why_not("[]", {}, "other.json"), HasSubstr("the folder has none of annotations.json"));
  EXPECT_THAT(why_not("[]", {{"imagse", "x"}}), HasSubstr("images"));
  EXPECT_THAT(why_not("[]", {{"tasks", "ad,xy"}}), HasSubstr("'xy' is none of"));
  EXPECT_THAT(why_not("[]", {{"iou", "0"}}), HasSubstr("not above 0"));
}

}  // namespace
}  // namespace awry::benchmarks::cave
