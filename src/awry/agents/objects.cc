// SPDX-License-Identifier: Apache-2.0
#include "awry/agents/objects.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "awry/agents/likeness.h"
#include "awry/agents/vocabulary.h"
#include "awry/base/json.h"
#include "awry/base/text.h"
#include "awry/parse/loose_json.h"

namespace awry::agents {
namespace {

using parse::ObjectLine;

constexpr double kSureScore = 0.55, kDoubtfulScore = 0.35;

std::string text_of(const Json& json) {
  return json.is_string() ? json.get<std::string>() : dump_json(json);
}

std::optional<ObjectLine> object_of_json(const Json& json) {
  if (!json.is_object()) return std::nullopt;
  ObjectLine line;
  for (const auto& [key, value] : json.items()) {
    const std::string lower = to_lower_ascii(key);
    if (lower == "name" || lower == "object" || lower == "label") line.name = trim(text_of(value));
    if (lower == "description" || lower == "details") line.description = trim(text_of(value));
  }
  if (line.name.empty() || line.description.empty()) return std::nullopt;
  return line;
}

void collect(const Json& json, int levels, std::vector<ObjectLine>& lines) {
  if (auto line = object_of_json(json)) return lines.push_back(std::move(*line));
  if (levels == 0 || !json.is_structured()) return;
  for (const auto& [key, value] : json.items()) {
    if (json.is_object() && value.is_string() && !trim(key).empty()) {
      lines.push_back({std::string(trim(key)), std::string(trim(value.get<std::string>()))});
    } else {
      collect(value, levels - 1, lines);
    }
  }
}

// How likely two entries of different drafts are one thing: names count as much as descriptions, and a name
// that holds the other whole ("Woman" in "Woman on the left") counts as nearly equal.
double score_of(const ObjectLine& a, const ObjectLine& b) {
  std::vector<std::string> in_a = content_words(a.name), in_b = content_words(b.name);
  std::ranges::sort(in_a), std::ranges::sort(in_b);
  double name = shared_words(a.name, b.name);
  if (!in_a.empty() && !in_b.empty() &&
      (std::ranges::includes(in_a, in_b) || std::ranges::includes(in_b, in_a))) {
    name = std::max(name, in_a == in_b ? 1.0 : 0.8);
  }
  return 0.5 * name + 0.5 * shared_words(a.description, b.description);
}

struct Entry {
  ObjectLine line;
  std::string seen;
};

struct Group {
  std::vector<Entry> entries;

  const ObjectLine& best() const {
    return std::ranges::max_element(entries, {}, [](const Entry& e) { return e.line.description.size(); })
        ->line;
  }
};

struct Match {
  double score = 0;
  std::size_t group = 0, entry = 0;
};

class Merger {
 public:
  explicit Merger(std::span<const DoubtfulPair> same) : same_(same) {}

  void add(const Draft& draft) {
    const std::vector<Entry> entries = distinct(draft);
    std::vector<bool> group_taken(groups_.size()), entry_taken(entries.size());
    for (const Match& match : matches(entries)) {
      if (group_taken[match.group] || entry_taken[match.entry]) continue;
      if (match.score < kSureScore && !decided_same(match, entries)) continue;
      group_taken[match.group] = entry_taken[match.entry] = true;
      groups_[match.group].entries.push_back(entries[match.entry]);
    }
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (!entry_taken[i]) groups_.push_back({{entries[i]}});
    }
  }

  std::vector<Group> groups_;
  std::vector<DoubtfulPair> doubtful_;

 private:
  static std::vector<Entry> distinct(const Draft& draft) {
    std::vector<Entry> entries;
    for (std::size_t i = 0; i < draft.objects.size(); ++i) {
      const ObjectLine& line = draft.objects[i];
      const auto equal = [&](const Entry& entry) {
        return casefold(entry.line.name) == casefold(line.name) &&
               casefold(entry.line.description) == casefold(line.description);
      };
      if (std::ranges::none_of(entries, equal))
        entries.push_back({line, fmt::format("{}/{}", draft.id, i + 1)});
    }
    return entries;
  }

  // Best first; among equals the earlier group, then the earlier entry.
  std::vector<Match> matches(const std::vector<Entry>& entries) const {
    std::vector<Match> found;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      for (std::size_t e = 0; e < entries.size(); ++e) {
        double score = 0;
        for (const Entry& member : groups_[g].entries) {
          score = std::max(score, score_of(member.line, entries[e].line));
        }
        if (score >= kDoubtfulScore) found.push_back({score, g, e});
      }
    }
    std::ranges::stable_sort(found, [](const Match& a, const Match& b) { return a.score > b.score; });
    return found;
  }

  bool decided_same(const Match& match, const std::vector<Entry>& entries) {
    const DoubtfulPair pair{groups_[match.group].best(), entries[match.entry].line};
    if (std::ranges::find(same_, pair) != same_.end()) return true;
    doubtful_.push_back(pair);
    return false;
  }

  std::span<const DoubtfulPair> same_;
};

}  // namespace

Result<parse::Parsed<std::vector<ObjectLine>>> read_objects(std::string_view reply) {
  if (const auto json =
          parse::find_json(reply, {.allow_truncated = true, .repeated_keys = parse::RepeatedKeys::kNumber})) {
    parse::Parsed<std::vector<ObjectLine>> parsed;
    collect(json->value.json, 3, parsed.value);
    parsed.tolerate_all(json->tolerated);
    if (!parsed.value.empty()) return parsed;
  }
  return parse::read_object_lines(reply);
}

MergedObjects merge_drafts(std::span<const Draft> drafts, std::size_t max_objects,
                           std::span<const DoubtfulPair> same) {
  Merger merger(same);
  for (const Draft& draft : drafts) merger.add(draft);
  MergedObjects merged{.doubtful = std::move(merger.doubtful_)};
  for (const Group& group : merger.groups_) {
    SceneObject object{.name = group.best().name, .description = group.best().description};
    object.is_person = std::ranges::any_of(
        group.entries, [](const Entry& entry) { return names_a_person(entry.line.name); });
    for (const Entry& entry : group.entries) object.seen.push_back(entry.seen);
    merged.objects.push_back(std::move(object));
  }
  std::ranges::stable_partition(merged.objects, [](const SceneObject& object) { return object.is_person; });
  if (merged.objects.size() > max_objects) {
    merged.left_out = merged.objects.size() - max_objects;
    merged.objects.resize(max_objects);
  }
  for (std::size_t i = 0; i < merged.objects.size(); ++i) merged.objects[i].id = fmt::format("o{}", i + 1);
  return merged;
}

}  // namespace awry::agents
