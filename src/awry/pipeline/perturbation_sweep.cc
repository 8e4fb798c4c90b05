// SPDX-License-Identifier: Apache-2.0
#include "awry/pipeline/perturbation_sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "awry/base/files.h"
#include "awry/base/text.h"
#include "awry/pipeline/perturbed_images.h"
#include "awry/report/sweep_page.h"

namespace awry::pipeline {
namespace {

Result<SweepDamage> parse_damage(const std::string& text) {
  const std::size_t colon = text.find(':');
  SweepDamage damage{.name = std::string(trim(text.substr(0, colon)))};
  const std::string levels = colon == std::string::npos ? "" : text.substr(colon + 1);
  for (const std::string_view level : split(levels, ',')) {
    const std::string one = fmt::format("{}:{}", damage.name, trim(level));
    AWRY_TRY_ASSIGN(const std::vector<Perturbation> parsed, parse_perturbations(one));
    damage.levels.push_back(text_of(parsed));
  }
  return damage;
}

// What is left of the limits after some was spent.
BudgetLimits left_of(BudgetLimits limits, const Spending& spent) {
  if (limits.max_cost_usd) limits.max_cost_usd = std::max(0.0, *limits.max_cost_usd - spent.cost_usd);
  if (limits.max_calls) limits.max_calls = std::max(0LL, *limits.max_calls - spent.calls);
  if (limits.max_tokens) {
    limits.max_tokens = std::max(0LL, *limits.max_tokens - spent.input_tokens - spent.output_tokens);
  }
  return limits;
}

void add(Spending& to, const Spending& more) {
  to.calls += more.calls;
  to.input_tokens += more.input_tokens;
  to.output_tokens += more.output_tokens;
  to.cost_usd += more.cost_usd;
}

// One level; tells whether the sweep can go on.
Result<bool> run_level(BenchmarkOptions options, const std::string& level, SweepResult& sweep,
                       BenchmarkResult& result) {
  options.budget = left_of(options.budget, sweep.spent);
  options.perturb = level;
  AWRY_TRY_ASSIGN(result, run_benchmark(options));
  add(sweep.spent, result.spent);
  sweep.interrupted = result.interrupted;
  sweep.budget_used_up = result.budget_used_up;
  return !result.interrupted;
}

std::string file_name(std::string_view title) {
  std::string name;
  for (const char c : to_lower_ascii(title))
    name += (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ? c : '-';
  return name + ".svg";
}

Result<void> write_page(const SweepResult& sweep, std::span<const SweepDamage> damages) {
  report::SweepInput input{.run = sweep.clean.run};
  std::size_t next = 0;
  for (const SweepDamage& damage : damages) {
    std::vector<report::SweepLevel> levels = {{"clean", sweep.clean.run.id, sweep.clean.summary}};
    for (const std::string& level : damage.levels) {
      const BenchmarkResult& result = sweep.damaged[next++];
      levels.push_back({level, result.run.id, result.summary});
    }
    input.damages.emplace_back(damage.name, std::move(levels));
  }
  AWRY_TRY(make_folder(sweep.page.parent_path()));
  for (const report::LineChart& chart : report::sweep_charts(input)) {
    AWRY_TRY(write_file(sweep.page.parent_path() / file_name(chart.title), report::svg_line_chart(chart)));
  }
  return write_file(sweep.page, report::render_sweep(input));
}

}  // namespace

std::vector<SweepDamage> usual_sweep() {
  return {{"blur", {"blur:1", "blur:2", "blur:4"}},
          {"jpeg", {"jpeg:90", "jpeg:70", "jpeg:50", "jpeg:30"}},
          {"scale", {"scale:0.75", "scale:0.5", "scale:0.25"}}};
}

Result<std::vector<SweepDamage>> parse_sweep(std::span<const std::string> texts) {
  std::vector<SweepDamage> damages;
  for (const std::string& text : texts) {
    if (trim(text) == "all") {
      for (SweepDamage& usual : usual_sweep()) damages.push_back(std::move(usual));
      continue;
    }
    AWRY_TRY_ASSIGN(SweepDamage damage, parse_damage(text));
    damages.push_back(std::move(damage));
  }
  for (std::size_t i = 0; i < damages.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (damages[i].name != damages[j].name) continue;
      return fail({.kind = ErrorKind::kUsage,
                   .what = "cannot sweep a kind of damage twice",
                   .input = damages[i].name,
                   .hint = "Give all its levels at once: blur:1,2,4."});
    }
  }
  return damages;
}

Result<SweepResult> run_sweep(const BenchmarkOptions& options, std::span<const SweepDamage> damages) {
  SweepResult sweep;
  AWRY_TRY_ASSIGN(bool goes_on, run_level(options, "", sweep, sweep.clean));
  for (const SweepDamage& damage : damages) {
    for (const std::string& level : damage.levels) {
      if (!goes_on) return sweep;
      AWRY_TRY_ASSIGN(goes_on, run_level(options, level, sweep, sweep.damaged.emplace_back()));
    }
  }
  if (!goes_on) return sweep;
  sweep.page = options.runs_folder / "sweeps" / sweep.clean.run.id / "report.html";
  AWRY_TRY(write_page(sweep, damages));
  return sweep;
}

}  // namespace awry::pipeline
