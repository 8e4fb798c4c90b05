// SPDX-License-Identifier: Apache-2.0
// The paper's tables with the user's runs among them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "awry/base/json.h"
#include "awry/base/text.h"
#include "awry/benchmarks/embedded_files.h"
#include "awry/benchmarks/magicmirror/magicmirror.h"

namespace awry::benchmarks::magicmirror {
namespace {

std::optional<double> value_of(const LeaderboardRow& row, std::string_view column) {
  for (const auto& [name, value] : row.values) {
    if (name == column) return value;
  }
  return std::nullopt;
}

Result<Json> published(std::string_view table) {
  AWRY_TRY_ASSIGN(const Json all,
                  parse_json(embedded_file("magicmirror/published.json").value_or(""), "published.json"));
  return all.at(std::string(table));
}

// Where a run's metrics stand in the table: "human" is the key alone, "human_f1" a group and a key.
using ColumnOf = std::string (*)(const Metric&);

Leaderboard board_of(const Json& table, std::span<const ScoredRun> runs, ColumnOf column_of,
                     std::string_view ranked_by) {
  Leaderboard board;
  board.columns = table.at("columns").get<std::vector<std::string>>();
  for (const Json& row : table.at("rows")) {
    LeaderboardRow& read = board.rows.emplace_back();
    read.model = row.at("model"), read.group = row.at("group");
    for (const std::string& column : board.columns) {
      if (row.contains(column)) read.values.emplace_back(column, row.at(column).get<double>());
    }
  }
  for (const ScoredRun& run : runs) {
    LeaderboardRow& row = board.rows.emplace_back();
    row.model = run.model, row.group = "yours";
    for (const std::string& column : board.columns) {
      const auto metric = std::ranges::find_if(
          run.summary.metrics, [&](const Metric& one) { return column_of(one) == column && one.count > 0; });
      if (metric != run.summary.metrics.end()) row.values.emplace_back(column, metric->value);
    }
    if (!value_of(row, ranked_by))
      board.notes.push_back(fmt::format("{} has no {}: it comes last", row.model, ranked_by));
  }
  std::ranges::stable_sort(board.rows, [&](const LeaderboardRow& a, const LeaderboardRow& b) {
    return value_of(a, ranked_by).value_or(-HUGE_VAL) > value_of(b, ranked_by).value_or(-HUGE_VAL);
  });
  return board;
}

Result<void> check_protocol(std::span<const ScoredRun> runs, const Protocol& protocol) {
  for (const ScoredRun& run : runs) {
    if (run.summary.protocol.empty() || run.summary.protocol == protocol.name) continue;
    return fail({.kind = ErrorKind::kUsage,
                 .what = fmt::format("cannot place a run on the leaderboard of {}", protocol.name),
                 .input = run.model,
                 .why = fmt::format("it is a run of {}", run.summary.protocol)});
  }
  return {};
}

Result<std::map<std::string, double>> human_scores(const Json& table, const Options& options) {
  auto scores = table.at("human").get<std::map<std::string, double>>();
  if (options.human.empty()) return scores;
  AWRY_TRY_ASSIGN(const Json own, read_json_file(options.human));
  const auto wrong = [&](std::string why) {
    return fail({.what = "cannot read people's scores",
                 .input = options.human,
                 .why = std::move(why),
                 .hint = R"(It should look like {"model": 63.5}.)"});
  };
  if (!own.is_object()) return wrong("it is not an object");
  for (const auto& [model, score] : own.items()) {
    if (!score.is_number()) return wrong(fmt::format("the score of '{}' is not a number", model));
    scores[model] = score.get<double>();
  }
  return scores;
}

void note_variants(std::span<const ScoredRun> runs, std::string_view usual, Leaderboard& board) {
  for (const ScoredRun& run : runs) {
    const bool comparable = std::ranges::all_of(run.summary.metrics, [&](const Metric& metric) {
      return metric.signature.find(usual) != std::string::npos;
    });
    if (!comparable) {
      board.notes.push_back(
          fmt::format("{} was not scored with {}, as the published rows were", run.model, usual));
    }
  }
}

}  // namespace

Result<Leaderboard> mirror_leaderboard(std::span<const ScoredRun> runs,
                                       const ProtocolOptions& protocol_options) {
  AWRY_TRY(read_mirror_options(protocol_options));
  AWRY_TRY(check_protocol(runs, kMagicMirror));
  AWRY_TRY_ASSIGN(const Json table, published(kMagicMirror.name));
  const ColumnOf column = [](const Metric& metric) { return metric.group + "_" + metric.key; };
  Leaderboard board = board_of(table, runs, column, "l2_macro_f1");
  board.notes.emplace_back(
      "The authors left unreadable replies out and searched replies for keywords; awry counts unreadable "
      "replies as finding nothing unless unanswered=left-out.");
  return board;
}

Result<Leaderboard> bench_leaderboard(std::span<const ScoredRun> runs,
                                      const ProtocolOptions& protocol_options) {
  AWRY_TRY_ASSIGN(const Options options, read_bench_options(protocol_options));
  AWRY_TRY(check_protocol(runs, kMagicBench));
  AWRY_TRY_ASSIGN(const Json table, published(kMagicBench.name));
  const ColumnOf column = [](const Metric& metric) { return metric.key; };
  Leaderboard board = board_of(table, runs, column, "overall");
  note_variants(runs, "variant:released", board);
  AWRY_TRY_ASSIGN(const auto people, human_scores(table, options));
  if (const auto agreement = agreement_with_people(board, people)) {
    board.notes.push_back(fmt::format(
        "overall against people's scores, {} models: Spearman {:.2f}, Pearson {:.2f}, Kendall {:.2f}",
        agreement->items, agreement->spearman, agreement->pearson, agreement->kendall_tau_b));
  }
  return board;
}

Result<score::RankAgreement> agreement_with_people(const Leaderboard& board,
                                                   const std::map<std::string, double>& human_scores) {
  std::vector<double> machine, people;
  for (const LeaderboardRow& row : board.rows) {
    const auto human = human_scores.find(row.model);
    const auto overall = value_of(row, "overall");
    if (human == human_scores.end() || !overall) continue;
    machine.push_back(*overall);
    people.push_back(human->second);
  }
  return score::rank_agreement(machine, people);
}

}  // namespace awry::benchmarks::magicmirror
