// SPDX-License-Identifier: Apache-2.0
#include "awry/pipeline/prepared_run.h"

#include <fmt/format.h>

#include <utility>

#include "awry/base/hash.h"
#include "awry/base/text.h"
#include "awry/pipeline/inspector_marks.h"
#include "awry/pipeline/parallel.h"
#include "awry/pipeline/perturbed_images.h"
#include "awry/pipeline/reply_key.h"

namespace awry::pipeline {
namespace {

Result<void> hash_images(std::vector<Sample>& samples, const BenchmarkOptions& options) {
  const std::size_t hashed = for_each_index(
      samples.size(), {.threads = options.threads, .cancel = options.cancel}, [&](std::size_t i) {
        for (ImageRef& image : samples[i].images) {
          // A file that cannot be read gets its error as identity: the inspector will report it.
          image.sha256 = sha256_hex_of_file(image.path).value_or(std::string());
        }
      });
  if (hashed < samples.size()) {
    return fail({.kind = ErrorKind::kCancelled, .what = "stopped before anything was asked"});
  }
  return {};
}

Respondent respondent_for(Model* model, const std::string& name, const EndpointSettings& settings,
                          const PriceList& prices) {
  Respondent respondent{.model = model, .pictures = settings.pictures};
  const std::string_view endpoint_name = endpoint_model_name(name);
  if (!endpoint_name.empty()) respondent.price = prices.of(endpoint_name);
  for (const std::string& arg : settings.model_args) {
    for (const std::string_view limit : {"max_tokens=", "max_completion_tokens="}) {
      if (!arg.starts_with(limit)) continue;
      respondent.output_tokens_guess =
          parse_integer(std::string_view(arg).substr(limit.size())).value_or(respondent.output_tokens_guess);
    }
  }
  return respondent;
}

// What the protocol asks about one sample before anybody answered. Without a judge, what only a judge can
// answer would be lost without a word.
Result<void> ask_first(Prepared& prepared, const Sample& sample, const BenchmarkOptions& options) {
  AWRY_TRY_ASSIGN(std::vector<Question> questions, prepared.protocol->ask(sample, options.protocol_options));
  for (Question& question : questions) {
    const Model* model = question.for_judge ? prepared.judge.get() : prepared.model.get();
    if (model == nullptr) {
      return fail({.kind = ErrorKind::kUsage,
                   .what = "nobody judges, but a judge is asked",
                   .input = question.id,
                   .hint = "Name one: --judge openai:NAME."});
    }
    std::string key = reply_key(*model, sample, question);
    prepared.asked.push_back({.sample = &sample, .question = std::move(question), .key = std::move(key)});
  }
  return {};
}

// A recording holds the judge's replies too, if there was a judge.
Result<std::string> judge_of(const BenchmarkOptions& options, const Model& model) {
  const Run* recorded = model.recorded_run();
  if (recorded == nullptr) return options.judge;
  if (!options.judge.empty()) {
    return fail(
        {.kind = ErrorKind::kUsage,
         .what = "a recording comes with its own judge",
         .input = options.model,
         .hint = fmt::format("For another one: awry rejudge {} --judge {}.", recorded->id, options.judge)});
  }
  return recorded->settings.contains("judge") ? options.model : std::string();
}

// The dataset once without marks, for the inspector to look at, and once with what it found.
Result<benchmarks::Dataset> with_marks(const Prepared& prepared, const BenchmarkOptions& options) {
  AWRY_TRY_ASSIGN(const benchmarks::Dataset plain,
                  prepared.protocol->read_samples(options.data, options.protocol_options));
  AWRY_TRY_ASSIGN(const std::filesystem::path marks,
                  write_inspector_marks(plain.samples, {.inspector = options.marks_from,
                                                        .folder = options.runs_folder / "marks",
                                                        .threads = options.threads,
                                                        .cancel = options.cancel}));
  benchmarks::ProtocolOptions marked = options.protocol_options;
  marked["marks"] = marks.string();
  marked.try_emplace("marked", (options.runs_folder / "marked").string());
  return prepared.protocol->read_samples(options.data, marked);
}

Result<void> read_samples(Prepared& prepared, const BenchmarkOptions& options) {
  AWRY_TRY_ASSIGN(prepared.dataset, options.marks_from.empty() ? prepared.protocol->read_samples(
                                                                     options.data, options.protocol_options)
                                                               : with_marks(prepared, options));
  std::vector<Sample>& samples = prepared.dataset.samples;
  if (options.range) {
    const auto [first, last] = options.range(samples.size());
    samples = std::vector<Sample>(samples.begin() + static_cast<std::ptrdiff_t>(first),
                                  samples.begin() + static_cast<std::ptrdiff_t>(last));
  }
  if (!options.perturb.empty()) {
    AWRY_TRY_ASSIGN(const std::vector<Perturbation> perturbations, parse_perturbations(options.perturb));
    AWRY_TRY_ASSIGN(PerturbedSamples perturbed, perturb_images(std::move(samples), perturbations,
                                                               {.folder = options.runs_folder / "perturbed",
                                                                .threads = options.threads,
                                                                .cancel = options.cancel}));
    samples = std::move(perturbed.samples);
  }
  return hash_images(samples, options);
}

}  // namespace

Result<const benchmarks::Protocol*> protocol_for_running(const std::string& name) {
  const benchmarks::Protocol* protocol = benchmarks::find_protocol(name);
  if (protocol == nullptr) {
    return fail({.kind = ErrorKind::kUsage, .what = "unknown protocol", .input = name});
  }
  if (protocol->ask == nullptr || protocol->parse == nullptr || protocol->score == nullptr) {
    return fail({.kind = ErrorKind::kUsage,
                 .what = "this version cannot ask questions for the protocol",
                 .input = name,
                 .hint = "Score answers you already have with: awry score."});
  }
  return protocol;
}

Result<Prepared> prepare_run(const BenchmarkOptions& options) {
  Prepared prepared;
  AWRY_TRY_ASSIGN(prepared.protocol, protocol_for_running(options.protocol));
  AWRY_TRY_ASSIGN(prepared.model, make_model(options.model, options.endpoint, *prepared.protocol));
  prepared.answerer = respondent_for(prepared.model.get(), options.model, options.endpoint, options.prices);
  AWRY_TRY_ASSIGN(const std::string judge, judge_of(options, *prepared.model));
  AWRY_TRY(prepare_judge(prepared, judge, options));
  AWRY_TRY(check_budget(options, prepared));
  AWRY_TRY(read_samples(prepared, options));
  for (const Sample& sample : prepared.dataset.samples) AWRY_TRY(ask_first(prepared, sample, options));
  return prepared;
}

Result<void> prepare_judge(Prepared& prepared, const std::string& name, const BenchmarkOptions& options) {
  if (name.empty()) return {};
  AWRY_TRY_ASSIGN(prepared.judge,
                  make_model(name, options.judge_endpoint, *prepared.protocol, Role::kJudges));
  prepared.judging = respondent_for(prepared.judge.get(), name, options.judge_endpoint, options.prices);
  return {};
}

Result<void> check_budget(const BenchmarkOptions& options, const Prepared& prepared) {
  if (!options.budget.max_cost_usd) return {};
  const auto check = [](const std::string& name, const Respondent& respondent) -> Result<void> {
    if (endpoint_model_name(name).empty() || respondent.price) return {};
    return fail({.kind = ErrorKind::kUsage,
                 .what = "cannot keep to --max-cost",
                 .input = name,
                 .why = "its price is not known",
                 .hint = "Name a file with its price: --price-file prices.json."});
  };
  if (prepared.model) AWRY_TRY(check(options.model, prepared.answerer));
  return check(options.judge, prepared.judging);
}

std::string digest_of(const BenchmarkOptions& options, const Prepared& prepared) {
  FieldHasher hasher;
  hasher.add(options.name).add(options.protocol).add(options.seed);
  hasher.add(prepared.model ? prepared.model->identity() : std::string());
  hasher.add(prepared.judge ? prepared.judge->identity() : std::string());
  hasher.add(static_cast<std::uint64_t>(options.reask)).add(options.ask_again ? "again" : "");
  for (const auto& [key, value] : options.protocol_options) hasher.add(key).add(value);
  for (const Asked& item : prepared.asked) hasher.add(item.question.id).add(item.key);
  return hasher.hex();
}

}  // namespace awry::pipeline
