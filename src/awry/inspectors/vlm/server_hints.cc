// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/vlm/server_hints.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <string>

#include "awry/base/text.h"

namespace awry::inspectors::vlm {
namespace {

using std::chrono::milliseconds;

constexpr double kLongestWaitMs = 7 * 24 * 3600 * 1000.0;

milliseconds wait_of(double ms) {
  return milliseconds(static_cast<long long>(std::clamp(ms, 0.0, kLongestWaitMs)));
}

// "6m0s", "120ms"
std::optional<double> spelled_duration_ms(std::string_view text) {
  struct Unit {
    std::string_view name;
    double ms;
  };
  static constexpr std::array<Unit, 5> kUnits = {
      {{"ms", 1}, {"s", 1000}, {"m", 60'000}, {"h", 3'600'000}, {"d", 86'400'000}}};
  double total = 0;
  while (!text.empty()) {
    const std::size_t digits = std::min(text.find_first_not_of("0123456789."), text.size());
    const std::optional<double> number = parse_double(text.substr(0, digits));
    const std::string_view rest = text.substr(digits);
    const auto* unit =
        std::ranges::find_if(kUnits, [&](const Unit& candidate) { return rest.starts_with(candidate.name); });
    if (!number || unit == kUnits.end()) return std::nullopt;
    total += *number * unit->ms;
    text = rest.substr(unit->name.size());
  }
  return total;
}

std::optional<std::time_t> http_date(const std::string& text) {
  std::tm time{};
  if (strptime(text.c_str(), "%a, %d %b %Y %H:%M:%S GMT", &time) == nullptr) return std::nullopt;
  return timegm(&time);
}

}  // namespace

std::optional<milliseconds> parse_wait(std::string_view text, std::chrono::system_clock::time_point now) {
  text = trim(text);
  if (text.empty()) return std::nullopt;
  const double now_ms =
      static_cast<double>(std::chrono::duration_cast<milliseconds>(now.time_since_epoch()).count());
  if (const std::optional<double> number = parse_double(text)) {
    if (!(*number >= 0)) return std::nullopt;
    if (*number > 1e11) return wait_of(*number - now_ms);
    if (*number > 1e9) return wait_of(*number * 1000 - now_ms);
    return wait_of(*number * 1000);
  }
  if (const std::optional<double> spelled = spelled_duration_ms(text)) return wait_of(*spelled);
  if (const auto date = http_date(std::string(text)))
    return wait_of(static_cast<double>(*date) * 1000 - now_ms);
  return std::nullopt;
}

ServerHints read_server_hints(const Headers& headers, std::chrono::system_clock::time_point now) {
  ServerHints hints;
  if (const auto ms = find_header(headers, "retry-after-ms")) {
    if (const std::optional<double> number = parse_double(trim(*ms)); number && *number >= 0) {
      hints.retry_after = wait_of(*number);
    }
  }
  if (const auto wait = find_header(headers, "retry-after"); wait && !hints.retry_after) {
    hints.retry_after = parse_wait(*wait, now);
  }

  // Tokens left do not say how many requests they are good for, except when there are none.
  const auto left = [&](const char* name) -> std::optional<long long> {
    const auto value = find_header(headers, name);
    return value ? parse_integer(trim(*value)) : std::nullopt;
  };
  const auto reset = [&](const char* name) -> std::optional<milliseconds> {
    const auto value = find_header(headers, name);
    return value ? parse_wait(*value, now) : std::nullopt;
  };
  hints.remaining_requests = left("x-ratelimit-remaining-requests");
  hints.until_reset = reset("x-ratelimit-reset-requests");
  if (!hints.remaining_requests) {
    hints.remaining_requests = left("x-ratelimit-remaining");
    hints.until_reset = reset("x-ratelimit-reset");
  }
  if (const auto tokens = left("x-ratelimit-remaining-tokens"); tokens && *tokens <= 0) {
    const auto until = reset("x-ratelimit-reset-tokens");
    if (until && (hints.remaining_requests.value_or(1) > 0 || *until > hints.until_reset.value_or(*until))) {
      hints.until_reset = until;
    }
    hints.remaining_requests = 0;
  }
  return hints;
}

}  // namespace awry::inspectors::vlm
