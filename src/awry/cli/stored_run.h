// SPDX-License-Identifier: Apache-2.0
// A run that is over, with its scores, found the way people name it.
#pragma once

#include <filesystem>
#include <string>

#include "awry/base/result.h"
#include "awry/records/run.h"
#include "awry/records/scoring.h"

namespace awry::cli {

struct StoredRun {
  Run run;
  Summary summary;
  std::filesystem::path folder;  // with the files of the run
};

// `name` is an id, any part of one that fits a single run, `latest`, `latest~1` for the one before, a folder
// with manifest.json and scores.json, from wherever it came, or the JSON file that `awry score` wrote: then
// the file's name stands for the model. Runs without scores are refused with the command that would finish
// them.
Result<StoredRun> find_stored_run(const std::filesystem::path& runs_folder, const std::string& name);

}  // namespace awry::cli
