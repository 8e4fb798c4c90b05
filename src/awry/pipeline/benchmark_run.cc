// SPDX-License-Identifier: Apache-2.0
#include "awry/pipeline/benchmark_run.h"

#include <memory>
#include <optional>
#include <utility>

#include "awry/pipeline/carry_out.h"
#include "awry/pipeline/run_record.h"
#include "awry/store/store.h"

namespace awry::pipeline {

Result<BenchmarkResult> run_benchmark(const BenchmarkOptions& options) {
  AWRY_TRY_ASSIGN(Prepared prepared, prepare_run(options));
  AWRY_TRY_ASSIGN(Run wanted, run_of(options, digest_of(options, prepared)));
  return carry_out(prepared, std::move(wanted), options);
}

Result<Estimate> estimate_benchmark(const BenchmarkOptions& options) {
  AWRY_TRY_ASSIGN(const Prepared prepared, prepare_run(options));
  Estimate estimate{.questions = prepared.asked.size()};
  std::unique_ptr<store::Store> store;
  if (std::filesystem::exists(options.runs_folder / "awry.db") && !options.ask_again) {
    AWRY_TRY_ASSIGN(store, store::open_store(options.runs_folder / "awry.db"));
  }
  for (const Asked& item : prepared.asked) {
    if (store) {
      AWRY_TRY_ASSIGN(const std::optional<Reply> known, store->find_reply(item.key));
      if (known && known->outcome == Outcome::kAnswered) {
        ++estimate.known;
        continue;
      }
    }
    const Usage usage = expected_usage(prepared.answerer, *item.sample, item.question);
    estimate.usage.input_tokens += usage.input_tokens;
    estimate.usage.output_tokens += usage.output_tokens;
    if (usage.cost_usd) estimate.usage.cost_usd = estimate.usage.cost_usd.value_or(0) + *usage.cost_usd;
  }
  return estimate;
}

}  // namespace awry::pipeline
