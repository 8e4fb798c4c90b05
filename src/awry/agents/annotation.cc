// SPDX-License-Identifier: Apache-2.0
#include "awry/agents/annotation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>

#include "awry/base/files.h"
#include "awry/base/json.h"
#include "awry/base/text.h"
#include "awry/records/json.h"

namespace awry::agents {
namespace {

constexpr int kSchema = 1;
constexpr std::array kEvidenceNames = {std::string_view("not checked"), std::string_view("supported"),
                                       std::string_view("unsupported"), std::string_view("not testable")};

Json json_of(const Missing& missing) {
  return {{"stage", name_of(missing.stage)},
          {"object", missing.object},
          {"outcome", name_of(missing.outcome)},
          {"why", missing.why}};
}

Json json_of(const SceneObject& object) {
  return {{"id", object.id},
          {"name", object.name},
          {"description", object.description},
          {"is_person", object.is_person},
          {"seen", object.seen}};
}

Json json_of(const Candidate& candidate) {
  Json json = {
      {"id", candidate.id},     {"stage", name_of(candidate.stage)},  {"object", candidate.object},
      {"name", candidate.name}, {"phenomenon", candidate.phenomenon}, {"reasoning", candidate.reasoning}};
  if (candidate.severity) json["severity"] = *candidate.severity;
  json["from"] = candidate.from;
  json["traced"] = name_of(candidate.traced);
  if (!candidate.contradicts.empty()) json["contradicts"] = candidate.contradicts;
  if (!candidate.joined_into.empty()) json["joined_into"] = candidate.joined_into;
  return json;
}

Json json_of(const Anomaly& anomaly) {
  Json json = {
      {"finding", to_json(anomaly.finding)}, {"from", anomaly.from}, {"traced", name_of(anomaly.traced)}};
  if (!anomaly.contradicts.empty()) json["contradicts"] = anomaly.contradicts;
  if (anomaly.evidence != EvidenceVerdict::kNotChecked) {
    json["evidence"] = name_of(anomaly.evidence);
    json["evidence_note"] = anomaly.evidence_note;
  }
  return json;
}

template <class List>
Json list_of(const List& list) {
  Json json = Json::array();
  for (const auto& item : list) json.push_back(json_of(item));
  return json;
}

// Reading. Files may have been edited: what is there must have its type, what is not keeps its default.
class Reader {
 public:
  Reader(const Json& json, std::string_view source) : json_(json), source_(source) {}

  template <class T>
  Reader& get(const char* name, T& target) {
    const auto found = json_.find(name);
    if (found == json_.end() || failed_) return *this;
    try {
      found->get_to(target);
    } catch (const Json::exception& error) {
      failed_ = Error{.what = "cannot read annotation",
                      .input = std::string(source_),
                      .why = fmt::format("'{}' has the wrong type", name)};
    }
    return *this;
  }

  template <class T, class FromName>
  Reader& named(const char* name, T& target, FromName from_name) {
    std::string word;
    get(name, word);
    if (word.empty() || failed_) return *this;
    if (const std::optional<T> value = from_name(word)) {
      target = *value;
    } else {
      failed_ = Error{.what = "cannot read annotation",
                      .input = std::string(source_),
                      .why = fmt::format("'{}' is no {}", word, name)};
    }
    return *this;
  }

  // Each element of the list `name`.
  Reader& each(const char* name, const std::function<Result<void>(const Json&)>& read) {
    const auto found = json_.find(name);
    if (found == json_.end() || failed_) return *this;
    for (const Json& item : *found) {
      if (!item.is_object()) {
        failed_ = Error{.what = "cannot read annotation",
                        .input = std::string(source_),
                        .why = fmt::format("an element of '{}' is no object", name)};
        return *this;
      }
      if (Result<void> result = read(item); !result) {
        failed_ = result.error();
        return *this;
      }
    }
    return *this;
  }

  Result<void> finish() const {
    if (failed_) return fail(*failed_);
    return {};
  }

 private:
  const Json& json_;
  std::string_view source_;
  std::optional<Error> failed_;
};

Result<Candidate> candidate_of(const Json& json, std::string_view source) {
  Candidate candidate;
  Reader reader(json, source);
  reader.get("id", candidate.id).named("stage", candidate.stage, stage_named).get("object", candidate.object);
  reader.get("name", candidate.name).get("phenomenon", candidate.phenomenon);
  reader.get("reasoning", candidate.reasoning).get("from", candidate.from);
  reader.named("traced", candidate.traced, traced_named).get("contradicts", candidate.contradicts);
  reader.get("joined_into", candidate.joined_into);
  if (json.contains("severity")) reader.get("severity", candidate.severity.emplace());
  AWRY_TRY(reader.finish());
  return candidate;
}

Result<Anomaly> anomaly_of(const Json& json, std::string_view source) {
  Anomaly anomaly;
  Reader reader(json, source);
  reader.get("from", anomaly.from).named("traced", anomaly.traced, traced_named);
  reader.get("contradicts", anomaly.contradicts).named("evidence", anomaly.evidence, evidence_verdict_named);
  reader.get("evidence_note", anomaly.evidence_note);
  AWRY_TRY(reader.finish());
  AWRY_TRY_ASSIGN(anomaly.finding, from_json<Finding>(json.value("finding", Json::object()), source));
  return anomaly;
}

}  // namespace

std::string_view name_of(EvidenceVerdict verdict) {
  return kEvidenceNames[static_cast<std::size_t>(verdict)];
}

std::optional<EvidenceVerdict> evidence_verdict_named(std::string_view name) {
  const auto found = std::ranges::find(kEvidenceNames, name);
  if (found == kEvidenceNames.end()) return std::nullopt;
  return static_cast<EvidenceVerdict>(found - kEvidenceNames.begin());
}

std::vector<std::string> first_hand_sources(const ImageAnnotation& annotation,
                                            const std::vector<std::string>& from) {
  std::vector<std::string> found, open = from, seen;
  for (std::size_t i = 0; i < open.size(); ++i) {
    const std::string id = open[i];
    if (std::ranges::find(seen, id) != seen.end()) continue;
    seen.push_back(id);
    const auto candidate = std::ranges::find(annotation.candidates, id, &Candidate::id);
    if (candidate == annotation.candidates.end()) continue;
    const bool is_first_hand =
        candidate->stage == Stage::kAnalyseVerify || candidate->stage == Stage::kRelateVerify;
    if (is_first_hand) found.push_back(id);
    open.insert(open.end(), candidate->from.begin(), candidate->from.end());
  }
  return found;
}

std::string print_annotation(const ImageAnnotation& annotation) {
  Json json = {{"schema", kSchema}, {"id", annotation.sample.id}, {"sample", to_json(annotation.sample)}};
  if (!annotation.verdict.empty()) json["verdict"] = annotation.verdict;
  json["failed"] = annotation.failed;
  json["anomalies"] = list_of(annotation.anomalies);
  json["missing"] = list_of(annotation.missing);
  json["notes"] = annotation.notes;
  json["objects"] = list_of(annotation.objects);
  json["candidates"] = list_of(annotation.candidates);
  return dump_json(json);
}

Result<ImageAnnotation> parse_annotation(std::string_view line, std::string_view source) {
  AWRY_TRY_ASSIGN(const Json json, parse_json(line, source));
  if (!json.is_object() || !json.contains("sample")) {
    return fail({.what = "cannot read annotation",
                 .input = std::string(source),
                 .why = "it is no line of annotations.jsonl"});
  }
  ImageAnnotation annotation;
  AWRY_TRY_ASSIGN(annotation.sample, from_json<Sample>(json["sample"], source));
  Reader reader(json, source);
  reader.get("verdict", annotation.verdict).get("failed", annotation.failed).get("notes", annotation.notes);
  reader.each("anomalies", [&](const Json& item) -> Result<void> {
    AWRY_TRY_ASSIGN(Anomaly anomaly, anomaly_of(item, source));
    annotation.anomalies.push_back(std::move(anomaly));
    return {};
  });
  reader.each("candidates", [&](const Json& item) -> Result<void> {
    AWRY_TRY_ASSIGN(Candidate candidate, candidate_of(item, source));
    annotation.candidates.push_back(std::move(candidate));
    return {};
  });
  reader.each("objects", [&](const Json& item) {
    SceneObject& object = annotation.objects.emplace_back();
    Reader fields(item, source);
    fields.get("id", object.id).get("name", object.name).get("description", object.description);
    return fields.get("is_person", object.is_person).get("seen", object.seen).finish();
  });
  reader.each("missing", [&](const Json& item) {
    Missing& missing = annotation.missing.emplace_back();
    Reader fields(item, source);
    fields.named("stage", missing.stage, stage_named).get("object", missing.object);
    return fields.named("outcome", missing.outcome, outcome_named).get("why", missing.why).finish();
  });
  AWRY_TRY(reader.finish());
  return annotation;
}

std::string print_record(const StageRecord& record) {
  Json json = {{"schema", kSchema},
               {"id", record.id},
               {"image", record.question.sample_id},
               {"stage", name_of(record.stage)},
               {"object", record.object},
               {"inputs", record.inputs},
               {"reply_key", record.reply_key},
               {"prompt", record.question.prompt},
               {"repeat", record.question.repeat}};
  if (!record.question.earlier.empty()) {
    json["earlier"] = Json::array();
    for (const EarlierTurn& turn : record.question.earlier) {
      json["earlier"].push_back({{"prompt", turn.prompt}, {"reply", turn.reply}});
    }
  }
  json["outcome"] = name_of(record.outcome);
  json["reply"] = record.reply;
  json["complaint"] = record.complaint;
  json["produced"] = record.produced;
  json["input_tokens"] = record.usage.input_tokens;
  json["output_tokens"] = record.usage.output_tokens;
  if (record.usage.cost_usd) json["cost_usd"] = *record.usage.cost_usd;
  return dump_json(json);
}

Result<std::vector<ImageAnnotation>> read_annotations(const std::string& path) {
  AWRY_TRY_ASSIGN(const std::string text, read_file(path));
  std::vector<ImageAnnotation> annotations;
  std::size_t number = 0;
  for (const std::string_view line : split_lines(text)) {
    ++number;
    if (trim(line).empty()) continue;
    AWRY_TRY_ASSIGN(ImageAnnotation annotation, parse_annotation(line, fmt::format("{}:{}", path, number)));
    annotations.push_back(std::move(annotation));
  }
  return annotations;
}

}  // namespace awry::agents
