// SPDX-License-Identifier: Apache-2.0
#include "awry/records/json.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

namespace awry {
namespace {

using testing::HasSubstr;

template <class T>
T round_trip(const T& record) {
  // Through text, as a file or the store would keep it.
  const Result<Json> json = parse_json(dump_json(to_json(record)), "round trip");
  Result<T> back = from_json<T>(json.value(), "round trip");
  if (!back) ADD_FAILURE() << back.error().message();
  return back.value_or(T{});
}

Finding full_finding(Where where) {
  return {.id = "f1",
          .image = 1,
          .where = std::move(where),
          .type = "copy_move",
          .name = "cell",
          .phenomenon = "two \"identical\" cells\n",
          .reasoning = "東京 🙂",
          .severity = 12.5,
          .probability = 0.1 + 0.2,  // not representable in few digits: must come back bit for bit
          .false_alarms = 1e-300,
          .evidence = {{"keypoint_matches", "143 agree", 143.0}, {"note", "no number", std::nullopt}},
          .by = {AuthorKind::kForger, "forge/copy_move", "1"}};
}

TEST(RecordsJson, AFindingSurvivesWhereverItLies) {
  const std::vector<Where> places = {WholeImage{},
                                     Box{.x = 1.5, .y = -2, .width = 3, .height = 1e9},
                                     Mask{.width = 3, .height = 2, .runs = {1, 4, 1}},
                                     BlockSet{.rows = 2, .columns = 3, .blocks = {1, 6}},
                                     Pair{.first_image = 0,
                                          .second_image = 0,
                                          .in_first = Mask{1, 1, {0, 1}},
                                          .second_from_first = Transform{1, 0, 5, 0, 1, -3, 0, 0, 1},
                                          .operations = {"rotation"}},
                                     TextSpan{.part = "caption", .sentence = "It rose by 12%."}};
  for (const Where& where : places) {
    const Finding finding = full_finding(where);
    EXPECT_EQ(round_trip(finding), finding) << dump_json(to_json(finding));
  }
}

TEST(RecordsJson, EveryRecordSurvives) {
  const Sample sample{.id = "s",
                      .images = {{"a/ü.png", 3, 4, "ff"}},
                      .passages = {{"caption", "c"}},
                      .attributes = {{"scenario", "micrograph"}},
                      .has_truth = true,
                      .truth = {full_finding(Box{})}};
  EXPECT_EQ(round_trip(sample), sample);
  const Question question{.id = "q",
                          .sample_id = "s",
                          .kind = "ad",
                          .prompt = "Look.",
                          .images = {0, 2},
                          .repeat = 3,
                          .earlier = {{.prompt = "Real?", .reply = "No."}},
                          .for_judge = true,
                          .attributes = {{"strategy", "cot"}}};
  EXPECT_EQ(round_trip(question), question);
  const Reply reply{.key = "k",
                    .question_id = "q",
                    .outcome = Outcome::kTruncated,
                    .text = "half",
                    .model = "m",
                    .returned_model = "m-1",
                    .fingerprint = "fp",
                    .finish_reason = "length",
                    .usage = {10, 20, 0.001},
                    .latency_ms = 12.25,
                    .attempt = 2,
                    .error = "cut",
                    .created = "2026-01-01T00:00:00Z"};
  EXPECT_EQ(round_trip(reply), reply);
  const Answer answer{.question_id = "q",
                      .outcome = Outcome::kUnparsable,
                      .complaint = "no tag",
                      .choices = {"A", "C"},
                      .unsure = true,
                      .findings = {full_finding(WholeImage{})},
                      .values = {{"surprisal", 4}},
                      .text = "because"};
  EXPECT_EQ(round_trip(answer), answer);
  const Verdict verdict{.id = "v",
                        .finding_id = "f1",
                        .decision = Decision::kReject,
                        .by = {AuthorKind::kPerson, "maria", ""},
                        .note = "no",
                        .created = "now"};
  EXPECT_EQ(round_trip(verdict), verdict);
  Summary summary{.protocol = "themis",
                  .metrics = {{.key = "id",
                               .group = "splicing",
                               .value = 0.5,
                               .interval = Interval{0.4, 0.6, 0.95},
                               .missing = Interval{0, 1, 1},
                               .count = 7,
                               .signature = "x|v:1"}},
                  .scores = {{"s", "id", 1}},
                  .notes = {"a note"}};
  summary.outcomes.add(Outcome::kAnswered, 5);
  summary.outcomes.add(Outcome::kUnreadable);
  EXPECT_EQ(round_trip(summary), summary);
  const awry::Run run{.id = "r",
                      .name = "demo",
                      .protocol = "themis",
                      .model = "forensics",
                      .digest = "d",
                      .command = {"awry", "demo"},
                      .settings = {{"grid", "always"}},
                      .seed = std::numeric_limits<std::uint64_t>::max(),
                      .awry_version = "0.1.0",
                      .status = RunStatus::kInterrupted,
                      .started = "a",
                      .finished = "b"};
  EXPECT_EQ(round_trip(run), run);
}

TEST(RecordsJson, FieldsOfANewerVersionSurvive) {
  const auto json = parse_json(R"({"id":"f","type":"t","colour_of_doubt":{"r":[1,2,{"g":null}]}})", "x");
  const auto finding = from_json<Finding>(*json, "x");
  ASSERT_TRUE(finding);
  EXPECT_EQ(to_json(*finding)["colour_of_doubt"], (*json)["colour_of_doubt"]);
  EXPECT_EQ(round_trip(*finding), *finding);
}

TEST(RecordsJson, NumbersThatAreNotFiniteSurvive) {
  Score score{.sample_id = "s", .metric = "m", .value = std::numeric_limits<double>::infinity()};
  EXPECT_EQ(round_trip(score), score);
  score.value = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(round_trip(score).value));
}

TEST(RecordsJson, MissingAndNullFieldsKeepTheirDefaults) {
  const auto reply = from_json<Reply>(*parse_json(R"({"attempt":null})", "x"), "x");
  ASSERT_TRUE(reply);
  EXPECT_EQ(*reply, Reply{});
}

TEST(RecordsJson, AWrongTypeIsNamedWithItsPath) {
  struct Case {
    const char *json, *path;
  };
  for (const Case& c :
       {Case{R"({"truth":[{},{"where":{"kind":"blocks","rows":"two"}}]})", "truth[1].where.rows"},
        Case{R"({"images":{}})", "images"}, Case{R"({"images":[{"width":1e99}]})", "images[0].width"},
        Case{R"({"truth":[{"where":{"kind":"cloud"}}]})", "truth[0].where.kind"},
        Case{R"({"truth":[{"by":{"kind":"ghost"}}]})", "truth[0].by.kind"},
        Case{R"({"has_truth":1})", "has_truth"}}) {
    const auto sample = from_json<Sample>(*parse_json(c.json, "x"), "file.jsonl:3");
    ASSERT_FALSE(sample) << c.json;
    EXPECT_THAT(sample.error().message(), testing::AllOf(HasSubstr(c.path), HasSubstr("file.jsonl:3")));
  }
  EXPECT_FALSE(from_json<Sample>(Json::array(), "x"));
}

TEST(Outcomes, HaveNamesThatReadBack) {
  for (const Outcome outcome : kAllOutcomes) EXPECT_EQ(outcome_named(name_of(outcome)), outcome);
  EXPECT_EQ(outcome_named("fine"), std::nullopt);
}

}  // namespace
}  // namespace awry
