// SPDX-License-Identifier: Apache-2.0
#include "awry/cli/annotation_run.h"

namespace awry::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFile = "annotations.jsonl";

}  // namespace

Result<AnnotationRun> find_annotation_run(const fs::path& runs_folder, const std::string& name) {
  std::error_code ignored;
  for (const fs::path& place : {fs::path(name), runs_folder / name}) {
    const bool is_folder = fs::is_directory(place, ignored);
    const fs::path file = is_folder ? place / kFile : place;
    if (!fs::is_regular_file(file, ignored)) continue;
    AnnotationRun run{.folder = fs::canonical(file, ignored).parent_path()};
    run.id = run.folder.filename().string();
    AWRY_TRY_ASSIGN(run.annotations, agents::read_annotations(file.string()));
    return run;
  }
  return fail({.kind = ErrorKind::kNotFound,
               .what = "cannot find annotations",
               .input = name,
               .why = "there is no folder with annotations.jsonl, nor such a file",
               .hint = "Name a run of `awry annotate`, such as runs/latest."});
}

Result<std::unique_ptr<store::Store>> open_store_of(const AnnotationRun& run) {
  const fs::path file = run.folder.parent_path() / "awry.db";
  std::error_code ignored;
  if (!fs::exists(file, ignored)) {
    return fail({.kind = ErrorKind::kNotFound,
                 .what = "cannot keep decisions about",
                 .input = run.folder.string(),
                 .why = "there is no awry.db beside it",
                 .hint = "Review the run where it was made."});
  }
  return store::open_store(file);
}

Result<std::vector<Verdict>> verdicts_of(const AnnotationRun& run) {
  std::error_code ignored;
  if (!fs::exists(run.folder.parent_path() / "awry.db", ignored)) return std::vector<Verdict>();
  AWRY_TRY_ASSIGN(const std::unique_ptr<store::Store> store, open_store_of(run));
  AWRY_TRY_ASSIGN(const std::optional<Run> known, store->find_run(run.id));
  if (!known) return std::vector<Verdict>();
  return store->verdicts_of(run.id);
}

}  // namespace awry::cli
