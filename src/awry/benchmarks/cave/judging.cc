// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/cave/judging.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "awry/base/text.h"
#include "awry/benchmarks/prompts.h"
#include "awry/parse/scan.h"
#include "awry/parse/think.h"

namespace awry::benchmarks::cave {
namespace {

constexpr const char* kTruthAttribute = "truth_id";

Question judge_question(const Sample& sample, std::string_view kind, const Finding& finding,
                        const Finding& truth) {
  Question question{.id = fmt::format("{}/judge/{}", finding.id, truth.id),
                    .sample_id = sample.id,
                    .kind = std::string(kind),
                    .images = {0},
                    .for_judge = true};
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

bool is_judges(const Question& question) {
  return question.kind == kJudgePair || question.kind == kJudgeExplanation;
}

Result<std::vector<Question>> ask_judge(const AnsweredSample& answered,
                                        const ProtocolOptions& protocol_options) {
  AWRY_TRY_ASSIGN(const Options options, read_options(protocol_options));
  AWRY_TRY_ASSIGN(const Prompts prompts, Prompts::open("cave", options.prompts));
  std::vector<Question> questions;
  for (std::size_t i = 0; i < answered.answers.size() && i < answered.questions.size(); ++i) {
    const Question& asked = answered.questions[i];
    const Answer& answer = answered.answers[i];
    if (answer.outcome != Outcome::kAnswered && answer.outcome != Outcome::kJudgeFailed) continue;
    if (asked.kind == kDescribe) {
      for (const Finding& truth : answered.sample.truth) {
        for (const Finding& found : answer.findings) {
          questions.push_back(judge_question(answered.sample, kJudgePair, found, truth));
          const Gaps gaps = {{"description", truth.phenomenon}, {"response", found.phenomenon}};
          AWRY_TRY_ASSIGN(questions.back().prompt,
                          prompts.fill("ad.judge.txt", gaps, {"description", "response"}));
        }
      }
    } else if (asked.kind == kExplain) {
      AWRY_TRY_ASSIGN(const std::size_t index, anomaly_index(answered.sample, asked));
      const Finding& truth = answered.sample.truth[index];
      for (const Finding& found : answer.findings) {
        questions.push_back(judge_question(answered.sample, kJudgeExplanation, found, truth));
        const Gaps gaps = {{"description", truth.phenomenon},
                           {"explanation", truth.reasoning},
                           {"response", found.reasoning}};
        AWRY_TRY_ASSIGN(questions.back().prompt,
                        prompts.fill("ae.judge.txt", gaps, {"explanation", "response"}));
      }
    }
  }
  return questions;
}

Judgement read_judgement(const Question& question, const Reply& reply) {
  const bool pair = question.kind == kJudgePair;
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

Answer answer_of_judge(const Question& question, const Reply& reply) {
  const Judgement judgement = read_judgement(question, reply);
  Answer answer{.question_id = question.id};
  if (!judgement.value) {
    answer.outcome = reply.finish_reason == "length" ? Outcome::kTruncated : Outcome::kUnparsable;
    answer.complaint = "the judge's reply begins with none of Yes, No, True, False";
    return answer;
  }
  answer.choices = {*judgement.value > 0 ? "yes" : "no"};
  answer.text = parse::split_thinking(reply.text).value.answer;
  answer.findings = {
      {.id = judgement.finding_id,
       .type = judgement.kind,
       .reasoning = answer.text,
       .evidence = {{.kind = judgement.kind, .note = judgement.truth_id, .value = judgement.value}},
       .by = {.kind = AuthorKind::kModel, .name = judgement.by}}};
  return answer;
}

Result<void> settle_judged(std::vector<AnsweredSample>& samples) {
  std::vector<Judgement> judgements;
  for (AnsweredSample& of : samples) {
    if (of.questions.size() != of.answers.size()) continue;  // compare() says so
    std::vector<Question> questions;
    std::vector<Answer> answers;
    for (std::size_t i = 0; i < of.questions.size(); ++i) {
      if (!is_judges(of.questions[i])) {
        questions.push_back(std::move(of.questions[i]));
        answers.push_back(std::move(of.answers[i]));
        continue;
      }
      // Without a verdict there is nothing to write: the answer it is about stays unjudged.
      if (of.answers[i].outcome != Outcome::kAnswered) continue;
      for (const Finding& finding : of.answers[i].findings) {
        for (const Evidence& evidence : finding.evidence) {
          judgements.push_back({.finding_id = finding.id,
                                .kind = evidence.kind,
                                .truth_id = evidence.note,
                                .by = finding.by.name,
                                .value = evidence.value,
                                .place = of.questions[i].id});
        }
      }
    }
    of.questions = std::move(questions);
    of.answers = std::move(answers);
  }
  return write_judgements(judgements, samples);
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
