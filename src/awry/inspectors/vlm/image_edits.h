// SPDX-License-Identifier: Apache-2.0
// Pictures from an OpenAI-compatible images endpoint: /images/generations from words alone, /images/edits
// from a picture and, if wanted, a mask of what may change.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "awry/base/result.h"
#include "awry/inspectors/vlm/endpoint.h"
#include "awry/inspectors/vlm/transfer.h"

namespace awry::inspectors::vlm {

struct ImageRequest {
  std::string model, prompt;
  std::string size;                   // "1024x1024"; empty: left to the server
  std::string picture_png, mask_png;  // files; the mask is transparent where the picture may change
};

struct ImageReply {
  std::string bytes;  // of a picture file
  std::string
      refusal;  // not empty: the server's reason for not making it, which asking again will not change
};

struct ImageClientOptions {
  int max_retries = 6;  // after 429, 5xx and broken connections
  std::chrono::milliseconds attempt_timeout{300'000}, connect_timeout{10'000};
  std::chrono::milliseconds first_wait{1'000};  // doubled each time, unless the server says how long
};

class ImageClient {
 public:
  explicit ImageClient(Endpoint endpoint, const ImageClientOptions& options = {},
                       std::unique_ptr<TransferQueue> queue = make_curl_queue());

  // Any thread; returns when the picture is there. Errors never show the key.
  Result<ImageReply> make(const ImageRequest& request);

 private:
  HttpResponse send(const HttpRequest& request);

  Endpoint endpoint_;
  ImageClientOptions options_;
  Redactor redactor_;
  std::unique_ptr<TransferQueue> queue_;
};

// The body of a multipart/form-data POST for /images/edits; `boundary` must not occur in the files.
std::string write_edit_body(const ImageRequest& request, std::string_view boundary);

}  // namespace awry::inspectors::vlm
