// SPDX-License-Identifier: Apache-2.0
// The grammar behind loose_json.h: one value at one place. Include from .cc files.
#pragma once

#include <bitset>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "awry/parse/loose_json.h"

namespace awry::parse {

enum class LooseStatus {
  kWhole,
  kCut,     // the text ends inside the value: what was open is closed, `json` is what there was
  kNone,    // the text ends before there is anything to keep
  kBroken,  // not JSON, even loosely
};

// A straight or typographic quote: its plain cousin (0: there is none) and its length in bytes.
struct Quote {
  char kind = 0;
  bool typographic = false;
  std::size_t length = 0;
};
Quote quote_at(std::string_view text, std::size_t at);

class LooseJsonReader {
 public:
  LooseJsonReader(std::string_view text, std::size_t at, const LooseJsonOptions& options)
      : text_(text), at_(at), options_(options) {}

  LooseStatus read(Json& json) { return value(json, 0); }
  void skip_space();  // blanks and comments

  std::size_t at() const { return at_; }
  bool at_end() const { return at_ >= text_.size(); }
  // kBroken only: why, and whether the text had begun like JSON (a key with its colon) before.
  const std::string& why() const { return why_; }
  bool too_deep() const { return too_deep_; }
  bool looked_like_json() const { return members_ > 0; }
  std::vector<std::string> tolerated() const;

 private:
  enum Tolerance : std::size_t {
    kQuotes,
    kInnerQuote,
    kPythonWord,
    kNan,
    kTuple,
    kSet,
    kTrailingComma,
    kMissingComma,
    kComment,
    kBareKey,
    kKeyedList,
    kControl,
    kEscape,
    kDoubledBraces,
    kRepeatedKey,
    kNumberForm,
    kEqualsSign,
    kToleranceCount
  };
  class Members;

  LooseStatus value(Json& json, int depth);
  LooseStatus object(Json& json, int depth);
  LooseStatus doubled_braces(Json& json, int depth);
  LooseStatus list(Json& json, int depth, char close);
  LooseStatus list_items(Json& json, int depth, char close);
  LooseStatus members(Json& json, int depth, char close, std::optional<std::string> first_key);
  LooseStatus key(std::string& name, bool& quoted);
  LooseStatus separator(char close, bool& more);
  LooseStatus string(std::string& out);
  LooseStatus triple_quoted(std::string& out, std::string_view quotes);
  LooseStatus escape(std::string& out);
  LooseStatus number(Json& json, int depth);
  LooseStatus word(Json& json);

  bool colon();
  bool bare_key_ahead() const;
  bool quote_ahead() const;
  bool closes_string(std::size_t behind) const;
  LooseStatus broken(std::string why);
  void tolerate(Tolerance tolerance) { tolerances_.set(tolerance); }

  std::string_view text_;
  std::size_t at_;
  const LooseJsonOptions& options_;
  std::bitset<kToleranceCount> tolerances_;
  std::string why_;
  bool too_deep_ = false;
  std::size_t members_ = 0;
};

}  // namespace awry::parse
