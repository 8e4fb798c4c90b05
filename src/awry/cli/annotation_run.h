// SPDX-License-Identifier: Apache-2.0
// A finished run of `awry annotate`, found the way people name it: shared by review, split, export and audit.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "awry/agents/annotation.h"
#include "awry/base/result.h"
#include "awry/records/judging.h"
#include "awry/store/store.h"

namespace awry::cli {

struct AnnotationRun {
  std::string id;
  std::filesystem::path folder;
  std::vector<agents::ImageAnnotation> annotations;
};

// `name` is a folder, a run's id or `latest` within the runs folder, or a file like annotations.jsonl.
Result<AnnotationRun> find_annotation_run(const std::filesystem::path& runs_folder, const std::string& name);

// Decisions are kept in the store beside the run.
Result<std::unique_ptr<store::Store>> open_store_of(const AnnotationRun& run);
// None where there is no store: a run that was copied from elsewhere.
Result<std::vector<Verdict>> verdicts_of(const AnnotationRun& run);

}  // namespace awry::cli
