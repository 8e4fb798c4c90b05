// SPDX-License-Identifier: Apache-2.0
#include "awry/parse/parsed.h"

#include <array>

#include "awry/base/text.h"
#include "awry/parse/scan.h"

namespace awry::parse {
namespace {

constexpr std::size_t kExcerptBytes = 80;
constexpr std::size_t kReasonBytes = 200;

// One line of valid text.
std::string excerpt(std::string_view text, std::size_t most) {
  // Cut before trimming the end: callers may pass the rest of a long text again and again.
  const std::string_view head = text.substr(skip_blanks(text, 0));
  std::string line = repair_utf8(trim(head.substr(0, most)));
  const bool cut = head.size() > most || line.size() > most;
  if (line.size() > most) {  // an invalid byte takes three when repaired
    std::size_t end = most;
    while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xC0U) == 0x80) --end;
    line.resize(end);
  }
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  return cut ? line + "..." : line;
}

}  // namespace

tl::unexpected<Error> unparsable(std::string_view thing, std::string_view text, std::string_view why) {
  return fail({.kind = ErrorKind::kInvalid,
               .what = "cannot read " + std::string(thing),
               .input = excerpt(text, kExcerptBytes),
               .why = excerpt(why, kReasonBytes)});
}

std::string complaint_of(const std::vector<std::string>& tolerated) {
  return join(tolerated, "; ");
}

bool says_nothing(std::string_view text) {
  static constexpr std::array<std::string_view, 15> kNothing = {
      "",    "none", "null",    "nil", "0",      "empty",  "n/a",           "na",
      "nan", "-",    "nothing", "no",  "[none]", "(none)", "not applicable"};
  text = trim(text);
  if (text.size() > 40) return false;
  const std::string_view bare = strip_any(text, " \t\r\n\f\v*`\"'.[](){}<>_");
  for (std::string_view word : kNothing) {
    if (equals_ignoring_case(bare, word)) return true;
  }
  return false;
}

}  // namespace awry::parse
