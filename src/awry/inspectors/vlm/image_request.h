// SPDX-License-Identifier: Apache-2.0
// Asking an OpenAI-compatible images endpoint for a picture, and reading what it sends: the picture itself as
// base64, or an address to fetch it from.
#pragma once

#include <string>
#include <string_view>

#include "awry/base/result.h"
#include "awry/inspectors/vlm/client.h"
#include "awry/inspectors/vlm/response.h"

namespace awry::inspectors::vlm {

inline constexpr std::string_view kImagesPath = "/images/generations";

// A picture of `prompt`, for ChatClient::post. The arguments (size, quality, response_format) go along as
// they are.
PostRequest make_image_request(std::string question_id, std::string model, std::string_view prompt,
                               const ModelArgs& args);

// The reply's text is the first entry of "data", as JSON; read_generated() takes it apart.
Reading read_image_response(const HttpResponse& response);

struct Generated {
  std::string bytes;           // of the image file; empty where there is an address instead
  std::string url;             // to fetch it from, with http or https
  std::string revised_prompt;  // what the endpoint made of the prompt; may be empty
};
Result<Generated> read_generated(std::string_view reply_text);

}  // namespace awry::inspectors::vlm
