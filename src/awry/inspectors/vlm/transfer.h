// SPDX-License-Identifier: Apache-2.0
// Sending: thousands of exchanges at once on one thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "awry/inspectors/vlm/http.h"

namespace awry::inspectors::vlm {

using Clock = std::chrono::steady_clock;

// Whoever carries requests, and keeps time for those who wait. All callbacks run on one thread, never two
// at once and never inside submit or call_at. They must be quick: everything else waits meanwhile.
class TransferQueue {
 public:
  virtual ~TransferQueue() = default;

  // Any thread. The callback is called exactly once, unless the queue is destroyed before.
  virtual void submit(HttpRequest request, std::function<void(HttpResponse)> done) = 0;
  // Any thread. Not before `when`; tasks of the same time run in the order given.
  virtual void call_at(Clock::time_point when, std::function<void()> task) = 0;
  // Any thread. Ends what was submitted before this call with Fault::kCancelled.
  virtual void cancel_all() = 0;
};

struct CurlOptions {
  std::size_t max_response_bytes = 64u << 20;
  std::string ca_file;  // empty: SSL_CERT_FILE, or what the system trusts
};

// libcurl: keep-alive connections, HTTP/2 where TLS offers it, the usual proxy variables. Redirects are not
// followed, so that a key never travels to another host. Destroying it abandons what is in flight.
std::unique_ptr<TransferQueue> make_curl_queue(const CurlOptions& options = {});

}  // namespace awry::inspectors::vlm
