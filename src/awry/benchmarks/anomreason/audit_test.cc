// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/anomreason/audit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "awry/base/files.h"
#include "awry/base/text.h"

namespace awry::benchmarks::anomreason {
namespace {

using testing::HasSubstr;

const std::filesystem::path kSmall = std::filesystem::path(AWRY_MODULE_DIR) / "anomreason/testdata/small";

Result<std::vector<AuditLine>> read_text(std::string_view lines) {
  TemporaryFolder folder;
  EXPECT_TRUE(write_file(folder.path() / "audit.jsonl", lines));
  return read_audit_file(folder.path() / "audit.jsonl");
}

std::string refusal(std::string_view lines) {
  const auto read = read_text(lines);
  return read ? "it was read" : read.error().message();
}

const Metric& metric(const Summary& summary, std::string_view group, std::string_view key) {
  for (const Metric& each : summary.metrics) {
    if (each.group == group && each.key == key) return each;
  }
  throw std::out_of_range(std::string(key));
}

TEST(Audit, GivesEveryGeneratorItsNumbers) {
  const Summary summary =
      audit(read_audit_file(kSmall / "audit.jsonl").value(), {{"resamples", "300"}}).value();
  EXPECT_EQ(summary.protocol, "audit");
  ASSERT_EQ(summary.metrics.size(), 6U);
  EXPECT_DOUBLE_EQ(metric(summary, "A", "mai").value, 2.0 / 3);
  EXPECT_DOUBLE_EQ(metric(summary, "A", "af").value, 1.0);
  EXPECT_DOUBLE_EQ(metric(summary, "A", "cap").value, 2.0 / 3);
  EXPECT_EQ(metric(summary, "A", "cap").count, 3U);
  ASSERT_TRUE(metric(summary, "A", "cap").interval);
  EXPECT_LE(metric(summary, "A", "cap").interval->low, 2.0 / 3);
  EXPECT_THAT(metric(summary, "A", "cap").signature, HasSubstr("audit/cap|formula:mai*af"));
  // One of B's two replies cannot be read: 1 anomaly of severity 20 in the other.
  EXPECT_DOUBLE_EQ(metric(summary, "B", "mai").value, 0.8);
  EXPECT_EQ(metric(summary, "B", "mai").count, 1U);
  EXPECT_EQ(summary.outcomes.of(Outcome::kUnparsable), 1U);
  EXPECT_THAT(join(summary.notes, "\n"), HasSubstr("B: 1 of 2 replies"));
  EXPECT_EQ(summary.scores.size(), 8U);
}

TEST(Audit, TakesAnnotationsAsReleasedOneFileAGenerator) {
  TemporaryFolder folder;
  const std::filesystem::path sdxl = folder.path() / "SDXL.json", flux = folder.path() / "Flux.json";
  const std::string two_images =
      R"json({"x/1.png": [{"Observed Phenomenon": "six fingers", "Severity Score": "20/100 (noticeable)"},
                          {"phenomenon": "two suns", "severity": 60}],
              "x/2.png": null})json";
  const std::string one_record =
      R"([{"image": "1.png", "anomalies": [{"Reasoning": "it floats", "Severity Score": 0}]}])";
  ASSERT_TRUE(write_file(sdxl, two_images));
  ASSERT_TRUE(write_file(flux, one_record));
  const Summary one = audit(read_audit_file(sdxl).value(), {{"resamples", "0"}}).value();
  EXPECT_DOUBLE_EQ(metric(one, "SDXL", "mai").value, 0.6);  // (0.8 + 0.4) over two images
  EXPECT_DOUBLE_EQ(metric(one, "SDXL", "af").value, 1);
  const Summary both = audit(read_audit_file(folder.path()).value(), {{"resamples", "0"}}).value();
  ASSERT_EQ(both.metrics.size(), 6U);
  EXPECT_DOUBLE_EQ(metric(both, "Flux", "cap").value, 1);
  EXPECT_DOUBLE_EQ(metric(both, "SDXL", "cap").value, 0.6);
}

TEST(Audit, LinesWithoutAGeneratorDoNotPassForAnnotations) {
  const std::string nameless = R"({"image": "1.png", "anomalies": []})";
  EXPECT_THAT(refusal(nameless), HasSubstr("no text field 'generator'"));
  TemporaryFolder empty;
  EXPECT_THAT(read_audit_file(empty.path()).error().message(), HasSubstr("holds no annotations"));
}

TEST(Audit, ReadsOneDocumentOfSeveralGenerators) {
  for (const std::string_view text :
       {R"([{"generator": "A", "image": "1.png", "anomalies": [{"severity": 40}]},
            {"model": "B", "image": "1.png", "anomalies": []}])",
        R"({"A": {"x/1.png": [{"Severity Score": "40/100"}]}, "B": {"1.png": null}})"}) {
    const Summary summary = audit(read_text(text).value(), {{"resamples", "0"}}).value();
    EXPECT_DOUBLE_EQ(metric(summary, "A", "mai").value, 0.6) << text;
    EXPECT_DOUBLE_EQ(metric(summary, "B", "af").value, 0) << text;
  }
  EXPECT_THAT(refusal(R"({"A": {"1.png": [{"severity": 101}]}})"), HasSubstr("'1.png' of 'A'"));
}

TEST(Audit, ShowsTheRangeThatUnratedAnomaliesLeave) {
  const auto lines =
      read_text(R"({"generator":"G","image":"1","anomalies":[{"severity":"bad"},{"severity":40}]})").value();
  const Summary summary = audit(lines, {{"resamples", "0"}}).value();
  EXPECT_DOUBLE_EQ(metric(summary, "G", "mai").value, 0.6);
  EXPECT_DOUBLE_EQ(metric(summary, "G", "mai").missing->high, 1.6);
  EXPECT_FALSE(metric(summary, "G", "af").missing);
  EXPECT_FALSE(metric(summary, "G", "mai").interval);
  EXPECT_THAT(join(summary.notes, "\n"), HasSubstr("1 of 2 anomalies have no severity"));
}

TEST(Audit, GeneratorsMayShareImageNames) {
  EXPECT_TRUE(
      read_text("{\"generator\":\"G\",\"image\":\"1\",\"anomalies\":[]}\n\n"
                "{\"generator\":\"H\",\"image\":\"1\",\"anomalies\":null}\r\n"));
}

TEST(Audit, RefusesBrokenLinesAndNamesThem) {
  const std::string good = "{\"generator\":\"G\",\"image\":\"1\",\"anomalies\":[]}\n";
  EXPECT_THAT(refusal(good + good), HasSubstr("audit.jsonl:2"));
  EXPECT_THAT(refusal(good + good), HasSubstr("already in line 1"));
  EXPECT_THAT(refusal(good + R"({"generator":"G","ima)"), HasSubstr("audit.jsonl:2"));
  EXPECT_THAT(refusal("[3]"), HasSubstr("neither an object nor a name"));
  EXPECT_THAT(refusal(R"({"image":"1","anomalies":[]})"), HasSubstr("'generator'"));
  EXPECT_THAT(refusal(R"({"generator":"G","image":7,"anomalies":[]})"), HasSubstr("'image'"));
  EXPECT_THAT(refusal(R"({"generator":"G","image":"1"})"), HasSubstr("neither 'anomalies' nor 'reply'"));
  EXPECT_THAT(refusal(R"({"generator":"G","image":"1","anomalies":[],"reply":""})"), HasSubstr("both"));
  EXPECT_THAT(refusal(R"({"generator":"G","image":"1","anomalies":{}})"), HasSubstr("not a list"));
  EXPECT_THAT(refusal(R"({"generator":"G","image":"1","anomalies":[3]})"), HasSubstr("anomaly 1"));
  EXPECT_THAT(refusal(R"({"generator":"G","image":"1","anomalies":[{"severity":true}]})"),
              HasSubstr("anomaly 1"));
  EXPECT_THAT(refusal(R"({"generator":"G","image":"1","anomalies":[{"severity":101}]})"),
              HasSubstr("101, not 0 to 100"));
  EXPECT_THAT(refusal(R"({"generator":"G","image":"1","reply":5})"), HasSubstr("'reply' is not a string"));
  EXPECT_THAT(refusal("\n"), HasSubstr("no images"));
}

TEST(Audit, RefusesUnknownOptions) {
  const auto lines = read_audit_file(kSmall / "audit.jsonl").value();
  EXPECT_EQ(audit(lines, {{"resample", "10"}}).error().kind, ErrorKind::kUsage);
  EXPECT_FALSE(audit(lines, {{"resamples", "many"}}));
}

}  // namespace
}  // namespace awry::benchmarks::anomreason
