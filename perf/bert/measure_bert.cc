// SPDX-License-Identifier: Apache-2.0
// measure_bert MODEL JOB f32|int8|cached: scores the pairs of JOB on one thread and prints seconds, scores
// and the largest memory as JSON; "cached" is f32 with the truths in an embedding cache. JOB is
// [{"predictions": [...], "truths": [...]}].
#include <fmt/format.h>
#include <sys/resource.h>

#include <cstdlib>
#include <ctime>
#include <memory>

#include "awry/base/json.h"
#include "awry/inspectors/networks/bert_score.h"

namespace {

using namespace awry;
namespace networks = awry::inspectors::networks;

double processor_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

Result<Json> measure(char** arguments) {
  const bool int8 = std::string_view(arguments[3]) == "int8";
  AWRY_TRY_ASSIGN(const Json job, read_json_file(arguments[2]));
  std::vector<std::vector<std::string>> kept;
  std::vector<networks::TextPairs> pairs;
  for (const Json& block : job) {
    for (const char* const side : {"predictions", "truths"}) {
      kept.push_back(block[side].get<std::vector<std::string>>());
    }
  }
  for (std::size_t i = 0; i < kept.size(); i += 2) {
    pairs.push_back({{kept[i].begin(), kept[i].end()}, {kept[i + 1].begin(), kept[i + 1].end()}});
  }
  AWRY_TRY_ASSIGN(auto model, networks::TextModel::open(
                                  arguments[1],
                                  {.layer = 5,
                                   .precision = int8 ? networks::Precision::kInt8 : networks::Precision::kF32,
                                   .threads = 1}));
  // Loading is not counted, on either side; nor is the check that eight bits bring along.
  AWRY_TRY(model->encoder());
  networks::BertScoreOptions options{.memory_bytes = 256ULL << 20, .check_precision = false};
  AWRY_TRY(networks::bert_score(*model, std::span(pairs).first(1), options));
  const bool cached = std::string_view(arguments[3]) == "cached";
  if (cached) {
    options.embedder.cache = std::filesystem::path(arguments[1]) / "cache";
    std::vector<networks::TextPairs> truths;
    for (const networks::TextPairs& each : pairs) truths.push_back({each.truths, each.truths});
    AWRY_TRY(networks::bert_score(*model, truths, options));
  }
  double best = 1e9;
  Json scores = Json::array();
  for (int round = 0; round < (cached ? 1 : 2); ++round) {
    const double start = processor_seconds();
    AWRY_TRY_ASSIGN(const networks::BertScoreJob done, networks::bert_score(*model, pairs, options));
    best = std::min(best, processor_seconds() - start);
    scores = Json::array();
    for (const auto& block : done.scores) {
      Json row = Json::array();
      for (const networks::BertScore& score : block) row.push_back(score.f1);
      scores.push_back(std::move(row));
    }
  }
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return Json{{"seconds", best}, {"megabytes", usage.ru_maxrss / 1024}, {"scores", std::move(scores)}};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const auto result = measure(argv);
  fmt::print("{}\n", result ? dump_json(*result) : result.error().message());
  return result ? 0 : 1;
}
