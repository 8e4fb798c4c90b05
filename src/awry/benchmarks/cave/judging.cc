// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/cave/judging.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "awry/base/text.h"
#include "awry/benchmarks/cave/wording.h"
#include "awry/parse/scan.h"
#include "awry/parse/think.h"

namespace awry::benchmarks::cave {
namespace {

constexpr const char* kFindingAttribute = "finding_id";
constexpr const char* kTruthAttribute = "truth_id";

Question judge_question(const Sample& sample, std::string_view kind, const Finding& finding,
                        const Finding& truth) {
  Question question{.id = fmt::format("{}/judge/{}", finding.id, truth.id),
                    .sample_id = sample.id,
                    .kind = std::string(kind),
                    .images = {0}};
  question.attributes[kFindingAttribute] = finding.id;
  question.attributes[kTruthAttribute] = truth.id;
  return question;
}

// The first word of a reply, without markdown and quotes around it.
std::string first_word(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n*_`\"'#>");
  if (begin == std::string_view::npos) return "";
  std::size_t end = begin;
  while (end < text.size() && parse::is_ascii_letter(text[end])) ++end;
  return to_lower_ascii(text.substr(begin, end - begin));
}

}  // namespace

Result<std::vector<Question>> ask_judge(const AnsweredSample& answered,
                                        const ProtocolOptions& protocol_options) {
  AWRY_TRY_ASSIGN(const Options options, read_options(protocol_options));
  std::vector<Question> questions;
  for (std::size_t i = 0; i < answered.answers.size() && i < answered.questions.size(); ++i) {
    const Question& asked = answered.questions[i];
    const Answer& answer = answered.answers[i];
    if (answer.outcome != Outcome::kAnswered && answer.outcome != Outcome::kJudgeFailed) continue;
    if (asked.kind == kDescribe) {
      for (const Finding& truth : answered.sample.truth) {
        for (const Finding& found : answer.findings) {
          questions.push_back(judge_question(answered.sample, "ad-judge", found, truth));
          AWRY_TRY_ASSIGN(
              questions.back().prompt,
              worded("ad.judge.txt", {{"description", truth.phenomenon}, {"response", found.phenomenon}},
                     options));
        }
      }
    } else if (asked.kind == kExplain) {
      AWRY_TRY_ASSIGN(const std::size_t index, anomaly_index(answered.sample, asked));
      const Finding& truth = answered.sample.truth[index];
      for (const Finding& found : answer.findings) {
        questions.push_back(judge_question(answered.sample, "ae-judge", found, truth));
        const Gaps gaps = {{"description", truth.phenomenon},
                           {"explanation", truth.reasoning},
                           {"response", found.reasoning}};
        AWRY_TRY_ASSIGN(questions.back().prompt, worded("ae.judge.txt", gaps, options));
      }
    }
  }
  return questions;
}

Judgement read_judgement(const Question& question, const Reply& reply) {
  const bool pair = question.kind == "ad-judge";
  Judgement judgement{.finding_id = std::string(attribute(question, kFindingAttribute)),
                      .kind = pair ? kSameAnomaly : kRightExplanation,
                      .by = reply.returned_model.empty() ? reply.model : reply.returned_model};
  if (pair) judgement.truth_id = attribute(question, kTruthAttribute);
  if (reply.outcome != Outcome::kAnswered) return judgement;
  const std::string word = first_word(parse::split_thinking(reply.text).value.answer);
  if (word == "yes" || word == "true") judgement.value = 1;
  if (word == "no" || word == "false") judgement.value = 0;
  return judgement;
}

std::optional<double> rating_named(std::string_view word) {
  const std::string name = to_lower_ascii(trim(word));
  if (name == "better") return 1;
  if (name == "similar") return 0;
  if (name == "worse") return -1;
  return std::nullopt;
}

Result<void> write_judgements(std::span<const Judgement> judgements, std::vector<AnsweredSample>& samples) {
  struct Place {
    std::size_t sample, answer, finding;
  };
  std::map<std::string, Place, std::less<>> places;
  for (std::size_t s = 0; s < samples.size(); ++s) {
    for (std::size_t a = 0; a < samples[s].answers.size(); ++a) {
      for (std::size_t f = 0; f < samples[s].answers[a].findings.size(); ++f) {
        places[samples[s].answers[a].findings[f].id] = {s, a, f};
      }
    }
  }
  for (const Judgement& judgement : judgements) {
    const auto refuse = [&](std::string why) {
      return fail({.what = "cannot use a verdict", .input = judgement.place, .why = std::move(why)});
    };
    const auto found = places.find(judgement.finding_id);
    if (found == places.end())
      return refuse(fmt::format("no answer has a finding '{}'", judgement.finding_id));
    const Place& place = found->second;
    AnsweredSample& of = samples[place.sample];
    Question& question = of.questions[place.answer];
    const std::string_view wanted = judgement.kind == kSameAnomaly        ? kDescribe
                                    : judgement.kind == kRightExplanation ? kExplain
                                                                          : kJustify;
    if (question.kind != wanted) {
      return refuse(fmt::format("'{}' answers a question of kind {}, the verdict is for {}",
                                judgement.finding_id, question.kind, wanted));
    }
    std::string note = judgement.by;
    if (judgement.kind == kSameAnomaly) {
      note = judgement.truth_id;
      const bool known = std::any_of(of.sample.truth.begin(), of.sample.truth.end(),
                                     [&](const Finding& truth) { return truth.id == note; });
      if (!known) return refuse(fmt::format("'{}' has no true anomaly '{}'", of.sample.id, note));
    } else if (judgement.kind == kRightExplanation) {
      note.clear();
    }
    Finding& finding = of.answers[place.answer].findings[place.finding];
    for (const Evidence& evidence : finding.evidence) {
      if (evidence.kind == judgement.kind && evidence.note == note) {
        return refuse(fmt::format("'{}' has such a verdict already", judgement.finding_id));
      }
    }
    finding.evidence.push_back({.kind = judgement.kind, .note = std::move(note), .value = judgement.value});
    if (wanted != kJustify && !judgement.by.empty()) question.attributes[kJudgeAttribute] = judgement.by;
  }
  return {};
}

}  // namespace awry::benchmarks::cave
