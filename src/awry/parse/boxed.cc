// SPDX-License-Identifier: Apache-2.0
// last_boxed() of loose_json.h.
#include "awry/base/text.h"
#include "awry/parse/loose_json.h"
#include "awry/parse/scan.h"

namespace awry::parse {
namespace {

enum class Quotes { kCount, kSkip };

// Index of the brace that closes the one just before `begin`; npos if none does.
std::size_t closing_brace(std::string_view text, std::size_t begin, Quotes quotes) {
  std::size_t depth = 1;
  bool quoted = false;
  for (std::size_t at = begin; at < text.size(); ++at) {
    const char c = text[at];
    if (quotes == Quotes::kSkip) {
      if (c == '\\' && quoted) {
        ++at;
        continue;
      }
      if (c == '"') quoted = !quoted;
      if (quoted) continue;
    }
    if (c == '{') ++depth;
    if (c == '}' && --depth == 0) return at;
  }
  return std::string_view::npos;
}

Parsed<std::string> braced_body(std::string_view text, std::size_t begin) {
  std::size_t end = closing_brace(text, begin, Quotes::kSkip);
  if (end == std::string_view::npos) end = closing_brace(text, begin, Quotes::kCount);
  Parsed<std::string> parsed;
  if (end == std::string_view::npos) parsed.tolerate("the \\boxed{ is not closed");
  parsed.value = trim(text.substr(begin, end == std::string_view::npos ? end : end - begin));
  return parsed;
}

Parsed<std::string> tagged_body(std::string_view text, std::size_t begin) {
  Parsed<std::string> parsed;
  parsed.tolerate("<boxed> in place of \\boxed{}");
  const std::size_t end = text.find("</boxed", begin);
  parsed.value = trim(text.substr(begin, end == std::string_view::npos ? end : end - begin));
  return parsed;
}

}  // namespace

Result<Parsed<std::string>> last_boxed(std::string_view text) {
  constexpr std::string_view kWord = "boxed";
  for (std::size_t at = text.rfind(kWord); at != std::string_view::npos;) {
    const std::size_t behind = at + kWord.size();
    const std::size_t brace = skip_blanks(text, behind);
    if (at > 0 && text[at - 1] == '\\' && brace < text.size() && text[brace] == '{') {
      return braced_body(text, brace + 1);
    }
    if (at > 0 && text[at - 1] == '<' && behind < text.size() && text[behind] == '>') {
      return tagged_body(text, behind + 1);
    }
    if (at == 0) break;
    at = text.rfind(kWord, at - 1);
  }
  return fail({.kind = ErrorKind::kNotFound,
               .what = "cannot read a boxed answer",
               .why = "the reply has no \\boxed{...}"});
}

}  // namespace awry::parse
