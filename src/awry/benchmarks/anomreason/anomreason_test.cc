// SPDX-License-Identifier: Apache-2.0
// Samples, questions, answers and the leaderboard; scoring and the audit have tests of their own.
#include "awry/benchmarks/anomreason/anomreason.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "awry/base/files.h"
#include "awry/base/text.h"
#include "awry/benchmarks/anomreason/audit.h"

namespace awry::benchmarks::anomreason {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const std::filesystem::path kSmall = std::filesystem::path(AWRY_MODULE_DIR) / "anomreason/testdata/small";

Dataset small(const ProtocolOptions& options = {}) {
  return read_samples(kSmall / "annotations.json", options).value();
}

// Reads what `content` holds from a file called `name`.
template <class Read>
auto with_file(const std::string& name, std::string_view content, Read read) {
  TemporaryFolder folder;
  EXPECT_TRUE(write_file(folder.path() / name, content));
  return read(folder.path() / name);
}

Answer reply(std::string_view kind, std::string text, std::string finish_reason = "") {
  return parse({.id = "a.png"}, {.id = "a.png/q", .kind = std::string(kind)},
               {.text = std::move(text), .finish_reason = std::move(finish_reason)});
}

TEST(AnomReasonSamples, CarryTruthSourceAndPath) {
  const Dataset dataset = small();
  ASSERT_EQ(dataset.samples.size(), 3U);
  const Sample& kitchen = dataset.samples[0];
  EXPECT_EQ(kitchen.id, "kitchen.png");
  EXPECT_EQ(kitchen.images[0].path, (kSmall / "flux/1_fake/kitchen.png").string());
  EXPECT_EQ(attribute(kitchen, kSourceAttribute), kGenerated);
  ASSERT_EQ(kitchen.truth.size(), 2U);
  EXPECT_EQ(kitchen.truth[0].severity, 5);
  EXPECT_EQ(kitchen.truth[1].id, "kitchen.png/truth/2");
  EXPECT_EQ(dataset.samples[1].truth[0].name, "Sixth finger");
  const Sample& garden = dataset.samples[2];
  EXPECT_TRUE(garden.has_truth);
  EXPECT_THAT(garden.truth, IsEmpty());
  EXPECT_EQ(attribute(garden, kSourceAttribute), kReal);
}

TEST(AnomReasonSamples, NeverLeaveTheFolderOfImages) {
  const auto path_of = [](const std::string& key) {
    return with_file("x.json", "{\"" + key + "\":null}", [](const std::filesystem::path& file) {
      return read_samples(file, {{"images", "pictures"}}).value().samples[0].images[0].path;
    });
  };
  EXPECT_EQ(path_of("a/b.png"), "pictures/a/b.png");
  EXPECT_EQ(path_of("/home/somebody/b.png"), "pictures/b.png");
  EXPECT_EQ(path_of("../../etc/b.png"), "pictures/b.png");
}

TEST(AnomReasonSamples, CanBeReadFromFineTuningRecords) {
  const std::string_view records = R"([{"image":"a.png","id":"1","conversations":[
      {"from":"gpt","value":"@1. Name: Cup\nObserved Phenomenon: it floats\nReasoning: gravity\nSeverity Score: 5"}]}])";
  const Dataset dataset =
      with_file("x.json", records, [](const auto& p) { return read_samples(p, {}).value(); });
  ASSERT_EQ(dataset.samples[0].truth.size(), 1U);
  EXPECT_EQ(dataset.samples[0].truth[0].reasoning, "gravity");
  const auto broken =
      with_file("x.json", R"({"a.png":"a nice picture"})", [](const auto& p) { return read_samples(p, {}); });
  EXPECT_THAT(broken.error().message(), HasSubstr("a.png"));
}

TEST(AnomReasonSamples, AFolderStandsForItsOnlyFile) {
  TemporaryFolder folder;
  EXPECT_FALSE(read_samples(folder.path(), {}));
  ASSERT_TRUE(write_file(folder.path() / "one.json", R"({"a.png":null})"));
  EXPECT_EQ(read_samples(folder.path(), {}).value().samples.size(), 1U);
  ASSERT_TRUE(write_file(folder.path() / "two.json", R"({"b.png":null})"));
  EXPECT_THAT(read_samples(folder.path(), {}).error().message(), HasSubstr("2 .json files"));
}

TEST(AnomReasonSamples, SubsetKeepsWhatItLists) {
  const auto subset = [](std::string_view json) {
    return with_file("subset.json", json, [](const std::filesystem::path& path) {
      return read_samples(kSmall / "annotations.json", {{"subset", path.string()}});
    });
  };
  const Dataset dataset = subset(R"(["somewhere/garden.png","ghost.png"])").value();
  ASSERT_EQ(dataset.samples.size(), 1U);
  EXPECT_EQ(dataset.samples[0].id, "garden.png");
  EXPECT_THAT(join(dataset.notes, "\n"), HasSubstr("'ghost.png'"));
  EXPECT_THAT(subset(R"(["ghost.png"])").error().message(), HasSubstr("none of its 1 images"));
  EXPECT_FALSE(subset(R"(["a/garden.png","b/garden.png"])"));
}

TEST(AnomReasonSamples, FolderAndEntryMustAgreeOnTheSource) {
  const auto read = with_file("x.json", R"([{"image":"0_real/a.png","anomalies":[],"label":1}])",
                              [](const auto& p) { return read_samples(p, {}); });
  EXPECT_THAT(read.error().message(), HasSubstr("its folder says real"));
}

TEST(AnomReasonQuestions, AskTheTaskThatFitsTheSample) {
  const Dataset dataset = small();
  const auto questions = ask(dataset.samples[0], {}).value();
  ASSERT_EQ(questions.size(), 1U);
  EXPECT_EQ(questions[0].id, "kitchen.png/deepfake");
  EXPECT_THAT(questions[0].prompt, HasSubstr("<VERDICT>"));
  EXPECT_THAT(questions[0].images, ElementsAre(0));
  const Question plain = ask(dataset.samples[0], {{"task", "anomalies"}}).value()[0];
  EXPECT_EQ(plain.kind, kAnomalies);
  EXPECT_THAT(plain.prompt, HasSubstr("Observed Phenomenon:"));
  EXPECT_FALSE(ask({.id = "x"}, {}));
}

TEST(AnomReasonQuestions, UseTheUsersWording) {
  TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder.path() / "anomalies.txt", "What is odd?"));
  const Sample sample{.id = "a.png", .images = {{.path = "a.png"}}};
  EXPECT_EQ(ask(sample, {{"prompts", folder.path().string()}}).value()[0].prompt, "What is odd?");
}

TEST(AnomReasonOptions, AreCheckedBeforeAnythingIsRead) {
  for (const ProtocolOptions& wrong : std::vector<ProtocolOptions>{{{"variant", "best"}},
                                                                   {{"thresholds", "0.7,x"}},
                                                                   {{"thresholds", "0.8,0.7"}},
                                                                   {{"thresholds", "0"}},
                                                                   {{"thresholds", ""}},
                                                                   {{"alpha", "1.5"}},
                                                                   {{"rank", "random"}},
                                                                   {{"colour", "red"}}}) {
    const auto read = read_options(wrong);
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().kind, ErrorKind::kUsage);
    EXPECT_FALSE(read_samples(kSmall, wrong));
  }
  EXPECT_THAT(read_options({{"thresholds", "0.5, 0.95"}}).value().thresholds, ElementsAre(0.5, 0.95));
}

TEST(AnomReasonAnswers, AreReadFromTheAskedForm) {
  const Answer answer =
      reply(kAnomalies,
            "<think>hm</think>@1. Name: Cup\nObserved Phenomenon: it floats\nReasoning: gravity\n"
            "Severity Score: 25/100\n\n@2. Name: Hand\nObserved Phenomenon: six fingers\n"
            "Reasoning: five are usual\nSeverity Score: 5/100");
  ASSERT_EQ(answer.outcome, Outcome::kAnswered) << answer.complaint;
  ASSERT_EQ(answer.findings.size(), 2U);
  EXPECT_EQ(answer.findings[0].phenomenon, "it floats");
  EXPECT_EQ(answer.findings[1].severity, 5);
  EXPECT_EQ(answer.findings[1].id, "a.png/q/2");
  EXPECT_THAT(answer.choices, IsEmpty());
}

TEST(AnomReasonAnswers, NothingFoundDiffersFromNothingReadable) {
  EXPECT_EQ(reply(kAnomalies, "No anomalies.").outcome, Outcome::kAnswered);
  EXPECT_EQ(reply(kAnomalies, "What a lovely picture!").outcome, Outcome::kUnparsable);
  EXPECT_EQ(reply(kAnomalies, "What a lov", "length").outcome, Outcome::kTruncated);
  const Answer failed = parse({}, {}, {.outcome = Outcome::kRefused, .error = "policy"});
  EXPECT_EQ(failed.outcome, Outcome::kRefused);
  EXPECT_EQ(failed.complaint, "policy");
}

constexpr std::string_view kCup =
    "@1. Name: Cup\nObserved Phenomenon: it floats\nReasoning: gravity\nSeverity Score: 5";

TEST(AnomReasonAnswers, VerdictsAreReadFromTagsAndFromYesOrNo) {
  const auto verdict = [](std::string text) { return reply(kDeepfake, std::move(text)).choices; };
  const std::string list(kCup);
  EXPECT_THAT(verdict("<VERDICT>generated</VERDICT>\n" + list), ElementsAre(kGenerated));
  EXPECT_THAT(verdict("**<verdict> AI-generated </verdict>**\n" + list), ElementsAre(kGenerated));
  EXPECT_THAT(verdict("<VERDICT>real\n\nNo anomalies."), ElementsAre(kReal));
  EXPECT_THAT(verdict("Yes, this image is generated by AI.\n" + list), ElementsAre(kGenerated));
  EXPECT_THAT(verdict("No, this image is a real photograph."), ElementsAre(kReal));
  EXPECT_THAT(verdict("no"), ElementsAre(kReal));
  EXPECT_THAT(verdict("No anomalies."), IsEmpty());
  EXPECT_THAT(verdict("<VERDICT>hard to say</VERDICT>\n" + list), IsEmpty());
}

TEST(AnomReasonAnswers, AnomaliesStandBehindTheVerdict) {
  const Answer answer = reply(kDeepfake, "<VERDICT>generated</VERDICT>\n" + std::string(kCup));
  ASSERT_EQ(answer.findings.size(), 1U) << answer.complaint;
  EXPECT_EQ(answer.findings[0].name, "Cup");
  for (const char* form : {"<verdict>Generated</ Verdict >\n{}", "**<VERDICT> generated </VERDICT>**\n\n{}",
                           "<VERDICT>generated\n{}", "{}\n\n<VERDICT>generated</VERDICT>"}) {
    const Answer varied = reply(kDeepfake, replace_all(form, "{}", kCup));
    EXPECT_EQ(varied.findings.size(), 1U) << form << ": " << varied.complaint;
    EXPECT_THAT(varied.choices, ElementsAre(kGenerated)) << form;
  }
  // A description of a real image is no list of anomalies, and no failure.
  const Answer real = reply(kDeepfake, "No, this image is a real photograph.\nIt shows a quiet garden.");
  EXPECT_EQ(real.outcome, Outcome::kAnswered);
  EXPECT_THAT(real.findings, IsEmpty());
  // The verdict stands even where the list cannot be read.
  const Answer vague = reply(kDeepfake, "<VERDICT>generated</VERDICT>\nIt just looks wrong.");
  EXPECT_EQ(vague.outcome, Outcome::kUnparsable);
  EXPECT_THAT(vague.choices, ElementsAre(kGenerated));
  EXPECT_THAT(reply(kDeepfake, std::string(kCup)).complaint, HasSubstr("real or generated"));
}

TEST(AnomReasonReleasedAnswers, JoinByFileName) {
  const auto answered = read_answers(kSmall / "predictions.json", small().samples, {}).value();
  ASSERT_EQ(answered.size(), 3U);
  EXPECT_EQ(answered[0].answers[0].findings.size(), 2U);
  EXPECT_EQ(answered[0].questions[0].id, "kitchen.png/deepfake");
  EXPECT_EQ(answered[1].answers[0].findings[0].phenomenon, "The left hand has six fingers.");
  EXPECT_EQ(answered[2].answers[0].outcome, Outcome::kAnswered);
  EXPECT_THAT(answered[2].answers[0].findings, IsEmpty());
}

TEST(AnomReasonReleasedAnswers, ImagesWithoutTruthAreRefusedUnlessTheVariantAllowsThem) {
  const auto read = [](const ProtocolOptions& options) {
    return with_file("x.json", R"({"garden.png":null,"ghost.png":null})",
                     [&](const auto& p) { return read_answers(p, small().samples, options); });
  };
  EXPECT_THAT(read({}).error().message(), HasSubstr("'ghost.png'"));
  const auto answered = read({{"variant", "released"}}).value();
  EXPECT_THAT(answered[0].answers, IsEmpty());
  EXPECT_EQ(answered[2].answers.size(), 1U);
}

TEST(AnomReasonReleasedAnswers, OurOwnRepliesAreReadToo) {
  const auto answered =
      with_file("x.jsonl", "{\"id\":\"garden.png\",\"reply\":\"<VERDICT>real</VERDICT>\"}\n",
                [](const auto& p) { return read_answers(p, small().samples, {}).value(); });
  EXPECT_THAT(answered[2].answers[0].choices, ElementsAre(kReal));
  EXPECT_EQ(answered[0].answers[0].outcome, Outcome::kTransport);
}

const LeaderboardRow* row_of(const Leaderboard& board, std::string_view model) {
  for (const LeaderboardRow& row : board.rows) {
    if (row.model == model) return &row;
  }
  return nullptr;
}

double value(const LeaderboardRow& row, std::string_view column) {
  for (const auto& [name, number] : row.values) {
    if (name == column) return number;
  }
  ADD_FAILURE() << row.model << " has no " << column;
  return -1;
}

Summary scored(std::string_view signature, double full_ap) {
  return {
      .protocol = "anomreason",
      .metrics = {{.key = "sem_ap", .group = "full", .value = full_ap, .signature = std::string(signature)}}};
}

TEST(AnomReasonLeaderboard, HoldsThePapersTables) {
  const Leaderboard board = leaderboard({}, {}).value();
  EXPECT_EQ(board.rows.size(), 18U);
  EXPECT_EQ(board.rows[0].model, "AnomReasonor-7B");
  EXPECT_EQ(board.rows[1].model, "GPT-4o");
  EXPECT_EQ(value(*row_of(board, "GPT-4o"), "full_sem_f1"), 0.5109);
  for (const char* table : {"test-roberta-large-mnli", "test-mt5-large", "deepfake"}) {
    EXPECT_EQ(leaderboard({}, {{"table", table}}).value().rows.size(), 18U) << table;
  }
  const Leaderboard deepfake = leaderboard({}, {{"table", "deepfake"}}).value();
  EXPECT_EQ(value(*row_of(deepfake, "AnomReasonor-7B"), "full_csem_ap"), 0.3613);
  EXPECT_EQ(value(*row_of(deepfake, "GPT-4o"), "deepfake_accuracy"), 87.76);
}

// Precision three times as high as F1 takes one prediction for five truths, which is how weak models answer.
// Average precision never exceeds recall, so there it would take five predictions for each truth.
TEST(AnomReasonLeaderboard, PublishedNumbersFitTheReleasedVariant) {
  const Leaderboard board = leaderboard({}, {}).value();
  const LeaderboardRow& few_words = *row_of(board, "mPLUG-Owl3-7B");
  EXPECT_GT(value(few_words, "full_sem_ap"), 3 * value(few_words, "full_sem_f1"));
}

TEST(AnomReasonLeaderboard, PlacesComparableRunsAndSetsOthersApart) {
  const std::vector<ScoredRun> runs = {
      {"mine", scored("anomreason/sem_ap|variant:released|view:full|thresholds:0.7,0.8,0.9|similarity:bert|"
                      "encoder:distilbert-base-uncased|v:0.1.0",
                      0.5)},
      {"words",
       scored("anomreason/sem_ap|variant:released|thresholds:0.7,0.8,0.9|similarity:lexical|v:0.1.0", 0.9)},
      {"nothing", {}}};
  const Leaderboard board = leaderboard(runs, {}).value();
  EXPECT_EQ(board.rows[1].model, "mine");
  EXPECT_EQ(board.rows[1].group, "yours");
  EXPECT_EQ(board.rows[19].model, "words");
  EXPECT_EQ(board.rows[20].model, "nothing");
  EXPECT_THAT(join(board.notes, "\n"), HasSubstr("words stands below"));
  EXPECT_THAT(join(board.notes, "\n"), Not(HasSubstr("mine stands below")));
}

TEST(AnomReasonLeaderboard, GeneratorsRankByLowestPenalty) {
  const Summary audited =
      audit(read_audit_file(kSmall / "audit.jsonl").value(), {{"resamples", "0"}}).value();
  const std::vector<ScoredRun> runs = {{"run", audited}, {"other", {.protocol = "anomreason"}}};
  const Leaderboard board = leaderboard(runs, {{"table", "generators"}, {"assessor", "anomagent"}}).value();
  ASSERT_EQ(board.rows.size(), 17U);
  EXPECT_EQ(board.rows[0].model, "A (run)");  // 2/3 before B's 0.8
  EXPECT_EQ(board.rows[1].model, "B (run)");
  EXPECT_EQ(board.rows[2].model, "HiDream-I1-Dev");
  EXPECT_THAT(join(board.notes, "\n"), HasSubstr("other is not an audit"));
}

// Table 3: the product of two rounded numbers can be off by as much as their rounding allows, no more.
TEST(AnomReasonPublished, EveryPenaltyIsImplausibilityTimesFrequency) {
  std::size_t rows = 0;
  for (const char* assessor : {"anomreasonor", "anomagent"}) {
    const Leaderboard board = leaderboard({}, {{"table", "generators"}, {"assessor", assessor}}).value();
    for (const LeaderboardRow& row : board.rows) {
      constexpr double kHalf = 0.005;  // two decimals are printed
      const double mai = value(row, "mai"), af = value(row, "af"), cap = value(row, "cap");
      EXPECT_LE((mai - kHalf) * (af - kHalf), cap + kHalf) << row.model << ", " << assessor;
      EXPECT_GE((mai + kHalf) * (af + kHalf), cap - kHalf) << row.model << ", " << assessor;
      ++rows;
    }
  }
  EXPECT_EQ(rows, 30U);
}

}  // namespace
}  // namespace awry::benchmarks::anomreason
