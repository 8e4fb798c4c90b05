// SPDX-License-Identifier: Apache-2.0
// awry's own form of answers: JSON lines, one per question, {"id": "...", "reply": "..."}.
//
// `id` names a question ("12/smf-il") or, where a sample has a single question, the sample. `reply` is what
// the model wrote, word for word; it is parsed as a fresh reply would be. What others call these, such as
// `question_id`, and `response`, `output` or `prediction`, is taken for the same (reply_entry.h). So are such
// objects in a JSON list, or in a list inside an object; one object {id: reply}; objects of one such pair in
// lines or a list; chat completions and lines of batch files; samples.jsonl of a run; and a folder of such
// files, where a text file is the reply to the question it is called like. A question that failed has null
// for its reply, and may say how: "outcome": "refused", "truncated" or another of awry's names.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "awry/base/result.h"
#include "awry/benchmarks/protocol.h"

namespace awry::benchmarks {

// Joins replies to samples. A question without a reply stays in, unanswered, so that it counts; later turns
// and questions to a judge are there as far as the file holds them. An id that no question has, or that comes
// twice, is an error naming the line, unless it is of a sample that was left out.
Result<std::vector<AnsweredSample>> read_replies_file(const Protocol& protocol,
                                                      const std::filesystem::path& path,
                                                      std::vector<Sample> samples,
                                                      const ProtocolOptions& options,
                                                      std::span<const std::string> left_out = {});

// What the command line reads: the paper's own form where the protocol knows it, otherwise ours.
Result<std::vector<AnsweredSample>> read_answers(const Protocol& protocol, const std::filesystem::path& path,
                                                 std::vector<Sample> samples, const ProtocolOptions& options,
                                                 std::span<const std::string> left_out = {});

}  // namespace awry::benchmarks
