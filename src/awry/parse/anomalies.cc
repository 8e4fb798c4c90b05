// SPDX-License-Identifier: Apache-2.0
#include "awry/parse/anomalies.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>

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
  const bool headed = line.starts_with("##") || line.starts_with("# ");
  if (headed) line = strip_any(line, "# \t");
  const auto marker = list_marker(line);
  const bool marked = headed || (marker && marker->number) || line.starts_with('#') || line.starts_with("**");
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

// Notes about single items. After the first few they are only counted: nobody reads a thousand.
class ItemNotes {
 public:
  explicit ItemNotes(Findings& parsed) : parsed_(parsed) {}
  ~ItemNotes() {
    if (count_ > kMost) parsed_.tolerate(fmt::format("and {} more such remarks", count_ - kMost));
  }
  void add(std::size_t item, std::string_view note) {
    if (++count_ <= kMost) parsed_.tolerate(fmt::format("anomaly {}{}", item + 1, note));
  }

 private:
  static constexpr std::size_t kMost = 20;
  Findings& parsed_;
  std::size_t count_ = 0;
};

void add_finding(const RawItem& item, std::size_t index, Findings& parsed, ItemNotes& notes) {
  Finding finding{.by = {.kind = AuthorKind::kModel}};
  const auto text_of = [&](AnomalyField field) {
    return item[field] ? one_line(*item[field]) : std::string();
  };
  finding.name = text_of(AnomalyField::kName);
  finding.phenomenon = text_of(AnomalyField::kPhenomenon);
  finding.reasoning = text_of(AnomalyField::kReasoning);
  if (finding.name.empty() && finding.phenomenon.empty() && finding.reasoning.empty()) {
    notes.add(index, " says nothing and is left out");
    return;
  }
  if (finding.name.empty()) notes.add(index, " has no name");
  if (finding.phenomenon.empty()) notes.add(index, " has no phenomenon");
  if (finding.reasoning.empty()) notes.add(index, " has no reasoning");
  if (!item[AnomalyField::kSeverity]) {
    notes.add(index, " has no severity");
  } else if (auto severity = read_severity(first_line(*item[AnomalyField::kSeverity]))) {
    finding.severity = severity->value;
    for (const std::string& note : severity->tolerated) notes.add(index, ": " + note);
  } else {
    notes.add(index, ": " + severity.error().message());
  }
  parsed.value.push_back(std::move(finding));
}

Findings findings_of(const std::vector<RawItem>& items) {
  Findings parsed;
  {
    ItemNotes notes(parsed);
    for (std::size_t i = 0; i < items.size(); ++i) add_finding(items[i], i, parsed, notes);
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

Result<Parsed<std::vector<RawItem>>> json_items_in(std::string_view reply) {
  constexpr LooseJsonOptions kOptions = {.repeated_keys = RepeatedKeys::kNumber};
  Parsed<std::vector<RawItem>> items;
  // One object after the other is a list whose brackets were forgotten; otherwise the last value counts.
  if (const auto all = find_all_json(reply, kOptions); all && all->value.size() > 1) {
    for (const LooseJson& value : all->value) {
      auto item = item_of_json(value.json);
      if (!item) break;
      items.value.push_back(std::move(*item));
    }
    if (items.value.size() == all->value.size()) {
      items.tolerate_all(all->tolerated);
      items.tolerate("JSON objects side by side in place of a list");
      return items;
    }
    items.value.clear();
  }
  const auto json = find_json(reply, kOptions);
  if (!json) {
    if (json.error().kind != ErrorKind::kNotFound) return fail(json.error());
    return unparsable(kThing, reply, "it has neither fields such as 'Reasoning:' nor JSON");
  }
  if (!collect_json_items(json->value.json, 3, items.value)) {
    return unparsable(kThing, reply, "its JSON holds something other than anomalies");
  }
  items.tolerate_all(json->tolerated);
  return items;
}

// "There are no visible anomalies in this image": "no" right before them, and otherwise only words that
// cannot take it back. A comma could: "No, anomalies are present".
bool denies_anomalies(std::string_view reply) {
  static constexpr std::array<std::string_view, 23> kHarmless = {
      "there",   "are",        "is",   "were", "was",  "detected", "found",   "observed",
      "present", "identified", "in",   "the",  "this", "image",    "picture", "photo",
      "i",       "see",        "have", "been", "to",   "report",   "shown"};
  static constexpr std::array<std::string_view, 7> kQualities = {
      "semantic", "visible", "obvious", "significant", "noticeable", "clear", "apparent"};
  if (reply.size() > 200 || reply.find_first_of(",;:?") != std::string_view::npos) return false;
  bool after_no = false, denied = false;
  const std::string words = folded_words(reply);
  for (std::string_view word : split(words, ' ')) {
    if (word == "anomalies" || word == "anomaly") {
      if (!after_no || denied) return false;
      denied = true;
      after_no = false;
    } else if (word == "no" && !denied) {
      after_no = true;
    } else {
      const std::span<const std::string_view> allowed =
          after_no ? std::span<const std::string_view>(kQualities) : kHarmless;
      if (std::ranges::find(allowed, word) == allowed.end()) return false;
    }
  }
  return denied;
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
    AWRY_TRY_ASSIGN(const Parsed<std::vector<RawItem>> items, json_items_in(reply));
    parsed = findings_of(items.value);
    parsed.tolerate_all(items.tolerated);
    if (items.value.empty()) return parsed;
  }
  const auto says_something = [](const Finding& finding) {
    return !finding.phenomenon.empty() || !finding.reasoning.empty();
  };
  if (std::ranges::none_of(parsed.value, says_something)) {
    return unparsable(kThing, reply, "no item has a phenomenon or a reasoning");
  }
  return parsed;
}

namespace {

// A field as one line in which nothing reads like the next field's heading: its colon becomes a comma.
std::string printable_field(std::string_view text) {
  constexpr std::string_view kHeading = "Name: ";  // any will do: text behind it is not at a line's start
  std::string line = std::string(kHeading) + one_line(text);
  for (auto headings = anomaly_headings(line); headings.size() > 1; headings = anomaly_headings(line)) {
    for (const AnomalyHeading& heading : std::span(headings).subspan(1)) {
      const std::string_view words(line.data() + heading.begin, heading.end - heading.begin);
      if (const std::size_t colon = words.rfind(':'); colon != std::string_view::npos) {
        line[heading.begin + colon] = ',';
      } else {
        line.replace(heading.begin + words.rfind("\uff1a"), 3, "\uff0c");
      }
    }
  }
  return line.substr(kHeading.size());
}

}  // namespace

std::string print_anomalies(std::span<const Finding> findings) {
  if (findings.empty()) return "No anomalies.";
  std::string text;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const Finding& finding = findings[i];
    if (i > 0) text += "\n\n";
    text += fmt::format("@{}. Name: {}\nObserved Phenomenon: {}\nReasoning: {}", i + 1,
                        printable_field(finding.name), printable_field(finding.phenomenon),
                        printable_field(finding.reasoning));
    if (finding.severity) text += fmt::format("\nSeverity Score: {}/100", *finding.severity);
  }
  return text;
}

}  // namespace awry::parse
