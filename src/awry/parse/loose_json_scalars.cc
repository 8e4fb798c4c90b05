// SPDX-License-Identifier: Apache-2.0
// Strings, numbers and words of LooseJsonReader.
#include <array>
#include <cmath>
#include <optional>

#include "awry/base/text.h"
#include "awry/parse/loose_json_reader.h"
#include "awry/parse/scan.h"

namespace awry::parse {
namespace {

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

// "e", "e-": all that is left of a text that ends inside "1e-5".
bool begins_exponent(std::string_view rest) {
  if (!rest.starts_with('e') && !rest.starts_with('E')) return false;
  return rest.size() == 1 || (rest.size() == 2 && (rest[1] == '-' || rest[1] == '+'));
}

}  // namespace

Quote quote_at(std::string_view text, std::size_t at) {
  if (at >= text.size()) return {};
  if (text[at] == '"' || text[at] == '\'') return {text[at], false, 1};
  if (static_cast<unsigned char>(text[at]) != 0xe2) return {};
  const std::string_view three = text.substr(at, 3);
  if (three == "\u201c" || three == "\u201d") return {'"', true, 3};
  if (three == "\u2018" || three == "\u2019") return {'\'', true, 3};
  return {};
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
    const char next = at_ + 1 < text_.size() ? lower_ascii(text_[at_ + 1]) : '\0';
    if ((sign == "-" || sign == "+") && next == 'i') {
      ++at_;
      return word(json);  // -Infinity
    }
    if (at_ + 1 < text_.size()) return broken("no value begins");
    at_ = text_.size();
    return LooseStatus::kNone;
  }
  at_ = scanned->end;
  const std::string_view written = text_.substr(begin, at_ - begin);
  if (!at_end() && text_[at_] == '.') {
    ++at_;
    tolerate(kNumberForm);
  }
  // The last digits may be missing: half a number is no number.
  const bool mid_exponent = begins_exponent(text_.substr(at_));
  if ((at_end() || mid_exponent) && depth > 0) {
    at_ = text_.size();
    return LooseStatus::kNone;
  }
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
  static const std::array<Literal, 8> kLiterals = {{{"true", true},
                                                    {"false", false},
                                                    {"null", nullptr},
                                                    {"none", nullptr},
                                                    {"nan", nullptr},
                                                    {"inf", nullptr},
                                                    {"infinity", nullptr},
                                                    {"undefined", nullptr}}};
  for (const Literal& literal : kLiterals) {
    if (at_end() && starts_with_at(literal.name, 0, word) && word.size() < literal.name.size()) {
      return LooseStatus::kNone;
    }
    if (!equals_ignoring_case(word, literal.name)) continue;
    if (literal.name == "nan" || literal.name.starts_with("inf")) {
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
