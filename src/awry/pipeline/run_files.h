// SPDX-License-Identifier: Apache-2.0
// The files of a run that people and scripts read: manifest.json, samples.jsonl, scores.json, report.html,
// and replies.jsonl, which replays.
// They are written from the store, whole and atomically, so that a resumed run leaves what an undisturbed
// one would have left. The store stays the source of truth.
#pragma once

#include <filesystem>

#include "awry/base/result.h"
#include "awry/report/html.h"

namespace awry::pipeline {

// `manifest` is the run as it was; the report may show the recorded run that it replays.
Result<void> write_run_files(const std::filesystem::path& folder, const report::ReportInput& input,
                             const Run& manifest, const std::string& recording);

// Points <runs>/latest at this run. A file system without links is no reason to fail.
void point_latest_at(const std::filesystem::path& runs_folder, const std::string& run_id);

}  // namespace awry::pipeline
