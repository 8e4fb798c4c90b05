// SPDX-License-Identifier: Apache-2.0
#include "awry/store/store.h"

#include <cmath>
#include <limits>

#include "awry/store/store_testing.h"

namespace awry::store {
namespace {

using namespace std::string_literals;

class StoreTest : public BackendTest {
 protected:
  void SetUp() override {
    store_ = open();
    ASSERT_NE(store_, nullptr);
    ASSERT_OK(store_->start_run({.id = "r"}));
  }
  void reopen() {
    store_.reset();
    store_ = open();
    ASSERT_NE(store_, nullptr);
  }
  std::unique_ptr<Store> store_;
};
AWRY_RUN_ON_ALL_BACKENDS(StoreTest);

TEST_P(StoreTest, RunComesBackWithEveryField) {
  const awry::Run run{.id = "20260301T123005Z-demo",
                      .name = "Überprüfung 图",
                      .protocol = "themis",
                      .model = "m",
                      .digest = "d1",
                      .command = {"awry", "run", "--name", "it's"},
                      .settings = {{"seed", "7"}},
                      .seed = std::numeric_limits<std::uint64_t>::max(),
                      .awry_version = "0.1.0",
                      .status = RunStatus::kFinished,
                      .started = "2026-03-01T12:30:05Z",
                      .finished = "2026-03-01T12:31:05Z",
                      .unknown = {{{"from_the_future", R"({"a":[1,2]})"}}}};
  ASSERT_OK(store_->start_run(run));
  reopen();
  const auto found = store_->find_run(run.id);
  ASSERT_OK(found);
  EXPECT_EQ(*found, run);
}

TEST_P(StoreTest, MissingThingsAreNotErrorsButWritingToAMissingRunIs) {
  EXPECT_EQ(*store_->find_run("nobody"), std::nullopt);
  EXPECT_EQ(*store_->find_reply("nothing"), std::nullopt);
  EXPECT_EQ(*store_->summary_of("r"), std::nullopt);
  EXPECT_TRUE(store_->samples_of("r")->empty());
  EXPECT_TRUE(store_->verdicts_of("r")->empty());

  for (const Result<void>& result :
       {store_->put_reply("nobody", reply_numbered(1)), store_->put_verdict("nobody", {.id = "v"}),
        store_->put_summary("nobody", {}), store_->update_run({.id = "nobody"})}) {
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().kind, ErrorKind::kNotFound);
    EXPECT_NE(result.error().message().find("nobody"), std::string::npos);
  }
  EXPECT_EQ(store_->samples_of("nobody").error().kind, ErrorKind::kNotFound);
  EXPECT_EQ(*store_->find_reply("key-1"), std::nullopt);
}

TEST_P(StoreTest, RunIdsAreUnique) {
  ASSERT_FALSE(store_->start_run({.id = "r", .name = "second"}));
  EXPECT_EQ((*store_->find_run("r"))->name, "");
  ASSERT_FALSE(store_->start_run({.id = ""}));
}

TEST_P(StoreTest, FindsRunsNewestFirstByDigestAndStatus) {
  ASSERT_OK(
      store_->start_run({.id = "a", .digest = "x", .status = RunStatus::kFinished, .started = "2026-01"}));
  ASSERT_OK(
      store_->start_run({.id = "c", .digest = "x", .status = RunStatus::kInterrupted, .started = "2026-03"}));
  ASSERT_OK(
      store_->start_run({.id = "b", .digest = "y", .status = RunStatus::kFinished, .started = "2026-02"}));
  ASSERT_OK(
      store_->start_run({.id = "d", .digest = "x", .status = RunStatus::kFinished, .started = "2026-03"}));
  const auto ids = [&](const RunFilter& filter) {
    std::string all;
    const auto runs = store_->find_runs(filter);
    for (const awry::Run& run : *runs) all += run.id;
    return all;
  };
  EXPECT_EQ(ids({}), "dcbar");
  EXPECT_EQ(ids({.digest = "x"}), "dca");
  EXPECT_EQ(ids({.digest = "x", .status = RunStatus::kFinished}), "da");
  EXPECT_EQ(ids({.status = RunStatus::kRunning}), "r");
  EXPECT_EQ(ids({.limit = 2}), "dc");
  EXPECT_EQ(ids({.digest = "' OR 1=1 --"}), "");
}

TEST_P(StoreTest, SamplesKeepTheirOrderAndReplaceThemselves) {
  const std::vector<Sample> samples = {
      {.id = "zebra", .images = {{.path = "a/ü.png", .width = 3, .height = 4, .sha256 = "ff"}}},
      {.id = "ant", .passages = {{.part = "caption", .text = "p < 0.05\0!"s}}, .has_truth = true},
      {.id = "mole",
       .has_truth = true,
       .truth = {{.id = "f", .where = Box{1, 2, 3, 4}, .type = "copy_move"}}}};
  ASSERT_OK(store_->put_samples("r", samples));
  reopen();
  EXPECT_EQ(*store_->samples_of("r"), samples);

  auto changed = samples;
  changed[0].attributes = {{"scenario", "new"}};
  ASSERT_OK(store_->put_samples("r", std::span(changed).first(1)));
  ASSERT_OK(store_->put_samples("r", {}));
  EXPECT_EQ(*store_->samples_of("r"), changed);
}

TEST_P(StoreTest, TwoSamplesOfOneIdAreRefusedTogether) {
  const std::vector<Sample> samples = {{.id = "a"}, {.id = "b"}, {.id = "a"}};
  ASSERT_FALSE(store_->put_samples("r", samples));
  EXPECT_TRUE(store_->samples_of("r")->empty());
}

TEST_P(StoreTest, ReplyTextKeepsEveryByte) {
  std::string every_byte;
  for (int i = 0; i < 256; ++i) every_byte += static_cast<char>(i);
  const std::vector<std::string> texts = {
      "", "\0"s, "a\0b"s, every_byte, "\xff\xfe cut \xe2\x82", "图🙂\r\n", std::string(5'000'000, 'x')};
  for (const std::string& text : texts) {
    const Reply reply{.key = "k" + std::to_string(text.size()),
                      .question_id = "s/ad",
                      .text = text,
                      .model = "m",
                      .returned_model = "m-2026",
                      .usage = {.input_tokens = 5, .output_tokens = 7, .cost_usd = 0.1},
                      .latency_ms = 12.5,
                      .attempt = 3,
                      .created = "2026-03-01T12:30:05Z",
                      .unknown = {{{"later", "1"}}}};
    ASSERT_OK(store_->put_reply("r", reply));
    const auto found = store_->find_reply(reply.key);
    ASSERT_OK(found);
    EXPECT_EQ(*found, reply) << text.size();
    EXPECT_EQ(all_replies(*store_, "r"), std::vector{reply});
  }
}

TEST_P(StoreTest, StrangeIdsAreJustIds) {
  for (const std::string& id :
       {"'; DROP TABLE replies; --"s, "a\0b"s, "a"s, "\xff"s, "line\nbreak"s, "%_"s}) {
    Reply reply = reply_numbered(1);
    reply.key = reply.question_id = id;
    ASSERT_OK(store_->start_run({.id = id}));
    ASSERT_OK(store_->put_reply(id, reply));
    ASSERT_OK(store_->put_samples(id, std::vector<Sample>{{.id = id}}));
    EXPECT_EQ(**store_->find_reply(id), reply);
    EXPECT_EQ((*store_->find_run(id))->id, id);
    EXPECT_EQ(store_->samples_of(id)->at(0).id, id);
    EXPECT_EQ(all_replies(*store_, id), std::vector{reply});
  }
}

TEST_P(StoreTest, ReplyThatCouldNeverBeFoundIsRefused) {
  EXPECT_FALSE(store_->put_reply("r", {.question_id = "q"}));
  EXPECT_FALSE(store_->put_reply("r", {.key = "k"}));
  EXPECT_TRUE(all_replies(*store_, "r").empty());
}

TEST_P(StoreTest, BatchIsStoredWholeOrNotAtAll) {
  const std::vector<Reply> bad = {reply_numbered(1), reply_numbered(2), {.key = "", .question_id = "q"}};
  ASSERT_FALSE(store_->put_replies("r", bad));
  EXPECT_EQ(*store_->find_reply("key-1"), std::nullopt);
  ASSERT_OK(store_->put_replies("r", std::span(bad).first(2)));
  EXPECT_EQ(all_replies(*store_, "r").size(), 2u);
}

TEST_P(StoreTest, FailureNeverTakesThePlaceOfAnAnswer) {
  const Reply answer = reply_with("k", Outcome::kAnswered, "yes");
  Reply failure = reply_with("k", Outcome::kTransport, "");
  failure.error = "HTTP 503";

  ASSERT_OK(store_->put_reply("r", failure));
  EXPECT_EQ((*store_->find_reply("k"))->outcome, Outcome::kTransport);
  ASSERT_OK(store_->put_reply("r", answer));
  EXPECT_EQ(**store_->find_reply("k"), answer);
  for (const Outcome outcome : kAllOutcomes) {
    if (outcome == Outcome::kAnswered) continue;
    ASSERT_OK(store_->put_reply("r", reply_with("k", outcome, "later")));
    EXPECT_EQ(**store_->find_reply("k"), answer) << name_of(outcome);
    EXPECT_EQ(all_replies(*store_, "r"), std::vector{answer}) << name_of(outcome);
  }
}

TEST_P(StoreTest, SilenceDoesNotHideARefusal) {
  ASSERT_OK(store_->put_reply("r", reply_with("k", Outcome::kRefused, "I cannot")));
  ASSERT_OK(store_->put_reply("r", reply_with("k", Outcome::kTransport, "")));
  EXPECT_EQ((*store_->find_reply("k"))->text, "I cannot");
}

TEST_P(StoreTest, AnEditedQuestionForgetsItsOldAnswer) {
  ASSERT_OK(store_->put_reply("r", reply_with("old", Outcome::kAnswered, "yes")));
  const Reply failure = reply_with("new", Outcome::kTransport, "");
  ASSERT_OK(store_->put_reply("r", failure));
  EXPECT_EQ(all_replies(*store_, "r"), std::vector{failure});
}

TEST_P(StoreTest, ANewerAnswerIsFoundWhileEarlierRunsKeepTheirs) {
  ASSERT_OK(store_->start_run({.id = "s"}));
  ASSERT_OK(store_->put_reply("r", reply_with("k", Outcome::kAnswered, "first")));
  ASSERT_OK(store_->put_reply("s", reply_with("k", Outcome::kAnswered, "second")));
  EXPECT_EQ((*store_->find_reply("k"))->text, "second");
  EXPECT_EQ(all_replies(*store_, "r").at(0).text, "first");
  EXPECT_EQ(all_replies(*store_, "s").at(0).text, "second");
}

TEST_P(StoreTest, RunsShareAReplyUnderTheirOwnQuestions) {
  ASSERT_OK(store_->start_run({.id = "s"}));
  ASSERT_OK(store_->put_reply("r", reply_numbered(1)));
  Reply cached = **store_->find_reply("key-1");
  cached.question_id = "mine";
  ASSERT_OK(store_->put_reply("s", cached));
  EXPECT_EQ(all_replies(*store_, "s"), std::vector{cached});
  EXPECT_EQ(all_replies(*store_, "r"), std::vector{reply_numbered(1)});
  EXPECT_EQ(**store_->find_reply("key-1"), reply_numbered(1));
}

TEST_P(StoreTest, RepliesComeInTheOrderOfTheirQuestions) {
  for (const int number : {5, 1, 4, 2, 3}) ASSERT_OK(store_->put_reply("r", reply_numbered(number)));
  const auto replies = all_replies(*store_, "r");
  ASSERT_EQ(replies.size(), 5u);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(replies[static_cast<std::size_t>(i)], reply_numbered(i + 1));
}

TEST_P(StoreTest, VisitorMayUseTheStoreAndMayStop) {
  for (int i = 0; i < 5; ++i) ASSERT_OK(store_->put_reply("r", reply_numbered(i)));
  int seen = 0;
  const auto walked = store_->replies_of("r", [&](const Reply& reply) -> Result<void> {
    AWRY_TRY(store_->put_reply("r", reply_numbered(100 + seen)));
    AWRY_TRY(store_->find_reply(reply.key));
    if (++seen == 3) return fail({.kind = ErrorKind::kCancelled, .what = "enough"});
    return {};
  });
  ASSERT_FALSE(walked);
  EXPECT_EQ(walked.error().what, "enough");
  EXPECT_EQ(seen, 3);
  EXPECT_EQ(all_replies(*store_, "r").size(), 8u);
}

TEST_P(StoreTest, VerdictsKeepTheirOrderAndReplaceThemselves) {
  Verdict first{.id = "v2", .finding_id = "f", .decision = Decision::kAccept, .note = "clear"};
  const Verdict second{.id = "v1", .finding_id = "f", .by = {.kind = AuthorKind::kModel, .name = "judge"}};
  ASSERT_OK(store_->put_verdict("r", first));
  ASSERT_OK(store_->put_verdict("r", second));
  first.decision = Decision::kReject;
  ASSERT_OK(store_->put_verdict("r", first));
  reopen();
  EXPECT_EQ(*store_->verdicts_of("r"), (std::vector{first, second}));
  EXPECT_FALSE(store_->put_verdict("r", {}));
}

TEST_P(StoreTest, SummaryIsReplacedAsAWhole) {
  Summary summary{.protocol = "themis",
                  .metrics = {{.key = "acc", .value = 1.0 / 3, .interval = Interval{0.1, 0.5}, .count = 3}},
                  .scores = {{.sample_id = "a", .metric = "acc", .value = 1}},
                  .notes = {"one sample left out"}};
  summary.outcomes.add(Outcome::kRefused, 2);
  ASSERT_OK(store_->put_summary("r", {.protocol = "before"}));
  ASSERT_OK(store_->put_summary("r", summary));
  reopen();
  EXPECT_EQ(**store_->summary_of("r"), summary);

  summary.metrics[0].value = std::numeric_limits<double>::quiet_NaN();
  ASSERT_OK(store_->put_summary("r", summary));
  const auto undefined = store_->summary_of("r");
  ASSERT_OK(undefined);
  EXPECT_TRUE(std::isnan((*undefined)->metrics[0].value));
}

TEST_P(StoreTest, RunningRunBelongsToWhoeverStartedIt) {
  const auto other = open();
  EXPECT_EQ((*other->find_run("r"))->status, RunStatus::kRunning);
  const auto taken = other->update_run({.id = "r", .status = RunStatus::kRunning});
  ASSERT_FALSE(taken);
  EXPECT_NE(taken.error().message().find("another process"), std::string::npos);
  EXPECT_FALSE(other->update_run({.id = "r", .status = RunStatus::kFinished}));

  ASSERT_OK(store_->update_run({.id = "r", .status = RunStatus::kInterrupted}));
  ASSERT_OK(other->update_run({.id = "r", .status = RunStatus::kRunning}));
  EXPECT_FALSE(store_->update_run({.id = "r", .status = RunStatus::kRunning}));
}

TEST_P(StoreTest, RunWhoseOwnerIsGoneIsInterrupted) {
  ASSERT_OK(store_->start_run({.id = "done", .status = RunStatus::kFinished}));
  reopen();
  EXPECT_EQ((*store_->find_run("r"))->status, RunStatus::kInterrupted);
  EXPECT_EQ((*store_->find_run("done"))->status, RunStatus::kFinished);
  EXPECT_EQ(store_->find_runs({.status = RunStatus::kInterrupted})->size(), 1u);
  ASSERT_OK(store_->update_run({.id = "r", .status = RunStatus::kRunning}));
}

}  // namespace
}  // namespace awry::store
