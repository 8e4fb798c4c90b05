// SPDX-License-Identifier: Apache-2.0
#include "awry/pipeline/rejudge.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "awry/base/hash.h"
#include "awry/pipeline/carry_out.h"
#include "awry/pipeline/reply_key.h"
#include "awry/pipeline/rounds.h"
#include "awry/pipeline/run_record.h"
#include "awry/pipeline/stored_items.h"

namespace awry::pipeline {
namespace {

// Judges see the images: they must be those that the answers are about. A file that is gone is reported by
// whoever wants to show it.
Result<void> check_images(const std::vector<Sample>& samples) {
  for (const Sample& sample : samples) {
    for (const ImageRef& image : sample.images) {
      const Result<std::string> now = sha256_hex_of_file(image.path);
      if (!now || image.sha256.empty() || *now == image.sha256) continue;
      return fail({.what = "cannot judge the answers again",
                   .input = image.path,
                   .why = "the image has changed since the model was asked about it",
                   .hint = "Put the old one back, or ask the model again: awry run."});
    }
  }
  return {};
}

// The answers as they are; of the judge's questions only those of the first round, which do not depend on
// answers. The others follow.
Result<void> take_answers(Prepared& prepared, StoredItems stored, const BenchmarkOptions& options) {
  std::vector<Sample>& samples = prepared.dataset.samples;
  for (const StoredItem& item : stored.items) samples.push_back(item.sample);
  AWRY_TRY(check_images(samples));
  for (std::size_t i = 0; i < samples.size(); ++i) {
    StoredItem& item = stored.items[i];
    for (std::size_t q = 0; q < item.questions.size(); ++q) {
      if (item.questions[q].for_judge) continue;
      std::string key = item.replies[q].key;
      prepared.asked.push_back({.sample = &samples[i],
                                .question = std::move(item.questions[q]),
                                .key = std::move(key),
                                .reply = std::move(item.replies[q]),
                                .has_reply = true});
    }
    AWRY_TRY_ASSIGN(std::vector<Question> first,
                    prepared.protocol->ask(samples[i], options.protocol_options));
    for (Question& question : first) {
      if (!question.for_judge) continue;
      std::string key = reply_key(*prepared.judge, samples[i], question);
      prepared.asked.push_back(
          {.sample = &samples[i], .question = std::move(question), .key = std::move(key)});
    }
  }
  return {};
}

bool has_a_judge_to_ask(const Prepared& prepared) {
  return prepared.protocol->follow_up != nullptr ||
         std::ranges::any_of(prepared.asked, [](const Asked& item) { return item.question.for_judge; });
}

Result<Run> rejudged_run(const Run& stored, const BenchmarkOptions& options, const Prepared& prepared) {
  AWRY_TRY_ASSIGN(Run wanted, run_of(options, digest_of(options, prepared)));
  wanted.settings["rejudged"] = stored.id;
  for (const char* kept : {"model_args", "perturb", "marks_from"}) {
    if (const auto found = stored.settings.find(kept); found != stored.settings.end())
      wanted.settings.insert(*found);
  }
  return wanted;
}

// Everything that is needed before the judge is asked.
struct Again {
  Run stored;
  BenchmarkOptions options;  // with what the stored run decides
  Prepared prepared;
};

Result<Again> prepare_again(const std::filesystem::path& run_folder, BenchmarkOptions options) {
  AWRY_TRY_ASSIGN(StoredItems stored, read_stored_items(run_folder));
  const Run run = stored.run;
  options.protocol = run.protocol;
  options.model = run.model;
  options.name = run.name;
  options.seed = run.seed;
  options.perturb.clear();  // the stored samples show the damaged copies already
  benchmarks::ProtocolOptions switches = protocol_options_of(run);
  for (const auto& [name, value] : options.protocol_options) switches[name] = value;
  options.protocol_options = std::move(switches);

  Prepared prepared{.identity = stored.identity};
  AWRY_TRY_ASSIGN(prepared.protocol, protocol_for_running(options.protocol));
  AWRY_TRY(prepare_judge(prepared, options.judge, options));
  if (prepared.judge == nullptr) {
    return fail({.kind = ErrorKind::kUsage, .what = "nobody is named who judges", .hint = "Pass --judge M."});
  }
  AWRY_TRY(check_budget(options, prepared));
  AWRY_TRY(take_answers(prepared, std::move(stored), options));
  if (!has_a_judge_to_ask(prepared)) {
    return fail({.kind = ErrorKind::kUsage,
                 .what = "nothing in the run is judged by a model",
                 .input = run.id,
                 .why = fmt::format("{} asks no judge about its answers", options.protocol)});
  }
  return Again{run, std::move(options), std::move(prepared)};
}

}  // namespace

Result<BenchmarkResult> rejudge(const std::filesystem::path& run_folder, BenchmarkOptions options) {
  AWRY_TRY_ASSIGN(Again again, prepare_again(run_folder, std::move(options)));
  AWRY_TRY_ASSIGN(Run wanted, rejudged_run(again.stored, again.options, again.prepared));
  return carry_out(again.prepared, std::move(wanted), again.options);
}

Result<Estimate> estimate_rejudging(const std::filesystem::path& run_folder, BenchmarkOptions options) {
  AWRY_TRY_ASSIGN(Again again, prepare_again(run_folder, std::move(options)));
  return estimate_prepared(again.prepared, again.options);
}

}  // namespace awry::pipeline
