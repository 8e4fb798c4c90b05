// SPDX-License-Identifier: Apache-2.0
// awry score maps: anomaly maps against masks, as the MVTec evaluations do it.
#include "awry/benchmarks/tgad/map_scoring.h"
#include "awry/cli/benchmark_output.h"
#include "awry/cli/command.h"

namespace awry::cli {
namespace {

struct ScoreMapsOptions {
  std::filesystem::path truth, maps, tags, without_noun;
  std::vector<std::filesystem::path> reworded;
  double limit = 0.3;
  bool per_error = false;
  std::uint64_t resamples = 5000;
  std::uint64_t seed = 0;
  bool json = false;
  std::filesystem::path output;
};

void declare(ScoreMapsOptions& options, OptionSet& set) {
  set.describe(
      "I-AUROC, P-AUROC and AUPRO, exact and without binning, in memory that does not grow with the number "
      "of "
      "images. Truth is a class folder (or a folder of classes) of MVTec AD, MVTec LOCO or VisA; maps are "
      "float "
      "TIFF or PNG under the same relative paths.");
  set.value(
      options.truth, "truth",
      {.placeholder = "DIR", .help = "The class folder with test/ and ground_truth/.", .required = true});
  set.value(options.maps, "maps", {.placeholder = "DIR", .help = "The anomaly maps.", .required = true});
  set.value(options.limit, "limit",
            {.placeholder = "FPR",
             .help = "AUPRO integrates up to this false positive rate.",
             .minimum = 0,
             .maximum = 1,
             .in_files = false});  // other commands mean a number of samples by it
  set.flag(options.per_error, "per-error",
           {.help = "Also pixel metrics of each kind of defect against all good images, and their mean."});
  set.value(options.tags, "tags",
            {.placeholder = "FILE", .help = "Component tags: adds EV1, EV2 and the drop between them."});
  set.list(options.reworded, "reworded",
           {.placeholder = "DIR",
            .help = "Maps of the same images by another prompt that names the object: what wording moves."});
  set.value(options.without_noun, "without-noun",
            {.placeholder = "DIR",
             .help = "Maps by a prompt that does not name the object: tells object-anchor collapse."});
  set.value(options.resamples, "resamples",
            {.placeholder = "N", .help = "Of the bootstrap; 0: no intervals."});
  declare_seed(set, options.seed);
  declare_json(set, options.json);
  declare_output(set, options.output);
  set.example("awry score maps --truth mvtec/bottle --maps maps/bottle", "one class");
  set.example("awry score maps --truth mvtec --maps maps --json", "every class, and their mean");
}

Result<int> run(const ScoreMapsOptions& options, Context& context) {
  AWRY_TRY_ASSIGN(const Summary summary,
                  benchmarks::tgad::score_map_folder(options.truth, options.maps,
                                                     {.pro_limit = options.limit,
                                                      .per_error = options.per_error,
                                                      .tags = options.tags,
                                                      .reworded = options.reworded,
                                                      .without_noun = options.without_noun,
                                                      .resamples = options.resamples,
                                                      .seed = options.seed}));
  AWRY_TRY(write_summary(summary, context, {.json = options.json, .file = options.output}));
  say_outcomes(summary, context);
  return kExitDone;
}

}  // namespace

std::unique_ptr<CommandInstance> make_score_maps() {
  return make_command<ScoreMapsOptions>(declare, run);
}

}  // namespace awry::cli
