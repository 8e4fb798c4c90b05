// SPDX-License-Identifier: Apache-2.0
// Reads back what write_run_files left: a run with its samples, questions and replies.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "awry/base/result.h"
#include "awry/records/asking.h"
#include "awry/records/run.h"
#include "awry/records/sample.h"

namespace awry::pipeline {

struct StoredItem {
  Sample sample;
  std::vector<Question> questions;
  std::vector<Reply> replies;  // parallel to questions
};

struct StoredItems {
  Run run;
  std::string identity;  // of the model that answered
  std::vector<StoredItem> items;
};

// From the folder of a finished run. Errors name the file and the line.
Result<StoredItems> read_stored_items(const std::filesystem::path& run_folder);

}  // namespace awry::pipeline
