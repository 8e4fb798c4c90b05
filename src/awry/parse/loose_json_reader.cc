// SPDX-License-Identifier: Apache-2.0
#include "awry/parse/loose_json_reader.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <unordered_map>
#include <utility>

#include "awry/base/text.h"
#include "awry/parse/scan.h"

namespace awry::parse {
namespace {

constexpr std::size_t kMaxBareKeyBytes = 100;

// The kind of quote at `at`: 0 for none, else its plain cousin; `length` in bytes.
struct Quote {
  char kind = 0;
  bool typographic = false;
  std::size_t length = 0;
};

Quote quote_at(std::string_view text, std::size_t at) {
  if (at >= text.size()) return {};
  if (text[at] == '"' || text[at] == '\'') return {text[at], false, 1};
  if (static_cast<unsigned char>(text[at]) != 0xe2) return {};
  const std::string_view three = text.substr(at, 3);
  if (three == "\u201c" || three == "\u201d") return {'"', true, 3};
  if (three == "\u2018" || three == "\u2019") return {'\'', true, 3};
  return {};
}

int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  c = lower_ascii(c);
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

std::optional<char32_t> four_hex_digits(std::string_view text, std::size_t at) {
  if (at + 4 > text.size()) return std::nullopt;
  char32_t unit = 0;
  for (std::size_t i = at; i < at + 4; ++i) {
    const int digit = hex_value(text[i]);
    if (digit < 0) return std::nullopt;
    unit = unit * 16 + static_cast<char32_t>(digit);
  }
  return unit;
}

}  // namespace

// Fills an object. nlohmann's ordered objects search all members before each insertion, which is quadratic
// for an object of 100,000 keys; this goes to the underlying vector and keeps its own index.
class LooseJsonReader::Members {
 public:
  explicit Members(Json& json) : object_((json = Json::object()).get_ref<Json::object_t&>()) {}

  enum class Added { kNew, kSame, kNumbered, kConflict };

  Added add(std::string name, Json value, RepeatedKeys policy) {
    const auto [known, is_new] = index_.try_emplace(name, Entry{object_.size(), 1});
    if (is_new) {
      object_.push_back({std::move(name), std::move(value)});
      return Added::kNew;
    }
    if (policy == RepeatedKeys::kRefuse) {
      return object_[known->second.position].second == value ? Added::kSame : Added::kConflict;
    }
    Entry& entry = known->second;
    for (;;) {
      std::string numbered = fmt::format("{}#{}", name, ++entry.count);
      if (index_.try_emplace(numbered, Entry{object_.size(), 1}).second) {
        object_.push_back({std::move(numbered), std::move(value)});
        return Added::kNumbered;
      }
    }
  }

 private:
  struct Entry {
    std::size_t position, count;
  };
  // The container itself, because operator[] of an ordered object looks up keys.
  using Container = std::vector<Json::object_t::value_type>;
  Container& object_;
  std::unordered_map<std::string, Entry> index_;
};

std::vector<std::string> LooseJsonReader::tolerated() const {
  static constexpr std::array<std::string_view, kToleranceCount> kNotes = {
      "single or typographic quotes",
      "unescaped quotes inside a string",
      "Python's True, False or None",
      "NaN or infinity, read as null",
      "a tuple",
      "a set, read as a list",
      "a trailing comma",
      "a missing comma",
      "a comment",
      "keys without quotes",
      "keys inside [ ], read as an object",
      "control characters in a string",
      "unknown escapes in a string",
      "doubled braces",
      "a key given twice",
      "a number in a form that JSON does not know",
      "'=' in place of ':'"};
  std::vector<std::string> notes;
  for (std::size_t i = 0; i < kToleranceCount; ++i) {
    if (tolerances_[i]) notes.push_back("the JSON has " + std::string(kNotes[i]));
  }
  return notes;
}

LooseStatus LooseJsonReader::broken(std::string why) {
  why_ = fmt::format("{} at byte {}", why, at_);
  return LooseStatus::kBroken;
}

void LooseJsonReader::skip_space() {
  for (;;) {
    at_ = skip_blanks(text_, at_);
    if (at_end()) return;
    if (text_.substr(at_, 2) == "\u00a0") {
      at_ += 2;
    } else if (text_[at_] == '#' || text_.substr(at_, 2) == "//") {
      at_ = std::min(text_.find('\n', at_), text_.size());
      tolerate(kComment);
    } else if (text_.substr(at_, 2) == "/*") {
      const std::size_t end = text_.find("*/", at_ + 2);
      at_ = end == std::string_view::npos ? text_.size() : end + 2;
      tolerate(kComment);
    } else {
      return;
    }
  }
}

bool LooseJsonReader::quote_ahead() const {
  return quote_at(text_, at_).kind != 0;
}

LooseStatus LooseJsonReader::value(Json& json, int depth) {
  skip_space();
  if (at_end()) return LooseStatus::kNone;
  const char c = text_[at_];
  if (c == '{' || c == '[' || c == '(') {
    if (depth >= options_.max_depth) {
      too_deep_ = true;
      return broken(fmt::format("nested more than {} levels deep", options_.max_depth));
    }
    if (c == '(') tolerate(kTuple);
    if (c == '{') return object(json, depth + 1);
    return list(json, depth + 1, c == '[' ? ']' : ')');
  }
  if (quote_ahead()) {
    std::string text;
    const LooseStatus status = string(text);
    if (status != LooseStatus::kBroken) json = std::move(text);
    return status;
  }
  if (is_digit(c) || c == '-' || c == '+' || c == '.') return number(json, depth);
  if (is_ascii_letter(c)) return word(json);
  return broken("no value begins");
}

LooseStatus LooseJsonReader::object(Json& json, int depth) {
  ++at_;
  skip_space();
  if (at_end()) {
    json = Json::object();
    return LooseStatus::kCut;
  }
  if (text_[at_] == '{') return doubled_braces(json, depth);
  if (!quote_ahead()) return members(json, depth, '}', {});

  // A quoted word with no colon behind it makes this a set.
  bool quoted = false;
  std::string first;
  LooseStatus status = key(first, quoted);
  if (status == LooseStatus::kBroken) return status;
  if (status != LooseStatus::kWhole) {
    json = Json::object();
    return LooseStatus::kCut;
  }
  skip_space();
  if (at_end()) {
    json = Json::object();
    return LooseStatus::kCut;
  }
  if (text_[at_] != ',' && text_[at_] != '}') return members(json, depth, '}', std::move(first));
  tolerate(kSet);
  json = Json::array({std::move(first)});
  bool more = false;
  status = separator('}', more);
  if (status == LooseStatus::kNone) return LooseStatus::kCut;
  if (status != LooseStatus::kWhole || !more) return status;
  return list_items(json, depth, '}');
}

// {{ ... }}: a template's escaped braces, repeated as they stood.
LooseStatus LooseJsonReader::doubled_braces(Json& json, int depth) {
  tolerate(kDoubledBraces);
  const LooseStatus status = value(json, depth);
  if (status != LooseStatus::kWhole) return status;
  skip_space();
  if (at_end()) return LooseStatus::kCut;
  if (text_[at_] != '}') return broken("doubled braces that are not closed twice");
  ++at_;
  return LooseStatus::kWhole;
}

LooseStatus LooseJsonReader::list(Json& json, int depth, char close) {
  ++at_;
  json = Json::array();
  skip_space();
  if (at_end()) return LooseStatus::kCut;
  if (text_[at_] == close) {
    ++at_;
    return LooseStatus::kWhole;
  }
  // ["x1": 10, "y1": 20]: the paper's own prompt asks for this.
  if (bare_key_ahead()) {
    tolerate(kKeyedList);
    return members(json, depth, close, {});
  }
  if (quote_ahead()) {
    std::string first;
    bool quoted = false;
    LooseStatus status = key(first, quoted);
    if (status == LooseStatus::kBroken) return status;
    if (status != LooseStatus::kWhole) {
      json.push_back(std::move(first));
      return LooseStatus::kCut;
    }
    skip_space();
    if (!at_end() && text_[at_] == ':') {
      tolerate(kKeyedList);
      return members(json, depth, close, std::move(first));
    }
    json.push_back(std::move(first));
    bool more = false;
    status = separator(close, more);
    if (status == LooseStatus::kNone) return LooseStatus::kCut;
    if (status != LooseStatus::kWhole || !more) return status;
  }
  return list_items(json, depth, close);
}

LooseStatus LooseJsonReader::list_items(Json& json, int depth, char close) {
  for (bool more = true; more;) {
    Json item;
    LooseStatus status = value(item, depth);
    if (status == LooseStatus::kBroken) return status;
    if (status == LooseStatus::kNone) return LooseStatus::kCut;
    json.push_back(std::move(item));
    if (status == LooseStatus::kCut) return status;
    status = separator(close, more);
    if (status == LooseStatus::kNone) return LooseStatus::kCut;
    if (status != LooseStatus::kWhole) return status;
  }
  return LooseStatus::kWhole;
}

LooseStatus LooseJsonReader::members(Json& json, int depth, char close, std::string first_key) {
  Members object(json);
  bool key_is_read = !first_key.empty();
  std::string name = std::move(first_key);
  if (!key_is_read && !at_end() && text_[at_] == close) {
    ++at_;
    return LooseStatus::kWhole;
  }
  for (bool more = true; more;) {
    bool quoted = false;
    LooseStatus status = key_is_read ? LooseStatus::kWhole : key(name, quoted);
    key_is_read = false;
    if (status == LooseStatus::kBroken) return status;
    if (status != LooseStatus::kWhole) return LooseStatus::kCut;
    skip_space();
    if (at_end()) return LooseStatus::kCut;
    if (!colon()) return broken("a ':' is missing behind a key");
    ++members_;
    Json member;
    status = value(member, depth);
    if (status == LooseStatus::kBroken) return status;
    if (status == LooseStatus::kNone) return LooseStatus::kCut;
    switch (object.add(std::move(name), std::move(member), options_.repeated_keys)) {
      case Members::Added::kNew:
        break;
      case Members::Added::kSame:
      case Members::Added::kNumbered:
        tolerate(kRepeatedKey);
        break;
      case Members::Added::kConflict:
        return broken("a key is given twice with different values");
    }
    name.clear();
    if (status == LooseStatus::kCut) return status;
    status = separator(close, more);
    if (status == LooseStatus::kNone) return LooseStatus::kCut;
    if (status != LooseStatus::kWhole) return status;
  }
  return LooseStatus::kWhole;
}

bool LooseJsonReader::colon() {
  if (text_[at_] == '=') {
    tolerate(kEqualsSign);
  } else if (text_[at_] != ':') {
    return false;
  }
  ++at_;
  return true;
}

bool LooseJsonReader::bare_key_ahead() const {
  if (at_end() || !(is_ascii_letter(text_[at_]) || text_[at_] == '_')) return false;
  const std::string_view ahead = text_.substr(at_, kMaxBareKeyBytes);
  for (char c : ahead) {
    if (c == ':') return true;
    if (!is_word_byte(c) && c != ' ' && c != '-') return false;
  }
  return false;
}

LooseStatus LooseJsonReader::key(std::string& name, bool& quoted) {
  name.clear();
  skip_space();
  if (at_end()) return LooseStatus::kNone;
  quoted = quote_ahead();
  if (quoted) return string(name);
  const std::size_t begin = at_;
  while (!at_end() && at_ - begin < kMaxBareKeyBytes &&
         (is_word_byte(text_[at_]) || text_[at_] == ' ' || text_[at_] == '-')) {
    ++at_;
  }
  const std::string_view word = trim(text_.substr(begin, at_ - begin));
  if (at_end()) return LooseStatus::kNone;
  if (word.empty() || (text_[at_] != ':' && text_[at_] != '=')) {
    return broken("a key is missing");
  }
  tolerate(kBareKey);
  name = repair_utf8(word);
  return LooseStatus::kWhole;
}

// Behind an item: steps over the comma, or the bracket that closes.
LooseStatus LooseJsonReader::separator(char close, bool& more) {
  skip_space();
  more = false;
  if (at_end()) return LooseStatus::kNone;
  if (text_[at_] == close) {
    ++at_;
    return LooseStatus::kWhole;
  }
  more = true;
  if (text_[at_] != ',') {
    if (!quote_ahead() && text_[at_] != '{')
      return broken(fmt::format("neither ',' nor '{}' follows", close));
    tolerate(kMissingComma);
    return LooseStatus::kWhole;
  }
  ++at_;
  skip_space();
  if (at_end()) return LooseStatus::kNone;
  if (text_[at_] == close) {
    tolerate(kTrailingComma);
    ++at_;
    more = false;
  }
  return LooseStatus::kWhole;
}

// A quote ends a string only where JSON can go on behind it; elsewhere somebody forgot to escape it.
bool LooseJsonReader::closes_string(std::size_t behind) const {
  bool new_line = false;
  while (behind < text_.size() && is_blank(text_[behind])) new_line |= text_[behind++] == '\n';
  if (behind >= text_.size()) return true;
  if (std::string_view(",:}])#").find(text_[behind]) != std::string_view::npos) return true;
  if (text_.substr(behind, 2) == "//" || text_.substr(behind, 2) == "/*") return true;
  return new_line && quote_at(text_, behind).kind != 0;
}

LooseStatus LooseJsonReader::string(std::string& out) {
  const Quote open = quote_at(text_, at_);
  for (std::string_view triple : {R"(""")", "'''"}) {
    if (text_.substr(at_, 3) == triple) return triple_quoted(out, triple);
  }
  if (open.typographic || open.kind == '\'') tolerate(kQuotes);
  at_ += open.length;
  while (!at_end()) {
    const char c = text_[at_];
    if (c == '\\') {
      if (escape(out) == LooseStatus::kCut) break;
      continue;
    }
    const Quote quote = quote_at(text_, at_);
    const bool may_close = quote.kind == open.kind && (open.typographic || !quote.typographic);
    if (may_close) {
      if (closes_string(at_ + quote.length)) {
        at_ += quote.length;
        out = repair_utf8(out);
        return LooseStatus::kWhole;
      }
      if (!open.typographic) tolerate(kInnerQuote);
    }
    if (static_cast<unsigned char>(c) < 0x20) tolerate(kControl);
    const std::size_t length = quote.kind ? quote.length : 1;
    out += text_.substr(at_, length);
    at_ += length;
  }
  out = repair_utf8(out);
  return LooseStatus::kCut;
}

LooseStatus LooseJsonReader::triple_quoted(std::string& out, std::string_view quotes) {
  tolerate(kQuotes);
  const std::size_t begin = at_ + 3, end = text_.find(quotes, begin);
  const bool closed = end != std::string_view::npos;
  out = repair_utf8(text_.substr(begin, closed ? end - begin : end));
  at_ = closed ? end + 3 : text_.size();
  return closed ? LooseStatus::kWhole : LooseStatus::kCut;
}

LooseStatus LooseJsonReader::escape(std::string& out) {
  static constexpr std::string_view kNames = "\"\\/bfnrt'", kMeanings = "\"\\/\b\f\n\r\t'";
  if (at_ + 1 >= text_.size()) {
    at_ = text_.size();
    return LooseStatus::kCut;
  }
  const char c = text_[at_ + 1];
  if (const std::size_t known = kNames.find(c); known != std::string_view::npos) {
    out += kMeanings[known];
    at_ += 2;
    return LooseStatus::kWhole;
  }
  std::optional<char32_t> unit = c == 'u' ? four_hex_digits(text_, at_ + 2) : std::nullopt;
  if (!unit) {
    // LaTeX and Windows paths: keep the backslash, it was meant.
    tolerate(kEscape);
    out += '\\';
    ++at_;
    return LooseStatus::kWhole;
  }
  at_ += 6;
  if (*unit >= 0xd800 && *unit < 0xdc00 && text_.substr(at_, 2) == "\\u") {
    const auto low = four_hex_digits(text_, at_ + 2);
    if (low && *low >= 0xdc00 && *low < 0xe000) {
      unit = 0x10000 + ((*unit - 0xd800) << 10) + (*low - 0xdc00);
      at_ += 6;
    }
  }
  if (*unit >= 0xd800 && *unit < 0xe000) {
    tolerate(kEscape);
    unit = 0xfffd;
  }
  out += encode_utf8(std::array{*unit});
  return LooseStatus::kWhole;
}

LooseStatus LooseJsonReader::number(Json& json, int depth) {
  const std::size_t begin = at_;
  const auto scanned = scan_number(text_, at_);
  if (!scanned) {
    const std::string_view sign = text_.substr(at_, 1);
    if (at_ + 1 < text_.size() && (sign == "-" || sign == "+") && is_ascii_letter(text_[at_ + 1])) {
      ++at_;
      return word(json);  // -Infinity
    }
    if (at_ + 1 >= text_.size()) return LooseStatus::kNone;
    return broken("no value begins");
  }
  at_ = scanned->end;
  const std::string_view written = text_.substr(begin, at_ - begin);
  if (!at_end() && text_[at_] == '.') {
    ++at_;
    tolerate(kNumberForm);
  }
  // The last digits may be missing: half a number is no number.
  if (at_end() && depth > 0) return LooseStatus::kNone;
  if (!at_end() && is_word_byte(text_[at_])) return broken("a number runs into a word");
  if (!std::isfinite(scanned->value)) return broken("a number is too large");
  const std::string_view digits = written.substr(written.find_first_not_of("+-"));
  const bool leading_zero = digits.size() > 1 && digits[0] == '0' && is_digit(digits[1]);
  if (leading_zero || digits[0] == '.' || written[0] == '+') tolerate(kNumberForm);
  const auto whole =
      scanned->has_fraction ? std::nullopt : parse_integer(written[0] == '+' ? written.substr(1) : written);
  if (whole) {
    json = *whole;
  } else {
    json = scanned->value;
  }
  return LooseStatus::kWhole;
}

LooseStatus LooseJsonReader::word(Json& json) {
  const std::size_t begin = at_;
  while (!at_end() && is_ascii_letter(text_[at_])) ++at_;
  const std::string_view word = text_.substr(begin, at_ - begin);
  if (!at_end() && is_word_byte(text_[at_])) return broken("text without quotes");
  struct Literal {
    std::string_view name;
    Json value;
  };
  static const std::array<Literal, 7> kLiterals = {{{"true", true},
                                                    {"false", false},
                                                    {"null", nullptr},
                                                    {"none", nullptr},
                                                    {"nan", nullptr},
                                                    {"infinity", nullptr},
                                                    {"undefined", nullptr}}};
  for (const Literal& literal : kLiterals) {
    if (at_end() && starts_with_at(literal.name, 0, word) && word.size() < literal.name.size()) {
      return LooseStatus::kNone;
    }
    if (!equals_ignoring_case(word, literal.name)) continue;
    if (literal.name == "nan" || literal.name == "infinity") {
      tolerate(kNan);
    } else if (word != "true" && word != "false" && word != "null") {
      tolerate(kPythonWord);
    }
    json = literal.value;
    return LooseStatus::kWhole;
  }
  at_ = begin;
  return broken("text without quotes");
}

}  // namespace awry::parse
