// SPDX-License-Identifier: Apache-2.0
// Ready-made behaviour for the scripted server.
#pragma once

#include <cstdint>
#include <string_view>

#include "awry/inspectors/vlm/testing/scripted_server.h"

namespace awry::inspectors::vlm::testing {

// A well-formed chat completion with this text.
ScriptedReply completion(std::string_view text, std::string_view finish_reason = "stop");
ScriptedReply refusal_429(std::string_view retry_after = "");  // seconds; empty: no header
ScriptedReply server_error(int status = 500);

// Every answer names the question it belongs to: "answer to q17".
ScriptedReply answer_question(const ReceivedRequest& request);

// A readable answer to whatever a protocol asks, in the form that its prompt asks for: generated, normal, not
// forged, one anomaly; a judge says yes; a writer of prompts keeps the subject.
ScriptedReply answer_protocols(const ReceivedRequest& request);

// An images endpoint: a small PNG for each prompt, as b64_json, or as the address of a file on this server.
Script pictures(bool by_address);

// Refuses what exceeds this many requests a second; `burst` may come at once after a pause.
Script limited_to(double requests_per_second, double burst, Script inner);

// Breaks this share of the requests, in eight ways, chosen by question and number of the attempt: so the
// same run always meets the same faults.
Script faulty(double share, std::uint64_t seed, Script inner);

}  // namespace awry::inspectors::vlm::testing
