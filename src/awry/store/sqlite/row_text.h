// SPDX-License-Identifier: Apache-2.0
// The JSON text in a row, read back as a record. Include from .cc files.
#pragma once

#include <string>
#include <string_view>

#include "awry/base/json.h"
#include "awry/base/result.h"
#include "awry/records/json.h"
#include "awry/store/sqlite/connection.h"

namespace awry::store::sqlite {

// `name` says which record, for errors: "run 'demo'".
template <class T>
Result<T> record_of(const Connection& connection, const std::string& text, std::string_view name) {
  const std::string source = connection.path().string() + ": " + std::string(name);
  AWRY_TRY_ASSIGN(const Json json, parse_json(text, source));
  return from_json<T>(json, source);
}

// What has no id could never be found again.
inline Result<void> require_id(std::string_view id, std::string_view kind) {
  if (!id.empty()) return {};
  return fail(
      {.kind = ErrorKind::kInvalid, .what = "cannot store " + std::string(kind), .why = "its id is empty"});
}

}  // namespace awry::store::sqlite
