// SPDX-License-Identifier: Apache-2.0
#include "awry/cli/benchmark_output.h"

#include <fmt/format.h>

#include "awry/base/json.h"
#include "awry/cli/exit_codes.h"
#include "awry/records/json.h"

namespace awry::cli {
namespace {

constexpr std::size_t kShownFailures = 20;

Table table_of(const Summary& summary) {
  Table table{
      .columns = {
          {"group"}, {"key", "metric"}, {"value"}, {"low", "95% from"}, {"high", "to"}, {"count", "n"}}};
  for (const Metric& metric : summary.metrics) {
    std::vector<Cell> row = {Cell(metric.group), Cell(metric.label.empty() ? metric.key : metric.label),
                             Cell(metric.value)};
    if (metric.interval) {
      row.emplace_back(metric.interval->low);
      row.emplace_back(metric.interval->high);
    } else {
      row.resize(5);
    }
    row.emplace_back(metric.count);
    table.rows.push_back(std::move(row));
  }
  return table;
}

// {"protocol": ..., "splicing": {"id": 0.9, "loc": 0.7}, ..., "outcomes": {...}, "metrics": [...]}
std::string json_of(const pipeline::BenchmarkResult& result) {
  Json json = {{"protocol", result.summary.protocol}, {"run", result.run.id}, {"model", result.run.model}};
  for (const Metric& metric : result.summary.metrics) {
    const Json value = std::isfinite(metric.value) ? Json(metric.value) : Json(nullptr);
    (metric.group.empty() ? json : json[metric.group])[metric.key] = value;
  }
  Json summary = to_json(result.summary);
  json["outcomes"] = summary["outcomes"];
  json["metrics"] = summary["metrics"];
  json["report"] = result.report.string();
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

Result<int> show_benchmark(const pipeline::BenchmarkResult& result, Context& context,
                           const TableDestination& destination) {
  if (result.interrupted) {
    context.say("Stopped after {} of {} questions; every reply is kept. Run the same command to go on.",
                result.asked + result.reused, result.questions);
    return kExitFailed;
  }
  if (destination.json && destination.file.empty()) {
    context.out.write(json_of(result));
  } else {
    AWRY_TRY(write_table(context.out, table_of(result.summary), destination));
  }
  for (std::size_t i = 0; i < std::min(result.failures.size(), kShownFailures); ++i) {
    context.say("  {}", result.failures[i]);
  }
  if (result.failures.size() > kShownFailures) {
    context.say("  ... and {} more: see the report", result.failures.size() - kShownFailures);
  }
  for (const std::string& note : result.summary.notes) context.say_more("note: {}", note);
  context.say("Outcomes: {}; {} asked, {} from earlier runs.", describe(result.summary.outcomes),
              result.asked, result.reused);
  context.say("Report: {}", result.report.string());
  return result.failures.empty() ? kExitDone : kExitPartial;
}

}  // namespace awry::cli
