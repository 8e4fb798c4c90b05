// SPDX-License-Identifier: Apache-2.0
// What an endpoint says in its headers about when to come back.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

#include "awry/inspectors/vlm/http.h"

namespace awry::inspectors::vlm {

struct ServerHints {
  std::optional<std::chrono::milliseconds> retry_after;  // retry-after-ms, or Retry-After
  // x-ratelimit-remaining-* and -reset-*: requests or tokens, whichever is nearer to its end.
  std::optional<long long> remaining_requests;
  std::optional<std::chrono::milliseconds> until_reset;
};

// What cannot be read is as if it were not there. `now` is for dates and times of day.
ServerHints read_server_hints(const Headers& headers, std::chrono::system_clock::time_point now);

// "20", "1.5", "120ms", "6m0s", "1h2m3s"; an HTTP date; or seconds or milliseconds since 1970.
std::optional<std::chrono::milliseconds> parse_wait(std::string_view text,
                                                    std::chrono::system_clock::time_point now);

}  // namespace awry::inspectors::vlm
