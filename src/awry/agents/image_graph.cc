// SPDX-License-Identifier: Apache-2.0
#include "awry/agents/image_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "awry/agents/merging.h"
#include "awry/agents/stage_replies.h"
#include "awry/base/text.h"

namespace awry::agents {
namespace {

template <class T>
void append(std::vector<T>& list, const std::vector<T>& more) {
  list.insert(list.end(), more.begin(), more.end());
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
