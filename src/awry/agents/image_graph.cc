// SPDX-License-Identifier: Apache-2.0
#include "awry/agents/image_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <tuple>
#include <utility>

#include "awry/agents/merging.h"
#include "awry/agents/stage_replies.h"
#include "awry/base/text.h"
#include "awry/parse/think.h"

namespace awry::agents {
namespace {

template <class T>
void append(std::vector<T>& list, const std::vector<T>& more) {
  list.insert(list.end(), more.begin(), more.end());
}

std::vector<Marked> mark(const std::vector<Candidate>& candidates, char letter) {
  std::vector<Marked> marked;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    marked.push_back({fmt::format("{}{}", letter, i + 1), &candidates[i]});
  }
  return marked;
}

std::string contradictions_among(const std::vector<Marked>& given) {
  std::vector<std::string> pairs;
  for (const Marked& one : given) {
    for (const std::string& other : one.candidate->contradicts) {
      const auto found = std::ranges::find(given, other, [](const Marked& m) { return m.candidate->id; });
      if (found != given.end() && &*found > &one)
        pairs.push_back(fmt::format("{} and {}", one.mark, found->mark));
    }
  }
  return pairs.empty() ? ""
                       : fmt::format("\nThese seem to exclude each other: {}.\n", awry::join(pairs, "; "));
}

bool has(const std::vector<std::string>& list, const std::string& value) {
  return std::ranges::find(list, value) != list.end();
}

// Anomalies made of candidates that exclude each other name one another; one made of both has settled it.
void carry_contradictions(const std::vector<Candidate>& before, ImageAnnotation& annotation) {
  for (const Candidate& candidate : before) {
    for (const std::string& other : candidate.contradicts) {
      if (other < candidate.id) continue;  // each pair once
      for (Anomaly& a : annotation.anomalies) {
        if (has(a.from, candidate.id) && has(a.from, other)) {
          annotation.notes.push_back(fmt::format("{} settles the contradiction between {} and {}",
                                                 a.finding.id, candidate.id, other));
        }
        for (Anomaly& b : annotation.anomalies) {
          if (&a == &b || !has(a.from, candidate.id) || has(a.from, other)) continue;
          if (!has(b.from, other) || has(b.from, candidate.id)) continue;
          if (!has(a.contradicts, b.finding.id)) a.contradicts.push_back(b.finding.id);
          if (!has(b.contradicts, a.finding.id)) b.contradicts.push_back(a.finding.id);
        }
      }
    }
  }
}

}  // namespace

ImageGraph::ImageGraph(Sample sample, const AgentOptions& options, const StagePrompts& prompts)
    : options_(options), prompts_(prompts) {
  annotation_.sample = std::move(sample);
}

// --- calls ---

std::string ImageGraph::record_id(Stage stage, std::size_t object, int draft) const {
  if (object > 0) return fmt::format("{}/o{}/{}", sample().id, object, name_of(stage));
  if (draft > 0) return fmt::format("{}/{}.{}", sample().id, name_of(stage), draft);
  return fmt::format("{}/{}", sample().id, name_of(stage));
}

Call ImageGraph::call_for(Stage stage, std::size_t object, Gaps gaps, const std::vector<std::string>& inputs,
                          int draft) const {
  Call call{.stage = stage, .object = object, .draft = draft};
  // By the record whose reply was used: that of a repetition, if the first could not be read; none if none
  // could.
  for (const std::string& input : inputs) {
    if (const auto used = used_records_.find(input); used != used_records_.end())
      call.inputs.push_back(used->second);
  }
  if (object > 0) {
    const SceneObject& seen = annotation_.objects[object - 1];
    gaps["object"] = seen.name;
    gaps["description"] = seen.description;
    gaps["names"] = names_besides(object);
  }
  const auto wording = static_cast<std::size_t>(std::max(0, draft - 1));
  Question& question = call.first;
  question.id = record_id(stage, object, draft);
  question.sample_id = sample().id;
  question.kind = fmt::format("annotate/{}", name_of(stage));
  question.prompt = prompts_.fill(stage, std::move(gaps), wording);
  // Drafts beyond the number of wordings ask the same again: the repeat keeps their replies apart.
  question.repeat = static_cast<int>(wording / prompts_.wordings(stage));
  if (traits_of(stage).shows_image) question.images = {0};
  if (prompts_.asks_for_json(stage)) question.attributes["response_format"] = R"({"type":"json_object"})";
  call.question = question;
  return call;
}

Call ImageGraph::again(const Call& call, const Reply& reply, const std::string& complaint) const {
  Call next = call;
  ++next.reask;
  next.question = call.first;
  next.question.id = fmt::format("{}/again.{}", call.first.id, next.reask);
  next.question.earlier = {{.prompt = call.first.prompt, .reply = reply.text}};
  next.question.prompt = prompts_.fill_reask(call.stage, complaint);
  next.inputs = {call.question.id};
  return next;
}

std::vector<Call> ImageGraph::begin() {
  if (options_.verdict) return {call_for(Stage::kVerdict, 0, {}, {})};
  return perceive();
}

std::vector<Call> ImageGraph::perceive() {
  std::vector<Call> calls;
  drafts_open_ = options_.drafts;
  for (int draft = 1; draft <= options_.drafts; ++draft) {
    calls.push_back(call_for(Stage::kPerceive, 0, {}, {}, draft));
  }
  return calls;
}

std::string ImageGraph::others_than(std::size_t object) const {
  std::vector<std::string> lines;
  for (std::size_t i = 1; i <= annotation_.objects.size(); ++i) {
    const SceneObject& other = annotation_.objects[i - 1];
    if (i != object) lines.push_back(fmt::format("- {}: {}", other.name, other.description));
  }
  return lines.empty() ? "- nothing else was seen" : awry::join(lines, "\n");
}

std::string ImageGraph::names_besides(std::size_t object) const {
  std::vector<std::string> names;
  for (std::size_t i = 1; i <= annotation_.objects.size(); ++i) {
    if (i != object) names.push_back(annotation_.objects[i - 1].name);
  }
  return names.empty() ? "nothing else" : awry::join(names, ", ");
}

// --- what follows ---

std::vector<Call> ImageGraph::after_drafts() {
  if (drafts_.empty()) {
    annotation_.failed = true;
    finished_ = true;
    sort_records();
    return {};
  }
  std::vector<Draft> drafts;
  for (const auto& [number, draft] : drafts_) drafts.push_back(draft);
  MergedObjects merged = merge_drafts(drafts, options_.max_objects, same_);
  if (options_.ask_same && doubtful_.empty() && !merged.doubtful.empty()) {
    doubtful_ = std::move(merged.doubtful);
    std::vector<std::string> inputs;
    for (const auto& [number, draft] : drafts_) inputs.push_back(record_id(Stage::kPerceive, 0, number));
    return {call_for(Stage::kSame, 0, {{"pairs", print_pairs(doubtful_)}}, inputs)};
  }
  if (merged.left_out > 0) {
    annotation_.notes.push_back(fmt::format("{} objects beyond the first {} were not examined",
                                            merged.left_out, options_.max_objects));
  }
  annotation_.objects = std::move(merged.objects);
  work_.resize(annotation_.objects.size());
  return examine_objects();
}

std::vector<Call> ImageGraph::examine_objects() {
  std::vector<Call> calls;
  for (std::size_t i = 1; i <= annotation_.objects.size(); ++i) {
    std::vector<std::string> inputs;
    for (const std::string& seen : annotation_.objects[i - 1].seen) {
      inputs.push_back(fmt::format("{}/{}", sample().id, seen.substr(0, seen.rfind('/'))));
    }
    calls.push_back(call_for(Stage::kAnalyseObserve, i, {}, inputs));
  }
  return calls;
}

std::vector<Call> ImageGraph::relate(std::size_t object) {
  const ObjectWork& work = work_[object - 1];
  std::string attributes = work.attributes_failed    ? "Not known: it could not be examined by itself."
                           : work.attributes.empty() ? "Nothing."
                                                     : print_marked(mark(work.attributes, 'A'));
  return {call_for(Stage::kRelateObserve, object,
                   {{"attributes", std::move(attributes)}, {"others", others_than(object)}},
                   {record_id(Stage::kAnalyseVerify, object, 0)})};
}

std::vector<Call> ImageGraph::integrate(std::size_t object) {
  const ObjectWork& work = work_[object - 1];
  if (work.attributes.empty() && work.relations.empty()) return object_done(object);
  Call call{.stage = Stage::kIntegrateMerge, .object = object};
  return {
      call_for(Stage::kIntegrateMerge, object, {{"candidates", print_marked(marked_for(call))}},
               {record_id(Stage::kAnalyseVerify, object, 0), record_id(Stage::kRelateVerify, object, 0)})};
}

std::vector<Call> ImageGraph::state(std::size_t object) {
  if (work_[object - 1].merged.empty()) return object_done(object);
  Call call{.stage = Stage::kIntegrateState, .object = object};
  return {call_for(Stage::kIntegrateState, object, {{"candidates", print_marked(marked_for(call))}},
                   {record_id(Stage::kIntegrateMerge, object, 0)})};
}

std::vector<Call> ImageGraph::object_done(std::size_t object) {
  work_[object - 1].done = true;
  if (!std::ranges::all_of(work_, &ObjectWork::done)) return {};
  return format();
}

std::vector<Call> ImageGraph::format() {
  std::vector<Candidate> stated;
  std::vector<std::string> inputs;
  for (std::size_t i = 1; i <= work_.size(); ++i) {
    const ObjectWork& work = work_[i - 1];
    append(annotation_.candidates, work.attributes);
    append(annotation_.candidates, work.relations);
    append(annotation_.candidates, work.merged);
    append(annotation_.candidates, work.stated);
    append(stated, !work.stated.empty() ? work.stated : work.merged);
    inputs.push_back(record_id(work.stated.empty() ? Stage::kIntegrateMerge : Stage::kIntegrateState, i, 0));
  }
  MergedCandidates merged = merge_candidates(std::move(stated));
  before_format_ = std::move(merged.kept);
  append(merged.joined, before_format_);
  // What merging found out belongs to the candidates' records as well.
  for (const Candidate& now : merged.joined) {
    *std::ranges::find(annotation_.candidates, now.id, &Candidate::id) = now;
  }
  if (before_format_.empty()) return finish_with({});
  const std::vector<Marked> given = mark(before_format_, 'F');
  return {call_for(Stage::kFormat, 0,
                   {{"candidates", print_marked(given)}, {"contradictions", contradictions_among(given)}},
                   inputs)};
}

std::vector<Call> ImageGraph::finish_with(std::vector<Candidate> finals) {
  MergedCandidates merged = merge_candidates(std::move(finals));
  append(annotation_.candidates, merged.joined);
  const auto finding_id = [&](const std::string& id) { return fmt::format("{}/{}", sample().id, id); };
  for (Candidate& final : merged.kept) {
    Anomaly anomaly{.from = std::move(final.from), .traced = final.traced};
    for (const std::string& other : final.contradicts) anomaly.contradicts.push_back(finding_id(other));
    anomaly.finding = {.id = finding_id(final.id),
                       .type = "semantic",
                       .name = std::move(final.name),
                       .phenomenon = std::move(final.phenomenon),
                       .reasoning = std::move(final.reasoning),
                       .severity = final.severity,
                       .by = {.kind = AuthorKind::kModel, .name = author_}};
    annotation_.anomalies.push_back(std::move(anomaly));
  }
  carry_contradictions(before_format_, annotation_);
  finished_ = true;
  sort_records();
  return {};
}

// --- replies ---

std::vector<Marked> ImageGraph::marked_for(const Call& call) const {
  if (call.stage == Stage::kFormat) return mark(before_format_, 'F');
  if (call.object == 0) return {};
  const ObjectWork& work = work_[call.object - 1];
  if (call.stage == Stage::kIntegrateState) return mark(work.merged, 'C');
  if (call.stage != Stage::kIntegrateMerge) return {};
  std::vector<Marked> given = mark(work.attributes, 'A');
  append(given, mark(work.relations, 'R'));
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

void ImageGraph::sort_records() {
  const auto object_number = [](const std::string& id) {
    return id.empty() ? 0LL : parse_integer(std::string_view(id).substr(1)).value_or(0);
  };
  // Shorter first: "perceive.2" before "perceive.10", and a question before its repetitions.
  std::ranges::sort(records_, {}, [&](const StageRecord& record) {
    return std::tuple(record.stage, object_number(record.object), record.id.size(),
                      std::string_view(record.id));
  });
  std::ranges::stable_sort(annotation_.missing, {}, [&](const Missing& missing) {
    return std::tuple(missing.stage, object_number(missing.object), std::string_view(missing.why));
  });
}

}  // namespace awry::agents
