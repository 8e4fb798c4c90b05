// SPDX-License-Identifier: Apache-2.0
#include "awry/cli/stored_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "awry/base/json.h"
#include "awry/base/text.h"
#include "awry/records/json.h"
#include "awry/store/store.h"

namespace awry::cli {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostListed = 5;

// 0 for `latest`, 1 for `latest~1`; nothing for other names.
std::optional<std::size_t> steps_back(std::string_view name) {
  if (!name.starts_with("latest")) return std::nullopt;
  name.remove_prefix(6);
  if (name.empty()) return 0;
  const auto steps = name.starts_with('~') ? parse_integer(name.substr(1)) : std::nullopt;
  if (!steps || *steps < 0) return std::nullopt;
  return static_cast<std::size_t>(*steps);
}

Result<StoredRun> read_run_folder(const fs::path& folder) {
  StoredRun stored{.folder = folder};
  AWRY_TRY_ASSIGN(const Json manifest, read_json_file(folder / "manifest.json"));
  AWRY_TRY_ASSIGN(stored.run, from_json<Run>(manifest, (folder / "manifest.json").string()));
  AWRY_TRY_ASSIGN(const Json scores, read_json_file(folder / "scores.json"));
  AWRY_TRY_ASSIGN(stored.summary, from_json<Summary>(scores, (folder / "scores.json").string()));
  return stored;
}

// What `awry score` wrote with --output or --json: scores without a run around them.
Result<StoredRun> read_score_file(const fs::path& file) {
  AWRY_TRY_ASSIGN(const Json scores, read_json_file(file));
  if (!scores.is_object() || !scores.contains("protocol") || !scores.contains("metrics")) {
    return fail({.what = "cannot read scores",
                 .input = file.string(),
                 .why = "it has no 'protocol' and 'metrics'",
                 .hint = "Name a file that `awry score` wrote with --output FILE.json, or a run."});
  }
  StoredRun stored{.folder = file.parent_path()};
  AWRY_TRY_ASSIGN(stored.summary, from_json<Summary>(scores, file.string()));
  stored.run.id = file.filename().string();
  stored.run.protocol = stored.summary.protocol;
  const auto model = scores.find("model");
  stored.run.model = model != scores.end() && model->is_string() ? model->get<std::string>() : "";
  if (stored.run.model.empty()) stored.run.model = file.stem().string();
  return stored;
}

Result<Run> choose(const std::vector<Run>& runs, const std::string& name, const fs::path& runs_folder) {
  if (const auto steps = steps_back(name)) {
    std::size_t left = *steps;
    for (const Run& run : runs) {
      if (run.status == RunStatus::kFinished && left-- == 0) return run;
    }
    return fail({.kind = ErrorKind::kNotFound,
                 .what = "there is no run",
                 .input = name,
                 .why = fmt::format("{} holds {} finished runs", runs_folder.string(),
                                    std::ranges::count(runs, RunStatus::kFinished, &Run::status))});
  }
  std::vector<const Run*> fitting;
  for (const Run& run : runs) {
    if (run.id == name) return run;
    if (run.id.find(name) != std::string::npos) fitting.push_back(&run);
  }
  if (fitting.size() == 1) return *fitting.front();

  std::vector<std::string> ids;
  for (const Run& run : runs) ids.push_back(run.id);
  Error error{.kind = ErrorKind::kNotFound, .what = "there is no run", .input = name};
  if (!fitting.empty()) {
    error.what = "several runs fit";
    ids.clear();
    for (const Run* run : fitting) ids.push_back(run->id);
  } else if (const auto near = did_you_mean(name, ids)) {
    error.hint = fmt::format("Did you mean '{}'?", *near);
    return fail(std::move(error));
  }
  const std::size_t shown = std::min(ids.size(), kMostListed);
  error.why = fmt::format("{}{}{}", fitting.empty() ? "there are " : "",
                          join(std::span(ids).first(shown), ", "), ids.size() > shown ? ", ..." : "");
  return fail(std::move(error));
}

}  // namespace

Result<StoredRun> find_stored_run(const fs::path& runs_folder, const std::string& name) {
  std::error_code ignored;
  if (fs::exists(fs::path(name) / "scores.json", ignored)) return read_run_folder(name);
  if (fs::is_regular_file(name, ignored)) {
    const fs::path folder = fs::path(name).parent_path();
    const bool of_a_run =
        fs::path(name).filename() == "scores.json" && fs::exists(folder / "manifest.json", ignored);
    return of_a_run ? read_run_folder(folder) : read_score_file(name);
  }

  const fs::path database = runs_folder / "awry.db";
  if (!fs::exists(database, ignored)) {
    // Opening would create one, which nobody asked for.
    return fail({.kind = ErrorKind::kNotFound,
                 .what = "there is no run",
                 .input = name,
                 .why = fmt::format("there are no runs in '{}'", runs_folder.string()),
                 .hint = "Say where they are with --runs, or name a run's folder or a file of scores."});
  }
  AWRY_TRY_ASSIGN(const std::unique_ptr<store::Store> store, store::open_store(database));
  AWRY_TRY_ASSIGN(std::vector<Run> runs, store->find_runs({}));
  // What was asked for something else than a benchmark has no scores and never will.
  std::erase_if(runs, [](const Run& run) { return run.protocol.empty(); });
  AWRY_TRY_ASSIGN(Run run, choose(runs, name, runs_folder));
  AWRY_TRY_ASSIGN(std::optional<Summary> summary, store->summary_of(run.id));
  if (!summary) {
    return fail({.what = "the run has no scores yet",
                 .input = run.id,
                 .why = run.status == RunStatus::kRunning ? "it is still running" : "it was interrupted",
                 .hint = run.status == RunStatus::kRunning || run.command.empty()
                             ? ""
                             : fmt::format("Finish it with: {}", join(run.command, " "))});
  }
  fs::path folder = runs_folder / run.id;
  return StoredRun{std::move(run), std::move(*summary), std::move(folder)};
}

}  // namespace awry::cli
