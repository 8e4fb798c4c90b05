// SPDX-License-Identifier: Apache-2.0
// What libraries throw inside the asking threads ends as a typed reply or as an error, never as a crash.
#include "awry/pipeline/asking_graph.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <stdexcept>

#include "awry/base/files.h"

namespace awry::pipeline {
namespace {

class MoodyModel final : public Model {
 public:
  std::string name() const override { return "moody"; }
  std::string identity() const override { return "moody 1"; }
  void begin(const Sample&, const Question& question, const std::string&, Done done) override {
    if (question.prompt == "throw") throw std::runtime_error("the picture has too many corners");
    done({.question_id = question.id, .text = "well", .model = name()});
    if (question.prompt == "reply, then throw") throw std::runtime_error("too late");
  }
};

class OneQuestionEach final : public GraphSource {
 public:
  explicit OneQuestionEach(std::vector<std::string> prompts) : prompts_(std::move(prompts)) {}

  std::vector<GraphQuestion> begin(std::size_t owner) override {
    if (prompts_[owner] == "throw at the beginning") throw std::runtime_error("no such owner");
    return {{.sample = &sample_, .question = {.id = fmt::format("q{}", owner), .prompt = prompts_[owner]}}};
  }
  std::vector<GraphQuestion> take(std::size_t owner, const GraphQuestion&, const Reply& reply) override {
    if (prompts_[owner] == "throw when told") throw std::runtime_error("cannot bear it");
    replies[owner] = reply;
    return {};
  }
  std::map<std::size_t, Reply> replies;

 private:
  const std::vector<std::string> prompts_;
  const Sample sample_{.id = "s"};
};

class AskingGraph : public ::testing::Test {
 protected:
  Result<GraphCounts> ask(OneQuestionEach& source, std::size_t owners) {
    const TemporaryFolder folder;
    const auto store = value_or_throw(store::open_store(folder.path() / "awry.db"));
    value_or_throw(store->start_run({.id = "r"}));
    MoodyModel model;
    Budget budget({});
    return ask_graph(owners, source, {.respondents = {{.model = &model}}, .run_id = "r", .threads = 2},
                     *store, budget, "test");
  }
};

TEST_F(AskingGraph, AModelThatThrowsLeavesOneQuestionWithoutAnAnswer) {
  // All four differ: what was answered a moment ago is not asked again.
  OneQuestionEach source({"fine", "throw", "reply, then throw", "also fine"});
  const GraphCounts counts = value_or_throw(ask(source, 4));
  EXPECT_EQ(counts.asked, 4u);
  EXPECT_FALSE(counts.stopped);
  ASSERT_EQ(source.replies.size(), 4u);
  EXPECT_EQ(source.replies[1].outcome, Outcome::kUnreadable);
  EXPECT_EQ(source.replies[1].error, "the picture has too many corners");
  for (const std::size_t owner : {0, 2, 3}) EXPECT_EQ(source.replies[owner].outcome, Outcome::kAnswered);
}

TEST_F(AskingGraph, ASourceThatThrowsStopsTheRunWithTheReason) {
  for (const char* when : {"throw at the beginning", "throw when told"}) {
    OneQuestionEach source({"fine", when, "fine"});
    const auto counts = ask(source, 3);
    ASSERT_FALSE(counts.has_value()) << when;
    EXPECT_FALSE(counts.error().why.empty());
  }
}

}  // namespace
}  // namespace awry::pipeline
