// SPDX-License-Identifier: Apache-2.0
#include "awry/parse/loose_json_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>
#include <utility>

#include "awry/base/text.h"
#include "awry/parse/scan.h"

namespace awry::parse {
namespace {

constexpr std::size_t kMaxBareKeyBytes = 100;

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
  if (!quote_ahead()) return members(json, depth, '}', std::nullopt);

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
    return members(json, depth, close, std::nullopt);
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

LooseStatus LooseJsonReader::members(Json& json, int depth, char close,
                                     std::optional<std::string> first_key) {
  Members object(json);
  bool key_is_read = first_key.has_value();
  std::string name = std::move(first_key).value_or(std::string{});
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

}  // namespace awry::parse
