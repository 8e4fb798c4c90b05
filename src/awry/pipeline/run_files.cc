// SPDX-License-Identifier: Apache-2.0
#include "awry/pipeline/run_files.h"

#include "awry/base/files.h"
#include "awry/records/json.h"

namespace awry::pipeline {
namespace {

constexpr int kSchemaVersion = 1;

std::string samples_as_lines(const report::ReportInput& input) {
  std::string lines;
  for (const report::Item& item : input.items) {
    Json line = {{"schema", kSchemaVersion}, {"id", item.sample.id}, {"sample", to_json(item.sample)}};
    line["asked"] = Json::array();
    for (std::size_t i = 0; i < item.questions.size(); ++i) {
      line["asked"].push_back({{"question", to_json(item.questions[i])},
                               {"reply", to_json(item.replies[i])},
                               {"answer", to_json(item.answers[i])}});
    }
    lines += dump_json(line) + "\n";
  }
  return lines;
}

}  // namespace

Result<void> write_run_files(const std::filesystem::path& folder, const report::ReportInput& input,
                             const Run& manifest_run, const std::string& recording) {
  AWRY_TRY(make_folder(folder));
  Json manifest = {{"schema", kSchemaVersion}};
  manifest.update(to_json(manifest_run));
  AWRY_TRY(write_json_file(folder / "manifest.json", manifest));
  AWRY_TRY(write_file(folder / "samples.jsonl", samples_as_lines(input)));
  AWRY_TRY(write_file(folder / "replies.jsonl", recording));
  Json scores = {{"schema", kSchemaVersion}};
  scores.update(to_json(input.summary));
  AWRY_TRY(write_json_file(folder / "scores.json", scores));
  AWRY_TRY_ASSIGN(const std::string page, report::render_html(input));
  return write_file(folder / "report.html", page);
}

void point_latest_at(const std::filesystem::path& runs_folder, const std::string& run_id) {
  std::error_code ignored;
  const std::filesystem::path fresh = runs_folder / ".latest.new";
  std::filesystem::remove(fresh, ignored);
  std::filesystem::create_directory_symlink(run_id, fresh, ignored);
  std::filesystem::rename(fresh, runs_folder / "latest", ignored);
}

}  // namespace awry::pipeline
