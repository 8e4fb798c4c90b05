// SPDX-License-Identifier: Apache-2.0
// One endpoint as the client sees it: where it is, its pace, and whether asking it is any use.
#pragma once

#include <string>

#include "awry/inspectors/vlm/endpoint.h"
#include "awry/inspectors/vlm/pacing.h"

namespace awry::inspectors::vlm {

struct Route {
  Endpoint endpoint;
  std::string chat_url;
  Headers headers;
  Pacer pacer;
  int hopeless_in_row = 0;
  bool ever_succeeded = false;
  std::string set_aside;  // why it is no longer asked; empty: it is

  std::string url_of(const std::string& path) const {
    return path.empty() ? chat_url : endpoint.url_of(path);
  }
  void answered(bool well);
  // It refused for a reason that waiting does not cure, or nobody is there however often we ask. After some
  // of these in a row it is set aside.
  void was_hopeless(const std::string& why);
};

Route make_route(Endpoint endpoint, const PacingOptions& pacing);

}  // namespace awry::inspectors::vlm
