// SPDX-License-Identifier: Apache-2.0
// What judges and raters say of a model's answers: asked, read, and written onto the findings it is about.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "awry/base/result.h"
#include "awry/benchmarks/cave/cave.h"

namespace awry::benchmarks::cave {

struct Judgement {
  std::string finding_id;       // of the model's description, explanation or justification
  std::string kind;             // kSameAnomaly, kRightExplanation, or a criterion
  std::string truth_id;         // kSameAnomaly: the true anomaly it was compared with
  std::string by;               // judge or rater; may be empty
  std::optional<double> value;  // as Evidence::value in cave.h; nullopt: no usable verdict
  std::string place;            // where it was read, for messages; may be empty
};

// One question for every pair of a true and a described anomaly, and one for every explanation. Nothing is
// asked about answers that are none. Kinds are "ad-judge" and "ae-judge".
Result<std::vector<Question>> ask_judge(const AnsweredSample& answered, const ProtocolOptions& options);

bool is_judges(const Question& question);

// Yes, No, True or False at the beginning of a reply to one of these questions; anything else is no verdict.
Judgement read_judgement(const Question& question, const Reply& reply);

// The same as an answer: its one finding carries the verdict as evidence. No verdict is kUnparsable.
Answer answer_of_judge(const Question& question, const Reply& reply);

// Takes the judge's questions and answers out of the samples and writes their verdicts onto what they judge.
Result<void> settle_judged(std::vector<AnsweredSample>& samples);

// A file of verdicts (README, Verdicts).
Result<std::vector<Judgement>> read_verdict_file(const std::filesystem::path& path);

// Errors: a finding or true anomaly that is not there, a true anomaly of another image, the same verdict
// twice.
Result<void> write_judgements(std::span<const Judgement> judgements, std::vector<AnsweredSample>& samples);

std::optional<double> rating_named(std::string_view word);  // better 1, similar 0, worse -1

}  // namespace awry::benchmarks::cave
