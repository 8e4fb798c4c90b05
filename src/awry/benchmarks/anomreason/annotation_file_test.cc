// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/anomreason/annotation_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "awry/base/files.h"
#include "awry/base/text.h"
#include "awry/benchmarks/anomreason/anomreason.h"

namespace awry::benchmarks::anomreason {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::string_view kItem =
    R"({"Name":"Cup","Observed Phenomenon":"it floats","Reasoning":"gravity","Severity Score":25})";

template <class Read>
auto with_file(std::string_view content, Read read) {
  TemporaryFolder folder;
  const auto path = folder.path() / "annotations.json";
  EXPECT_TRUE(write_file(path, content));
  return read(path);
}

Result<AnnotationFile> read_text(std::string_view json) {
  return with_file(json, [](const auto& path) { return read_annotation_file(path); });
}

AnnotationFile read_predictions(std::string_view json) {
  return with_file(json,
                   [](const auto& path) { return read_annotation_file(path, WrittenBy::kModel).value(); });
}

std::string refusal(std::string_view json) {
  const auto read = read_text(json);
  return read ? "it was read" : read.error().message();
}

std::string with_item(std::string_view fields) {
  return R"({"a.png":[{)" + std::string(fields) + "}]}";
}

TEST(AnnotationFile, ReadsBothSpellings) {
  const auto file = read_text(R"({"x/a.png":[)" + std::string(kItem) + R"(],
      "b.png":[{"name":"N","phenomenon":" p ","reasoning":"r","severity":0}], "c.png":null, "d.png":[]})");
  ASSERT_TRUE(file) << file.error().message();
  ASSERT_EQ(file->annotations.size(), 4U);
  const Annotation& first = file->annotations[0];
  EXPECT_EQ(first.key, "x/a.png");
  EXPECT_EQ(first.image, "a.png");
  EXPECT_EQ(first.findings[0].name, "Cup");
  EXPECT_EQ(first.findings[0].phenomenon, "it floats");
  EXPECT_EQ(first.findings[0].reasoning, "gravity");
  EXPECT_EQ(first.findings[0].severity, 25);
  EXPECT_EQ(file->annotations[1].findings[0].phenomenon, "p");
  EXPECT_EQ(file->annotations[1].findings[0].severity, 0);
  EXPECT_THAT(file->annotations[2].findings, IsEmpty());
  EXPECT_THAT(file->annotations[3].findings, IsEmpty());
  EXPECT_THAT(file->notes, IsEmpty());
}

TEST(AnnotationFile, ReadsSeveritiesAsPeopleWriteThem) {
  const auto severity = [](std::string_view written) {
    return read_text(with_item(R"("phenomenon":"p","reasoning":"r","severity":)" + std::string(written)))
        .value()
        .annotations[0]
        .findings[0]
        .severity;
  };
  EXPECT_EQ(severity("\"25/100 (noticeable)\""), 25);
  EXPECT_EQ(severity("12.5"), 12.5);
  EXPECT_EQ(severity("null"), std::nullopt);
  EXPECT_EQ(severity(R"("severe")"), std::nullopt);
}

TEST(AnnotationFile, SaysWhatIsMissing) {
  const auto file = read_text(with_item(R"("phenomenon":"p","severity":"severe")"));
  EXPECT_THAT(join(file.value().notes, "\n"), HasSubstr("anomaly 1 has no reasoning"));
  EXPECT_THAT(join(file.value().notes, "\n"), HasSubstr("no severity that can be read"));
}

TEST(AnnotationFile, ReadsListsOfOneKeyObjectsAndRecords) {
  const auto file = read_text(R"([{"a.png":[)" + std::string(kItem) + R"(]}, {"b.png":null},
      {"image_path":"x/c.png","anomalies":[)" +
                              std::string(kItem) + R"(],"verdict":"fake"},
      {"file_name":"d.png","anomalies":[],"label":0}])");
  ASSERT_TRUE(file) << file.error().message();
  EXPECT_EQ(file->annotations[0].findings.size(), 1U);
  EXPECT_EQ(file->annotations[1].image, "b.png");
  EXPECT_EQ(file->annotations[2].image, "c.png");
  EXPECT_EQ(file->annotations[2].verdict, kGenerated);
  EXPECT_EQ(file->annotations[3].verdict, kReal);
}

TEST(AnnotationFile, ReadsFineTuningRecordsAndReplies) {
  const auto file = read_text(
      R"([{"image":"a.png","id":"1","conversations":[{"from":"human","value":"<image>\nWhat?"},
      {"from":"gpt","value":"@1. Name: x"}]}, {"b.png":"No anomalies."}])");
  ASSERT_TRUE(file) << file.error().message();
  EXPECT_EQ(file->annotations[0].reply, "@1. Name: x");
  EXPECT_EQ(file->annotations[1].reply, "No anomalies.");
}

TEST(AnnotationFile, ReadsLines) {
  const std::string item = "[" + std::string(kItem) + "]";
  const auto file = read_text(R"({"image":"x/a.png","anomalies":)" + item + "}\n\n" +
                              R"({"b.png":null})"
                              "\r\n" +
                              R"({"image":"c.png","prediction":)" + item + "}\n");
  ASSERT_TRUE(file) << file.error().message();
  ASSERT_EQ(file->annotations.size(), 3U);
  EXPECT_EQ(file->annotations[0].image, "a.png");
  EXPECT_THAT(file->annotations[1].findings, IsEmpty());
  EXPECT_EQ(file->annotations[2].findings.size(), 1U);
  EXPECT_THAT(refusal("{\"a.png\":null}\n{\"b.png\":nu"),
              HasSubstr("'line 2': the JSON is broken or cut off"));
}

TEST(AnnotationFile, WhatAModelListedSpoilsItsOwnImageAtMost) {
  const AnnotationFile file = read_predictions(
      R"({"a.png":[{"Name":"n"},{"phenomenon":"p","severity":120},{"phenomenon":"q","severity":[1]}],
          "b.png":["text"], "c.png":7, "d.png":[{"phenomenon":["p"]}], "e.png":[]})");
  ASSERT_EQ(file.annotations.size(), 5U);
  ASSERT_EQ(file.annotations[0].findings.size(), 3U);  // an empty claim is still one
  EXPECT_EQ(file.annotations[0].findings[1].severity, std::nullopt);
  EXPECT_EQ(file.annotations[0].unreadable, "");
  EXPECT_THAT(file.annotations[1].unreadable, HasSubstr("anomaly 1 is not an object"));
  EXPECT_THAT(file.annotations[2].unreadable, HasSubstr("neither a list"));
  EXPECT_THAT(file.annotations[3].unreadable, HasSubstr("is not a string"));
  EXPECT_EQ(file.annotations[4].unreadable, "");
}

TEST(AnnotationFile, KeepsUnicodeNames) {
  EXPECT_EQ(read_text(R"({"d/Größe 猫.png":null})").value().annotations[0].image, "Größe 猫.png");
}

TEST(AnnotationFile, RefusesTwoImagesOfOneName) {
  EXPECT_THAT(refusal(R"({"0_real/1.png":null,"1_fake/1.png":null})"),
              HasSubstr("'0_real/1.png' has the same"));
  EXPECT_THAT(refusal(R"({"1.png":null,"1.png":null})"), HasSubstr("there twice"));
}

TEST(AnnotationFile, RefusesBrokenFiles) {
  EXPECT_THAT(refusal(R"({"a.png":[{"Name":"Cu)"), HasSubstr("broken or cut off"));
  EXPECT_THAT(refusal(""), HasSubstr("broken or cut off"));
  EXPECT_THAT(refusal("12"), HasSubstr("neither an object nor a list"));
  EXPECT_FALSE(read_annotation_file("/nowhere/x.json"));
}

TEST(AnnotationFile, RefusesWrongTypesAndNamesThem) {
  EXPECT_THAT(refusal(R"({"a.png":7})"), HasSubstr("'a.png'"));
  EXPECT_THAT(refusal(R"({"a.png":["text"]})"), HasSubstr("anomaly 1 is not an object"));
  EXPECT_THAT(refusal(with_item(R"("phenomenon":["p"])")), HasSubstr("field 'phenomenon' is not a string"));
  EXPECT_THAT(refusal(with_item(R"("phenomenon":"p","severity":[1])")), HasSubstr("severity of anomaly 1"));
  EXPECT_THAT(refusal(with_item(R"("phenomenon":"p","severity":120)")), HasSubstr("120, not 0 to 100"));
  EXPECT_THAT(refusal(with_item(R"("phenomenon":"p","Observed Phenomenon":"q")")), HasSubstr("twice"));
  EXPECT_THAT(refusal(with_item(R"("Name":"n")")), HasSubstr("neither a phenomenon nor a reasoning"));
  EXPECT_THAT(refusal(R"([7])"), HasSubstr("entry 1"));
  EXPECT_THAT(refusal(R"([{"who":"x","what":"y"}])"), HasSubstr("names no image"));
  EXPECT_THAT(refusal(R"(["a.png"])"), HasSubstr("nothing is said"));
  EXPECT_THAT(refusal(R"([{"image":"a.png"}])"), HasSubstr("says nothing about anomalies"));
  EXPECT_THAT(refusal(R"([{"image":"a.png","anomalies":[],"reply":"x"}])"), HasSubstr("two ways"));
  EXPECT_THAT(refusal(R"([{"image":"a.png","anomalies":[],"verdict":"perhaps"}])"),
              HasSubstr("neither real"));
  EXPECT_THAT(refusal(R"({"folder/":null})"), HasSubstr("name of a file"));
}

TEST(ImageNames, AreReadInEveryForm) {
  const auto names = [](std::string_view json) { return with_file(json, read_image_names).value(); };
  EXPECT_THAT(names(R"({"x/a.png":[],"b.png":null})"), ElementsAre("a.png", "b.png"));
  EXPECT_THAT(names(R"(["x/a.png","b.png"])"), ElementsAre("a.png", "b.png"));
  EXPECT_THAT(names(R"([{"a.png":[]},{"b.png":3}])"), ElementsAre("a.png", "b.png"));
  EXPECT_THAT(names(R"([{"image_id":"a.png","n":1},{"path":"y/b.png"}])"), ElementsAre("a.png", "b.png"));
  EXPECT_FALSE(with_file("[1]", read_image_names));
}

TEST(RepliesFile, IsToldByItsFirstLine) {
  const auto is_ours = [](std::string_view text) { return with_file(text, is_replies_file).value(); };
  EXPECT_TRUE(is_ours("{\"id\":\"a.png\",\"reply\":\"No anomalies.\"}\n{\"id\":\"b.png\",\"reply\":\"\"}"));
  EXPECT_TRUE(is_ours("\n{\"asked\":[]}"));
  EXPECT_TRUE(is_ours(R"([{"question_id":"a.png","response":"No anomalies."}])"));
  EXPECT_FALSE(is_ours(R"([{"id":"1","image":"a.png","response":"No anomalies."}])"));
  EXPECT_FALSE(is_ours(R"([{"id":"1","image":"a.png","conversations":[]}])"));
  EXPECT_FALSE(is_ours("[]"));
  EXPECT_FALSE(is_ours(R"({"a.png":null})"));
  EXPECT_FALSE(is_ours("{\n \"a.png\": null\n}"));
  EXPECT_FALSE(is_ours(""));
}

TEST(SourceInPath, ComesFromTheReleasedFolders) {
  EXPECT_EQ(source_in_path("flux/1_fake/a.png"), kGenerated);
  EXPECT_EQ(source_in_path("0_real\\a.png"), kReal);
  EXPECT_EQ(source_in_path("10_real/a.png"), "");
  EXPECT_EQ(source_in_path("1_fake.png"), "");
}

TEST(VerdictNamed, UnderstandsTheUsualWords) {
  for (const char* word : {"yes", "Yes, this image is generated by AI", "AI-generated", "fake", "not real"}) {
    EXPECT_EQ(verdict_named(word), kGenerated) << word;
  }
  for (const char* word : {"No", "real", "Real photograph.", "not generated", "authentic"}) {
    EXPECT_EQ(verdict_named(word), kReal) << word;
  }
  for (const char* word : {"", "maybe", "real or generated", "not", "unsure"}) {
    EXPECT_EQ(verdict_named(word), "") << word;
  }
}

}  // namespace
}  // namespace awry::benchmarks::anomreason
