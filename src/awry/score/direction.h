// SPDX-License-Identifier: Apache-2.0
// Which way is better. Nearly all metrics are better when higher; the exceptions are listed here, by the last
// part of their name, and nowhere else.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace awry::score {

// "cave/ad/fp", "false_alarm_rate"
inline bool lower_is_better(std::string_view metric) {
  static constexpr std::array<std::string_view, 9> kCosts = {
      "false_alarm_rate",
      "false_alarms",
      "fp",
      "fn",
      "duplicates",  // claims that are wrong or say nothing new
      "mai",
      "af",
      "cap",  // of a generator's images
      "gap",  // between anomalies found and missed
  };
  const std::size_t slash = metric.rfind('/');
  if (slash != std::string_view::npos) metric.remove_prefix(slash + 1);
  return std::ranges::find(kCosts, metric) != kCosts.end();
}

}  // namespace awry::score
