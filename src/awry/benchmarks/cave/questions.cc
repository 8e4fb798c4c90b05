// SPDX-License-Identifier: Apache-2.0
// Sample -> Questions of the first round.
#include "awry/benchmarks/cave/questions.h"

#include <fmt/format.h>

#include <algorithm>

namespace awry::benchmarks::cave {
namespace {

Result<std::string> description_prompt(const Prompts& prompts, const Options& options) {
  Gaps gaps = {{"reasoning", ""}};
  std::string steps;
  if (options.prompt == "multi-step") steps = "ad.multi-step.txt";
  if (options.prompt.starts_with("cot") || options.prompt == "consistency") steps = "ad.cot.txt";
  if (!steps.empty()) {
    AWRY_TRY_ASSIGN(gaps["reasoning"], prompts.fill(steps, {}));
    gaps["reasoning"].insert(0, "\n");
  }
  return prompts.fill("ad.txt", gaps, {"reasoning"});
}

Result<void> ask_for_descriptions(const Sample& sample, const Prompts& prompts, const Options& options,
                                  std::vector<Question>& out) {
  if (options.prompt == "multi-turn") {
    out.push_back(question_about(sample, kStep, fmt::format("{}/ad-step/1", sample.id), options));
    AWRY_TRY_ASSIGN(out.back().prompt, prompts.fill("ad.plan.txt", {}));
    return {};
  }
  AWRY_TRY_ASSIGN(const std::string prompt, description_prompt(prompts, options));
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
    if (options.draft_temperature != "default") {
      out.back().attributes["temperature"] = options.draft_temperature;
    }
  }
  return {};
}

Result<Question> ask_about_anomaly(const Sample& sample, std::size_t index, std::string_view task,
                                   const Prompts& prompts, const Options& options) {
  const Finding& truth = sample.truth[index];
  const ImageRef& image = sample.images.front();
  Question question =
      question_about(sample, task, fmt::format("{}/{}/{}", sample.id, index + 1, task), options);
  question.attributes[kAnomalyAttribute] = fmt::format("{}", index + 1);
  if (task == kCategorise) question.images.clear();  // the words alone are put into a category
  const Gaps gaps = {
      {"description", truth.phenomenon},
      {"explanation", truth.reasoning.empty() ? "[not stated]" : truth.reasoning},
      {"size", image.width > 0 ? fmt::format("The image is {} x {} pixels.", image.width, image.height) : ""},
  };
  AWRY_TRY_ASSIGN(question.prompt, prompts.fill(fmt::format("{}.txt", task), gaps, {"description"}));
  return question;
}

}  // namespace

Question question_about(const Sample& sample, std::string_view kind, std::string id, const Options& options) {
  Question question{.id = std::move(id), .sample_id = sample.id, .kind = std::string(kind), .images = {0}};
  question.attributes[kPromptAttribute] = options.prompt;
  return question;
}

Result<std::vector<Question>> ask(const Sample& sample, const ProtocolOptions& protocol_options) {
  AWRY_TRY_ASSIGN(const Options options, read_options(protocol_options));
  if (sample.images.size() != 1) {
    return fail({.what = "cannot ask about a sample",
                 .input = sample.id,
                 .why = fmt::format("it has {} images, CAVE asks about one", sample.images.size())});
  }
  AWRY_TRY_ASSIGN(const Prompts prompts, Prompts::open("cave", options.prompts));
  std::vector<std::string_view> tasks(kTasks.begin(), kTasks.end());
  tasks.insert(tasks.end(), kExtraTasks.begin(), kExtraTasks.end());
  std::vector<Question> questions;
  for (const std::string_view task : tasks) {
    if (std::find(options.tasks.begin(), options.tasks.end(), task) == options.tasks.end()) continue;
    if (task == kCategorise && options.categories == "described") continue;  // follow_up asks
    if (task == kDescribe) {
      AWRY_TRY(ask_for_descriptions(sample, prompts, options, questions));
      continue;
    }
    for (std::size_t index = 0; index < sample.truth.size(); ++index) {
      AWRY_TRY_ASSIGN(Question question, ask_about_anomaly(sample, index, task, prompts, options));
      questions.push_back(std::move(question));
    }
  }
  return questions;
}

}  // namespace awry::benchmarks::cave
