// SPDX-License-Identifier: Apache-2.0
// What can only be asked once replies are known: turns, merging, judging.
#include <fmt/format.h>

#include <algorithm>

#include "awry/benchmarks/cave/judging.h"
#include "awry/benchmarks/cave/questions.h"

namespace awry::benchmarks::cave {
namespace {

std::string listed(const Answer& answer) {
  if (answer.outcome != Outcome::kAnswered) return "(this list was lost)";
  if (answer.findings.empty()) return "(nothing)";
  std::string list;
  for (std::size_t i = 0; i < answer.findings.size(); ++i) {
    list += fmt::format("{}{}. {}", i == 0 ? "" : "\n", i + 1, answer.findings[i].phenomenon);
  }
  return list;
}

bool is_asked(const AnsweredSample& answered, std::string_view id) {
  return std::any_of(answered.questions.begin(), answered.questions.end(),
                     [&](const Question& question) { return question.id == id; });
}

// Plan, contents, conclusion: each turn sees all that was said before.
Result<void> ask_next_turn(const AnsweredSample& answered, std::span<const Reply> replies,
                           const Prompts& prompts, const Options& options, std::vector<Question>& out) {
  const std::string last = fmt::format("{}/ad", answered.sample.id);
  const std::string second = fmt::format("{}/ad-step/2", answered.sample.id);
  if (is_asked(answered, last)) return {};
  const bool concluding = is_asked(answered, second);
  Question next =
      question_about(answered.sample, concluding ? kDescribe : kStep, concluding ? last : second, options);
  for (std::size_t i = 0; i < answered.questions.size(); ++i) {
    if (answered.questions[i].kind != kStep) continue;
    if (answered.answers[i].outcome != Outcome::kAnswered) return {};  // the conversation ended there
    next.earlier.push_back({.prompt = answered.questions[i].prompt, .reply = replies[i].text});
  }
  if (next.earlier.empty()) return {};
  AWRY_TRY_ASSIGN(next.prompt, prompts.fill(concluding ? "ad.conclude.txt" : "ad.contents.txt", {}));
  out.push_back(std::move(next));
  return {};
}

// A question that keeps what at least two of the drafts say.
Result<void> ask_to_merge(const AnsweredSample& answered, const Prompts& prompts, const Options& options,
                          std::vector<Question>& out) {
  const std::string id = fmt::format("{}/ad", answered.sample.id);
  if (is_asked(answered, id)) return {};
  std::vector<const Answer*> drafts;
  int usable = 0;
  for (std::size_t i = 0; i < answered.questions.size(); ++i) {
    if (answered.questions[i].kind != kDraft) continue;
    drafts.push_back(&answered.answers[i]);
    usable += answered.answers[i].outcome == Outcome::kAnswered;
  }
  if (drafts.size() != kDrafts || usable < kEnoughDrafts) return {};
  Question merge = question_about(answered.sample, kDescribe, id, options);
  const Gaps gaps = {
      {"first", listed(*drafts[0])}, {"second", listed(*drafts[1])}, {"third", listed(*drafts[2])}};
  AWRY_TRY_ASSIGN(merge.prompt, prompts.fill("ad.merge.txt", gaps, {"first", "second", "third"}));
  out.push_back(std::move(merge));
  return {};
}

// The category of each anomaly that the model described, by its words alone.
Result<void> ask_own_categories(const AnsweredSample& answered, const Prompts& prompts,
                                const Options& options, std::vector<Question>& out) {
  for (std::size_t i = 0; i < answered.questions.size(); ++i) {
    if (answered.questions[i].kind != kDescribe || answered.answers[i].outcome != Outcome::kAnswered)
      continue;
    for (const Finding& found : answered.answers[i].findings) {
      const std::string id = fmt::format("{}/category", found.id);
      if (is_asked(answered, id)) continue;
      Question question = question_about(answered.sample, kCategoriseOwn, id, options);
      question.images.clear();
      question.attributes[kFindingAttribute] = found.id;
      AWRY_TRY_ASSIGN(question.prompt,
                      prompts.fill("category.txt", {{"description", found.phenomenon}}, {"description"}));
      out.push_back(std::move(question));
    }
  }
  return {};
}

}  // namespace

Result<std::vector<Question>> follow_up(const AnsweredSample& answered, std::span<const Reply> replies,
                                        const ProtocolOptions& protocol_options) {
  AWRY_TRY_ASSIGN(const Options options, read_options(protocol_options));
  if (answered.questions.size() != answered.answers.size() || answered.questions.size() != replies.size()) {
    return fail({.what = "cannot follow up",
                 .input = answered.sample.id,
                 .why = fmt::format("{} questions, {} answers and {} replies", answered.questions.size(),
                                    answered.answers.size(), replies.size())});
  }
  AWRY_TRY_ASSIGN(const Prompts prompts, Prompts::open("cave", options.prompts));
  std::vector<Question> next;
  if (options.prompt == "multi-turn") {
    AWRY_TRY(ask_next_turn(answered, replies, prompts, options, next));
  }
  if (options.prompt == "consistency") {
    AWRY_TRY(ask_to_merge(answered, prompts, options, next));
  }
  const bool categorises =
      std::find(options.tasks.begin(), options.tasks.end(), kCategorise) != options.tasks.end();
  if (categorises && options.categories == "described") {
    AWRY_TRY(ask_own_categories(answered, prompts, options, next));
  }
  AWRY_TRY_ASSIGN(std::vector<Question> judged, ask_judge(answered, protocol_options));
  for (Question& question : judged) {
    if (!is_asked(answered, question.id)) next.push_back(std::move(question));
  }
  return next;
}

}  // namespace awry::benchmarks::cave
