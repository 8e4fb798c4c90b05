// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/vlm/endpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "awry/base/text.h"

namespace awry::inspectors::vlm {
namespace {

constexpr std::string_view kDefaultBaseUrl = "https://api.openai.com/v1";
constexpr std::string_view kChatPath = "/chat/completions";
constexpr std::string_view kHidden = "[redacted]";
// Shorter "keys" are placeholders such as EMPTY or ollama; hiding them would garble honest messages.
constexpr std::size_t kShortestSecret = 8;

bool has_control_characters(std::string_view text) {
  return std::ranges::any_of(text, [](unsigned char c) { return c < 0x20 || c == 0x7f; });
}

struct Variable {
  std::string name, value;
};

std::optional<Variable> first_set(const std::vector<std::string>& names, const Environment& environment) {
  for (const std::string& name : names) {
    const std::optional<std::string> value = environment(name);
    if (value && !trim(*value).empty()) return Variable{name, std::string(trim(*value))};
  }
  return std::nullopt;
}

Result<std::vector<Endpoint>> named_endpoints(const EndpointOptions& options,
                                              const Environment& environment) {
  std::vector<Endpoint> endpoints;
  for (const std::string& url : options.base_urls) {
    AWRY_TRY_ASSIGN(Endpoint endpoint, parse_base_url(url));
    endpoint.origin = "--base-url";
    endpoints.push_back(std::move(endpoint));
  }
  if (!endpoints.empty()) return endpoints;

  const std::optional<Variable> variable = first_set(options.variables.base_url, environment);
  Result<Endpoint> endpoint = parse_base_url(variable ? variable->value : kDefaultBaseUrl);
  if (!endpoint) {
    Error error = endpoint.error();
    error.hint = fmt::format("Correct the environment variable {}. {}", variable->name, error.hint);
    return fail(std::move(error));
  }
  endpoint->origin = variable ? variable->name : "default";
  endpoints.push_back(std::move(*endpoint));
  return endpoints;
}

void add_secret(std::vector<std::string>& secrets, std::string_view secret) {
  if (secret.size() >= kShortestSecret) secrets.emplace_back(secret);
}

bool is_key_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
         c == '*' || c == '.';
}

// Replaces the run of key characters after each `prefix`, when it is long enough to be a key.
std::string hide_after(std::string_view text, std::string_view prefix, bool keep_prefix) {
  std::string out;
  std::size_t from = 0;
  for (std::size_t at = text.find(prefix); at != std::string_view::npos; at = text.find(prefix, from)) {
    const bool starts_word = at == 0 || !is_key_character(text[at - 1]);
    std::size_t end = at + prefix.size();
    while (end < text.size() && is_key_character(text[end])) ++end;
    const bool is_key = starts_word && end - at - prefix.size() >= kShortestSecret;
    out += text.substr(from, at - from);
    if (is_key) {
      if (keep_prefix) out += prefix;
      out += kHidden;
    } else {
      out += text.substr(at, end - at);
    }
    from = end;
  }
  out += text.substr(from);
  return out;
}

}  // namespace

Environment process_environment() {
  return [](std::string_view name) -> std::optional<std::string> {
    const char* value = std::getenv(std::string(name).c_str());
    return value == nullptr ? std::nullopt : std::optional<std::string>(value);
  };
}

Result<Endpoint> parse_base_url(std::string_view url) {
  std::string_view rest = trim(url);
  const auto refuse = [&](std::string why, std::string hint) {
    // Up to the first ? or @ only: what follows may be a key.
    const std::string_view shown = rest.find('@') == std::string_view::npos ? rest : "";
    return fail({.kind = ErrorKind::kUsage,
                 .what = "cannot use the base URL",
                 .input = std::string(shown.substr(0, shown.find('?'))),
                 .why = std::move(why),
                 .hint = std::move(hint)});
  };
  if (has_control_characters(rest) || rest.find(' ') != std::string_view::npos) {
    return refuse("it contains spaces or control characters",
                  "Give one address such as http://localhost:8000.");
  }
  const std::size_t scheme_end = rest.find("://");
  const std::string scheme =
      to_lower_ascii(rest.substr(0, scheme_end == std::string_view::npos ? 0 : scheme_end));
  if (scheme != "http" && scheme != "https") {
    return refuse("it does not begin with http:// or https://", "Write it out: http://localhost:8000/v1.");
  }

  rest.remove_prefix(scheme_end + 3);
  rest = rest.substr(0, rest.find('#'));
  const std::size_t query_at = rest.find('?');
  const std::string_view query = query_at == std::string_view::npos ? "" : rest.substr(query_at);
  rest = rest.substr(0, query_at);
  const std::size_t path_at = rest.find('/');
  const std::string_view host = rest.substr(0, path_at);
  std::string_view path = path_at == std::string_view::npos ? "" : rest.substr(path_at);
  if (host.empty()) return refuse("it names no host", "Write it out: http://localhost:8000/v1.");
  if (host.find('@') != std::string_view::npos) {
    return refuse("it carries a user name or password, which would show up wherever the address is shown",
                  "Pass them as a header: --header 'Authorization: Basic ...'.");
  }

  const auto without_slashes = [](std::string_view text) {
    while (text.ends_with('/')) text.remove_suffix(1);
    return text;
  };
  path = without_slashes(path);
  const bool is_full_address = path.ends_with(kChatPath);
  if (is_full_address) path = without_slashes(path.substr(0, path.size() - kChatPath.size()));
  if (path.empty() && !is_full_address) path = "/v1";
  return Endpoint{.base_url = fmt::format("{}://{}{}", scheme, to_lower_ascii(host), path),
                  .query = std::string(query)};
}

Result<Header> parse_header(std::string_view line) {
  const std::size_t colon = line.find(':');
  const std::string_view name = trim(line.substr(0, colon));
  const bool good_name = !name.empty() && std::ranges::all_of(name, [](unsigned char c) {
    return c > 0x20 && c < 0x7f &&
           std::string_view("()<>@,;:\\\"/[]?={}").find(static_cast<char>(c)) == std::string_view::npos;
  });
  if (colon == std::string_view::npos || !good_name || has_control_characters(line)) {
    // The value is left out of the message: it is usually a secret.
    return fail({.kind = ErrorKind::kUsage,
                 .what = "cannot use the header",
                 .input = good_name && colon != std::string_view::npos ? std::string(name) : std::string(),
                 .why = "it is not of the form 'Name: value'",
                 .hint = "Write it like this: --header 'X-Title: my run'."});
  }
  return Header{std::string(name), std::string(trim(line.substr(colon + 1)))};
}

Result<std::vector<Endpoint>> resolve_endpoints(const EndpointOptions& options,
                                                const Environment& environment) {
  AWRY_TRY_ASSIGN(std::vector<Endpoint> endpoints, named_endpoints(options, environment));
  Headers headers;
  for (const std::string& line : options.headers) {
    AWRY_TRY_ASSIGN(Header header, parse_header(line));
    headers.push_back(std::move(header));
  }
  const std::optional<Variable> key = first_set(options.variables.api_key, environment);
  if (key && has_control_characters(key->value)) {
    return fail({.kind = ErrorKind::kUsage,
                 .what = "cannot use the API key",
                 .input = key->name,
                 .why = "it contains line breaks or control characters"});
  }
  const bool has_own_authorization = find_header(headers, "Authorization").has_value();
  for (Endpoint& endpoint : endpoints) {
    endpoint.headers = headers;
    if (key) endpoint.api_key = key->value;
    if (!key && !has_own_authorization && endpoint.base_url == kDefaultBaseUrl) {
      return fail({.kind = ErrorKind::kUsage,
                   .what = "no API key for",
                   .input = endpoint.base_url,
                   .hint = fmt::format("Set {}, or name another server with --base-url.",
                                       options.variables.api_key.front())});
    }
  }
  return endpoints;
}

Redactor::Redactor(std::span<const Endpoint> endpoints) {
  for (const Endpoint& endpoint : endpoints) {
    add_secret(secrets_, endpoint.api_key);
    if (!endpoint.query.empty()) add_secret(secrets_, endpoint.query.substr(1));
    for (const Header& header : endpoint.headers) {
      add_secret(secrets_, header.value);
      // "Bearer abc": servers quote the token alone.
      if (const std::size_t space = header.value.rfind(' '); space != std::string::npos) {
        add_secret(secrets_, header.value.substr(space + 1));
      }
    }
  }
  // Longest first, so that a secret inside another one does not leave the rest of it behind.
  std::ranges::sort(secrets_, std::ranges::greater{}, &std::string::size);
  const auto repeated = std::ranges::unique(secrets_);
  secrets_.erase(repeated.begin(), repeated.end());
}

std::string Redactor::hide_secrets(std::string_view text) const {
  std::string clean(text);
  for (const std::string& secret : secrets_) {
    if (clean.find(secret) != std::string::npos) clean = replace_all(clean, secret, kHidden);
  }
  return clean;
}

std::string Redactor::clean_message(std::string_view text) const {
  return hide_after(hide_after(hide_secrets(text), "sk-", false), "Bearer ", true);
}

}  // namespace awry::inspectors::vlm
