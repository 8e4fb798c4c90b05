// SPDX-License-Identifier: Apache-2.0
// loose_json and boxed.
#include "awry/parse/loose_json.h"
#include "properties.h"

namespace awry::fuzz {

using namespace awry::parse;

namespace {

void require_reads_back(const Json& json) {
  const auto again = read_loose_json(dump_json(json));
  require(again && again->value.json == json, "what is printed reads back");
  require(again->tolerated.empty() && !again->value.truncated, "what is printed is strict");
}

// Where a strict parser succeeds, the loose one must agree or say why not.
void compare_with_strict(std::string_view input) {
  // The strict parser skips a byte order mark, and takes a NUL byte for the end.
  if (input.starts_with("\xef\xbb\xbf") || input.find('\0') != std::string_view::npos) return;
  const auto strict = parse_json(input, "fuzz");
  if (!strict) return;
  const auto loose = read_loose_json(input);
  if (loose) return require(loose->value.json == *strict, "strict JSON reads the same");
  const std::string& why = loose.error().why;
  require(is_part_of("twice", why) || is_part_of("deep", why),
          "strict JSON is refused only for repeated keys or depth");
}

}  // namespace

void run_loose_json(std::string_view input) {
  compare_with_strict(input);
  for (RepeatedKeys keys : {RepeatedKeys::kRefuse, RepeatedKeys::kNumber}) {
    for (bool allow_truncated : {false, true}) {
      const LooseJsonOptions options = {.allow_truncated = allow_truncated, .repeated_keys = keys};
      const auto read = read_loose_json(input, options);
      const auto found = find_json(input, options);
      const auto all = find_all_json(input, options);
      require_said(read);
      require_said(found);
      require_said(all);
      require(!all || found, "where all values are sound, so is the last");
      require(!read || allow_truncated || !read->value.truncated, "no half document unless asked for");
      if (read) require_reads_back(read->value.json);
      if (found) require_reads_back(found->value.json);
    }
  }
  for (JsonWanted wanted : {JsonWanted::kObject, JsonWanted::kArray}) {
    const auto found = find_json(input, {.wanted = wanted});
    require_said(found);
    if (!found) continue;
    const Json& json = found->value.json;
    require(wanted == JsonWanted::kObject ? json.is_object() : json.is_array(), "it is of the kind wanted");
  }
}

void run_boxed(std::string_view input) {
  const auto boxed = last_boxed(input);
  require_said(boxed);
  if (!boxed) {
    require(boxed.error().kind == ErrorKind::kNotFound, "a box is there or it is not");
    return;
  }
  require(is_part_of(boxed->value, input), "the body is a piece of the reply");
  if (!boxed->tolerated.empty()) return;
  // Uneven quotes make braces count plainly, which depends on the text behind the box.
  if (is_part_of("\"", boxed->value) || is_part_of("boxed", boxed->value)) return;
  const auto again = last_boxed("\\boxed{" + boxed->value + "}");
  require(again && again->value == boxed->value, "a body reads back");
}

}  // namespace awry::fuzz
