// SPDX-License-Identifier: Apache-2.0
// awry score audit: how often and how badly image generators go wrong.
#include "awry/benchmarks/anomreason/audit.h"
#include "awry/cli/benchmark_output.h"
#include "awry/cli/command.h"

namespace awry::cli {
namespace {

struct ScoreAuditOptions {
  std::filesystem::path answers;
  std::vector<std::string> options;
  bool json = false;
  std::filesystem::path output;
};

void declare(ScoreAuditOptions& options, OptionSet& set) {
  set.describe(
      "For each generator: how severe its anomalies are (MAI), how many an image has (AF), and their product "
      "(CAP). Each line of the file is one image: {\"generator\": ..., \"image\": ..., \"anomalies\": "
      "[...]}, or "
      "\"reply\" with an assessor's words instead of \"anomalies\". A file as AnomReason was released, "
      "{image: "
      "[anomaly, ...]}, is one generator, called like the file; a folder holds several.");
  set.value(options.answers, "answers",
            {.placeholder = "PATH",
             .help = "JSON lines, one per image; or a file or folder of annotations.",
             .required = true});
  declare_protocol_options(set, options.options);
  declare_json(set, options.json);
  declare_output(set, options.output);
  set.example("awry score audit --answers audit.jsonl", "a table of generators");
}

Result<int> run(const ScoreAuditOptions& options, Context& context) {
  AWRY_TRY_ASSIGN(const benchmarks::ProtocolOptions switches, protocol_options_of(options.options));
  AWRY_TRY_ASSIGN(const auto lines, benchmarks::anomreason::read_audit_file(options.answers));
  AWRY_TRY_ASSIGN(const Summary summary, benchmarks::anomreason::audit(lines, switches));
  AWRY_TRY(
      write_summary(summary, context, {.json = options.json, .file = options.output}, {}, Groups::kNames));
  say_outcomes(summary, context);
  return kExitDone;
}

}  // namespace

std::unique_ptr<CommandInstance> make_score_audit() {
  return make_command<ScoreAuditOptions>(declare, run);
}

}  // namespace awry::cli
