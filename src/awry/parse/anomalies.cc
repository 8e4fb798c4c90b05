// SPDX-License-Identifier: Apache-2.0
#include "awry/parse/anomalies.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "awry/base/text.h"
#include "awry/parse/anomaly_fields.h"
#include "awry/parse/lists.h"
#include "awry/parse/loose_json.h"
#include "awry/parse/scan.h"
#include "awry/parse/severity.h"

namespace awry::parse {
namespace {

constexpr std::string_view kThing = "anomalies";

using Findings = Parsed<std::vector<Finding>>;

struct RawItem {
  std::array<std::optional<std::string>, kAnomalyFieldCount> fields;
  std::optional<std::string>& operator[](AnomalyField field) {
    return fields[static_cast<std::size_t>(field)];
  }
  const std::optional<std::string>& operator[](AnomalyField field) const {
    return fields[static_cast<std::size_t>(field)];
  }
};

// Some models title an item ("**2. Floating chair**") instead of giving it a name. The title then ends what
// was read before it: takes it off there.
std::optional<std::string> take_title(std::string& text) {
  const std::string_view body = trim(text);
  const std::size_t line_break = body.rfind('\n');
  const std::size_t begin = line_break == std::string_view::npos ? 0 : line_break + 1;
  std::string_view line = body.substr(begin);
  const auto marker = list_marker(line);
  const bool marked = (marker && marker->number) || line.starts_with('#') || line.starts_with("**");
  if (!marked) return std::nullopt;
  if (marker) line.remove_prefix(marker->length);
  std::string title = one_line(strip_any(line, "#*_: \t"));
  text = std::string(body.substr(0, begin));
  if (title.empty()) return std::nullopt;
  return title;
}

std::vector<RawItem> items_in(std::string_view text, const std::vector<AnomalyHeading>& headings) {
  std::vector<RawItem> items;
  std::string preamble(text.substr(0, headings.front().begin));
  std::string* last = &preamble;
  for (std::size_t i = 0; i < headings.size(); ++i) {
    const AnomalyHeading& heading = headings[i];
    const std::size_t end = i + 1 < headings.size() ? headings[i + 1].begin : text.size();
    const bool fresh = items.empty() || heading.field == AnomalyField::kName || items.back()[heading.field];
    if (fresh) {
      std::optional<std::string> title;
      if (heading.field != AnomalyField::kName) title = take_title(*last);
      items.emplace_back();
      items.back()[AnomalyField::kName] = std::move(title);
    }
    auto& value = items.back()[heading.field];
    value = std::string(text.substr(heading.end, end - heading.end));
    last = &*value;
  }
  return items;
}

// The score stands on the first line; what follows is the model's closing words.
std::string_view first_line(std::string_view text) {
  text = trim(text);
  return text.substr(0, text.find('\n'));
}

Findings findings_of(const std::vector<RawItem>& items) {
  Findings parsed;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const RawItem& item = items[i];
    Finding finding{.by = {.kind = AuthorKind::kModel}};
    const auto text_of = [&](AnomalyField field, std::string_view label) {
      std::string text = item[field] ? one_line(*item[field]) : std::string();
      if (text.empty()) parsed.tolerate(fmt::format("anomaly {} has no {}", i + 1, label));
      return text;
    };
    finding.name = text_of(AnomalyField::kName, "name");
    finding.phenomenon = text_of(AnomalyField::kPhenomenon, "phenomenon");
    finding.reasoning = text_of(AnomalyField::kReasoning, "reasoning");
    if (!item[AnomalyField::kSeverity]) {
      parsed.tolerate(fmt::format("anomaly {} has no severity", i + 1));
    } else if (auto severity = read_severity(first_line(*item[AnomalyField::kSeverity]))) {
      finding.severity = severity->value;
      parsed.tolerate_all(severity->tolerated);
    } else {
      parsed.tolerate(fmt::format("anomaly {}: {}", i + 1, severity.error().message()));
    }
    const bool empty = finding.name.empty() && finding.phenomenon.empty() && finding.reasoning.empty();
    if (!empty) parsed.value.push_back(std::move(finding));
  }
  return parsed;
}

std::string text_of_json(const Json& json) {
  return json.is_string() ? json.get<std::string>() : dump_json(json);
}

std::optional<RawItem> item_of_json(const Json& json) {
  if (!json.is_object()) return std::nullopt;
  RawItem item;
  bool any = false;
  for (const auto& [key, value] : json.items()) {
    const auto field = anomaly_field_named(key);
    if (!field || value.is_null()) continue;
    item[*field] = text_of_json(value);
    any = true;
  }
  return any ? std::optional(item) : std::nullopt;
}

// A list of items, one item, or an object that wraps either ({"anomalies": [...]}, {"1": {...}}).
bool collect_json_items(const Json& json, int levels, std::vector<RawItem>& items) {
  if (auto item = item_of_json(json)) {
    items.push_back(std::move(*item));
    return true;
  }
  if (json.is_null()) return true;
  if (!json.is_structured() || levels == 0) return false;
  return std::ranges::all_of(json,
                             [&](const Json& inner) { return collect_json_items(inner, levels - 1, items); });
}

// "There are no visible anomalies in this image": only words that cannot take it back.
bool denies_anomalies(std::string_view reply) {
  static constexpr std::array<std::string_view, 31> kHarmless = {
      "there",   "are",         "is",         "were",  "was",      "no",       "semantic", "visible",
      "obvious", "significant", "noticeable", "clear", "apparent", "detected", "found",    "observed",
      "present", "identified",  "in",         "the",   "this",     "image",    "picture",  "photo",
      "i",       "see",         "have",       "been",  "to",       "report",   "shown"};
  if (reply.size() > 200) return false;
  bool no = false, anomalies = false;
  const std::string words = folded_words(reply);
  for (std::string_view word : split(words, ' ')) {
    no |= word == "no";
    if (word == "anomalies" || word == "anomaly") {
      anomalies = true;
    } else if (std::ranges::find(kHarmless, word) == kHarmless.end()) {
      return false;
    }
  }
  return no && anomalies;
}

}  // namespace

Result<Findings> read_anomalies(std::string_view reply) {
  const std::vector<AnomalyHeading> headings = anomaly_headings(reply);
  const bool has_content = std::ranges::any_of(headings, [](const AnomalyHeading& heading) {
    return heading.field == AnomalyField::kPhenomenon || heading.field == AnomalyField::kReasoning;
  });
  Findings parsed;
  if (has_content) {
    parsed = findings_of(items_in(reply, headings));
  } else {
    if (says_nothing(reply) || denies_anomalies(reply)) return parsed;
    const auto json = find_json(reply, {.repeated_keys = RepeatedKeys::kNumber});
    if (!json) {
      if (json.error().kind != ErrorKind::kNotFound) return fail(json.error());
      return unparsable(kThing, reply, "it has neither fields such as 'Reasoning:' nor JSON");
    }
    std::vector<RawItem> items;
    if (!collect_json_items(json->value.json, 3, items)) {
      return unparsable(kThing, reply, "its JSON holds something other than anomalies");
    }
    parsed = findings_of(items);
    parsed.tolerate_all(json->tolerated);
    if (items.empty()) return parsed;
  }
  const auto says_something = [](const Finding& finding) {
    return !finding.phenomenon.empty() || !finding.reasoning.empty();
  };
  if (std::ranges::none_of(parsed.value, says_something)) {
    return unparsable(kThing, reply, "no item has a phenomenon or a reasoning");
  }
  return parsed;
}

std::string print_anomalies(std::span<const Finding> findings) {
  if (findings.empty()) return "No anomalies.";
  std::string text;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const Finding& finding = findings[i];
    if (i > 0) text += "\n\n";
    text += fmt::format("@{}. Name: {}\nObserved Phenomenon: {}\nReasoning: {}", i + 1,
                        one_line(finding.name), one_line(finding.phenomenon), one_line(finding.reasoning));
    if (finding.severity) text += fmt::format("\nSeverity Score: {}/100", *finding.severity);
  }
  return text;
}

}  // namespace awry::parse
