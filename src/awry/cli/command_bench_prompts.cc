// SPDX-License-Identifier: Apache-2.0
// awry bench prompts: MagicBench prompts for image generators.
#include "awry/base/files.h"
#include "awry/benchmarks/magicmirror/bench_prompts.h"
#include "awry/cli/command.h"

namespace awry::cli {
namespace {

struct PromptsOptions {
  int count = 100;
  std::vector<std::string> classes;
  std::uint64_t seed = 1;
  std::filesystem::path output;
};

void declare(PromptsOptions& options, OptionSet& set) {
  set.describe(
      "Writes prompts in MagicBench's eight detail classes, one JSON object a line, made of the lists that "
      "come with awry. Give them to an image generator, add gen_images to the rows, and run magicbench on "
      "them.");
  set.value(options.count, "count", {.placeholder = "N", .help = "Prompts per class."});
  set.list(options.classes, "class",
           {.placeholder = "NAME", .help = "A detail class; all eight by default."});
  declare_seed(set, options.seed);
  declare_output(set, options.output);
  set.example("awry bench prompts --output prompts.jsonl", "800 prompts, a hundred of each class");
  set.example("awry bench prompts --count 5 --class human_double", "five prompts with two people");
}

Result<int> run(const PromptsOptions& options, Context& context) {
  AWRY_TRY_ASSIGN(const auto prompts,
                  benchmarks::magicmirror::make_bench_prompts(
                      {.per_class = options.count < 0 ? 0 : static_cast<std::size_t>(options.count),
                       .seed = options.seed,
                       .classes = options.classes}));
  const std::string lines = benchmarks::magicmirror::bench_prompt_lines(prompts);
  if (options.output.empty()) {
    context.out.write(lines);
  } else {
    AWRY_TRY(write_file(options.output, lines));
    context.say("wrote {} prompts to {}", prompts.size(), options.output.string());
  }
  return kExitDone;
}

}  // namespace

std::unique_ptr<CommandInstance> make_bench_prompts() {
  return make_command<PromptsOptions>(declare, run);
}

}  // namespace awry::cli
