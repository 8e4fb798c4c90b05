// SPDX-License-Identifier: Apache-2.0
// The paper's tables with the user's runs among them.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "awry/base/json.h"
#include "awry/benchmarks/embedded_files.h"
#include "awry/benchmarks/option_reader.h"
#include "awry/benchmarks/tgad/tgad.h"

namespace awry::benchmarks::tgad {
namespace {

constexpr std::array<std::string_view, 5> kTables = {"prompts", "parts", "panel", "panel_resized",
                                                     "panel_padded"};
constexpr std::array kMapColumns = {"i_auroc", "p_auroc", "au_pro"};
constexpr std::array kPartColumns = {"ev2_i_auroc", "ev2_p_auroc", "ev2_au_pro", "ev1_i_auroc",
                                     "ev1_p_auroc", "ev1_au_pro",  "parts"};

std::optional<double> value_of(const LeaderboardRow& row, std::string_view column) {
  for (const auto& [name, value] : row.values) {
    if (name == column) return value;
  }
  return std::nullopt;
}

std::optional<double> percent_from(const Summary& summary, std::string_view group, std::string_view key) {
  for (const Metric& metric : summary.metrics) {
    if (metric.group == group && metric.key == key) return 100 * metric.value;
  }
  return std::nullopt;
}

LeaderboardRow published_row(const Json& row, const std::vector<std::string>& columns) {
  LeaderboardRow read{.model = row.at("model").get<std::string>(), .group = "published"};
  if (row.contains("variant")) read.model += fmt::format(", {}", row.at("variant").get<std::string>());
  for (const std::string& column : columns) {
    if (row.contains(column)) read.values.emplace_back(column, row.at(column).get<double>());
  }
  return read;
}

void add_run(const ScoredRun& run, Leaderboard& board) {
  LeaderboardRow row{.model = run.model, .group = "yours"};
  for (const char* column : kMapColumns) {
    if (const auto value = percent_from(run.summary, "", column)) row.values.emplace_back(column, *value);
  }
  if (row.values.empty()) {
    board.notes.push_back(
        fmt::format("{} has no scores of whole classes: it cannot join this table", run.model));
    return;
  }
  board.rows.push_back(std::move(row));
}

// One row for each number of instructed parts, as in the paper.
void add_run_by_parts(const ScoredRun& run, Leaderboard& board) {
  bool joined = false;
  for (int parts = 1; parts <= 3; ++parts) {
    LeaderboardRow row{.model = run.model, .group = "yours"};
    for (const std::string& column : board.columns) {
      if (column == "parts") continue;
      const std::string group =
          fmt::format("{}_part{}/{}", parts, parts == 1 ? "" : "s", column.substr(0, 3));
      if (const auto value = percent_from(run.summary, group, column.substr(4))) {
        row.values.emplace_back(column, *value);
      }
    }
    if (row.values.empty()) continue;
    row.values.emplace_back("parts", parts);
    board.rows.push_back(std::move(row));
    joined = true;
  }
  if (!joined) {
    board.notes.push_back(fmt::format(
        "{} has no EV1 and EV2 scores: score it with component tags to join this table", run.model));
  }
}

}  // namespace

Result<Leaderboard> leaderboard(std::span<const ScoredRun> runs, const ProtocolOptions& options) {
  OptionReader read("tgad", options);
  const std::string table = read.choice("table", kTables);
  AWRY_TRY(read.finish());
  AWRY_TRY_ASSIGN(const Json published,
                  parse_json(embedded_file("tgad/published.json").value_or(""), "published.json"));
  const bool by_parts = table == "parts";
  Leaderboard board;
  if (by_parts) {
    board.columns.assign(kPartColumns.begin(), kPartColumns.end());
  } else {
    board.columns.assign(kMapColumns.begin(), kMapColumns.end());
  }
  for (const Json& row : published.at(table).at("rows")) {
    board.rows.push_back(published_row(row, board.columns));
  }
  for (const ScoredRun& run : runs) by_parts ? add_run_by_parts(run, board) : add_run(run, board);
  std::ranges::stable_sort(board.rows, std::greater<>(), [&](const LeaderboardRow& row) {
    return value_of(row, board.columns.front()).value_or(-1);
  });
  board.notes.push_back(published.at(table).at("about").get<std::string>() +
                        "; published rows are means over classes at 224x224, in percent");
  return board;
}

}  // namespace awry::benchmarks::tgad
