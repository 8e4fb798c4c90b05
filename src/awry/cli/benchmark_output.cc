// SPDX-License-Identifier: Apache-2.0
#include "awry/cli/benchmark_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "awry/base/files.h"
#include "awry/base/json.h"
#include "awry/base/text.h"
#include "awry/cli/exit_codes.h"
#include "awry/records/json.h"

namespace awry::cli {
namespace {

constexpr std::size_t kShownFailures = 20;

// A number of things, as its signature says, rather than a measure.
bool is_count(const Metric& metric) {
  return metric.signature.find("|unit:") != std::string::npos;
}
long long counted(const Metric& metric) {
  return std::llround(metric.value);
}

// Columns that would be empty for every metric are left out.
Table table_of(const Summary& summary, bool with_breakdowns) {
  const auto any = [&](auto has) { return std::ranges::any_of(summary.metrics, has); };
  const bool has_intervals = any([](const Metric& metric) { return metric.interval.has_value(); });
  const bool has_missing = any([](const Metric& metric) { return metric.missing.has_value(); });
  Table table{.columns = {{.key = "group"}, {.key = "key", .header = "metric"}, {.key = "value"}}};
  if (has_intervals) {
    table.columns.push_back({.key = "low", .header = "95% from"});
    table.columns.push_back({.key = "high", .header = "to"});
  }
  if (has_missing) {
    table.columns.push_back({.key = "worst", .header = "if missing: worst"});
    table.columns.push_back({.key = "best"});
  }
  table.columns.push_back({.key = "count", .header = "n"});
  const auto add_ends = [](std::vector<Cell>& row, const std::optional<Interval>& interval) {
    row.push_back(interval ? Cell(interval->low) : Cell());
    row.push_back(interval ? Cell(interval->high) : Cell());
  };
  for (const Metric& metric : summary.metrics) {
    if (!with_breakdowns && is_breakdown(metric)) continue;
    std::vector<Cell> row = {Cell(metric.group), Cell(metric.label.empty() ? metric.key : metric.label),
                             is_count(metric) ? Cell(counted(metric)) : Cell(metric.value)};
    if (has_intervals) add_ends(row, metric.interval);
    if (has_missing) add_ends(row, metric.missing);
    row.emplace_back(metric.count);
    table.rows.push_back(std::move(row));
  }
  return table;
}

// On a terminal or in a pipe the scores of every sample would bury the result; a file keeps them, for
// compare.
enum class SampleScores { kLeftOut, kKept };

// {"protocol": ..., "splicing": {"id": 0.9, "loc": 0.7}, ..., "outcomes": {...}, "metrics": [...]}
std::string json_of(const Summary& summary, const JsonFields& extra, SampleScores scores) {
  Json json = {{"protocol", summary.protocol}};
  for (const auto& [key, value] : extra) json[key] = value;
  for (const Metric& metric : summary.metrics) {
    const Json value = is_count(metric)              ? Json(counted(metric))
                       : std::isfinite(metric.value) ? Json(metric.value)
                                                     : Json(nullptr);
    (metric.group.empty() ? json : json[metric.group])[metric.key] = value;
  }
  Json whole = to_json(summary);
  json["outcomes"] = whole["outcomes"];
  json["metrics"] = whole["metrics"];
  json["notes"] = summary.notes;
  if (scores == SampleScores::kKept && whole.contains("scores")) json["scores"] = std::move(whole["scores"]);
  return dump_json_pretty(json);
}

std::string describe(const OutcomeCounts& outcomes) {
  std::string text;
  for (const Outcome outcome : kAllOutcomes) {
    if (outcomes.of(outcome) == 0) continue;
    if (!text.empty()) text += ", ";
    text += fmt::format("{} {}", outcomes.of(outcome), name_of(outcome));
  }
  return text.empty() ? "nothing asked" : text;
}

}  // namespace

void declare_protocol_options(OptionSet& set, std::vector<std::string>& pairs) {
  set.list(pairs, "option",
           {.placeholder = "KEY=VALUE",
            .help = "A switch of the protocol, such as repair=true; awry help run lists them."});
}

void explain_switches(OptionSet& set) {
  for (const benchmarks::Protocol* protocol : benchmarks::all_protocols()) {
    Explanation explanation{.title = fmt::format("Switches of {}, as --option KEY=VALUE", protocol->name)};
    for (const benchmarks::Switch& one : protocol->switches) {
      explanation.rows.emplace_back(one.name, fmt::format("{} [{}]", one.meaning, one.values));
    }
    set.explain(std::move(explanation));
  }
}

Result<benchmarks::ProtocolOptions> protocol_options_of(std::span<const std::string> pairs) {
  benchmarks::ProtocolOptions options;
  for (const std::string& pair : pairs) {
    const std::size_t equals = pair.find('=');
    if (equals == std::string::npos || equals == 0) {
      return fail({.kind = ErrorKind::kUsage,
                   .what = "cannot read option",
                   .input = pair,
                   .why = "it should look like key=value"});
    }
    options[pair.substr(0, equals)] = pair.substr(equals + 1);
  }
  return options;
}

std::string protocol_names() {
  std::vector<std::string> names;
  for (const benchmarks::Protocol* protocol : benchmarks::all_protocols()) names.emplace_back(protocol->name);
  return join(names, ", ");
}

Result<const benchmarks::Protocol*> protocol_called(const std::string& name) {
  if (const benchmarks::Protocol* protocol = benchmarks::find_protocol(name)) return protocol;
  std::vector<std::string> names;
  for (const benchmarks::Protocol* protocol : benchmarks::all_protocols()) names.emplace_back(protocol->name);
  const auto near = did_you_mean(name, names);
  return fail({.kind = ErrorKind::kUsage,
               .what = "unknown protocol",
               .input = name,
               .hint = near ? fmt::format("Did you mean {}?", *near)
                            : fmt::format("Known are: {}.", protocol_names())});
}

Result<void> write_summary(const Summary& summary, Context& context, const TableDestination& destination,
                           const JsonFields& extra, Groups groups) {
  const bool to_file = !destination.file.empty() && destination.file != "-";
  if (to_file && destination.file.extension() == ".json") {
    return write_file(destination.file, json_of(summary, extra, SampleScores::kKept));
  }
  if (destination.json && !to_file) {
    context.out.write(json_of(summary, extra, SampleScores::kLeftOut));
    return {};
  }
  return write_table(context.out,
                     table_of(summary, to_file || context.talk.verbose || groups == Groups::kNames),
                     destination);
}

void say_outcomes(const Summary& summary, Context& context) {
  const bool has_breakdowns = std::ranges::any_of(summary.metrics, is_breakdown);
  if (has_breakdowns && !context.talk.verbose) context.say("Breakdowns: with -v, --json or in the report.");
  if (summary.metrics.empty()) {
    // Nothing else says why there are no numbers.
    context.say("There is nothing to score.");
    for (const std::string& note : summary.notes) context.say("note: {}", note);
    context.say("Outcomes: {}.", describe(summary.outcomes));
    return;
  }
  for (const std::string& note : summary.notes) context.say_more("note: {}", note);
  if (!context.talk.verbose && !summary.notes.empty()) {
    context.say("{} notes on the data; -v shows them.", summary.notes.size());
  }
  context.say("Outcomes: {}.", describe(summary.outcomes));
}

Result<int> show_benchmark(const pipeline::BenchmarkResult& result, Context& context,
                           const TableDestination& destination) {
  if (result.interrupted) {
    context.say("Stopped after {} of {} questions; every reply is kept. Run the same command to go on.",
                result.asked + result.reused, result.questions);
    return kExitFailed;
  }
  AWRY_TRY(write_summary(
      result.summary, context, destination,
      {{"run", result.run.id}, {"model", result.run.model}, {"report", result.report.string()}}));
  for (std::size_t i = 0; i < std::min(result.failures.size(), kShownFailures); ++i) {
    context.say("  {}", result.failures[i]);
  }
  if (result.failures.size() > kShownFailures) {
    context.say("  ... and {} more: see the report", result.failures.size() - kShownFailures);
  }
  say_outcomes(result.summary, context);
  context.say("{} asked, {} known from earlier runs.", result.asked, result.reused);
  if (result.unjudged > 0) {
    context.say("{} questions to a judge were not asked. To have the answers judged:", result.unjudged);
    context.say("  awry rejudge {} --judge openai:NAME", result.run.id);
  }
  context.say("Report: {}", result.report.string());
  return result.failures.empty() ? kExitDone : kExitPartial;
}

Result<int> show_estimate(const pipeline::Estimate& estimate, const std::string& model,
                          const std::string& judge, Context& context, const TableDestination& destination) {
  Table table{
      .columns = {
          {"who"}, {"questions"}, {"known"}, {"to_ask"}, {"input_tokens"}, {"output_tokens"}, {"usd"}}};
  const auto add_row = [&](const std::string& who, const pipeline::EstimatedPart& part) {
    table.rows.push_back({Cell(who), Cell(part.questions), Cell(part.known),
                          Cell(part.questions - part.known),
                          Cell(static_cast<std::size_t>(part.usage.input_tokens)),
                          Cell(static_cast<std::size_t>(part.usage.output_tokens)),
                          part.usage.cost_usd ? Cell(*part.usage.cost_usd) : Cell()});
  };
  add_row(model, estimate.model);
  if (!judge.empty()) add_row(fmt::format("{} (judge)", judge), estimate.judge);
  AWRY_TRY(write_table(context.out, table, destination));
  context.say(
      "Nothing was asked. Tokens are guessed, and later turns and questions to the judge as if the model "
      "found "
      "what is there.");
  if (estimate.unjudged > 0) {
    context.say("{} questions to a judge are not counted: none is named (--judge M).", estimate.unjudged);
  }
  return kExitDone;
}

int say_budget_used_up(const pipeline::BenchmarkResult& result, const std::vector<std::string>& command,
                       const BudgetOptions& budget, Context& context) {
  context.say("The budget is used up: {} questions asked, {} tokens, ${:.4f}. Every reply is kept. To go on:",
              result.spent.calls, result.spent.input_tokens + result.spent.output_tokens,
              result.spent.cost_usd);
  context.say("  {}", command_to_go_on(command, budget));
  for (const Option& option : context.settings.options()) {
    if (!option.details.secret || option.origin.kind != Origin::Kind::kFlag) continue;
    context.say("Give --{} again as before: it may hold a secret, so it is not printed.", option.name);
  }
  return kExitBudget;
}

int say_batch_waits(const pipeline::BenchmarkResult& result, const std::filesystem::path& folder,
                    Context& context) {
  context.say(
      "{} of {} questions wait in {}. Send these files, put what comes back into {}, and run the same "
      "command "
      "again.",
      result.questions - result.asked - result.reused, result.questions, folder.string(),
      (folder / "results").string());
  return kExitPartial;
}

}  // namespace awry::cli
