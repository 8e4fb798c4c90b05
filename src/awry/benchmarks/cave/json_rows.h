// SPDX-License-Identifier: Apache-2.0
// The JSON objects of CAVE's files, read field by field with messages that say where. Include from .cc files.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "awry/base/json.h"
#include "awry/base/result.h"
#include "awry/records/unknown_fields.h"

namespace awry::benchmarks::cave {

// One object. Fields may go by several names; whatever nobody asked for is left to `finish` or `rest`.
class JsonRow {
 public:
  // An error when `json` is not an object.
  static Result<JsonRow> open(const Json& json, std::string what, std::string file, std::string place);

  tl::unexpected<Error> error(std::string why, std::string hint = {}) const;

  // nullptr when absent; two of the names at once are an error.
  Result<const Json*> find(std::initializer_list<std::string_view> names);
  // Absent and null are "".
  Result<std::string> text(std::initializer_list<std::string_view> names);
  // Text or a whole number, as text; absent is "".
  Result<std::string> name(std::initializer_list<std::string_view> names);
  // Absent is 0.
  Result<int> positive_integer(std::initializer_list<std::string_view> names);

  // A field inside this object, opened in turn.
  Result<JsonRow> inside(const Json& json, std::string place) const;

  Result<void> finish() const;  // an error for fields nobody asked for
  UnknownFields rest() const;   // those fields, to be carried along
  const std::string& place() const { return place_; }

 private:
  JsonRow(const Json& json, std::string what, std::string file, std::string place)
      : json_(&json), what_(std::move(what)), file_(std::move(file)), place_(std::move(place)) {}

  const Json* json_;
  std::string what_, file_, place_;
  std::vector<std::string> known_;
};

// A file of such objects: a list, an object that holds the list under `list_name` (the object is then given
// as `head`), one object {id: row} in either place, or JSON lines. A value under an id that is no object is
// the row's field `value_name`. `places` says where each stood: "line 3", "row 2".
struct JsonRows {
  Json head = Json::object();
  std::vector<Json> rows;
  std::vector<std::string> places;
};
Result<JsonRows> read_json_rows(const std::filesystem::path& path, std::string_view list_name,
                                std::string_view value_name, std::string_view what);

}  // namespace awry::benchmarks::cave
