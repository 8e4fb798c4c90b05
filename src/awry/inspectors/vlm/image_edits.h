// SPDX-License-Identifier: Apache-2.0
// Pictures from an OpenAI-compatible images endpoint: /images/generations from words alone, /images/edits
// from a picture and, if wanted, a mask of what may change.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "awry/base/result.h"
#include "awry/inspectors/vlm/client.h"

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

class ImageClient {
 public:
  // Several endpoints share the load; paced, retried and given up as ChatClient does it.
  explicit ImageClient(std::vector<Endpoint> endpoints, const ClientOptions& options = {})
      : client_(std::move(endpoints), options) {}

  // Any thread; returns when the picture is there. Errors never show the key.
  Result<ImageReply> make(const ImageRequest& request);

 private:
  ChatClient client_;
};

// The body of a multipart/form-data POST for /images/edits; `boundary` must not occur in the files.
std::string write_edit_body(const ImageRequest& request, std::string_view boundary);

}  // namespace awry::inspectors::vlm
