// SPDX-License-Identifier: Apache-2.0
// Sample -> Questions. The wording lives in prompts/.
#include <fmt/format.h>

#include "awry/benchmarks/anomreason/anomreason.h"
#include "awry/benchmarks/prompts.h"

namespace awry::benchmarks::anomreason {
namespace {

// The paper's second turn is for images that the first calls generated. Of real ones the paper's models then
// describe what is to be seen, which nobody scores: awry does not pay for it.
bool wants_a_list(const Answer& verdict) {
  return verdict.outcome == Outcome::kAnswered && !verdict.choices.empty() &&
         verdict.choices.front() == kGenerated && verdict.findings.empty();
}

}  // namespace

Result<std::vector<Question>> ask(const Sample& sample, const ProtocolOptions& protocol_options) {
  AWRY_TRY_ASSIGN(const Options options, read_options(protocol_options));
  if (sample.images.size() != 1) {
    return fail({.what = "cannot ask about a sample",
                 .input = sample.id,
                 .why = fmt::format("it has {} images; AnomReason asks about one", sample.images.size())});
  }
  const std::string_view task = task_of(sample, options);
  Question question{.id = fmt::format("{}/{}", sample.id, task),
                    .sample_id = sample.id,
                    .kind = std::string(task),
                    .images = {0}};
  AWRY_TRY_ASSIGN(const Prompts prompts, Prompts::open("anomreason", options.prompts));
  const bool both = task == kDeepfake && options.turns == "1";
  AWRY_TRY_ASSIGN(question.prompt,
                  prompts.fill(both ? "deepfake.both.txt" : fmt::format("{}.txt", task), {}));
  return std::vector<Question>{std::move(question)};
}

std::string imagine(const Sample& sample, const Question& question) {
  if (question.kind != kDeepfake) return "";
  const bool is_real = attribute(sample, kSourceAttribute) == kReal;
  return fmt::format("<VERDICT>{}</VERDICT>", is_real ? kReal : kGenerated);
}

Result<std::vector<Question>> follow_up(const AnsweredSample& answered, std::span<const Reply> replies,
                                        const ProtocolOptions& protocol_options) {
  AWRY_TRY_ASSIGN(const Options options, read_options(protocol_options));
  std::vector<Question> questions;
  if (options.turns == "1" || answered.questions.size() != 1 || answered.answers.size() != 1 ||
      replies.size() != 1) {
    return questions;
  }
  const Question& first = answered.questions.front();
  if (first.kind != kDeepfake || !wants_a_list(answered.answers.front())) return questions;
  AWRY_TRY_ASSIGN(const Prompts prompts, Prompts::open("anomreason", options.prompts));
  Question second{.id = fmt::format("{}/anomalies", first.id),
                  .sample_id = first.sample_id,
                  .kind = std::string(kDeepfakeList),
                  .images = first.images,
                  .earlier = {{.prompt = first.prompt, .reply = replies.front().text}}};
  AWRY_TRY_ASSIGN(second.prompt, prompts.fill("deepfake.anomalies.txt", {}));
  questions.push_back(std::move(second));
  return questions;
}

}  // namespace awry::benchmarks::anomreason
