// SPDX-License-Identifier: Apache-2.0
// read_object_lines() of anomalies.h.
#include <algorithm>
#include <optional>

#include "awry/base/text.h"
#include "awry/parse/anomalies.h"
#include "awry/parse/anomaly_fields.h"
#include "awry/parse/lists.h"
#include "awry/parse/scan.h"

namespace awry::parse {
namespace {

constexpr std::size_t kLongestPlainName = 60;

std::string_view without_marker(std::string_view line) {
  const auto marker = list_marker(line);
  return trim(marker ? line.substr(marker->length) : line);
}

std::string_view without_colon(std::string_view text) {
  text = trim(text);
  while (text.starts_with(':') || text.starts_with('*')) text = trim(text.substr(1));
  return text;
}

std::optional<ObjectLine> between_hashes(std::string_view line) {
  line = strip_any(line, "*_ \t");
  if (!line.starts_with('#')) return std::nullopt;
  const std::size_t close = line.find('#', 1);
  if (close == std::string_view::npos) return std::nullopt;
  const std::string_view name = strip_any(line.substr(1, close - 1), " \t*_:");
  if (name.empty()) return std::nullopt;
  return ObjectLine{repair_utf8(name), repair_utf8(without_colon(line.substr(close + 1)))};
}

// "#Name#: description", "1. **#Name#**: description". "#2 people#" only begins like the marker "#2".
std::optional<ObjectLine> hashed_line(std::string_view line) {
  auto object = between_hashes(without_marker(line));
  return object ? object : between_hashes(line);
}

// "Name: description" and "**Name**: description"; a colon late in a sentence does not make a name.
std::optional<ObjectLine> plain_line(std::string_view line) {
  const bool marked = list_marker(line).has_value();
  line = without_marker(line);
  const std::size_t colon = line.find(':');
  if (colon > kLongestPlainName) return std::nullopt;  // npos is larger still
  const std::string_view name = strip_any(line.substr(0, colon), "*_# \t");
  if (name.empty() || name.find_first_of(".!?;,") != std::string_view::npos) return std::nullopt;
  const std::string_view description = without_colon(line.substr(colon + 1));
  // "These are the objects:" introduces them.
  if (description.empty() && !marked) return std::nullopt;
  return ObjectLine{repair_utf8(name), repair_utf8(description)};
}

}  // namespace

Result<Parsed<std::vector<ObjectLine>>> read_object_lines(std::string_view reply) {
  const std::vector<std::string_view> lines = split_lines(reply);
  const bool hashed = std::ranges::any_of(lines, [](auto line) { return hashed_line(line).has_value(); });
  Parsed<std::vector<ObjectLine>> parsed;
  for (std::string_view line : lines) {
    if (trim(line).empty()) continue;
    if (auto object = hashed ? hashed_line(line) : plain_line(line)) {
      parsed.value.push_back(std::move(*object));
    } else if (!parsed.value.empty()) {
      std::string& description = parsed.value.back().description;
      if (!description.empty()) description += ' ';
      description += repair_utf8(trim(line));
    } else {
      parsed.tolerate("words before the first object");
    }
  }
  if (!hashed && !parsed.value.empty()) parsed.tolerate("object names without # around them");
  const auto nameless = [](const ObjectLine& object) { return object.description.empty(); };
  if (std::erase_if(parsed.value, nameless) > 0) parsed.tolerate("an object without a description");
  if (parsed.value.empty()) return unparsable("object lines", reply, "no line reads '#Name#: description'");
  return parsed;
}

}  // namespace awry::parse
