// SPDX-License-Identifier: Apache-2.0
// A question as a chat endpoint wants it.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "awry/base/result.h"
#include "awry/inspectors/vlm/model_args.h"
#include "awry/inspectors/vlm/picture.h"
#include "awry/records/asking.h"
#include "awry/records/sample.h"

namespace awry::inspectors::vlm {

// Text or a picture. Pictures are shared: few-shot examples appear in every request.
struct Part {
  std::string text;
  std::shared_ptr<const Picture> picture;
};

struct Turn {
  std::string role = "user";  // "system", "user", "assistant"
  std::vector<Part> parts;
};

struct ChatRequest {
  std::string question_id;  // comes back in the Reply
  std::string model;
  std::vector<Turn> turns;
  ModelArgs args;
};

// The arguments of one question: the user's, and what the question itself asks for in its attributes.
// "temperature" replaces the user's, because a protocol asks for it where nothing else would do (drafts that
// must differ); "response_format" gives way to the user's.
ModelArgs args_for(const Question& question, ModelArgs args);

// The question's images in the order shown, then its prompt, as one turn; after earlier turns the images stay
// with the first of them. The arguments are those of args_for. Fails, naming the file, when an image cannot
// be read. Decoding may take long: call it on a thread of your own.
Result<ChatRequest> make_chat_request(const Sample& sample, const Question& question, std::string model,
                                      const ModelArgs& args = {}, const PictureLimits& limits = {});

// The body of the POST. The arguments stand at its end, so that they can be replaced without writing the
// pictures again.
struct ChatBody {
  std::string json;
  std::size_t args_at = 0;

  void replace_args(const ModelArgs& args);
};
ChatBody write_chat_body(const ChatRequest& request);

}  // namespace awry::inspectors::vlm
