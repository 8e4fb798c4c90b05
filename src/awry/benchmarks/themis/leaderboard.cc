// SPDX-License-Identifier: Apache-2.0
// The paper's table with the user's runs among it; the index is recomputed over all of them.
#include <fmt/format.h>

#include <algorithm>

#include "awry/base/json.h"
#include "awry/base/text.h"
#include "awry/benchmarks/embedded_files.h"
#include "awry/benchmarks/themis/themis.h"
#include "awry/score/bri.h"

namespace awry::benchmarks::themis {
namespace {

std::optional<double> value_of(const LeaderboardRow& row, std::string_view column) {
  for (const auto& [name, value] : row.values) {
    if (name == column) return value;
  }
  return std::nullopt;
}

// Column "splicing_id" is metric "id" of group "splicing".
std::optional<double> percent_from(const Summary& summary, std::string_view column) {
  for (const Metric& metric : summary.metrics) {
    if (metric.group + "_" + metric.key == column) return 100 * metric.value;
  }
  return std::nullopt;
}

LeaderboardRow row_of(const ScoredRun& run, const std::vector<std::string>& columns) {
  LeaderboardRow row{.model = run.model, .group = "yours"};
  for (const std::string& column : columns) {
    if (const auto value = percent_from(run.summary, column)) row.values.emplace_back(column, *value);
  }
  return row;
}

// Keeps the published models that are named, by themselves or by their group.
Result<void> keep_cohort(std::vector<LeaderboardRow>& rows, std::string_view cohort) {
  if (trim(cohort).empty()) return {};
  std::vector<std::string> wanted;
  for (const std::string_view name : split(cohort, ',')) wanted.push_back(casefold(trim(name)));
  const auto names = [](const LeaderboardRow& row, const std::string& name) {
    return casefold(row.model) == name || casefold(row.group) == name;
  };
  for (const std::string& name : wanted) {
    const bool known = name == "none" ||
                       std::ranges::any_of(rows, [&](const LeaderboardRow& row) { return names(row, name); });
    if (known) continue;
    std::vector<std::string> candidates;
    for (const LeaderboardRow& row : rows) candidates.push_back(row.model);
    const auto near = did_you_mean(name, candidates);
    return fail({.kind = ErrorKind::kUsage,
                 .what = "no published model or group is called",
                 .input = name,
                 .hint = near ? fmt::format("Did you mean '{}'?", *near)
                              : "Groups are proprietary and open; none leaves only your runs."});
  }
  std::erase_if(rows, [&](const LeaderboardRow& row) {
    return std::ranges::none_of(wanted, [&](const std::string& name) { return names(row, name); });
  });
  return {};
}

bool was_repaired(const Summary& summary) {
  return std::ranges::any_of(summary.metrics, [](const Metric& metric) {
    return metric.signature.find("|release:repaired") != std::string::npos;
  });
}

// How many models the index rests on.
Result<std::size_t> place_by_index(Leaderboard& board, const std::vector<std::string>& inputs,
                                   double lambda) {
  std::vector<std::vector<double>> cohort;
  std::vector<LeaderboardRow*> members;
  for (LeaderboardRow& row : board.rows) {
    std::vector<double> values;
    std::vector<std::string> lacking;
    for (const std::string& input : inputs) {
      if (const auto value = value_of(row, input)) {
        values.push_back(*value);
      } else {
        lacking.push_back(input);
      }
    }
    if (lacking.empty()) {
      cohort.push_back(std::move(values));
      members.push_back(&row);
    } else {
      board.notes.push_back(fmt::format("{} has no bri: it lacks {}", row.model, join(lacking, ", ")));
    }
  }
  AWRY_TRY_ASSIGN(const std::vector<double> indices, score::balanced_robustness(cohort, lambda));
  for (std::size_t i = 0; i < members.size(); ++i) {
    members[i]->values.insert(members[i]->values.begin(), {"bri", 100 * indices[i]});
  }
  std::stable_sort(board.rows.begin(), board.rows.end(),
                   [](const LeaderboardRow& a, const LeaderboardRow& b) {
                     return value_of(a, "bri").value_or(-1e9) > value_of(b, "bri").value_or(-1e9);
                   });
  return members.size();
}

}  // namespace

Result<Leaderboard> leaderboard(std::span<const ScoredRun> runs, const ProtocolOptions& protocol_options) {
  AWRY_TRY_ASSIGN(const Options options, read_options(protocol_options));
  AWRY_TRY_ASSIGN(const Json published,
                  parse_json(embedded_file("themis/published.json").value_or(""), "published.json"));

  Leaderboard board;
  for (const Json& column : published.at("columns")) board.columns.push_back(column.get<std::string>());
  for (const Json& row : published.at("rows")) {
    LeaderboardRow read{.model = row.at("model"), .group = row.at("group")};
    for (const std::string& column : board.columns) {
      if (column != "bri" && row.contains(column))
        read.values.emplace_back(column, row.at(column).get<double>());
    }
    board.rows.push_back(std::move(read));
  }
  AWRY_TRY(keep_cohort(board.rows, options.cohort));
  for (const ScoredRun& run : runs) {
    board.rows.push_back(row_of(run, board.columns));
    if (was_repaired(run.summary)) {
      board.notes.push_back(fmt::format(
          "{} was scored on repaired questions, the published models on the release as it is", run.model));
    }
  }

  const auto inputs = published.at("bri").at("columns").get<std::vector<std::string>>();
  AWRY_TRY_ASSIGN(const std::size_t cohort, place_by_index(board, inputs, options.lambda));
  board.notes.push_back(fmt::format("bri: lambda {}, over {} models; it moves when a model joins or leaves",
                                    options.lambda, cohort));
  return board;
}

}  // namespace awry::benchmarks::themis
