// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "awry/benchmarks/cave/json_rows.h"
#include "awry/benchmarks/cave/judging.h"

namespace awry::benchmarks::cave {
namespace {

constexpr const char* kWhat = "cannot read verdicts";

Result<std::string> read_author(JsonRow& row) {
  AWRY_TRY_ASSIGN(const Json* by, row.find({"by"}));
  if (by == nullptr || by->is_null()) return std::string();
  if (by->is_string()) return by->get<std::string>();
  AWRY_TRY_ASSIGN(JsonRow author, row.inside(*by, "field 'by'"));
  return author.text({"name"});
}

Result<std::optional<double>> decision(const JsonRow& row, std::string_view word) {
  if (word == "accept") return 1;
  if (word == "reject") return 0;
  if (word == "unsure") return std::nullopt;
  return row.error(fmt::format("decision '{}' is none of accept, reject, unsure", word));
}

Result<Judgement> read_row(JsonRow& row, const std::string& file) {
  Judgement judgement{.place = fmt::format("{}, {}", file, row.place())};
  AWRY_TRY_ASSIGN(judgement.finding_id, row.text({"finding_id"}));
  if (judgement.finding_id.empty()) return row.error("field 'finding_id' is missing or empty");
  AWRY_TRY_ASSIGN(judgement.truth_id, row.text({"truth_id"}));
  AWRY_TRY_ASSIGN(judgement.by, read_author(row));
  AWRY_TRY_ASSIGN(const std::string criterion, row.text({"criterion"}));
  AWRY_TRY_ASSIGN(const std::string word, row.text({"decision"}));
  AWRY_TRY_ASSIGN(const std::string rating, row.text({"rating"}));
  for (const char* carried : {"id", "note", "created"}) AWRY_TRY(row.find({carried}));
  AWRY_TRY(row.finish());
  if (!criterion.empty()) {
    if (std::find(kCriteria.begin(), kCriteria.end(), criterion) == kCriteria.end()) {
      return row.error(fmt::format("criterion '{}' is none of {}", criterion, fmt::join(kCriteria, ", ")));
    }
    judgement.kind = criterion;
    judgement.value = rating_named(rating);
    if (!judgement.value)
      return row.error(fmt::format("rating '{}' is none of better, similar, worse", rating));
    return judgement;
  }
  judgement.kind = judgement.truth_id.empty() ? kRightExplanation : kSameAnomaly;
  AWRY_TRY_ASSIGN(judgement.value, decision(row, word));
  return judgement;
}

}  // namespace

Result<std::vector<Judgement>> read_verdict_file(const std::filesystem::path& path) {
  AWRY_TRY_ASSIGN(const JsonRows read, read_json_rows(path, "verdicts", "value", kWhat));
  std::vector<Judgement> judgements;
  for (std::size_t i = 0; i < read.rows.size(); ++i) {
    AWRY_TRY_ASSIGN(JsonRow row, JsonRow::open(read.rows[i], kWhat, path.string(), read.places[i]));
    AWRY_TRY_ASSIGN(Judgement judgement, read_row(row, path.string()));
    judgements.push_back(std::move(judgement));
  }
  return judgements;
}

}  // namespace awry::benchmarks::cave
