// SPDX-License-Identifier: Apache-2.0
// awry bench text-prompts: TGAD's prompt variants, for detectors that take text.
#include "awry/base/files.h"
#include "awry/base/json.h"
#include "awry/benchmarks/tgad/text_prompts.h"
#include "awry/cli/command.h"

namespace awry::cli {
namespace {

struct TextPromptsOptions {
  std::string protocol;
  int scenario = 0;
  std::filesystem::path output;
};

void declare(TextPromptsOptions& options, OptionSet& set) {
  set.describe(
      "Writes the texts of TGAD's scenarios as a JSON list: 1 varies the words about a class, 2 names parts "
      "of "
      "an object, 3 names what may be wrong with a panel. A detector takes the fields it understands: text, "
      "focus and contrast, or keyword.");
  set.positional(options.protocol, "protocol", {.help = "The protocol: tgad.", .required = true});
  set.value(options.scenario, "scenario", {.placeholder = "N", .help = "Only this one, 1 to 3; 0 for all."});
  declare_output(set, options.output);
  set.example("awry bench text-prompts tgad --scenario 2", "instructions and keyword sets for parts");
}

Result<int> run(const TextPromptsOptions& options, Context& context) {
  if (options.protocol != "tgad") {
    return fail({.kind = ErrorKind::kUsage,
                 .what = "no text prompts for",
                 .input = options.protocol,
                 .why = "only tgad has them"});
  }
  if (options.scenario < 0 || options.scenario > 3) {
    return fail({.kind = ErrorKind::kUsage,
                 .what = "no such scenario",
                 .input = fmt::format("{}", options.scenario),
                 .why = "there are 1, 2 and 3, and 0 means all"});
  }
  AWRY_TRY_ASSIGN(
      const auto prompts,
      benchmarks::tgad::text_prompts(options.scenario == 0 ? std::nullopt : std::optional(options.scenario)));
  Json rows = Json::array();
  for (const auto& prompt : prompts) {
    Json row = {{"scenario", prompt.scenario}, {"of", prompt.of}, {"variant", prompt.variant}};
    if (!prompt.text.empty()) row["text"] = prompt.text;
    if (!prompt.focus.empty()) row["focus"] = prompt.focus, row["contrast"] = prompt.contrast;
    if (!prompt.keyword.empty()) row["keyword"] = prompt.keyword;
    rows.push_back(std::move(row));
  }
  const std::string text = dump_json_pretty(rows);
  if (options.output.empty()) {
    context.out.write(text);
  } else {
    AWRY_TRY(write_file(options.output, text));
  }
  return kExitDone;
}

}  // namespace

std::unique_ptr<CommandInstance> make_bench_text_prompts() {
  return make_command<TextPromptsOptions>(declare, run);
}

}  // namespace awry::cli
