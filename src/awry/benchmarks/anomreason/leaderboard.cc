// SPDX-License-Identifier: Apache-2.0
// The paper's tables with the user's runs among them.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "awry/base/json.h"
#include "awry/benchmarks/anomreason/anomreason.h"
#include "awry/benchmarks/anomreason/audit.h"
#include "awry/benchmarks/embedded_files.h"

namespace awry::benchmarks::anomreason {
namespace {

std::optional<double> value_of(const LeaderboardRow& row, std::string_view column) {
  for (const auto& [name, value] : row.values) {
    if (name == column) return value;
  }
  return std::nullopt;
}

// Column "full_sem_ap" is metric "sem_ap" of group "full". The paper gives accuracy in percent.
const Metric* metric_of(const Summary& summary, std::string_view column) {
  for (const Metric& metric : summary.metrics) {
    if (metric.group + "_" + metric.key == column) return &metric;
  }
  return nullptr;
}

// Empty when the run's numbers were made as the table's were.
std::string difference(const Summary& summary, const Json& table) {
  const Metric* metric = metric_of(summary, table.at("order_by").get<std::string>());
  if (metric == nullptr) return fmt::format("it has no {}", table.at("order_by").get<std::string>());
  std::vector<std::string> wanted = {"variant:" + table.at("variant").get<std::string>(),
                                     "encoder:" + table.at("encoder").get<std::string>(),
                                     "thresholds:0.7,0.8,0.9"};
  std::erase_if(wanted, [&](const std::string& field) {
    return (metric->signature + "|").find("|" + field + "|") != std::string::npos;
  });
  return wanted.empty() ? "" : fmt::format("it was not scored with {}", fmt::join(wanted, ", "));
}

void add_run(const ScoredRun& run, const Json& table, Leaderboard& board) {
  const std::string why = difference(run.summary, table);
  LeaderboardRow row{.model = run.model, .group = why.empty() ? "yours" : "yours, not comparable"};
  for (const std::string& column : board.columns) {
    const Metric* metric = metric_of(run.summary, column);
    if (metric == nullptr) continue;
    row.values.emplace_back(column, metric->key == "accuracy" ? 100 * metric->value : metric->value);
  }
  if (!why.empty()) {
    board.notes.push_back(
        fmt::format("{} stands below the table because its numbers are of another kind: {}", run.model, why));
  }
  board.rows.push_back(std::move(row));
}

// An audit holds several generators, each a group of metrics.
void add_audit(const ScoredRun& run, Leaderboard& board) {
  if (run.summary.protocol != kAuditName) {
    board.notes.push_back(fmt::format("{} is not an audit of generators and was left out", run.model));
    return;
  }
  for (const Metric& metric : run.summary.metrics) {
    const std::string name = fmt::format("{} ({})", metric.group, run.model);
    if (board.rows.empty() || board.rows.back().model != name) {
      board.rows.push_back({.model = name, .group = "yours"});
    }
    if (std::find(board.columns.begin(), board.columns.end(), metric.key) != board.columns.end()) {
      board.rows.back().values.emplace_back(metric.key, metric.value);
    }
  }
}

void sort_rows(Leaderboard& board, const std::string& column, bool lower_is_better) {
  const auto standing = [&](const LeaderboardRow& row) {
    const auto value = value_of(row, column);
    const bool comparable = row.group != "yours, not comparable" && value.has_value();
    const double sign = lower_is_better ? 1 : -1;
    return std::pair(!comparable, value ? sign * *value : std::numeric_limits<double>::max());
  };
  std::stable_sort(board.rows.begin(), board.rows.end(),
                   [&](const auto& a, const auto& b) { return standing(a) < standing(b); });
}

}  // namespace

Result<Leaderboard> leaderboard(std::span<const ScoredRun> runs, const ProtocolOptions& protocol_options) {
  AWRY_TRY_ASSIGN(const Options options, read_options(protocol_options));
  AWRY_TRY_ASSIGN(const Json published,
                  parse_json(embedded_file("anomreason/published.json").value_or(""), "published.json"));
  const bool generators = options.table == "generators";
  const Json& table =
      published.at("tables").at(generators ? options.table + "-" + options.assessor : options.table);

  Leaderboard board{.columns = table.at("columns").get<std::vector<std::string>>()};
  for (const Json& row : table.at("rows")) {
    LeaderboardRow read{.model = row.at("model"), .group = row.at("group")};
    for (const std::string& column : board.columns) {
      read.values.emplace_back(column, row.at(column).get<double>());
    }
    board.rows.push_back(std::move(read));
  }
  board.notes.push_back(fmt::format("{} of the paper", table.at("source").get<std::string>()));
  for (const ScoredRun& run : runs) {
    if (generators) {
      add_audit(run, board);
    } else if (run.summary.protocol == kAuditName) {
      board.notes.push_back(
          fmt::format("{} is an audit of generators, which table=generators shows", run.model));
    } else {
      add_run(run, table, board);
    }
  }
  sort_rows(board, table.at("order_by").get<std::string>(), table.at("lower_is_better").get<bool>());
  return board;
}

}  // namespace awry::benchmarks::anomreason
