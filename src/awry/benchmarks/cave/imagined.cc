// SPDX-License-Identifier: Apache-2.0
// Replies of a model that finds what is there, and no more.
#include "awry/base/json.h"
#include "awry/benchmarks/cave/judging.h"

namespace awry::benchmarks::cave {

std::string imagine(const Sample& sample, const Question& question) {
  if (question.kind == kStep) return "First I look at the whole, then at each thing in it.";
  if (is_judges(question)) return "Yes";
  if (question.kind == kDescribe || question.kind == kDraft) {
    Json described = Json::object();
    for (const Finding& truth : sample.truth) {
      described["anomaly_description_" + std::to_string(described.size() + 1)] = truth.phenomenon;
    }
    return dump_json(described);
  }
  if (question.kind == kExplain) {
    const Result<std::size_t> index = anomaly_index(sample, question);
    if (index && !sample.truth[*index].reasoning.empty()) {
      return dump_json({{"explanation", sample.truth[*index].reasoning}});
    }
  }
  return "";  // leads to nothing
}

}  // namespace awry::benchmarks::cave
