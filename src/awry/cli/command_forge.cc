// SPDX-License-Identifier: Apache-2.0
// awry forge --replay: the same bytes again from a set's metadata.
#include "awry/cli/command.h"
#include "awry/cli/forge_sources.h"
#include "awry/forge/themis_set.h"

namespace awry::cli {
namespace {

struct ForgeOptions {
  std::filesystem::path replay, output;
  SourceOptions sources{.folder = ""};
  int jobs = 0;
};

void declare(ForgeOptions& options, OptionSet& set) {
  set.describe(
      "Makes a forged set again from its metadata.json, and checks that every file has the same bytes. New "
      "sets "
      "are made by `awry forge themis`, `awry forge panel-ad` and `awry forge parts`.");
  set.value(options.replay, "replay",
            {.placeholder = "FILE",
             .help = "The metadata.json of a forged set.",
             .required = true,
             .in_files = false});
  set.value(options.sources.folder, "sources",
            {.placeholder = "DIR", .help = "The pictures it was made from, unless it was painted."});
  set.value(options.sources.masks, "masks",
            {.placeholder = "DIR", .help = "The masks of objects it was made with, if there were any."});
  declare_jobs(set, options.jobs);
  set.value(options.output, "output",
            {.letter = 'o', .placeholder = "DIR", .help = "Where the set is made again.", .required = true});
  set.example("awry forge --replay forged/metadata.json -o again", "identical, or an error");
}

Result<int> run(const ForgeOptions& options, Context& context) {
  std::optional<forge::SourcePool> pool;
  if (!options.sources.folder.empty()) {
    SourceOptions sources = options.sources;
    sources.known = true;
    AWRY_TRY_ASSIGN(pool, open_sources(sources, job_count(options.jobs), context));
  }
  std::optional<Progress> progress;
  AWRY_TRY_ASSIGN(const forge::Replayed replayed,
                  forge::replay_set(options.replay, options.output,
                                    {.pool = pool ? &*pool : nullptr,
                                     .threads = job_count(options.jobs),
                                     .on_item =
                                         [&](std::size_t, std::size_t total) {
                                           if (!progress)
                                             progress.emplace("forging", total, context.progress());
                                           progress->add();
                                         },
                                     .cancel = &context.cancel}));
  progress.reset();
  context.say("{}: {} files, all with the same bytes",
              replayed.already_there ? "already there" : "made again", replayed.files);
  return kExitDone;
}

}  // namespace

std::unique_ptr<CommandInstance> make_forge() {
  return make_command<ForgeOptions>(declare, run);
}

}  // namespace awry::cli
