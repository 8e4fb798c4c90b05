// SPDX-License-Identifier: Apache-2.0
#include "awry/report/markup.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>

#include "awry/base/text.h"

namespace awry::report {
namespace {

std::string base64(std::string_view bytes) {
  static constexpr char kLetters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string result;
  result.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t taken = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t triple = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      triple = triple << 8 | (k < taken ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      result += k <= taken ? kLetters[triple >> (18 - 6 * k) & 63U] : '=';
    }
  }
  return result;
}

}  // namespace

std::string safe(std::string_view text) {
  const std::string escaped = escape_html(repair_utf8(text));
  std::string result;
  result.reserve(escaped.size());
  for (const char c : escaped) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 || c == '\n' || c == '\t') {
      result += c;
    } else if (c != '\r') {
      result += fmt::format("&#x{:x};", 0x2400 + byte);  // Unicode's pictures of control characters
    }
  }
  return result;
}

std::string shown_number(double value) {
  if (!std::isfinite(value)) return "n/a";
  const double size = std::abs(value);
  if (size >= 1e6 || (size > 0 && size < 0.0005)) return fmt::format("{:.2e}", value);
  return size >= 1000 ? fmt::format("{:.1f}", value) : fmt::format("{:.3f}", value);
}

std::string exact_number(double value) {
  return std::isnan(value) ? "NaN" : fmt::format("{}", value);
}

std::string badge(std::string_view text, std::string_view style) {
  return fmt::format("<span class=\"badge {}\">{}</span>", safe(style), safe(text));
}

std::string folded(std::string_view title, std::string_view body) {
  if (body.empty()) return {};
  return fmt::format("<details><summary>{}</summary>{}</details>\n", safe(title), body);
}

std::string preformatted(std::string_view text) {
  return text.empty() ? std::string() : fmt::format("<pre>{}</pre>", safe(text));
}

std::string data_url(std::string_view mime_type, std::string_view bytes) {
  return fmt::format("data:{};base64,{}", mime_type, base64(bytes));
}

}  // namespace awry::report
