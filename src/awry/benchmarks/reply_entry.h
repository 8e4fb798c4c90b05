// SPDX-License-Identifier: Apache-2.0
// One entry of a file of answers: whose reply it is, and what was said. Include from .cc files.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "awry/base/json.h"
#include "awry/base/result.h"
#include "awry/records/asking.h"

namespace awry::benchmarks {

// What questions are called by, and what holds the model's words, in the order in which they are believed.
// Evaluation scripts often keep the raw text beside what they read out of it, or beside the right answer: raw
// text comes first, and of two names that mean the same only one may be there.
inline constexpr std::array<std::string_view, 6> kIdNames = {"question_id", "id",  "sample_id",
                                                             "custom_id",   "qid", "uid"};
inline constexpr std::array<std::string_view, 16> kReplyNames = {
    "reply",          "response",     "output",     "completion", "generated_text", "model_output",
    "model_response", "raw_response", "raw_output", "prediction", "pred",           "model_answer",
    "answer",         "text",         "content",    "result"};

bool is_id_name(std::string_view name);
bool is_reply_name(std::string_view name);

// {"id": ..., "reply": ...}, or the value under `key` of a document {id: value}. A reply is text, an answer
// in JSON (kept as JSON text, for the protocol to read), the body of a chat completion, or null for a
// question that failed. Of an error only `why` and `hint` are set.
Result<Reply> read_reply_entry(const Json& entry, std::optional<std::string_view> key = std::nullopt);

}  // namespace awry::benchmarks
