// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/themis/untagged.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "awry/base/json.h"
#include "awry/base/text.h"
#include "awry/parse/loose_json.h"
#include "awry/parse/scan.h"

namespace awry::benchmarks::themis {
namespace {

constexpr std::size_t kLongestLine = 80;

struct Field {
  std::string_view tag;
  std::array<std::string_view, 4> names;
};
constexpr std::array kFields = {
    Field{"CHOICE", {"choice", "choices", "answer", "answers"}},
    Field{"MASK", {"mask", "masks", "mask indices", "blocks"}},
    Field{"PARTS", {"parts", "part", "inconsistent part", "inconsistent parts"}},
    Field{"SENTENCES", {"sentences", "sentence", "tampered sentences", "inconsistent sentences"}},
    Field{"EXPLANATION", {"explanation", "reason", "reasoning", "explanations"}}};

const Field* field_named(std::string_view key) {
  const std::string name = parse::folded_words(replace_all(key, "_", " "));
  const auto found = std::ranges::find_if(
      kFields, [&](const Field& field) { return std::ranges::find(field.names, name) != field.names.end(); });
  return found == kFields.end() ? nullptr : &*found;
}

// Lists keep their brackets, which every reader of a tag's body understands.
std::string body_of(const Json& value) {
  if (value.is_null()) return "";
  return value.is_string() ? value.get<std::string>() : dump_json(value);
}

// nullopt: it chooses nothing, or says something twice.
std::optional<std::string> tags_of(const Json& object) {
  std::string tags;
  std::array<bool, kFields.size()> seen{};
  for (const auto& [key, value] : object.items()) {
    const Field* field = field_named(key);
    if (field == nullptr) continue;
    if (std::exchange(seen[static_cast<std::size_t>(field - kFields.data())], true)) return std::nullopt;
    tags += fmt::format("<{0}>{1}</{0}>\n", field->tag, body_of(value));
  }
  return seen[0] ? std::optional(std::move(tags)) : std::nullopt;
}

}  // namespace

parse::Parsed<std::string> with_tags(std::string_view reply) {
  parse::Parsed<std::string> read{.value = std::string(reply)};
  if (const auto found = parse::find_json(reply)) {
    const Json& json = found->value.json;
    std::optional<std::string> tags;
    if (json.is_object()) tags = tags_of(json);
    if (json.is_array()) tags = fmt::format("<CHOICE>{}</CHOICE>", dump_json(json));
    if (!tags) return read;
    read.value = std::move(*tags);
    read.tolerate("JSON instead of tags");
    read.tolerate_all(found->tolerated);
    return read;
  }
  const std::string_view line = trim(reply);
  if (!line.empty() && line.size() <= kLongestLine && line.find('\n') == std::string_view::npos) {
    read.value = fmt::format("<CHOICE>{}</CHOICE>", line);
    read.tolerate("a choice without its tag");
  }
  return read;
}

}  // namespace awry::benchmarks::themis
