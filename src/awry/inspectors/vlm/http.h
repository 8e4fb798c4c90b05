// SPDX-License-Identifier: Apache-2.0
// HTTP as the rest of this folder sees it: what is sent, what came back, and how an exchange can fail.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace awry::inspectors::vlm {

struct Header {
  std::string name, value;
  bool operator==(const Header&) const = default;
};
using Headers = std::vector<Header>;

// The value of the last header with this name, whatever its case.
std::optional<std::string_view> find_header(const Headers& headers, std::string_view name);

// A POST of the body, or without one a GET.
struct HttpRequest {
  std::string url;
  Headers headers;
  std::shared_ptr<const std::string> body;
  std::chrono::milliseconds timeout{300'000};  // for the whole exchange
  std::chrono::milliseconds connect_timeout{10'000};
};

enum class Fault {
  kNone,        // a whole response came, whatever its status
  kConnection,  // could not connect, or the connection broke
  kTimeout,
  kTooLarge,  // the response is above the limit: asking again would not help
  kBadUrl,    // cannot be asked at all: malformed, or not http or https
  kCancelled,
};

struct HttpResponse {
  Fault fault = Fault::kNone;
  std::string why;  // when there is a fault
  int status = 0;
  Headers headers;
  std::string body;
  std::chrono::duration<double, std::milli> elapsed{0};
};

}  // namespace awry::inspectors::vlm
