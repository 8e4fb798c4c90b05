// SPDX-License-Identifier: Apache-2.0
// testdata/small worked out by hand, and what happens to answers and verdicts that are missing or wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "awry/base/files.h"
#include "awry/base/random.h"
#include "awry/base/text.h"
#include "awry/benchmarks/cave/cave.h"
#include "awry/benchmarks/cave/comparison.h"
#include "awry/benchmarks/cave/matching.h"
#include "awry/benchmarks/metric_value_test.h"

namespace awry::benchmarks::cave {
namespace {

using testing::HasSubstr;

const std::filesystem::path kSmall = std::filesystem::path(AWRY_MODULE_DIR) / "cave/testdata/small";
const ProtocolOptions kNoBootstrap = {{"resamples", "0"}};

std::vector<Sample> small_samples() {
  return read_samples(kSmall, {}).value().samples;
}

Result<std::vector<AnsweredSample>> answers_from(std::string_view json, const char* name = "answers.json") {
  const TemporaryFolder folder;
  EXPECT_TRUE(write_file(folder.path() / name, json));
  return read_answers(folder.path() / name, small_samples(), {});
}

std::string why_not(std::string_view json, const char* name = "answers.json") {
  const auto read = answers_from(json, name);
  return read ? "read" : read.error().message();
}

Summary score_small(const ProtocolOptions& options = kNoBootstrap) {
  return score(read_answers(kSmall / "answers.json", small_samples(), {}).value(), options).value();
}

void expect_range(const Summary& summary, std::string_view group, std::string_view key, double low,
                  double high) {
  const Metric* metric = find_metric(summary, group, key);
  ASSERT_NE(metric, nullptr) << group << "/" << key;
  ASSERT_TRUE(metric->missing.has_value()) << group << "/" << key;
  EXPECT_NEAR(metric->missing->low, low, 1e-12) << group << "/" << key;
  EXPECT_NEAR(metric->missing->high, high, 1e-12) << group << "/" << key;
}

PairVerdicts verdicts(std::size_t predictions, std::size_t truths, std::vector<std::pair<int, int>> same) {
  PairVerdicts all(predictions, truths);
  std::fill(all.cells.begin(), all.cells.end(), PairVerdict::kDifferent);
  for (const auto& [p, t] : same)
    all.at(static_cast<std::size_t>(p), static_cast<std::size_t>(t)) = PairVerdict::kSame;
  return all;
}

TEST(CaveMatching, FindsAsManyPairsAsPossible) {
  // Taking the first pair first would leave the second prediction without a truth.
  const Detection detection = match(verdicts(2, 2, {{0, 0}, {0, 1}, {1, 0}}));
  EXPECT_EQ(detection.true_positives, 2u);
  EXPECT_EQ(detection.found_by[0], 1u);
  EXPECT_EQ(detection.found_by[1], 0u);
}

TEST(CaveMatching, ARepeatedFindIsNeitherRightNorWrong) {
  const Detection detection = match(verdicts(4, 2, {{0, 0}, {1, 0}, {2, 0}}));
  EXPECT_EQ(detection.true_positives, 1u);
  EXPECT_EQ(detection.duplicates, 2u);
  EXPECT_EQ(detection.false_positives, 1u);
  EXPECT_EQ(detection.false_negatives, 1u);
  EXPECT_EQ(detection.found_by[0], 0u);
}

TEST(CaveMatching, OneMoreMatchNeverHurts) {
  RandomStream random(7);
  for (int round = 0; round < 300; ++round) {
    PairVerdicts all(random.below(5), 1 + random.below(4));
    for (PairVerdict& cell : all.cells)
      cell = random.chance(0.3) ? PairVerdict::kSame : PairVerdict::kDifferent;
    if (all.cells.empty()) continue;
    const Detection before = match(all);
    all.cells[random.below(all.cells.size())] = PairVerdict::kSame;
    const Detection after = match(all);
    EXPECT_GE(after.true_positives, before.true_positives);
    EXPECT_LE(after.false_positives, before.false_positives);
    EXPECT_EQ(after.true_positives + after.false_positives + after.duplicates, all.predictions);
  }
}

TEST(CaveScoring, DescriptionsByHand) {
  const Summary summary = score_small();
  // elevator: 1 right, 1 wrong, 1 repeated; chairs: 1 right, 1 missed; bottle and sign: missed; desk: 1 wrong
  EXPECT_EQ(value(summary, "ad", "tp"), 2);
  EXPECT_EQ(value(summary, "ad", "fp"), 2);
  EXPECT_EQ(value(summary, "ad", "fn"), 3);
  EXPECT_EQ(value(summary, "ad", "duplicates"), 1);
  EXPECT_DOUBLE_EQ(value(summary, "ad", "precision"), 2.0 / 4);
  EXPECT_DOUBLE_EQ(value(summary, "ad", "recall"), 2.0 / 5);
  EXPECT_DOUBLE_EQ(value(summary, "ad", "f1"), 4.0 / 9);
  EXPECT_EQ(find_metric(summary, "ad", "f1")->count, 5u);
  EXPECT_DOUBLE_EQ(value(summary, "ad", "false_alarm_rate"), 1);
  // The refused sign: three more wrong claims at worst, found at best.
  expect_range(summary, "ad", "precision", 2.0 / 7, 3.0 / 5);
  expect_range(summary, "ad", "recall", 2.0 / 5, 3.0 / 5);
  expect_range(summary, "ad", "f1", 4.0 / 12, 6.0 / 10);
  EXPECT_THAT(find_metric(summary, "ad", "f1")->signature,
              HasSubstr("metric:micro-f1|judge:some-judge|prompt:vanilla"));
}

TEST(CaveScoring, CategoriesTakeTheFalsePositivesOfTheirImages) {
  const Summary summary = score_small();
  EXPECT_DOUBLE_EQ(value(summary, "ad/category:absence", "precision"), 0.5);
  EXPECT_DOUBLE_EQ(value(summary, "ad/category:absence", "recall"), 0.5);
  EXPECT_DOUBLE_EQ(value(summary, "ad/category:absence", "f1"), 0.5);
  EXPECT_FALSE(find_metric(summary, "ad/category:absence", "f1")->missing.has_value());
  EXPECT_EQ(find_metric(summary, "ad/category:absence", "f1")->count, 2u);
  EXPECT_DOUBLE_EQ(value(summary, "ad/category:uniformity", "f1"), 1);
  EXPECT_DOUBLE_EQ(value(summary, "ad/category:attribute", "precision"), 0);
  expect_range(summary, "ad/category:textual", "f1", 0, 1);
  EXPECT_EQ(find_metric(summary, "ad/category:relation", "f1"), nullptr);
}

TEST(CaveScoring, ExplanationsByHand) {
  const Summary summary = score_small();
  EXPECT_DOUBLE_EQ(value(summary, "ae", "accuracy"), 3.0 / 4);
  EXPECT_EQ(find_metric(summary, "ae", "accuracy")->count, 4u);  // the sign was not judged
  expect_range(summary, "ae", "accuracy", 3.0 / 5, 4.0 / 5);
  EXPECT_DOUBLE_EQ(value(summary, "ae", "accuracy_hit"), 1.0 / 2);
  EXPECT_DOUBLE_EQ(value(summary, "ae", "accuracy_miss"), 1);
  expect_range(summary, "ae", "accuracy_miss", 2.0 / 3, 1);
  EXPECT_DOUBLE_EQ(value(summary, "ae", "balanced_accuracy"), 0.75);
  EXPECT_DOUBLE_EQ(value(summary, "ae", "gap"), -0.5);
  EXPECT_DOUBLE_EQ(value(summary, "ae/category:absence", "accuracy"), 1);
  EXPECT_DOUBLE_EQ(value(summary, "ae/category:uniformity", "f1"), 0);
}

TEST(CaveScoring, PlacesByHand) {
  const Summary summary = score_small();
  EXPECT_NEAR(value(summary, "al", "mean_iou"), (0.5 + 1 + 0 + 0) / 4, 1e-9);
  EXPECT_NEAR(value(summary, "al", "iou_share"), 2.0 / 4, 1e-12);
  EXPECT_NEAR(value(summary, "al", "coverage_ratio"), (0.5 + 1 + 100.0 / 2400 + 0) / 4, 1e-9);
  EXPECT_NEAR(value(summary, "al", "under_coverage"), 2.0 / 4, 1e-12);
  const Metric* coverage = find_metric(summary, "al", "coverage_ratio");
  EXPECT_EQ(coverage->count, 4u);  // the sign has no box
  EXPECT_NEAR(coverage->missing->high, (0.5 + 1 + 100.0 / 2400 + 6) / 4, 1e-9);
  ProtocolOptions strict = kNoBootstrap;
  strict["iou"] = "0.6";
  EXPECT_NEAR(value(score_small(strict), "al", "iou_share"), 1.0 / 4, 1e-12);
}

TEST(CaveScoring, JustificationsAndRatingsByHand) {
  const Summary summary = score_small();
  EXPECT_DOUBLE_EQ(value(summary, "aj/plausibility", "better"), 3.0 / 5);
  EXPECT_DOUBLE_EQ(value(summary, "aj/plausibility", "similar"), 1.0 / 5);
  EXPECT_DOUBLE_EQ(value(summary, "aj/plausibility", "worse"), 1.0 / 5);
  EXPECT_DOUBLE_EQ(value(summary, "aj/plausibility/hit", "better"), 3.0 / 5);
  EXPECT_DOUBLE_EQ(value(summary, "aj/creativity", "worse"), 2.0 / 3);
  expect_range(summary, "aj/creativity", "worse", 2.0 / 6, 5.0 / 6);  // nobody rated the second one on it

  EXPECT_NEAR(value(summary, "severity", "spearman"), 0.8, 1e-12);
  EXPECT_NEAR(value(summary, "severity", "pearson"), 6 / std::sqrt(8.75 * 14 / 3), 1e-12);
  EXPECT_EQ(find_metric(summary, "severity", "spearman")->count, 4u);
  EXPECT_EQ(find_metric(summary, "surprisal", "spearman"), nullptr);
  // Three anomalies rated thrice: disagreement 2 seen, 12 by chance.
  EXPECT_NEAR(value(summary, "raters/severity", "alpha_ordinal"), 1 - 2.0 / 12, 1e-12);
  EXPECT_EQ(find_metric(summary, "raters/severity", "alpha_ordinal")->count, 3u);
}

TEST(CaveScoring, CountsEveryOutcome) {
  const Summary summary = score_small();
  EXPECT_EQ(summary.outcomes.of(Outcome::kAnswered), 17u);
  EXPECT_EQ(summary.outcomes.of(Outcome::kRefused), 1u);
  EXPECT_EQ(summary.outcomes.of(Outcome::kTruncated), 1u);
  EXPECT_EQ(summary.outcomes.of(Outcome::kJudgeFailed), 1u);
  EXPECT_EQ(summary.outcomes.of(Outcome::kTransport), 2u);  // box and severity of the sign
  EXPECT_THAT(join(summary.notes, "\n"), HasSubstr("1 of 22 answers lack a usable verdict"));
}

TEST(CaveScoring, IntervalsComeFromTheImages) {
  const Summary summary = score_small({{"resamples", "300"}});
  const Metric* f1 = find_metric(summary, "ad", "f1");
  ASSERT_TRUE(f1->interval.has_value());
  EXPECT_LT(f1->interval->low, f1->value);
  EXPECT_GT(f1->interval->high, f1->value);
  EXPECT_EQ(find_metric(score_small({{"resamples", "300"}}), "ad", "f1")->interval, f1->interval);
  const Metric* uniformity = find_metric(summary, "ad/category:uniformity", "f1");
  EXPECT_EQ(uniformity->interval->low, 1);
  EXPECT_EQ(uniformity->interval->high, 1);
  EXPECT_GT(value(summary, "severity", "spearman_p"), 0);
  EXPECT_GT(value(summary, "ae", "gap_p"), 0);
}

constexpr std::string_view kUnjudged = R"([
  {"id": "elevator", "descriptions": ["x", "y"], "verdicts": [{"prediction": 1, "truth": 1, "same": null},
                                                              {"prediction": 2, "truth": 1, "same": false}]},
  {"id": "chairs", "descriptions": ["x", "y"], "matches": [[1, 1], [2, 2]]},
  {"id": "bottle", "descriptions": [], "matches": []},
  {"id": "sign", "outcome": "judge_failed"},
  {"id": "desk", "descriptions": []}])";

TEST(CaveScoring, AFailedJudgeIsNeverAMiss) {
  const Summary summary = score(answers_from(kUnjudged).value(), kNoBootstrap).value();
  EXPECT_EQ(summary.outcomes.of(Outcome::kJudgeFailed), 2u);
  // Only chairs, bottle and desk count: 2 right, 1 missed.
  EXPECT_EQ(find_metric(summary, "ad", "f1")->count, 3u);
  EXPECT_DOUBLE_EQ(value(summary, "ad", "recall"), 2.0 / 3);
  EXPECT_DOUBLE_EQ(value(summary, "ad", "precision"), 1);
  // elevator: nothing right and two wrong, or one and one; sign: two wrong claims, or found
  expect_range(summary, "ad", "recall", 2.0 / 5, 4.0 / 5);
  expect_range(summary, "ad", "precision", 2.0 / 6, 4.0 / 5);
}

TEST(CaveScoring, NothingJudgedIsNoNumber) {
  const auto answered =
      answers_from(R"([{"id": "elevator", "descriptions": ["x"]}, {"id": "chairs", "descriptions": ["x"]},
    {"id": "bottle", "descriptions": ["x"]}, {"id": "sign", "descriptions": ["x"]}])")
          .value();
  const std::vector<AnsweredSample> anomalous(answered.begin(), answered.begin() + 4);
  const Summary summary = score(anomalous, kNoBootstrap).value();
  EXPECT_EQ(find_metric(summary, "ad", "f1"), nullptr);
  EXPECT_THAT(join(summary.notes, "\n"), HasSubstr("ad f1 cannot be stated: nothing was judged"));
}

TEST(CaveScoring, TakesVerdictsFromAFile) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "verdicts.jsonl";
  const auto answered = answers_from(R"([{"id": "bottle", "descriptions": ["x"],
      "anomalies": [{"anomaly": 1, "explanation": "y", "justification": "z"}]}])")
                            .value();
  const std::vector<AnsweredSample> bottle = {answered[2]};
  const ProtocolOptions options = {{"resamples", "0"}, {"verdicts", file.string()}};
  ASSERT_TRUE(write_file(
      file,
      R"({"finding_id": "bottle/ad/1", "truth_id": "bottle/truth/1", "decision": "accept", "by": {"name": "j"}}
{"finding_id": "bottle/1/ae/1", "decision": "reject"}
{"finding_id": "bottle/1/aj/1", "criterion": "relevance", "rating": "similar", "by": "ana"}
)"));
  const Summary summary = score(bottle, options).value();
  EXPECT_DOUBLE_EQ(value(summary, "ad", "f1"), 1);
  EXPECT_THAT(find_metric(summary, "ad", "f1")->signature, HasSubstr("judge:j"));
  EXPECT_DOUBLE_EQ(value(summary, "ae", "accuracy"), 0);
  EXPECT_DOUBLE_EQ(value(summary, "aj/relevance", "similar"), 1);
  const auto why = [&](std::string_view line) {
    EXPECT_TRUE(write_file(file, line));
    return score(bottle, options).error().message();
  };
  EXPECT_THAT(why(R"({"finding_id": "bottle/ad/2", "truth_id": "bottle/truth/1", "decision": "accept"})"),
              HasSubstr("no answer has a finding 'bottle/ad/2'"));
  EXPECT_THAT(why(R"({"finding_id": "bottle/ad/1", "truth_id": "sign/truth/1", "decision": "accept"})"),
              HasSubstr("no true anomaly 'sign/truth/1'"));
  EXPECT_THAT(why(R"({"finding_id": "bottle/ad/1", "decision": "accept"})"), HasSubstr("of kind ad"));
  EXPECT_THAT(why(R"({"finding_id": "bottle/1/ae/1", "decision": "maybe"})"),
              HasSubstr("'maybe' is none of"));
  EXPECT_THAT(why(R"({"finding_id": "bottle/1/ae/1", "decison": "accept"})"),
              HasSubstr("Did you mean 'decision'"));
  EXPECT_THAT(why(R"({"finding_id": "bottle/1/aj/1", "criterion": "wit", "rating": "similar"})"),
              HasSubstr("'wit'"));
}

TEST(CaveComparison, PairsImages) {
  Summary first, second;
  const auto add = [](Summary& summary, std::string id, double tp, double fp, double fn) {
    summary.scores.push_back({.sample_id = id, .metric = "cave/ad/tp", .value = tp});
    summary.scores.push_back({.sample_id = id, .metric = "cave/ad/fp", .value = fp});
    summary.scores.push_back({.sample_id = id, .metric = "cave/ad/fn", .value = fn});
  };
  add(first, "a", 1, 1, 0), add(first, "b", 0, 1, 1), add(first, "c", 5, 5, 5);
  add(second, "a", 1, 0, 0), add(second, "b", 1, 0, 0);
  const auto difference = compare_descriptions(first, second, {.resamples = 100}).value();
  EXPECT_EQ(difference.samples, 2u);
  EXPECT_DOUBLE_EQ(difference.first, 2.0 / 5);
  EXPECT_DOUBLE_EQ(difference.second, 1);
  EXPECT_THAT(compare_descriptions(first, {}, {}).error().message(),
              HasSubstr("no image was judged in both"));
}

TEST(CaveAnswerFile, ReadsPlainRepliesToo) {
  const auto answered =
      answers_from(
          "{\"id\": \"desk/ad\", \"reply\": \"{}\"}\n{\"id\": \"bottle/1/severity\", \"reply\": \"4\"}\n",
          "replies.jsonl")
          .value();
  EXPECT_EQ(answered[4].answers[0].outcome, Outcome::kAnswered);
  EXPECT_EQ(answered[0].answers[0].outcome, Outcome::kTransport);
}

TEST(CaveAnswerFile, ImagesMayBeKeysAndLinesNeedNoEnding) {
  const std::string elevator = R"({"descriptions": ["No second floor."], "matches": [[1, 1]]})";
  for (const std::string& json :
       {R"({"elevator": )" + elevator + "}", R"({"model": "m", "answers": {"elevator": )" + elevator + "}}",
        "{\"id\": \"elevator\", " + elevator.substr(1) + "\n" + R"({"id": "desk", "descriptions": []})" +
            "\n"}) {
    const auto answered = answers_from(json);
    ASSERT_TRUE(answered) << json << ": " << answered.error().message();
    ASSERT_EQ(answered->front().answers.front().findings.size(), 1u) << json;
    EXPECT_EQ(answered->front().answers.front().findings.front().evidence.size(), 1u) << json;
  }
  const auto plain = value_or_throw(answers_from(R"({"elevator": ["No second floor.", "A star."]})"));
  EXPECT_EQ(plain.front().answers.front().findings.size(), 2u);
  const auto replies = value_or_throw(answers_from(R"([{"id": "elevator/ad", "response": "{}"}])"));
  EXPECT_EQ(replies.front().answers.front().outcome, Outcome::kAnswered);
}

TEST(CaveAnswerFile, WrongFilesSayWhatIsWrong) {
  EXPECT_THAT(why_not(R"({"answers": [{"id": "desk", "descr)"), HasSubstr("ends in the middle"));
  EXPECT_THAT(why_not(R"({"replies": []})"), HasSubstr("no image has the id 'replies'"));
  EXPECT_THAT(why_not(R"({"answers": [], "jugde": "x"})"), HasSubstr("Did you mean 'judge'"));
  EXPECT_THAT(why_not("[7]"), HasSubstr("row 1: it is not an object"));
  EXPECT_THAT(why_not(R"([{"descriptions": []}])"), HasSubstr("'id' is missing"));
  EXPECT_THAT(why_not(R"([{"id": "sofa"}])"), HasSubstr("no image has the id 'sofa'"));
  EXPECT_THAT(why_not(R"([{"id": "desk"}, {"id": "desk"}])"),
              HasSubstr("row 2: the id 'desk' is there twice"));
  EXPECT_THAT(why_not(R"([{"id": "desk", "description": []}])"), HasSubstr("Did you mean 'descriptions'"));
  EXPECT_THAT(why_not(R"([{"id": "desk", "descriptions": 4}])"),
              HasSubstr("neither a list, an object nor text"));
  EXPECT_THAT(why_not(R"([{"id": "desk", "descriptions": ["a", ""]}])"), HasSubstr("description 2"));
  EXPECT_THAT(why_not(R"([{"id": "desk", "outcome": "lost"}])"), HasSubstr("\"lost\" is none of answered"));
  const auto elevator = [&](std::string_view rest) {
    return why_not(R"([{"id": "elevator", "descriptions": ["x"], )" + std::string(rest) + "}]");
  };
  EXPECT_THAT(elevator(R"("verdicts": [{"prediction": 2, "truth": 1, "same": true}])"),
              HasSubstr("verdict 1: prediction 2 is out of range: 'elevator' has 1"));
  EXPECT_THAT(elevator(R"("verdicts": [{"prediction": 1, "truth": 2, "same": true}])"),
              HasSubstr("truth 2 is out of range"));
  EXPECT_THAT(elevator(R"("verdicts": [{"prediction": 0, "truth": 1, "same": true}])"),
              HasSubstr("outside 1 to"));
  EXPECT_THAT(elevator(R"("verdicts": [{"prediction": 1, "truth": 1}])"), HasSubstr("'same' is missing"));
  EXPECT_THAT(elevator(R"("verdicts": [{"prediction": 1, "truth": 1, "same": 0.5}])"),
              HasSubstr("verdict 0.5"));
  EXPECT_THAT(
      elevator(
          R"("verdicts": [{"prediction": 1, "truth": 1, "same": true}, {"prediction": 1, "truth": 1, "same": false}])"),
      HasSubstr("are there twice"));
  EXPECT_THAT(elevator(R"("verdicts": {}, "matches": [])"), HasSubstr("both"));
  EXPECT_THAT(elevator(R"("matches": [[1, 2]])"), HasSubstr("match [1,2] is not"));
  EXPECT_THAT(elevator(R"("matches": [[1, 1], [1, 1]])"), HasSubstr("there twice"));
  EXPECT_THAT(elevator(R"("anomalies": [{"anomaly": 2}])"), HasSubstr("anomaly 2 is out of range"));
  EXPECT_THAT(elevator(R"("anomalies": [{"anomaly": 1}, {"anomaly": 1}])"),
              HasSubstr("anomaly 1 is there twice"));
  EXPECT_THAT(elevator(R"("anomalies": [{"anomaly": 1, "explanation_correct": true}])"),
              HasSubstr("without a readable"));
  EXPECT_THAT(
      elevator(
          R"("anomalies": [{"anomaly": 1, "justification": "j", "justification_ratings": [{"relevance": "good"}]}])"),
      HasSubstr("'good' is none of better, similar, worse"));
  EXPECT_THAT(elevator(R"("anomalies": [{"anomaly": 1, "outcomes": {"ad": "refused"}}])"),
              HasSubstr("about no anomaly"));
}

}  // namespace
}  // namespace awry::benchmarks::cave
