// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/anomreason/scoring.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "awry/base/files.h"
#include "awry/base/text.h"
#include "awry/benchmarks/anomreason/similarity_file.h"
#include "awry/benchmarks/metric_value_test.h"

namespace awry::benchmarks::anomreason {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::filesystem::path kSmall = std::filesystem::path(AWRY_MODULE_DIR) / "anomreason/testdata/small";

ProtocolOptions options(ProtocolOptions more = {}) {
  more.emplace("resamples", "0");
  return more;
}

std::vector<Finding> findings(std::vector<double> severities) {
  std::vector<Finding> made;
  for (const double severity : severities) {
    made.push_back({.phenomenon = "p", .reasoning = "r", .severity = severity});
  }
  return made;
}

AnsweredSample image(std::string id, std::size_t truths, std::vector<double> predicted_severities,
                     Outcome outcome = Outcome::kAnswered) {
  Sample sample{.id = std::move(id), .has_truth = true};
  sample.truth = findings(std::vector<double>(truths, 10));
  Answer answer{.outcome = outcome, .findings = findings(std::move(predicted_severities))};
  return {.sample = std::move(sample), .questions = {{}}, .answers = {std::move(answer)}};
}

AnsweredSample judged(AnsweredSample answered, std::string_view source, std::string_view verdict) {
  answered.sample.attributes[kSourceAttribute] = source;
  if (!verdict.empty()) answered.answers[0].choices = {std::string(verdict)};
  return answered;
}

// A file of similarities that lives as long as the test needs it.
class Matrices {
 public:
  explicit Matrices(std::string_view images) : path_(folder_.path() / "matrices.json") {
    EXPECT_TRUE(write_file(
        path_, R"({"encoder":"distilbert-base-uncased","layer":5,"images":)" + std::string(images) + "}"));
  }
  std::string option() const { return "matrix:" + path_.string(); }

 private:
  TemporaryFolder folder_;
  std::filesystem::path path_;
};

std::string notes(const Summary& summary) {
  return join(summary.notes, "\n");
}

// Image a: two predictions, two truths. By severity the second comes first.
//   phenomenon  0.95 0.10     reasoning  0.75 0.10     full  0.85 0.10
//               0.10 0.85                0.10 0.65           0.10 0.75
constexpr std::string_view kMatrixA =
    R"({"a.png":{"phenomenon":[[0.95,0.1],[0.1,0.85]],"reasoning":[[0.75,0.1],[0.1,0.65]]}})";

TEST(AnomReasonScoring, RankedEqualsAHandWorkedExample) {
  const Matrices matrices(kMatrixA);
  const std::vector<AnsweredSample> run = {image("a.png", 2, {50, 20})};
  const Summary summary = score(run, options({{"similarity", matrices.option()}})).value();
  // Phe: both hit at 0.7 and 0.8 (AP 1, F1 1); at 0.9 only the second in rank (AP 1/2 * 1/2, F1 1/2).
  EXPECT_DOUBLE_EQ(value(summary, "phe", "sem_ap"), (1 + 1 + 0.25) / 3);
  EXPECT_DOUBLE_EQ(value(summary, "phe", "sem_f1"), (1 + 1 + 0.5) / 3);
  // Rea: only the second in rank, at 0.7. Full: both at 0.7, the second in rank at 0.8.
  EXPECT_DOUBLE_EQ(value(summary, "rea", "sem_ap"), 0.25 / 3);
  EXPECT_DOUBLE_EQ(value(summary, "full", "sem_ap"), (1 + 0.25) / 3);
  EXPECT_DOUBLE_EQ(value(summary, "full", "sem_f1"), (1 + 0.5) / 3);
  EXPECT_DOUBLE_EQ(value(summary, "phe/tau:0.9", "sem_ap"), 0.25);
  // As listed, the hit comes first: AP 1/2 instead of 1/4.
  const Summary listed = score(run, options({{"similarity", matrices.option()}, {"rank", "listed"}})).value();
  EXPECT_DOUBLE_EQ(value(listed, "phe/tau:0.9", "sem_ap"), 0.5);
  // All weight on the phenomenon makes Full the same as Phe.
  const Summary weighted = score(run, options({{"similarity", matrices.option()}, {"alpha", "1"}})).value();
  EXPECT_EQ(value(weighted, "full", "sem_ap"), value(summary, "phe", "sem_ap"));
}

TEST(AnomReasonScoring, ReleasedEqualsAHandWorkedExample) {
  const Matrices matrices(kMatrixA);
  const std::vector<AnsweredSample> run = {image("a.png", 2, {50, 20}), image("none.png", 0, {})};
  const Summary summary =
      score(run, options({{"similarity", matrices.option()}, {"variant", "released"}})).value();
  // Precision of a: 1, 1, 1/2; the image with nothing on both sides scores 0.
  EXPECT_DOUBLE_EQ(value(summary, "phe", "sem_ap"), (2.5 / 3 + 0) / 2);
  EXPECT_DOUBLE_EQ(value(summary, "rea", "sem_ap"), (0.5 / 3 + 0) / 2);
  EXPECT_THAT(find_metric(summary, "phe", "sem_ap")->signature, HasSubstr("variant:released"));
  EXPECT_THAT(find_metric(summary, "phe", "sem_ap")->signature, HasSubstr("ap:precision"));
  EXPECT_THAT(find_metric(summary, "phe", "sem_ap")->signature,
              HasSubstr("encoder:distilbert-base-uncased|layer:5"));
  // The same in `ranked` is full marks.
  const Summary ranked = score(run, options({{"similarity", matrices.option()}})).value();
  EXPECT_DOUBLE_EQ(value(ranked, "phe", "sem_f1"), (2.5 / 3 + 1) / 2);
}

TEST(AnomReasonScoring, TheSmallReleaseScoresAsWorkedOut) {
  const auto samples = read_samples(kSmall / "annotations.json", {}).value().samples;
  const auto run = read_answers(kSmall / "predictions.json", samples, {}).value();
  const Summary summary = score(run, {{"resamples", "200"}}).value();
  // kitchen: one of two found, ranked first (AP 1/2, F1 1/2); portrait: 1; garden: nothing on both sides, 1.
  for (const View& view : kViews) {
    EXPECT_DOUBLE_EQ(value(summary, view.name, "sem_ap"), 2.5 / 3) << view.name;
    EXPECT_DOUBLE_EQ(value(summary, view.name, "sem_f1"), 2.5 / 3) << view.name;
  }
  const Metric& metric = *find_metric(summary, "full", "sem_ap");
  EXPECT_EQ(metric.count, 3U);
  ASSERT_TRUE(metric.interval);
  EXPECT_LE(metric.interval->low, metric.value);
  EXPECT_GE(metric.interval->high, metric.value);
  EXPECT_FALSE(metric.missing);
  EXPECT_EQ(summary.outcomes.of(Outcome::kAnswered), 3U);
  EXPECT_EQ(summary.scores.size(), 18U);
  EXPECT_THAT(metric.signature, HasSubstr("similarity:lexical"));
  EXPECT_THAT(metric.signature, HasSubstr("empty:both=1,one=0"));
  EXPECT_THAT(notes(summary), HasSubstr("cannot be held against the paper's"));
  EXPECT_THAT(notes(summary), HasSubstr("no answer says whether"));
  EXPECT_EQ(find_metric(summary, "full", "csem_ap"), nullptr);
}

TEST(AnomReasonScoring, MissingAnswersOpenARange) {
  std::vector<AnsweredSample> run = {image("a.png", 1, {10}), image("b.png", 1, {}, Outcome::kRefused),
                                     image("c.png", 1, {}), image("d.png", 1, {})};
  run[3].questions.clear(), run[3].answers.clear();
  const Summary ranked = score(run, options()).value();
  const Metric& counted = *find_metric(ranked, "full", "sem_f1");
  EXPECT_DOUBLE_EQ(counted.value, 1.0 / 4);
  EXPECT_EQ(counted.count, 4U);
  EXPECT_EQ(counted.missing, (Interval{1.0 / 4, 3.0 / 4, 1.0}));
  EXPECT_THAT(counted.signature, HasSubstr("missing:0"));
  EXPECT_THAT(notes(ranked), HasSubstr("1 images have no answer at all; they score 0"));
  EXPECT_THAT(notes(ranked), HasSubstr("1 of 4 questions got no usable answer"));
  EXPECT_EQ(ranked.outcomes.of(Outcome::kTransport), 1U);
  EXPECT_EQ(ranked.outcomes.total(), 4U) << "no image is uncounted";

  const Summary released = score(run, options({{"variant", "released"}})).value();
  const Metric& common = *find_metric(released, "full", "sem_f1");
  EXPECT_EQ(released.outcomes.total(), 3U);
  EXPECT_DOUBLE_EQ(common.value, 1.0 / 2);  // a and c only, as the released scorer
  EXPECT_EQ(common.count, 2U);
  EXPECT_EQ(common.missing, (Interval{1.0 / 4, 3.0 / 4, 1.0}));
  EXPECT_THAT(common.signature, HasSubstr("missing:left-out"));
}

TEST(AnomReasonScoring, ExplanationsCountOnlyBesideARightVerdict) {
  const std::vector<AnsweredSample> run = {
      judged(image("a.png", 1, {10}), kGenerated, kGenerated),                       // 1
      judged(image("b.png", 1, {10}), kGenerated, kReal),                            // 0
      judged(image("c.png", 1, {10}), kReal, ""),                                    // 0, at best 1
      judged(image("d.png", 1, {}, Outcome::kUnparsable), kGenerated, kReal),        // 0 whatever it lists
      judged(image("e.png", 1, {}, Outcome::kUnparsable), kGenerated, kGenerated)};  // 0, at best 1
  const Summary summary = score(run, options()).value();
  EXPECT_DOUBLE_EQ(value(summary, "full", "sem_ap"), 3.0 / 5);
  EXPECT_DOUBLE_EQ(value(summary, "full", "csem_ap"), 1.0 / 5);
  EXPECT_DOUBLE_EQ(value(summary, "rea", "csem_f1"), 1.0 / 5);
  EXPECT_EQ(find_metric(summary, "full", "csem_ap")->missing, (Interval{1.0 / 5, 3.0 / 5, 1.0}));
  EXPECT_DOUBLE_EQ(value(summary, "deepfake", "accuracy"), 2.0 / 5);
  EXPECT_EQ(find_metric(summary, "deepfake", "accuracy")->missing, (Interval{2.0 / 5, 3.0 / 5, 1.0}));
  EXPECT_THAT(notes(summary), HasSubstr("1 answers do not say"));
}

TEST(AnomReasonScoring, NeverDropsSamplesSilently) {
  std::vector<AnsweredSample> run = {image("a.png", 1, {10}), image("b.png", 1, {10})};
  run[1].sample.has_truth = false;
  EXPECT_THAT(notes(score(run, options()).value()), HasSubstr("1 samples have no truth"));
  run[0].questions.clear();
  EXPECT_THAT(score(run, options()).error().message(), HasSubstr("0 questions and 1 answers"));
  EXPECT_THAT(notes(score({}, options()).value()), HasSubstr("no image could be scored"));
}

TEST(AnomReasonScoring, PredictionsWithoutSeverityAreNoted) {
  std::vector<AnsweredSample> run = {image("a.png", 1, {10})};
  run[0].answers[0].findings[0].severity.reset();
  EXPECT_THAT(notes(score(run, options()).value()), HasSubstr("1 predictions have no severity"));
  EXPECT_THAT(notes(score(run, options({{"rank", "listed"}})).value()), Not(HasSubstr("severity")));
}

TEST(AnomReasonScoring, DoesNotDependOnTheOrderOfImages) {
  std::vector<AnsweredSample> run = {image("a.png", 2, {10}), image("b.png", 1, {10, 20}),
                                     image("c.png", 0, {})};
  const double before = value(score(run, options()).value(), "full", "sem_ap");
  std::swap(run[0], run[2]);
  EXPECT_DOUBLE_EQ(value(score(run, options()).value(), "full", "sem_ap"), before);
}

TEST(AnomReasonScoring, UnknownSimilaritiesAreRefused) {
  const std::vector<AnsweredSample> run = {image("a.png", 1, {10})};
  EXPECT_EQ(score(run, options({{"similarity", "psychic"}})).error().kind, ErrorKind::kUsage);
  EXPECT_FALSE(score(run, options({{"similarity", "matrix:/nowhere.json"}})));
}

TEST(AnomReasonSelfCheck, PassesInEveryVariant) {
  for (const char* variant : {"ranked", "released"}) {
    for (const char* rank : {"severity", "listed"}) {
      const auto checked = check_metrics_first(
          read_options({{"variant", variant}, {"rank", rank}, {"thresholds", "0.1,0.5,1"}}).value());
      EXPECT_TRUE(checked) << checked.error().message();
    }
  }
}

std::string refusal(std::string_view json) {
  TemporaryFolder folder;
  const auto path = folder.path() / "matrices.json";
  EXPECT_TRUE(write_file(path, json));
  const auto read = read_similarity_file(path);
  return read ? "it was read" : read.error().message();
}

TEST(SimilarityFile, RefusesWhatIsNoMatrix) {
  EXPECT_THAT(refusal(R"({"images":{"a.png":{"phenomenon":[[NaN]]}}})"), HasSubstr("NaN"));
  EXPECT_THAT(refusal(R"({"images":{"a.png":{"phenomenon":[[0.5)"), HasSubstr("broken or cut off"));
  EXPECT_THAT(refusal(R"({"images":{"a.png":{"phenomenon":[[null]]}}})"), HasSubstr("row 1"));
  EXPECT_THAT(refusal(R"({"images":{"a.png":{"phenomenon":[[1e300]]}}})"), HasSubstr("row 1 holds"));
  EXPECT_THAT(refusal(R"({"images":{"a.png":{"phenomenon":[[1],[1,2]]}}})"),
              HasSubstr("row 2 has 2 columns"));
  EXPECT_THAT(refusal(R"({"images":{"a.png":{"phenomenon":3}}})"), HasSubstr("a.png/phenomenon"));
  EXPECT_THAT(refusal(R"({"images":{"a.png":{"smell":[]}}})"), HasSubstr("neither phenomenon nor reasoning"));
  EXPECT_THAT(refusal(R"({"images":{"x/a.png":{"phenomenon":[]},"a.png":{"phenomenon":[]}}})"),
              HasSubstr("twice"));
  EXPECT_THAT(refusal(R"({"a.png":{}})"), HasSubstr("no object 'images'"));
  EXPECT_THAT(refusal(R"({"images":{},"model":"x"})"), HasSubstr("'model'"));
  EXPECT_THAT(refusal("[]"), HasSubstr("not an object"));
}

TEST(SimilarityFile, MustFitTheAnswers) {
  const auto refused = [](std::string_view images) {
    const Matrices matrices(images);
    const std::vector<AnsweredSample> run = {image("a.png", 2, {10})};
    const auto scored = score(run, options({{"similarity", matrices.option()}}));
    return scored ? "it was scored" : scored.error().message();
  };
  EXPECT_THAT(refused(R"({"a.png":{"phenomenon":[[1]],"reasoning":[[1,1]]}})"),
              HasSubstr("a.png/phenomenon"));
  EXPECT_THAT(refused(R"({"a.png":{"phenomenon":[[1,1]]}})"), HasSubstr("a.png/reasoning"));
  EXPECT_THAT(refused("{}"), HasSubstr("no matrix was given"));
}

}  // namespace
}  // namespace awry::benchmarks::anomreason
