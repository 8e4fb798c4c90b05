// SPDX-License-Identifier: Apache-2.0
#include "awry/agents/candidate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "awry/base/json.h"
#include "awry/base/text.h"
#include "awry/parse/anomalies.h"
#include "awry/parse/anomaly_fields.h"
#include "awry/parse/loose_json.h"

namespace awry::agents {
namespace {

constexpr std::array kTracedNames = {std::string_view("first-hand"), std::string_view("named"),
                                     std::string_view("alike"), std::string_view("assumed")};
constexpr double kAlike = 0.3;  // share of words from which an unnamed source is believed

bool is_sources_key(std::string_view key) {
  const std::string lower = to_lower_ascii(trim(key));
  return lower == "sources" || lower == "source" || lower == "made from" || lower == "from" ||
         lower == "marks";
}

// "A1", "[R2]", "f3": a letter and a number, alone or among other words.
std::vector<std::string> marks_in(std::string_view text) {
  std::vector<std::string> marks;
  for (const std::string& word : word_tokens(text)) {
    if (word.size() < 2 || word.size() > 5 || word[0] < 'a' || word[0] > 'z') continue;
    if (!std::all_of(word.begin() + 1, word.end(), [](char c) { return c >= '0' && c <= '9'; })) continue;
    marks.push_back(to_upper_ascii(word));
  }
  return marks;
}

struct SourceLine {
  std::size_t at = 0;
  std::vector<std::string> marks;
};

// Takes lines such as "- **Sources**: A1, R2" out of the text, leaving blanks so that places stay.
std::vector<SourceLine> take_source_lines(std::string& text) {
  std::vector<SourceLine> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line(text.data() + begin, end - begin);
    const std::size_t first = line.find_first_not_of(" \t-*_+>#");
    const std::size_t colon = line.find(':');
    if (first != std::string_view::npos && colon != std::string_view::npos && colon > first) {
      std::string_view key = line.substr(first, colon - first);
      while (key.ends_with('*') || key.ends_with('_')) key.remove_suffix(1);
      if (is_sources_key(key)) {
        lines.push_back({begin, marks_in(line.substr(colon + 1))});
        std::fill(text.begin() + static_cast<std::ptrdiff_t>(begin),
                  text.begin() + static_cast<std::ptrdiff_t>(end), ' ');
      }
    }
    begin = end + 1;
  }
  return lines;
}

// Where the items of a text begin: with a name, or with a field the item before already has.
std::vector<std::size_t> item_starts(std::string_view text) {
  std::vector<std::size_t> starts;
  std::array<bool, parse::kAnomalyFieldCount> seen{};
  for (const parse::AnomalyHeading& heading : parse::anomaly_headings(text)) {
    const auto field = static_cast<std::size_t>(heading.field);
    if (starts.empty() || heading.field == parse::AnomalyField::kName || seen[field]) {
      starts.push_back(heading.begin);
      seen = {};
    }
    seen[field] = true;
  }
  return starts;
}

bool is_item(const Json& json) {
  if (!json.is_object()) return false;
  return std::ranges::any_of(json.items(), [](const auto& field) {
    return parse::anomaly_field_named(field.key()).has_value() && !field.value().is_null();
  });
}

void collect_marks(const Json& json, int levels, std::vector<std::vector<std::string>>& marks) {
  if (is_item(json)) {
    marks.emplace_back();
    for (const auto& [key, value] : json.items()) {
      if (is_sources_key(key)) marks.back() = marks_in(dump_json(value));
    }
    return;
  }
  if (levels == 0 || !json.is_structured()) return;
  for (const Json& inner : json) collect_marks(inner, levels - 1, marks);
}

std::vector<std::vector<std::string>> json_marks(std::string_view reply) {
  std::vector<std::vector<std::string>> marks;
  const auto all = parse::find_all_json(reply, {.repeated_keys = parse::RepeatedKeys::kNumber});
  if (!all) return marks;
  for (const parse::LooseJson& value : all->value) collect_marks(value.json, 3, marks);
  return marks;
}

}  // namespace

std::string_view name_of(Traced traced) {
  return kTracedNames[static_cast<std::size_t>(traced)];
}

std::optional<Traced> traced_named(std::string_view name) {
  const auto found = std::ranges::find(kTracedNames, name);
  if (found == kTracedNames.end()) return std::nullopt;
  return static_cast<Traced>(found - kTracedNames.begin());
}

std::vector<Marked> mark(const std::vector<Candidate>& candidates, char letter) {
  std::vector<Marked> marked;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    marked.push_back({fmt::format("{}{}", letter, i + 1), &candidates[i]});
  }
  return marked;
}

std::string print_marked(std::span<const Marked> given) {
  std::string text;
  for (const Marked& marked : given) {
    const Candidate& candidate = *marked.candidate;
    if (!text.empty()) text += '\n';
    text += fmt::format("{}. {}: {}", marked.mark, candidate.name.empty() ? "Flaw" : candidate.name,
                        candidate.phenomenon);
    if (!candidate.reasoning.empty()) text += fmt::format(" Why: {}", candidate.reasoning);
  }
  return text;
}

Result<parse::Parsed<std::vector<RawCandidate>>> read_candidates(std::string_view reply) {
  std::string text(reply);
  const std::vector<SourceLine> lines = take_source_lines(text);
  AWRY_TRY_ASSIGN(parse::Parsed<std::vector<Finding>> findings, parse::read_anomalies(text));
  parse::Parsed<std::vector<RawCandidate>> parsed{.tolerated = std::move(findings.tolerated)};
  for (Finding& finding : findings.value) {
    parsed.value.push_back({{.name = std::move(finding.name),
                             .phenomenon = std::move(finding.phenomenon),
                             .reasoning = std::move(finding.reasoning),
                             .severity = finding.severity}});
  }
  // Where the counts differ an item said nothing and was left out: no telling which line belongs to whom.
  if (const auto starts = item_starts(text); starts.size() == parsed.value.size()) {
    for (const SourceLine& line : lines) {
      const auto after = std::ranges::upper_bound(starts, line.at);
      if (after != starts.begin()) {
        parsed.value[static_cast<std::size_t>(after - starts.begin()) - 1].marks = line.marks;
      }
    }
  } else if (const auto marks = json_marks(reply); marks.size() == parsed.value.size()) {
    for (std::size_t i = 0; i < marks.size(); ++i) parsed.value[i].marks = marks[i];
  }
  return parsed;
}

void trace(RawCandidate& raw, std::span<const Marked> given) {
  Candidate& candidate = raw.candidate;
  for (const Marked& marked : given) {
    if (std::ranges::find(raw.marks, marked.mark) != raw.marks.end()) {
      candidate.from.push_back(marked.candidate->id);
    }
  }
  candidate.traced = Traced::kNamed;
  if (!candidate.from.empty()) return;
  candidate.traced = Traced::kAlike;
  double best = kAlike;
  for (const Marked& marked : given) {
    const double alike = likeness_of(candidate.claim(), marked.candidate->claim());
    if (alike < best) continue;
    if (alike > best) candidate.from.clear();
    best = alike;
    candidate.from.push_back(marked.candidate->id);
  }
  if (!candidate.from.empty()) return;
  candidate.traced = Traced::kAssumed;
  for (const Marked& marked : given) candidate.from.push_back(marked.candidate->id);
}

}  // namespace awry::agents
