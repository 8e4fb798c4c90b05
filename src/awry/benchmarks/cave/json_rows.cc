// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/cave/json_rows.h"

#include <fmt/format.h>

#include <algorithm>

#include "awry/base/files.h"
#include "awry/base/text.h"

namespace awry::benchmarks::cave {

Result<JsonRow> JsonRow::open(const Json& json, std::string what, std::string file, std::string place) {
  JsonRow row(json, std::move(what), std::move(file), std::move(place));
  if (!json.is_object()) return row.error("it is not an object");
  return row;
}

tl::unexpected<Error> JsonRow::error(std::string why, std::string hint) const {
  return fail({.what = what_,
               .input = file_,
               .why = place_.empty() ? std::move(why) : place_ + ": " + std::move(why),
               .hint = std::move(hint)});
}

Result<const Json*> JsonRow::find(std::initializer_list<std::string_view> names) {
  const Json* found = nullptr;
  std::string_view found_name;
  for (const std::string_view name : names) {
    known_.emplace_back(name);
    const auto field = json_->find(std::string(name));
    if (field == json_->end()) continue;
    if (found != nullptr) return error(fmt::format("it has both '{}' and '{}'", found_name, name));
    found = &*field;
    found_name = name;
  }
  return found;
}

Result<std::string> JsonRow::text(std::initializer_list<std::string_view> names) {
  AWRY_TRY_ASSIGN(const Json* value, find(names));
  if (value == nullptr || value->is_null()) return std::string();
  if (!value->is_string()) return error(fmt::format("field '{}' is not a string", *names.begin()));
  return value->get<std::string>();
}

Result<std::string> JsonRow::name(std::initializer_list<std::string_view> names) {
  AWRY_TRY_ASSIGN(const Json* value, find(names));
  if (value == nullptr) return std::string();
  if (value->is_string()) return value->get<std::string>();
  if (value->is_number_integer()) return value->dump();
  return error(fmt::format("field '{}' is neither a string nor a whole number", *names.begin()));
}

Result<int> JsonRow::positive_integer(std::initializer_list<std::string_view> names) {
  AWRY_TRY_ASSIGN(const Json* value, find(names));
  if (value == nullptr || value->is_null()) return 0;
  constexpr int kMost = 1'000'000;
  if (!value->is_number_integer())
    return error(fmt::format("field '{}' is not a whole number", *names.begin()));
  const bool fits =
      value->is_number_unsigned() && value->get<std::uint64_t>() >= 1 && value->get<std::uint64_t>() <= kMost;
  if (!fits)
    return error(fmt::format("field '{}' is {}, outside 1 to {}", *names.begin(), value->dump(), kMost));
  return static_cast<int>(value->get<std::uint64_t>());
}

Result<JsonRow> JsonRow::inside(const Json& json, std::string place) const {
  return open(json, what_, file_, place_.empty() ? std::move(place) : place_ + ", " + std::move(place));
}

Result<void> JsonRow::finish() const {
  for (const auto& [name, value] : json_->items()) {
    if (std::find(known_.begin(), known_.end(), name) != known_.end()) continue;
    const auto meant = did_you_mean(name, known_);
    return error(fmt::format("field '{}' is unknown", name),
                 meant ? fmt::format("Did you mean '{}'?", *meant)
                       : fmt::format("Known are {}.", fmt::join(known_, ", ")));
  }
  return {};
}

UnknownFields JsonRow::rest() const {
  UnknownFields unknown;
  for (const auto& [name, value] : json_->items()) {
    if (std::find(known_.begin(), known_.end(), name) == known_.end()) {
      unknown.raw.emplace_back(name, dump_json(value));
    }
  }
  return unknown;
}

namespace {

// By its ending, or because its first line is a whole object of several.
bool is_lines(const std::filesystem::path& path, std::string_view text) {
  const std::string extension = to_lower_ascii(path.extension().string());
  if (extension == ".jsonl" || extension == ".ndjson") return true;
  const std::string_view content = trim(text);
  const std::size_t end = content.find('\n');
  if (end == std::string_view::npos || !content.starts_with('{')) return false;
  return parse_json(content.substr(0, end), "").has_value();
}

// One member of {id: row}. What is no object stands for the field that says the most.
Json row_of(const std::string& id, Json value, std::string_view value_name) {
  Json row = Json::object();
  row["id"] = id;
  if (!value.is_object()) {
    row[std::string(value_name)] = std::move(value);
    return row;
  }
  for (auto& [name, each] : value.items()) row[name] = std::move(each);
  return row;
}

}  // namespace

Result<JsonRows> read_json_rows(const std::filesystem::path& path, std::string_view list_name,
                                std::string_view value_name, std::string_view what) {
  JsonRows read;
  AWRY_TRY_ASSIGN(const std::string text, read_file(path));
  if (is_lines(path, text)) {
    const auto lines = split_lines(text);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (trim(lines[i]).empty()) continue;
      AWRY_TRY_ASSIGN(Json row, parse_json(lines[i], fmt::format("{}, line {}", path.string(), i + 1)));
      read.rows.push_back(std::move(row));
      read.places.push_back(fmt::format("line {}", i + 1));
    }
    return read;
  }
  AWRY_TRY_ASSIGN(Json whole, parse_json(text, path.string()));
  Json list = whole;
  if (whole.is_object()) {
    const auto held = whole.find(std::string(list_name));
    const bool has_list = held != whole.end(), by_id = !has_list || held->is_object();
    Json inside = has_list ? std::move(*held) : std::move(whole);
    if (has_list) {
      whole.erase(std::string(list_name));
      read.head = std::move(whole);
    }
    list = by_id && !inside.empty() ? Json::array() : std::move(inside);
    if (by_id && list.is_array()) {
      for (auto& [id, value] : inside.items()) list.push_back(row_of(id, std::move(value), value_name));
    }
  }
  if (!list.is_array()) {
    return fail({.what = std::string(what),
                 .input = path.string(),
                 .why = fmt::format("it is neither a list nor an object with a list named '{}'", list_name)});
  }
  for (Json& row : list) {
    read.rows.push_back(std::move(row));
    read.places.push_back(fmt::format("row {}", read.rows.size()));
  }
  return read;
}

}  // namespace awry::benchmarks::cave
