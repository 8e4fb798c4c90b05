// SPDX-License-Identifier: Apache-2.0
// awry forge panel-ad and awry forge parts: industrial objects with known defects, in the tree of MVTec AD.
#include "awry/cli/command.h"
#include "awry/forge/anomaly_set.h"

namespace awry::cli {
namespace {

using forge::AnomalySubject;

template <AnomalySubject kSubject>
struct ForgeAnomaliesOptions {
  int train = 40, good = 20, count = kSubject == AnomalySubject::kAssembledPanel ? 53 : 40;
  int width = kSubject == AnomalySubject::kAssembledPanel ? 960 : 400;
  std::uint64_t seed = 1;
  int jobs = 0;
  std::filesystem::path output;
};

template <AnomalySubject kSubject>
void declare(ForgeAnomaliesOptions<kSubject>& options, OptionSet& set) {
  const bool panel = kSubject == AnomalySubject::kAssembledPanel;
  set.describe(
      panel ? "Paints assembled panels of a charging station with the fourteen defect categories of the "
              "Assembled Panel dataset, alone and combined, with masks, in the tree of MVTec AD, and "
              "tags.json, which says what part each defect touches."
            : "Paints simple objects of several parts with scratches, stains and chips on known parts, with "
              "masks, in the tree of MVTec AD, and tags.json, which says what parts each picture touches.");
  set.value(options.count, "count",
            {.letter = 'n',
             .placeholder = "N",
             .help = "Defective pictures of each class.",
             .minimum = 0,
             .maximum = 100000});
  set.value(
      options.good, "good",
      {.placeholder = "N", .help = "Good test pictures of each class.", .minimum = 0, .maximum = 100000});
  set.value(
      options.train, "train",
      {.placeholder = "N", .help = "Good training pictures of each class.", .minimum = 0, .maximum = 100000});
  set.value(options.width, "width",
            {.placeholder = "PIXELS",
             .help = "Of every picture.",
             .minimum = forge::kMinAnomalyWidth,
             .maximum = forge::kMaxAnomalyWidth});
  declare_seed(set, options.seed);
  declare_jobs(set, options.jobs);
  set.value(options.output, "output",
            {.letter = 'o', .placeholder = "DIR", .help = "The new set.", .required = true});
  const char* name = panel ? "panel-ad" : "parts";
  set.example(fmt::format("awry forge {} -o forged", name), "a set like the paper's");
  set.example(fmt::format("awry forge {} -o forged -n 10 --seed 7", name),
              "a small one; awry score maps reads it");
}

template <AnomalySubject kSubject>
Result<int> run(const ForgeAnomaliesOptions<kSubject>& options, Context& context) {
  std::optional<Progress> progress;
  AWRY_TRY_ASSIGN(const forge::AnomalySet set,
                  forge::forge_anomaly_set(options.output, {.subject = kSubject,
                                                            .seed = options.seed,
                                                            .good_training = options.train,
                                                            .good_test = options.good,
                                                            .defective = options.count,
                                                            .width = options.width,
                                                            .threads = job_count(options.jobs),
                                                            .on_item =
                                                                [&](std::size_t, std::size_t total) {
                                                                  if (!progress)
                                                                    progress.emplace("forging", total,
                                                                                     context.progress());
                                                                  progress->add();
                                                                },
                                                            .cancel = &context.cancel}));
  progress.reset();
  context.say("{}: {} good and {} defective pictures{}", set.folder.string(), set.good, set.defective,
              set.already_there ? " (already there)" : "");
  return kExitDone;
}

}  // namespace

std::unique_ptr<CommandInstance> make_forge_panel_ad() {
  return make_command<ForgeAnomaliesOptions<AnomalySubject::kAssembledPanel>>(declare, run);
}

std::unique_ptr<CommandInstance> make_forge_parts() {
  return make_command<ForgeAnomaliesOptions<AnomalySubject::kParts>>(declare, run);
}

}  // namespace awry::cli
