// SPDX-License-Identifier: Apache-2.0
// Where questions are sent, and the secrets that go along with them.
//
// People write base URLs in four ways (with or without /v1, with or without /chat/completions) and keep
// them in three variables. All of them end as the same Endpoint.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "awry/base/result.h"
#include "awry/inspectors/vlm/http.h"

namespace awry::inspectors::vlm {

struct Endpoint {
  std::string base_url;  // "https://api.openai.com/v1": safe to show
  std::string query;     // "?api-version=2024-06-01" or empty; may hold a key, so it is never shown
  std::string api_key;   // empty: none is sent
  Headers headers;       // the user's own
  std::string origin;    // who named the URL: "--base-url", "OPENAI_BASE_URL", "default"

  std::string url_of(std::string_view path) const { return base_url + std::string(path) + query; }
  std::string chat_url() const { return url_of("/chat/completions"); }
};

// The first variable that is set and not empty wins. A judge lists its own variables before these.
struct EndpointVariables {
  std::vector<std::string> api_key = {"OPENAI_API_KEY"};
  std::vector<std::string> base_url = {"OPENAI_BASE_URL", "OPENAI_API_BASE", "OPENAI_API_URL"};
};

struct EndpointOptions {
  std::vector<std::string> base_urls;  // several share the load; empty: ask the environment
  std::vector<std::string> headers;    // "Name: value", sent to each
  EndpointVariables variables;
};

using Environment = std::function<std::optional<std::string>(std::string_view name)>;
Environment process_environment();

Result<std::vector<Endpoint>> resolve_endpoints(const EndpointOptions& options,
                                                const Environment& environment);

// base_url and query of an address as people write it. A path is kept as it is; an address without one
// gets /v1, since that is where every OpenAI-compatible server listens.
Result<Endpoint> parse_base_url(std::string_view url);

Result<Header> parse_header(std::string_view line);

// Hides keys in whatever is about to be shown or stored.
class Redactor {
 public:
  explicit Redactor(std::span<const Endpoint> endpoints);

  // The secrets of the endpoints become [redacted].
  std::string hide_secrets(std::string_view text) const;
  // The same, and whatever else has the shape of a key: servers like to quote the one they refuse.
  std::string clean_message(std::string_view text) const;

 private:
  std::vector<std::string> secrets_;
};

}  // namespace awry::inspectors::vlm
