// SPDX-License-Identifier: Apache-2.0
// Sample -> Questions.
#include <fmt/format.h>

#include <algorithm>

#include "awry/benchmarks/cave/cave.h"
#include "awry/benchmarks/cave/wording.h"

namespace awry::benchmarks::cave {
namespace {

constexpr int kDrafts = 3;  // of which two must agree

Question question_about(const Sample& sample, std::string_view kind, std::string id, const Options& options) {
  Question question{.id = std::move(id), .sample_id = sample.id, .kind = std::string(kind), .images = {0}};
  question.attributes[kPromptAttribute] = options.prompt;
  return question;
}

Result<std::string> description_prompt(const Options& options) {
  Gaps gaps = {{"reasoning", ""}};
  std::string steps;
  if (options.prompt == "multi-step") steps = "ad.multi-step.txt";
  if (options.prompt.starts_with("cot") || options.prompt == "consistency") steps = "ad.cot.txt";
  if (!steps.empty()) {
    AWRY_TRY_ASSIGN(gaps["reasoning"], worded(steps, {}, options));
    gaps["reasoning"].insert(0, "\n");
  }
  return worded("ad.txt", gaps, options);
}

Result<void> ask_for_descriptions(const Sample& sample, const Options& options, std::vector<Question>& out) {
  AWRY_TRY_ASSIGN(const std::string prompt, description_prompt(options));
  if (options.prompt != "consistency") {
    out.push_back(question_about(sample, kDescribe, fmt::format("{}/ad", sample.id), options));
    out.back().prompt = prompt;
    return {};
  }
  for (int draft = 0; draft < kDrafts; ++draft) {
    out.push_back(
        question_about(sample, kDraft, fmt::format("{}/ad-draft/{}", sample.id, draft + 1), options));
    out.back().prompt = prompt;
    out.back().repeat = draft;
    out.back().attributes["temperature"] = "0.5";
  }
  return {};
}

Result<Question> ask_about_anomaly(const Sample& sample, std::size_t index, std::string_view task,
                                   const Options& options) {
  const Finding& truth = sample.truth[index];
  const ImageRef& image = sample.images.front();
  Question question =
      question_about(sample, task, fmt::format("{}/{}/{}", sample.id, index + 1, task), options);
  question.attributes[kAnomalyAttribute] = fmt::format("{}", index + 1);
  const Gaps gaps = {
      {"description", truth.phenomenon},
      {"explanation", truth.reasoning.empty() ? "[not stated]" : truth.reasoning},
      {"size", image.width > 0 ? fmt::format("The image is {} x {} pixels.", image.width, image.height) : ""},
  };
  AWRY_TRY_ASSIGN(question.prompt, worded(fmt::format("{}.txt", task), gaps, options));
  return question;
}

std::string listed(const Answer& answer) {
  if (answer.findings.empty()) return "(nothing)";
  std::string list;
  for (std::size_t i = 0; i < answer.findings.size(); ++i) {
    list += fmt::format("{}{}. {}", i == 0 ? "" : "\n", i + 1, answer.findings[i].phenomenon);
  }
  return list;
}

}  // namespace

Result<std::vector<Question>> ask(const Sample& sample, const ProtocolOptions& protocol_options) {
  AWRY_TRY_ASSIGN(const Options options, read_options(protocol_options));
  if (sample.images.size() != 1) {
    return fail({.what = "cannot ask about a sample",
                 .input = sample.id,
                 .why = fmt::format("it has {} images, CAVE asks about one", sample.images.size())});
  }
  std::vector<Question> questions;
  for (const std::string_view task : kTasks) {
    if (std::find(options.tasks.begin(), options.tasks.end(), task) == options.tasks.end()) continue;
    if (task == kDescribe) {
      AWRY_TRY(ask_for_descriptions(sample, options, questions));
      continue;
    }
    for (std::size_t index = 0; index < sample.truth.size(); ++index) {
      AWRY_TRY_ASSIGN(Question question, ask_about_anomaly(sample, index, task, options));
      questions.push_back(std::move(question));
    }
  }
  return questions;
}

Result<Question> ask_to_merge(const Sample& sample, std::span<const Answer> drafts,
                              const ProtocolOptions& protocol_options) {
  AWRY_TRY_ASSIGN(const Options options, read_options(protocol_options));
  if (drafts.size() != kDrafts) {
    return fail({.what = "cannot merge descriptions",
                 .input = sample.id,
                 .why = fmt::format("there are {} answers, not {}", drafts.size(), kDrafts)});
  }
  Question question = question_about(sample, kDescribe, fmt::format("{}/ad", sample.id), options);
  const Gaps gaps = {
      {"first", listed(drafts[0])}, {"second", listed(drafts[1])}, {"third", listed(drafts[2])}};
  AWRY_TRY_ASSIGN(question.prompt, worded("ad.merge.txt", gaps, options));
  return question;
}

}  // namespace awry::benchmarks::cave
