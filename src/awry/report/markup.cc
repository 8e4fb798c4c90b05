// SPDX-License-Identifier: Apache-2.0
#include "awry/report/markup.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>

#include "awry/base/base64.h"
#include "awry/base/text.h"

namespace awry::report {
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
  std::string url = fmt::format("data:{};base64,", mime_type);
  append_base64(url, bytes);
  return url;
}

}  // namespace awry::report
