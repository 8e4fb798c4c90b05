// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/vlm/route.h"

#include <utility>

namespace awry::inspectors::vlm {
namespace {

constexpr int kHopelessAtFirst = 3, kHopelessLater = 20;

}  // namespace

Route make_route(Endpoint endpoint, const PacingOptions& pacing) {
  Headers headers = {{"Accept", "application/json"}};
  if (!endpoint.api_key.empty() && !find_header(endpoint.headers, "Authorization")) {
    headers.push_back({"Authorization", "Bearer " + endpoint.api_key});
  }
  headers.insert(headers.end(), endpoint.headers.begin(), endpoint.headers.end());
  std::string url = endpoint.chat_url();
  return {.endpoint = std::move(endpoint),
          .chat_url = std::move(url),
          .headers = std::move(headers),
          .pacer = Pacer(pacing)};
}

void Route::answered(bool well) {
  hopeless_in_row = 0;
  ever_succeeded = ever_succeeded || well;
}

void Route::was_hopeless(const std::string& why) {
  if (++hopeless_in_row < (ever_succeeded ? kHopelessLater : kHopelessAtFirst)) return;
  if (set_aside.empty()) set_aside = why;
}

}  // namespace awry::inspectors::vlm
