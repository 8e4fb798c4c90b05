// SPDX-License-Identifier: Apache-2.0
#include "awry/base/json.h"

#include <fmt/format.h>

#include <algorithm>

#include "awry/base/files.h"

namespace awry {
namespace {

// Copying and printing recurse, so depth is refused before a tree is built.
bool deeper_than(std::string_view text, int limit) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') {
        ++i;
      } else if (c == '"') {
        in_string = false;
      }
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      if (++depth > limit) return true;
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  return false;
}

std::string describe_position(std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, std::min(byte > 0 ? byte - 1 : 0, text.size()));
  const auto line = std::ranges::count(before, '\n') + 1;
  const std::size_t line_start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  return fmt::format("line {}, column {}", line, before.size() - line_start + 1);
}

}  // namespace

Result<Json> parse_json(std::string_view text, std::string_view source) {
  Error error{.what = "cannot read JSON", .input = std::string(source)};
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  if (deeper_than(text, kMaxJsonDepth)) {
    error.kind = ErrorKind::kLimit;
    error.why = fmt::format("it is nested more than {} levels deep", kMaxJsonDepth);
    return fail(error);
  }
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& problem) {
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
      error.why = "it is empty";
    } else if (problem.byte > text.size()) {
      error.why = fmt::format("it ends in the middle, at {}", describe_position(text, problem.byte));
      error.hint = "The file may be truncated: write or download it again.";
    } else {
      error.why = fmt::format("syntax error at {}", describe_position(text, problem.byte));
    }
    return fail(error);
  } catch (const Json::exception& problem) {  // numbers out of range and the like
    error.why = problem.what();
    return fail(error);
  }
}

Result<Json> read_json_file(const std::filesystem::path& path) {
  AWRY_TRY_ASSIGN(const std::string text, read_file(path));
  return parse_json(text, path.string());
}

std::string dump_json(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string dump_json_pretty(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<void> write_json_file(const std::filesystem::path& path, const Json& json) {
  return write_file(path, dump_json_pretty(json));
}

}  // namespace awry
