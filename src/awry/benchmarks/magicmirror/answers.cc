// SPDX-License-Identifier: Apache-2.0
// Reply -> Answer.
#include <fmt/format.h>

#include "awry/base/text.h"
#include "awry/benchmarks/magicmirror/magicmirror.h"
#include "awry/benchmarks/magicmirror/verdict.h"
#include "awry/parse/parsed.h"
#include "awry/parse/scan.h"
#include "awry/parse/think.h"

namespace awry::benchmarks::magicmirror {
namespace {

void read_assessment(const Question& question, const Reply& reply, Answer& answer) {
  const auto cut_off = reply.finish_reason == "length" ? parse::UnclosedThinking::kIsThinking
                                                       : parse::UnclosedThinking::kMayHoldAnswer;
  VerdictReader reader;
  const Result<Verdict> verdict = reader.read(reply.text);
  const parse::Parsed<parse::ThinkSplit> split = parse::split_thinking(reply.text, cut_off);
  if (!verdict || (cut_off == parse::UnclosedThinking::kIsThinking && split.value.unclosed)) {
    answer.outcome = reply.finish_reason == "length" ? Outcome::kTruncated : Outcome::kUnparsable;
    answer.complaint = verdict ? "the reply ends while still thinking" : verdict.error().message();
    return;
  }
  answer.findings =
      findings_of(verdict->labels, question.id, {.kind = AuthorKind::kModel, .name = reply.model});
  if (verdict->labels.is_normal()) answer.choices = {"normal"};
  for (const Finding& finding : answer.findings) answer.choices.push_back(finding.type);
  if (verdict->as_released) answer.values[kReleasedLabels] = verdict->as_released->bits();
  answer.text = split.value.thinking;
  answer.complaint = parse::complaint_of(verdict->tolerated);
}

// The last word that is yes or no: models explain first.
void read_yes_or_no(const Reply& reply, const char* value, Answer& answer) {
  const std::string text = parse::folded_words(parse::split_thinking(reply.text).value.answer);
  for (const std::string_view word : split(text, ' ')) {
    if (word != "yes" && word != "no") continue;
    const std::string choice(word);
    if (!answer.choices.empty() && answer.choices.front() != choice) {
      answer.complaint = "both yes and no were said: the last counts";
    }
    answer.choices = {choice};
  }
  if (answer.choices.empty()) {
    answer.outcome = reply.finish_reason == "length" ? Outcome::kTruncated : Outcome::kUnparsable;
    answer.complaint = "the reply says neither yes nor no";
    return;
  }
  answer.values[value] = answer.choices.front() == "yes" ? 1 : 0;
}

}  // namespace

Answer parse(const Sample&, const Question& question, const Reply& reply) {
  Answer answer{.question_id = question.id, .outcome = reply.outcome, .complaint = reply.error};
  if (reply.outcome != Outcome::kAnswered) return answer;
  if (question.kind == kAssess) {
    read_assessment(question, reply, answer);
  } else if (question.kind == kSubject) {
    read_yes_or_no(reply, kHasSubject, answer);
  } else if (question.kind == kConsistency) {
    read_yes_or_no(reply, kIsConsistent, answer);
  } else {
    answer.outcome = Outcome::kUnparsable;
    answer.complaint = fmt::format("'{}' is not a kind of question that MagicMirror asks", question.kind);
  }
  return answer;
}

}  // namespace awry::benchmarks::magicmirror
