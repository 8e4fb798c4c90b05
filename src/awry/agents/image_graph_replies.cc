// SPDX-License-Identifier: Apache-2.0
// The other half of image_graph.h: what a reply means, and what follows from it.
#include <fmt/format.h>

#include <utility>

#include "awry/agents/image_graph.h"
#include "awry/agents/stage_replies.h"
#include "awry/base/text.h"
#include "awry/parse/refusal.h"
#include "awry/parse/think.h"

namespace awry::agents {

std::vector<Marked> ImageGraph::marked_for(const Call& call) const {
  if (call.stage == Stage::kFormat) return mark(before_format_, 'F');
  if (call.object == 0) return {};
  const ObjectWork& work = work_[call.object - 1];
  if (call.stage == Stage::kIntegrateState) return mark(work.merged, 'C');
  if (call.stage != Stage::kIntegrateMerge) return {};
  std::vector<Marked> given = mark(work.attributes, 'A');
  const std::vector<Marked> relations = mark(work.relations, 'R');
  given.insert(given.end(), relations.begin(), relations.end());
  return given;
}

std::vector<Candidate> ImageGraph::take_candidates(const Call& call, std::vector<RawCandidate> raw,
                                                   const std::vector<Marked>& given) {
  std::vector<Candidate> candidates;
  for (RawCandidate& one : raw) {
    if (!given.empty()) trace(one, given);
    Candidate& candidate = one.candidate;
    candidate.stage = call.stage;
    if (call.object > 0) candidate.object = fmt::format("o{}", call.object);
    const std::string place = call.object > 0 ? candidate.object + "/" : "";
    candidate.id = fmt::format("{}{}/{}", place, name_of(call.stage), candidates.size() + 1);
    records_.back().produced.push_back(candidate.id);
    candidates.push_back(std::move(candidate));
  }
  return candidates;
}

ImageGraph::Output ImageGraph::read(const Call& call, const Reply& reply) const {
  Output output{.outcome = reply.outcome, .complaint = reply.error};
  const bool cut_off = reply.outcome == Outcome::kTruncated;
  if (reply.outcome == Outcome::kUnparsable) {  // empty, or a call of a tool
    output.worth_asking_again = true;
    return output;
  }
  if (reply.outcome != Outcome::kAnswered && !cut_off) return output;
  if (cut_off && call.reask < options_.reask) {
    output.complaint = "it was cut off before its end; please be brief enough to finish";
    output.worth_asking_again = true;
    return output;
  }
  const auto unclosed =
      cut_off ? parse::UnclosedThinking::kIsThinking : parse::UnclosedThinking::kMayHoldAnswer;
  const std::string answer = parse::split_thinking(reply.text, unclosed).value.answer;
  std::vector<std::string> tolerated;
  const auto use = [&](auto parsed, auto& target) {
    if (!parsed && parse::declines(answer)) {
      output.outcome = Outcome::kRefused;
      output.complaint = "the model declines: " + std::string(trim(answer));
      return;
    }
    if (!parsed) {
      output.outcome = cut_off ? Outcome::kTruncated : Outcome::kUnparsable;
      output.complaint = parsed.error().message();
      output.worth_asking_again = true;
      return;
    }
    target = std::move(parsed->value);
    tolerated = std::move(parsed->tolerated);
    output.usable = true;
  };
  switch (traits_of(call.stage).form) {
    case ReplyForm::kVerdict:
      use(read_verdict(answer), output.text);
      break;
    case ReplyForm::kObjects:
      use(read_objects(answer), output.objects);
      break;
    case ReplyForm::kSame:
      use(read_same_words(answer, doubtful_.size()), output.text);
      break;
    case ReplyForm::kText:
      use(read_words(answer), output.text);
      break;
    case ReplyForm::kFlaws:
    case ReplyForm::kMerged:
    case ReplyForm::kFinal:
      use(read_candidates(answer), output.candidates);
      break;
  }
  if (output.usable) {
    if (cut_off) tolerated.emplace_back("the reply was cut off; what it said until then counts");
    output.outcome = Outcome::kAnswered;
    output.complaint = parse::complaint_of(tolerated);
  }
  return output;
}

std::vector<Call> ImageGraph::take(const Call& call, const Reply& reply) {
  Output output = read(call, reply);
  if (call.stage >= Stage::kIntegrateMerge && !reply.model.empty()) author_ = reply.model;
  records_.push_back({.id = call.question.id,
                      .stage = call.stage,
                      .object = call.object > 0 ? fmt::format("o{}", call.object) : "",
                      .inputs = call.inputs,
                      .question = call.question,
                      .reply_key = reply.key,
                      .outcome = output.outcome,
                      .reply = reply.text,
                      .complaint = output.complaint,
                      .usage = reply.usage});
  if (output.usable) {
    used_records_[call.first.id] = call.question.id;
    return follow(call, std::move(output));
  }
  if (output.worth_asking_again && call.reask < options_.reask) return {again(call, reply, output.complaint)};
  annotation_.missing.push_back({.stage = call.stage,
                                 .object = records_.back().object,
                                 .outcome = output.outcome,
                                 .why = output.complaint});
  return go_on_without(call, output);
}

std::vector<Call> ImageGraph::follow(const Call& call, Output output) {
  const std::size_t object = call.object;
  switch (call.stage) {
    case Stage::kVerdict:
      annotation_.verdict = std::move(output.text);
      if (annotation_.verdict == kRealVerdict) return finish_with({});
      return perceive();
    case Stage::kPerceive: {
      const std::string id = fmt::format("perceive.{}", call.draft);
      for (std::size_t i = 1; i <= output.objects.size(); ++i) {
        records_.back().produced.push_back(fmt::format("{}/{}", id, i));
      }
      drafts_[call.draft] = {.id = id, .objects = std::move(output.objects)};
      return --drafts_open_ == 0 ? after_drafts() : std::vector<Call>();
    }
    case Stage::kSame:
      same_ = pairs_called_same(output.text, doubtful_);
      return after_drafts();
    case Stage::kAnalyseObserve:
    case Stage::kRelateObserve: {
      const bool relates = call.stage == Stage::kRelateObserve;
      return {call_for(relates ? Stage::kRelateVerify : Stage::kAnalyseVerify, object,
                       {{"observation", output.text}}, {call.first.id})};
    }
    case Stage::kAnalyseVerify:
      work_[object - 1].attributes = take_candidates(call, std::move(output.candidates), {});
      return relate(object);
    case Stage::kRelateVerify:
      work_[object - 1].relations = take_candidates(call, std::move(output.candidates), {});
      return integrate(object);
    case Stage::kIntegrateMerge:
      work_[object - 1].merged = take_candidates(call, std::move(output.candidates), marked_for(call));
      return state(object);
    case Stage::kIntegrateState:
      work_[object - 1].stated = take_candidates(call, std::move(output.candidates), marked_for(call));
      return object_done(object);
    case Stage::kFormat:
      return finish_with(take_candidates(call, std::move(output.candidates), marked_for(call)));
  }
  return {};
}

std::vector<Call> ImageGraph::go_on_without(const Call& call, const Output&) {
  const std::size_t object = call.object;
  switch (call.stage) {
    case Stage::kVerdict:
      return perceive();
    case Stage::kPerceive:
      return --drafts_open_ == 0 ? after_drafts() : std::vector<Call>();
    case Stage::kSame:
      return after_drafts();
    case Stage::kAnalyseObserve:
    case Stage::kAnalyseVerify:
      work_[object - 1].attributes_failed = true;
      return relate(object);
    case Stage::kRelateObserve:
    case Stage::kRelateVerify:
      return integrate(object);
    case Stage::kIntegrateMerge:
    case Stage::kIntegrateState: {
      ObjectWork& work = work_[object - 1];
      if (call.stage == Stage::kIntegrateMerge) {
        // Copies under names of their own, so that every candidate still has one record.
        for (const Marked& given : marked_for(call)) {
          Candidate copy = *given.candidate;
          copy.from = {copy.id};
          copy.traced = Traced::kNamed;
          copy.stage = Stage::kIntegrateMerge;
          copy.id = fmt::format("o{}/unmerged/{}", object, work.merged.size() + 1);
          work.merged.push_back(std::move(copy));
        }
      }
      return object_done(object);
    }
    case Stage::kFormat: {
      std::vector<Candidate> finals = before_format_;
      for (Candidate& final : finals) {
        final.from = {final.id};
        final.traced = Traced::kNamed;
        final.contradicts.clear();
        final.id = fmt::format("unformatted/{}", &final - finals.data() + 1);
      }
      return finish_with(std::move(finals));
    }
  }
  return {};
}

}  // namespace awry::agents
