// SPDX-License-Identifier: Apache-2.0
// Reply -> Answer.
#include <fmt/format.h>

#include <algorithm>

#include "awry/base/text.h"
#include "awry/benchmarks/cave/judging.h"
#include "awry/parse/boxes.h"
#include "awry/parse/lists.h"
#include "awry/parse/loose_json.h"
#include "awry/parse/scan.h"
#include "awry/parse/severity.h"
#include "awry/parse/think.h"

namespace awry::benchmarks::cave {
namespace {

using parse::unparsable;

constexpr std::string_view kDescriptions = "anomaly descriptions";

// One reply being read: the text, and what was overlooked on the way.
struct Reading {
  std::string text;
  parse::Parsed<bool> tolerated;

  void tolerate(std::string note) { tolerated.tolerate(std::move(note)); }

  template <class T>
  Result<T> take(Result<parse::Parsed<T>> parsed) {
    if (!parsed) return fail(parsed.error());
    tolerated.tolerate_all(parsed->tolerated);
    return std::move(parsed->value);
  }
};

bool is_feature(std::string_view kind) {
  return std::find(kFeatures.begin(), kFeatures.end(), kind) != kFeatures.end();
}

// "There are no visible anomalies." and its kin, short enough to say nothing else.
bool denies_anomalies(std::string_view text) {
  if (parse::says_nothing(text)) return true;
  if (text.size() > 120) return false;
  const std::string words = parse::folded_words(text);
  const bool names_them = words.find("anomal") != std::string::npos ||
                          words.find("unusual") != std::string::npos ||
                          words.find("odd") != std::string::npos;
  const bool but = words.find(" but ") != std::string::npos || words.find("however") != std::string::npos ||
                   words.find("except") != std::string::npos;
  const bool denies = words.starts_with("no ") || words.starts_with("there are no ") ||
                      words.starts_with("there is no") || words.starts_with("i see no ") ||
                      words.starts_with("the image shows no ") || words.starts_with("nothing ");
  return denies && names_them && !but;
}

// Texts in a JSON value, however deep the model nested them; the keys are mere numbering.
Result<void> collect_descriptions(const Json& value, Reading& reading, std::vector<std::string>& out) {
  if (value.is_null()) return {};
  if (value.is_string()) {
    const auto text = value.get<std::string>();
    if (denies_anomalies(text)) {
      reading.tolerate("an entry that says there is nothing was passed over");
    } else {
      out.emplace_back(trim(text));
    }
    return {};
  }
  if (value.is_array()) {
    for (const Json& each : value) AWRY_TRY(collect_descriptions(each, reading, out));
    return {};
  }
  if (!value.is_object()) {
    return unparsable(kDescriptions, reading.text, fmt::format("{} is not a description", dump_json(value)));
  }
  for (const char* name : {"anomaly_description", "description", "anomaly"}) {
    if (const auto field = value.find(name); field != value.end()) {
      if (value.size() > 1) reading.tolerate(fmt::format("only '{}' of an entry's fields was read", name));
      return collect_descriptions(*field, reading, out);
    }
  }
  for (const auto& [key, each] : value.items()) {
    const std::string name = to_lower_ascii(key);
    if (name.find("anomal") == std::string::npos && name.find("description") == std::string::npos &&
        !parse_integer(name)) {
      return unparsable(kDescriptions, reading.text, fmt::format("'{}' is not a numbered description", key));
    }
    AWRY_TRY(collect_descriptions(each, reading, out));
  }
  return {};
}

// One object per anomaly, written side by side, is one answer; a later object that numbers its entries like
// an earlier one is a second attempt, and counts alone.
Json merged_or_last(std::vector<parse::LooseJson> found, Reading& reading) {
  if (found.size() == 1) return std::move(found[0].json);
  Json merged = Json::object();
  for (const parse::LooseJson& each : found) {
    bool fits = each.json.is_object() && !each.json.empty();
    if (fits) {
      for (const auto& [key, value] : each.json.items()) fits = fits && !merged.contains(key);
    }
    if (!fits) {
      reading.tolerate(fmt::format("of {} JSON values the last was read", found.size()));
      return std::move(found.back().json);
    }
    merged.update(each.json);
  }
  reading.tolerate(fmt::format("{} JSON objects were read as one", found.size()));
  return merged;
}

std::string_view after_final_heading(std::string_view text) {
  const std::string lower = to_lower_ascii(text);
  const std::size_t at = lower.rfind("final answer");
  if (at == std::string::npos) return "";
  const std::size_t behind =
      text.find_first_not_of(":*#` \t\r\n", at + std::string_view("final answer").size());
  return behind == std::string_view::npos ? "" : text.substr(behind);
}

// Numbered or starred lines instead of JSON. Where steps were asked for, any list may be the steps, so only
// what stands under a heading "final answer" is believed.
Result<std::vector<std::string>> read_described_list(Reading& reading, bool with_steps) {
  std::string_view text = after_final_heading(reading.text);
  if (text.empty()) {
    if (with_steps)
      return unparsable(kDescriptions, reading.text, "there is neither JSON nor a final answer");
    text = reading.text;
  }
  std::vector<std::string> descriptions;
  const parse::TextList list = parse::read_list(text);
  for (const parse::ListItem& item : list.items) {
    std::string plain = replace_all(item.text, "**", "");
    if (!denies_anomalies(plain)) descriptions.push_back(std::move(plain));
  }
  if (list.items.empty() && !denies_anomalies(trim(text))) {
    return unparsable(kDescriptions, reading.text, "there is neither JSON nor a list");
  }
  reading.tolerate(list.items.empty() ? "words instead of JSON" : "a list instead of JSON");
  return descriptions;
}

Result<void> read_descriptions(Reading& reading, const Question& question, Answer& answer) {
  if (trim(reading.text).empty()) return unparsable(kDescriptions, reading.text, "it is empty");
  std::vector<std::string> descriptions;
  auto found = parse::find_all_json(reading.text, {.repeated_keys = parse::RepeatedKeys::kNumber});
  if (found && found->value.empty()) {
    found = fail({.kind = ErrorKind::kNotFound});
  }
  if (found) {
    reading.tolerated.tolerate_all(found->tolerated);
    const Json json = merged_or_last(std::move(found->value), reading);
    AWRY_TRY(collect_descriptions(json, reading, descriptions));
  } else if (found.error().kind == ErrorKind::kNotFound) {
    const std::string_view prompt = attribute(question, kPromptAttribute);
    const bool with_steps = !prompt.empty() && prompt != "vanilla" && prompt != "som";
    AWRY_TRY_ASSIGN(descriptions, read_described_list(reading, with_steps));
  } else {
    return fail(found.error());
  }
  for (std::string& description : descriptions)
    answer.findings.push_back({.phenomenon = std::move(description)});
  return {};
}

Result<void> read_place(Reading& reading, const Sample& sample, Answer& answer) {
  if (sample.images.empty()) return unparsable("box", reading.text, "the sample has no image");
  const ImageRef& image = sample.images.front();
  AWRY_TRY_ASSIGN(
      const parse::FramedBox box,
      reading.take(parse::read_box(reading.text, {.width = image.width, .height = image.height})));
  answer.findings.push_back(
      {.where = box.box,
       .evidence = {{.kind = "box_frame",
                     .note = fmt::format("{}, {}", parse::name_of(box.frame), parse::name_of(box.layout))}}});
  return {};
}

// The text under a JSON key; without JSON the whole reply is the text, since free text was asked for.
Result<std::string> read_text_field(Reading& reading, std::string_view name) {
  if (trim(reading.text).empty()) return unparsable(name, reading.text, "it is empty");
  auto found = parse::find_json(reading.text, {.wanted = parse::JsonWanted::kObject});
  if (!found) {
    if (found.error().kind != ErrorKind::kNotFound) return fail(found.error());
    reading.tolerate("no JSON: the whole reply was taken");
    return std::string(trim(reading.text));
  }
  reading.tolerated.tolerate_all(found->tolerated);
  for (const auto& [key, value] : found->value.json.items()) {
    if (!contains_ignoring_case(key, name)) continue;
    const Json& inner = value.is_array() && value.size() == 1 ? value[0] : value;
    if (!inner.is_string()) return unparsable(name, reading.text, fmt::format("'{}' is not text", key));
    const auto text = inner.get<std::string>();
    if (trim(text).empty()) return unparsable(name, reading.text, fmt::format("'{}' is empty", key));
    return std::string(trim(text));
  }
  return unparsable(name, reading.text, fmt::format("the JSON has no '{}'", name));
}

Result<void> read_feature(Reading& reading, const std::string& feature, Answer& answer) {
  std::string text = reading.text;
  auto found = parse::find_json(reading.text, {.wanted = parse::JsonWanted::kObject});
  if (found) {
    reading.tolerated.tolerate_all(found->tolerated);
    const Json* value = nullptr;
    for (const auto& [key, each] : found->value.json.items()) {
      if (contains_ignoring_case(key, feature)) value = &each;
    }
    if (value == nullptr)
      return unparsable("rating", reading.text, fmt::format("the JSON has no '{}'", feature));
    text = value->is_string() ? value->get<std::string>() : dump_json(*value);
  } else if (found.error().kind != ErrorKind::kNotFound) {
    return fail(found.error());
  }
  AWRY_TRY_ASSIGN(const int rating, reading.take(parse::read_rating(text)));
  answer.values[feature] = rating;
  return {};
}

// A turn on the way: whatever was said is said.
Result<void> read_step(Reading& reading, Answer& answer) {
  answer.text = trim(reading.text);
  if (answer.text.empty()) return unparsable("step", reading.text, "it is empty");
  return {};
}

// One category by name; a reply that names several, as one that names none, chooses nothing.
Result<void> read_category(Reading& reading, Answer& answer) {
  const std::string words = fmt::format(" {} ", parse::folded_words(reading.text));
  for (const Category& category : kCategories) {
    if (words.find(fmt::format(" {} ", parse::folded_words(category.name))) != std::string::npos)
      answer.choices.emplace_back(category.key);
  }
  if (answer.choices.size() == 1) return {};
  const std::string why =
      answer.choices.empty() ? "it names none of the categories" : "it names several categories";
  answer.choices.clear();
  return unparsable("category", reading.text, why);
}

// {"cultural_alignment": "yes" or "no", "context": ..., "justification": ...}
Result<void> read_culture(Reading& reading, Answer& answer) {
  AWRY_TRY_ASSIGN(const parse::LooseJson found,
                  reading.take(parse::find_json(reading.text, {.wanted = parse::JsonWanted::kObject})));
  for (const auto& [key, value] : found.json.items()) {
    if (contains_ignoring_case(key, "alignment")) {
      const std::string word = value.is_boolean()  ? (value.get<bool>() ? "yes" : "no")
                               : value.is_string() ? to_lower_ascii(trim(value.get<std::string>()))
                                                   : "";
      if (word == "yes" || word == "no") answer.choices = {word};
    } else if (contains_ignoring_case(key, "justification") && value.is_string()) {
      answer.text = value.get<std::string>();
    }
  }
  if (answer.choices.empty()) return unparsable("cultural check", reading.text, "it says neither yes nor no");
  answer.values["usual_somewhere"] = answer.choices.front() == "yes" ? 1 : 0;
  return {};
}

Result<void> read_reply(Reading& reading, const Sample& sample, const Question& question, Answer& answer) {
  if (question.kind == kDescribe || question.kind == kDraft)
    return read_descriptions(reading, question, answer);
  if (question.kind == kLocate) return read_place(reading, sample, answer);
  if (question.kind == kExplain || question.kind == kJustify) {
    AWRY_TRY_ASSIGN(answer.text,
                    read_text_field(reading, question.kind == kExplain ? "explanation" : "justification"));
    answer.findings.push_back({.reasoning = answer.text});
    return {};
  }
  if (is_feature(question.kind)) return read_feature(reading, question.kind, answer);
  if (question.kind == kStep) return read_step(reading, answer);
  if (question.kind == kCategorise || question.kind == kCategoriseOwn) return read_category(reading, answer);
  if (question.kind == kCulture) return read_culture(reading, answer);
  return unparsable("reply", reading.text, fmt::format("CAVE asks no question of kind '{}'", question.kind));
}

}  // namespace

Answer parse(const Sample& sample, const Question& question, const Reply& reply) {
  Answer answer{.question_id = question.id, .outcome = reply.outcome, .complaint = reply.error};
  if (reply.outcome != Outcome::kAnswered) return answer;
  if (is_judges(question)) return answer_of_judge(question, reply);
  const bool cut_off = reply.finish_reason == "length";
  parse::Parsed<parse::ThinkSplit> split = parse::split_thinking(
      reply.text, cut_off ? parse::UnclosedThinking::kIsThinking : parse::UnclosedThinking::kMayHoldAnswer);
  Reading reading{.text = std::move(split.value.answer)};
  reading.tolerated.tolerate_all(split.tolerated);

  if (const auto read = read_reply(reading, sample, question, answer); !read) {
    return {.question_id = question.id,
            .outcome = cut_off ? Outcome::kTruncated : Outcome::kUnparsable,
            .complaint = read.error().message()};
  }
  for (std::size_t i = 0; i < answer.findings.size(); ++i) {
    answer.findings[i].id = fmt::format("{}/{}", question.id, i + 1);
    answer.findings[i].by = {.kind = AuthorKind::kModel, .name = reply.model};
  }
  answer.complaint = parse::complaint_of(reading.tolerated.tolerated);
  return answer;
}

}  // namespace awry::benchmarks::cave
