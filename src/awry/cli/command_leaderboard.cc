// SPDX-License-Identifier: Apache-2.0
// awry leaderboard PROTOCOL: the paper's table, with the user's runs among its rows.
#include <algorithm>

#include "awry/base/files.h"
#include "awry/base/json.h"
#include "awry/benchmarks/anomreason/audit.h"
#include "awry/cli/benchmark_output.h"
#include "awry/cli/command.h"
#include "awry/cli/stored_run.h"

namespace awry::cli {
namespace {

struct LeaderboardOptions {
  std::string protocol;
  std::vector<std::string> add;
  std::vector<std::string> options;
  std::filesystem::path runs = "runs";
  bool json = false;
  std::filesystem::path output;
};

void declare(LeaderboardOptions& options, OptionSet& set) {
  set.describe(
      "Prints the table of the protocol's paper, best first. With --add, your runs are placed among the "
      "published models, and scores that depend on who else is in the table are computed again.");
  set.positional(options.protocol, "protocol",
                 {.help = fmt::format("One of {}.", protocol_names()), .required = true});
  set.list(options.add, "add",
           {.placeholder = "RUN",
            .help = "A run: its id, 'latest', its folder, or a FILE.json that awry score wrote."});
  declare_protocol_options(set, options.options);
  declare_runs_folder(set, options.runs);
  declare_json(set, options.json);
  declare_output(set, options.output);
  set.example("awry leaderboard themis", "the published models");
  set.example("awry leaderboard themis --add latest", "and where your last run stands");
  set.example("awry leaderboard themis --add mine.json", "and where `awry score ... -o mine.json` stands");
}

Result<benchmarks::ScoredRun> read_scored_run(const std::string& name, const LeaderboardOptions& options) {
  AWRY_TRY_ASSIGN(StoredRun stored, find_stored_run(options.runs, name));
  // An audit of generators joins the generators of the paper that defines it.
  const bool is_audit =
      stored.summary.protocol == benchmarks::anomreason::kAuditName && options.protocol == "anomreason";
  if (stored.summary.protocol != options.protocol && !is_audit) {
    return fail(
        {.what = "cannot place run",
         .input = name,
         .why = fmt::format("it was scored for {}, not {}", stored.summary.protocol, options.protocol)});
  }
  // A file of scores is called like its model, or the other way round.
  const bool says_all = std::filesystem::path(stored.run.id).stem() == stored.run.model;
  return benchmarks::ScoredRun{
      .model = says_all ? stored.run.model : fmt::format("{} ({})", stored.run.model, stored.run.id),
      .summary = std::move(stored.summary)};
}

const double* value_of(const benchmarks::LeaderboardRow& row, const std::string& column) {
  const auto found = std::ranges::find(row.values, column,
                                       [](const auto& pair) -> const std::string& { return pair.first; });
  return found == row.values.end() ? nullptr : &found->second;
}

Table table_of(const benchmarks::Leaderboard& board) {
  Table table{.columns = {{.key = "model"}, {.key = "group"}}};
  for (const std::string& column : board.columns) table.columns.push_back({.key = column, .decimals = 2});
  for (const benchmarks::LeaderboardRow& row : board.rows) {
    const Tone tone = row.group == "yours" ? Tone::kStrong : Tone::kPlain;
    std::vector<Cell> cells = {Cell(row.model, tone), Cell(row.group)};
    for (const std::string& column : board.columns) {
      const double* value = value_of(row, column);
      cells.push_back(value != nullptr ? Cell(*value, tone) : Cell());
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

std::string json_of(const benchmarks::Leaderboard& board, const std::string& protocol) {
  Json rows = Json::array();
  for (const benchmarks::LeaderboardRow& row : board.rows) {
    Json json = {{"model", row.model}, {"group", row.group}};
    for (const std::string& column : board.columns) {
      const double* value = value_of(row, column);
      json[column] = value != nullptr ? Json(*value) : Json(nullptr);
    }
    rows.push_back(std::move(json));
  }
  return dump_json_pretty({{"protocol", protocol}, {"rows", std::move(rows)}, {"notes", board.notes}});
}

Result<int> run(const LeaderboardOptions& options, Context& context) {
  AWRY_TRY_ASSIGN(const benchmarks::Protocol* protocol, protocol_called(options.protocol));
  if (protocol->leaderboard == nullptr) {
    return fail({.kind = ErrorKind::kUsage,
                 .what = "no leaderboard for",
                 .input = options.protocol,
                 .why = "its paper prints no table that a run could join"});
  }
  AWRY_TRY_ASSIGN(const benchmarks::ProtocolOptions switches, protocol_options_of(options.options));
  std::vector<benchmarks::ScoredRun> runs;
  for (const std::string& name : options.add) {
    AWRY_TRY_ASSIGN(benchmarks::ScoredRun scored, read_scored_run(name, options));
    runs.push_back(std::move(scored));
  }
  AWRY_TRY_ASSIGN(const benchmarks::Leaderboard board, protocol->leaderboard(runs, switches));
  const std::string ending = options.output.extension().string();
  if (ending == ".json") {
    AWRY_TRY(write_file(options.output, json_of(board, options.protocol)));
  } else if (options.json && options.output.empty()) {
    context.out.write(json_of(board, options.protocol));
  } else {
    AWRY_TRY(write_table(context.out, table_of(board), {.file = options.output}));
  }
  for (const std::string& note : board.notes) context.say("{}", note);
  return kExitDone;
}

}  // namespace

std::unique_ptr<CommandInstance> make_leaderboard() {
  return make_command<LeaderboardOptions>(declare, run);
}

}  // namespace awry::cli
