// SPDX-License-Identifier: Apache-2.0
#include "awry/pipeline/written_prompts.h"

#include <fmt/format.h>

#include <deque>
#include <memory>
#include <utility>

#include "awry/base/clock.h"
#include "awry/base/hash.h"
#include "awry/base/text.h"
#include "awry/pipeline/asking.h"
#include "awry/pipeline/endpoint_model.h"
#include "awry/pipeline/reply_key.h"
#include "awry/pipeline/run_record.h"
#include "awry/store/store.h"

namespace awry::pipeline {
namespace {

using benchmarks::magicmirror::BenchPrompt;

constexpr std::size_t kLongestPrompt = 1000;

std::string request_for(const BenchPrompt& drawn) {
  return fmt::format(
      "Write a prompt for an image generator, one to three sentences, at most sixty words. The picture must "
      "show "
      "this:\n\n{}\n\nKeep the words '{}' exactly as they are, and ask for all of it to be visible. Add "
      "plausible "
      "detail, light and surroundings, but no other main subject. Answer with the prompt and nothing else.",
      drawn.prompt, drawn.subject);
}

// Without the quotes that models like to put around it.
Result<std::string> read_prompt(const Reply& reply, const BenchPrompt& drawn) {
  if (reply.outcome != Outcome::kAnswered) {
    return fail({.what = std::string(name_of(reply.outcome)), .why = reply.error});
  }
  std::string_view text = trim(reply.text);
  if (text.size() > 1 && text.front() == '"' && text.back() == '"')
    text = trim(text.substr(1, text.size() - 2));
  if (text.empty() || text.size() > kLongestPrompt) {
    return fail({.what = "unparsable", .why = fmt::format("a prompt of {} bytes", text.size())});
  }
  if (!contains_ignoring_case(text, drawn.subject)) {
    return fail({.what = "unparsable", .why = fmt::format("it does not name '{}'", drawn.subject)});
  }
  return std::string(text);
}

}  // namespace

Result<WrittenPrompts> write_prompts(const std::vector<BenchPrompt>& drawn, const BenchmarkOptions& options) {
  const std::string_view name = endpoint_model_name(options.model);
  if (!options.model.starts_with("openai:") || name.empty()) {
    return fail({.kind = ErrorKind::kUsage,
                 .what = "cannot have prompts written by",
                 .input = options.model,
                 .hint = "Name a chat model: --model openai:NAME."});
  }
  AWRY_TRY_ASSIGN(const std::unique_ptr<Model> model,
                  make_endpoint_model(std::string(name), options.endpoint));
  const Sample nothing{.id = "bench-prompts"};
  std::deque<Asked> asked;
  std::vector<Asked*> round;
  FieldHasher digest;
  digest.add("bench-prompts").add(model->identity());
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    Question question{.id = fmt::format("{}/{}", drawn[i].detail_class, i + 1),
                      .sample_id = nothing.id,
                      .kind = "bench-prompt",
                      .prompt = request_for(drawn[i])};
    std::string key = reply_key(*model, nothing, question);
    digest.add(key);
    round.push_back(&asked.emplace_back(
        Asked{.sample = &nothing, .question = std::move(question), .key = std::move(key)}));
  }
  AWRY_TRY_ASSIGN(const std::unique_ptr<store::Store> store,
                  store::open_store(options.runs_folder / "awry.db"));
  AWRY_TRY_ASSIGN(OpenedRun opened, open_run(*store, {.name = "bench-prompts",
                                                      .model = options.model,
                                                      .digest = digest.hex(),
                                                      .command = options.command,
                                                      .awry_version = options.awry_version}));
  Budget budget(options.budget, spent_before(opened));
  AWRY_TRY_ASSIGN(const GraphCounts counts,
                  ask_round(round, nullptr,
                            {.respondents = {{.model = model.get(), .price = options.prices.of(name)}},
                             .run_id = opened.run.id,
                             .threads = options.threads,
                             .progress = options.progress,
                             .cancel = options.cancel},
                            *store, budget, "writing prompts"));
  WrittenPrompts written{.asked = counts.asked,
                         .reused = counts.reused,
                         .interrupted = counts.stopped,
                         .budget_used_up = budget.is_used_up(),
                         .spent = budget.spent()};
  for (std::size_t i = 0; i < drawn.size() && !counts.stopped; ++i) {
    const Result<std::string> prompt = read_prompt(asked[i].reply, drawn[i]);
    if (!prompt) {
      written.failures.push_back(fmt::format("{}: {}", asked[i].question.id, prompt.error().message()));
      continue;
    }
    written.prompts.push_back(drawn[i]);
    written.prompts.back().prompt = *prompt;
  }
  opened.run.status = counts.stopped ? RunStatus::kInterrupted : RunStatus::kFinished;
  opened.run.finished = utc_timestamp();
  AWRY_TRY(store->update_run(opened.run));
  return written;
}

}  // namespace awry::pipeline
