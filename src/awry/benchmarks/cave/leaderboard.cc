// SPDX-License-Identifier: Apache-2.0
// The paper's tables with the user's runs among them. Best F1 of anomaly description first.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "awry/base/json.h"
#include "awry/base/text.h"
#include "awry/benchmarks/cave/cave.h"
#include "awry/benchmarks/embedded_files.h"
#include "awry/benchmarks/find_metric.h"

namespace awry::benchmarks::cave {
namespace {

std::string field_of(std::string_view signature, std::string_view field) {
  for (const std::string_view part : split(signature, '|')) {
    if (part.starts_with(field) && part.substr(field.size()).starts_with(':')) {
      return std::string(part.substr(field.size() + 1));
    }
  }
  return "";
}

std::optional<double> value_of(const LeaderboardRow& row, std::string_view column) {
  for (const auto& [name, value] : row.values) {
    if (name == column) return value;
  }
  return std::nullopt;
}

// Column -> value of a run, in the paper's units.
std::map<std::string, double> values_of(const Summary& summary, const std::string& model,
                                        Leaderboard& board) {
  std::map<std::string, double> values;
  if (const Metric* f1 = find_metric(summary, "ad", "f1")) {
    const std::string prompt = replace_all(field_of(f1->signature, "prompt"), "-", "_");
    const std::string column = "ad_f1_" + prompt;
    if (std::find(board.columns.begin(), board.columns.end(), column) == board.columns.end()) {
      board.notes.push_back(fmt::format("{}: prompt '{}' is none of the paper's, so only 'ad_f1' shows it",
                                        model, field_of(f1->signature, "prompt")));
    } else {
      values[column] = 100 * f1->value;
    }
    values["ad_f1"] = 100 * f1->value;
  }
  struct Source {
    const char *column, *group, *key;
    double unit;
  };
  static constexpr std::array kSources = {Source{"ae_accuracy", "ae", "balanced_accuracy", 100},
                                          Source{"al_iou_share", "al", "iou_share", 100},
                                          Source{"al_coverage_ratio", "al", "coverage_ratio", 1},
                                          Source{"severity_spearman", "severity", "spearman", 1},
                                          Source{"severity_ac2", "severity", "ac2", 1},
                                          Source{"surprisal_spearman", "surprisal", "spearman", 1},
                                          Source{"surprisal_ac2", "surprisal", "ac2", 1},
                                          Source{"complexity_spearman", "complexity", "spearman", 1},
                                          Source{"complexity_ac2", "complexity", "ac2", 1}};
  for (const Source& source : kSources) {
    if (const Metric* metric = find_metric(summary, source.group, source.key)) {
      values[source.column] = source.unit * metric->value;
    }
  }
  return values;
}

LeaderboardRow row_of(std::string model, std::string group, const std::map<std::string, double>& values,
                      const std::vector<std::string>& columns) {
  LeaderboardRow row{.model = std::move(model), .group = std::move(group)};
  for (const std::string& column : columns) {
    if (const auto value = values.find(column); value != values.end())
      row.values.emplace_back(column, value->second);
  }
  return row;
}

}  // namespace

Result<Leaderboard> leaderboard(std::span<const ScoredRun> runs, const ProtocolOptions& protocol_options) {
  AWRY_TRY(read_options(protocol_options));
  AWRY_TRY_ASSIGN(const Json published,
                  parse_json(embedded_file("cave/published.json").value_or(""), "published.json"));
  Leaderboard board;
  for (const Json& column : published.at("columns")) board.columns.push_back(column.get<std::string>());
  for (const Json& row : published.at("rows")) {
    std::map<std::string, double> values;
    for (const std::string& column : board.columns) {
      if (!row.contains(column)) continue;
      values[column] = row.at(column).get<double>();
      if (column.starts_with("ad_f1_")) values["ad_f1"] = std::max(values["ad_f1"], values[column]);
    }
    board.rows.push_back(row_of(row.at("model"), row.at("group"), values, board.columns));
  }
  for (const ScoredRun& run : runs) {
    board.rows.push_back(row_of(run.model, "yours", values_of(run.summary, run.model, board), board.columns));
    if (const Metric* f1 = find_metric(run.summary, "ad", "f1")) {
      board.notes.push_back(fmt::format("{}: judged by '{}'; the paper's judge is GPT-4o", run.model,
                                        field_of(f1->signature, "judge")));
    }
  }
  std::stable_sort(board.rows.begin(), board.rows.end(),
                   [](const LeaderboardRow& a, const LeaderboardRow& b) {
                     return value_of(a, "ad_f1").value_or(-1) > value_of(b, "ad_f1").value_or(-1);
                   });
  for (const Json& note : published.at("notes")) board.notes.push_back(note.get<std::string>());
  return board;
}

}  // namespace awry::benchmarks::cave
