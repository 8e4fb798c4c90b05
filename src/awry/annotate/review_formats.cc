// SPDX-License-Identifier: Apache-2.0
#include "awry/annotate/review_formats.h"

#include <fmt/format.h>

#include "awry/base/json.h"
#include "awry/base/text.h"
#include "awry/records/json.h"

namespace awry::annotate {
namespace {

using VerdictsById = std::map<std::string, std::vector<const Verdict*>>;

VerdictsById by_finding(std::span<const Verdict> verdicts) {
  VerdictsById by_id;
  for (const Verdict& verdict : verdicts) by_id[verdict.finding_id].push_back(&verdict);
  return by_id;
}

Json fields_of(const ReviewItem& item) {
  Json json = {
      {"finding_id", item.id}, {"image", item.image},           {"stage", agents::name_of(item.stage)},
      {"name", item.name},     {"phenomenon", item.phenomenon}, {"reasoning", item.reasoning}};
  if (item.severity) json["severity"] = *item.severity;
  if (!item.generator.empty()) json["generator"] = item.generator;
  return json;
}

Json label_studio_task(const ReviewItem& item, const std::vector<const Verdict*>& verdicts) {
  Json task = {{"data", fields_of(item)}, {"annotations", Json::array()}};
  for (const Verdict* verdict : verdicts) {
    const Json choice = {{"from_name", "decision"},
                         {"to_name", "image"},
                         {"type", "choices"},
                         {"value", {{"choices", {name_of(verdict->decision)}}}}};
    task["annotations"].push_back({{"completed_by", {{"email", verdict->by.name}}},
                                   {"created_at", verdict->created},
                                   {"result", Json::array({choice})}});
  }
  return task;
}

Json prodigy_line(const ReviewItem& item, const Verdict* verdict) {
  Json line = fields_of(item);
  line["text"] = fmt::format("{}: {} {}", item.name, item.phenomenon, item.reasoning);
  line["meta"] = {{"finding_id", item.id}};
  if (verdict != nullptr) {
    line["answer"] = verdict->decision == Decision::kUnsure ? "ignore" : name_of(verdict->decision);
    line["_annotator_id"] = verdict->by.name;
  }
  return line;
}

struct Place {
  std::string text;
  tl::unexpected<Error> error(std::string why) const {
    return fail({.what = "cannot read reviews", .input = text, .why = std::move(why)});
  }
};

std::string string_at(const Json& json, const char* name) {
  if (!json.is_object()) return "";
  const auto found = json.find(name);
  if (found == json.end() || found->is_null()) return "";
  return found->is_string() ? found->get<std::string>() : dump_json(*found);
}

Result<Verdict> verdict_of(std::string finding_id, const std::string& word, std::string who,
                           const std::string& person, const Place& place) {
  if (finding_id.empty()) return place.error("it names no finding_id");
  const auto decision = decision_named(word);
  if (!decision) return place.error(fmt::format("'{}' is neither accept, reject nor unsure", word));
  return make_verdict(std::move(finding_id), *decision, who.empty() ? person : std::move(who));
}

Result<void> read_label_studio(const Json& tasks, std::string_view source, const std::string& person,
                               std::vector<Verdict>& verdicts) {
  std::size_t number = 0;
  for (const Json& task : tasks) {
    const Place place{fmt::format("{}, task {}", source, ++number)};
    if (!task.is_object() || !task.contains("data")) return place.error("it is no task of Label Studio");
    const auto annotations = task.find("annotations");
    if (annotations == task.end()) continue;
    for (const Json& annotation : *annotations) {
      if (!annotation.is_object() || annotation.value("was_cancelled", Json(false)) == Json(true)) continue;
      std::string who;
      if (const auto by = annotation.find("completed_by"); by != annotation.end()) {
        // A number, a name, or an object with an e-mail address.
        who = by->is_object() ? string_at(*by, "email") : string_at(annotation, "completed_by");
      }
      for (const Json& result : annotation.value("result", Json::array())) {
        if (string_at(result, "type") != "choices") continue;
        const Json value = result.value("value", Json::object());
        const Json choices = value.is_object() ? value.value("choices", Json::array()) : Json();
        if (!choices.is_array() || choices.size() != 1 || !choices[0].is_string()) {
          return place.error("a result does not choose exactly one of accept, reject and unsure");
        }
        AWRY_TRY_ASSIGN(Verdict verdict, verdict_of(string_at(task["data"], "finding_id"),
                                                    choices[0].get<std::string>(), who, person, place));
        verdicts.push_back(std::move(verdict));
      }
    }
  }
  return {};
}

Result<void> read_line(const Json& line, const Place& place, const std::string& person,
                       std::vector<Verdict>& verdicts) {
  if (!line.is_object()) return place.error("it is no JSON object");
  if (const auto list = line.find("verdicts"); list != line.end() && list->is_array()) {
    for (const Json& one : *list) AWRY_TRY(read_line(one, place, person, verdicts));
    return {};
  }
  std::string id = string_at(line, "finding_id");
  if (id.empty() && line.contains("meta")) id = string_at(line["meta"], "finding_id");
  const bool prodigy = line.contains("answer");
  const std::string word = string_at(line, prodigy ? "answer" : "decision");
  if (word.empty()) return {};  // to be decided
  std::string who = string_at(line, prodigy ? "_annotator_id" : "person");
  if (who.empty() && line.contains("by")) who = string_at(line["by"], "name");
  AWRY_TRY_ASSIGN(Verdict verdict, verdict_of(std::move(id), word, std::move(who), person, place));
  verdict.note = string_at(line, "note");
  if (const std::string created = string_at(line, "created"); !created.empty()) verdict.created = created;
  verdicts.push_back(std::move(verdict));
  return {};
}

}  // namespace

std::string write_reviews(std::span<const ReviewItem> items, std::span<const Verdict> verdicts,
                          ReviewFormat format) {
  const VerdictsById by_id = by_finding(verdicts);
  std::string lines;
  Json tasks = Json::array();
  for (const ReviewItem& item : items) {
    const auto found = by_id.find(item.id);
    const std::vector<const Verdict*> decided =
        found == by_id.end() ? std::vector<const Verdict*>() : found->second;
    if (format == ReviewFormat::kLabelStudio) {
      tasks.push_back(label_studio_task(item, decided));
    } else if (format == ReviewFormat::kProdigy) {
      if (decided.empty()) lines += dump_json(prodigy_line(item, nullptr)) + '\n';
      for (const Verdict* verdict : decided) lines += dump_json(prodigy_line(item, verdict)) + '\n';
    } else {
      Json line = fields_of(item);
      line["verdicts"] = Json::array();
      for (const Verdict* verdict : decided) line["verdicts"].push_back(to_json(*verdict));
      lines += dump_json(line) + '\n';
    }
  }
  return format == ReviewFormat::kLabelStudio ? dump_json_pretty(tasks) : lines;
}

Result<std::vector<Verdict>> read_reviews(std::string_view text, std::string_view source,
                                          const std::string& person) {
  std::vector<Verdict> verdicts;
  if (trim(text).starts_with('[')) {
    AWRY_TRY_ASSIGN(const Json tasks, parse_json(text, source));
    AWRY_TRY(read_label_studio(tasks, source, person, verdicts));
    return verdicts;
  }
  std::size_t number = 0;
  for (const std::string_view line : split_lines(text)) {
    ++number;
    if (trim(line).empty()) continue;
    const Place place{fmt::format("{}:{}", source, number)};
    AWRY_TRY_ASSIGN(const Json json, parse_json(line, place.text));
    AWRY_TRY(read_line(json, place, person, verdicts));
  }
  return verdicts;
}

std::string_view label_studio_configuration() {
  return R"(<View>
  <Image name="image" value="$image"/>
  <Header value="$name"/>
  <Text name="phenomenon" value="$phenomenon"/>
  <Text name="reasoning" value="$reasoning"/>
  <Choices name="decision" toName="image" choice="single" required="true">
    <Choice value="accept" hotkey="a"/>
    <Choice value="reject" hotkey="x"/>
    <Choice value="unsure" hotkey="u"/>
  </Choices>
</View>
)";
}

}  // namespace awry::annotate
