// SPDX-License-Identifier: Apache-2.0
// What came back from a chat endpoint, as a Reply with a typed outcome. Pure: no clock, no network.
//
// The body decides, not the content type: a paid answer is never thrown away over a header. What is not a
// chat completion (an HTML page, half a document, an error in a 200) counts as no reply.
#pragma once

#include "awry/inspectors/vlm/http.h"
#include "awry/records/asking.h"

namespace awry::inspectors::vlm {

enum class Next {
  kDone,      // this is how the question ended
  kRetry,     // something broke on the way: asking again may help
  kSlowDown,  // refused for coming too fast
  kHopeless,  // wrong key, no credit, no such model: this endpoint will refuse every question
};

struct Reading {
  Reply reply;  // outcome, text, returned_model, fingerprint, finish_reason, usage, error
  Next next = Next::kDone;
};

Reading read_response(const HttpResponse& response);

}  // namespace awry::inspectors::vlm
