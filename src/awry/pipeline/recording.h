// SPDX-License-Identifier: Apache-2.0
// replies.jsonl: the conversations of a run in one file, enough to repeat the run without a network.
//
// The first line says which run it was and who answered; each further line is one question's reply, as it
// was stored. Replaying it gives the same report, byte for byte: replies keep their times, and the report
// shows the recorded run.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "awry/base/result.h"
#include "awry/pipeline/models.h"
#include "awry/records/asking.h"
#include "awry/records/run.h"

namespace awry::pipeline {

struct RecordedReply {
  std::string prompt_sha256;
  Reply reply;
};

struct Recording {
  Run run;
  std::string identity, judge_identity;  // of the models, for the reply keys
  std::vector<RecordedReply> replies;
};

std::string write_recording(const Recording& recording);
Result<Recording> read_recording(const std::filesystem::path& file_or_run_folder);

// Covers the conversation, not only the last question of it.
std::string prompt_hash(const Question& question);

// Replies are found by their key, or else by question and prompt (files may have moved or been re-saved).
std::unique_ptr<Model> make_replay_model(Recording recording, Role role);

}  // namespace awry::pipeline
