// SPDX-License-Identifier: Apache-2.0
// awry forge themis: a fresh set of questions in the layout of the released one.
#include "awry/base/text.h"
#include "awry/cli/command.h"
#include "awry/cli/endpoint_options.h"
#include "awry/cli/forge_sources.h"
#include "awry/forge/apportion.h"
#include "awry/forge/image_generator.h"
#include "awry/forge/themis_set.h"
#include "awry/pipeline/hardness.h"
#include "awry/pipeline/image_endpoint.h"

namespace awry::cli {
namespace {

struct ForgeThemisOptions {
  SourceOptions sources;
  int count = 100;
  std::uint64_t seed = 1;
  int side = 384;
  int resynthesised = 0;
  std::vector<std::string> duplications;
  bool any_quality = false;
  std::string generator, generator_size;
  std::optional<forge::Keep> keep;
  std::string inspector = "forensics";
  int candidates = 12;
  EndpointOptions endpoint;
  std::vector<std::string> splits;
  int jobs = 0;
  std::filesystem::path output;
};

void declare(ForgeThemisOptions& options, OptionSet& set) {
  set.describe(
      "Forges panels and asks THEMIS's questions about them: splices, copy-moves, duplicates, texts that do "
      "not "
      "fit, and authentic ones, in the proportions of the released set, with exact masks. The folder can be "
      "given "
      "to `awry run themis` or to any program that reads the release. metadata.json records every source and "
      "step, "
      "datasheet.html shows what came out. Interrupted, the same command goes on.");
  set.value(options.sources.folder, "sources",
            {.placeholder = "DIR", .help = "A folder of pictures to forge, or `painted`."});
  declare_source_reading(options.sources, set);
  set.value(options.count, "count",
            {.letter = 'n', .placeholder = "N", .help = "Questions.", .minimum = 1, .maximum = 100000});
  declare_seed(set, options.seed);
  set.value(options.side, "side",
            {.placeholder = "PIXELS",
             .help = "The longer side of a panel.",
             .minimum = forge::kMinSetPanelSide,
             .maximum = forge::kMaxSetPanelSide});
  set.value(options.resynthesised, "resynthesised",
            {.placeholder = "N",
             .help = "Further items with a region filled in by classical inpainting, in a file of their own.",
             .minimum = 0,
             .maximum = 100000});
  set.list(options.duplications, "duplication",
           {.placeholder = "WHERE:STEPS",
            .help = "What duplicates go through, instead of the release's mix: global:hue for whole panels, "
                    "local:scaling+rotation_180 for parts. Steps are direct, horizontal_flip, vertical_flip, "
                    "rotation_180, brightness, contrast, saturation, hue, colour_temperature and, for parts, "
                    "scaling."});
  set.flag(options.any_quality, "any-quality",
           {.help = "Keep forgeries with visible seams or on blank ground too."});
  set.value(options.generator, "generator",
            {.placeholder = "MODEL",
             .help = "A model behind an OpenAI-compatible images endpoint, such as gpt-image-1: AI-generated "
                     "panels and regions join the set, in the release's proportions. Replies are kept in "
                     "generated/ and never paid for twice."});
  set.value(options.generator_size, "generator-size",
            {.placeholder = "WxH", .help = "What it is asked for; unless said, what the model takes."});
  set.choice(
      options.keep, "keep",
      {{"missed", forge::Keep::kMissed}, {"found", forge::Keep::kFound}, {"both", forge::Keep::kBoth}},
      {.help = "Forge until the inspector misses each forgery, or finds it; `both` keeps all and notes "
               "what it says. Authentic questions are not selected."});
  set.value(options.inspector, "inspector",
            {.placeholder = "NAME", .help = "Who looks, for --keep: forensics or openai:NAME."});
  set.value(options.candidates, "candidates",
            {.placeholder = "N",
             .help = "Forged for one question before it is left out, for --keep.",
             .minimum = 1,
             .maximum = 1000});
  declare_endpoint(set, options.endpoint);
  set.list(options.splits, "split",
           {.placeholder = "NAME=SHARE",
            .help = "Write several sets that share no picture, nor a near-duplicate of one: "
                    "--split train=0.8 --split test=0.2."});
  declare_jobs(set, options.jobs);
  set.value(options.output, "output",
            {.letter = 'o', .placeholder = "DIR", .help = "The new set.", .required = true});
  set.example("awry forge themis --count 200 --seed 7 -o forged", "from painted panels");
  set.example("awry forge themis --count 50 --keep missed -o hard",
              "only what the embedded inspector misses");
  set.example("awry forge themis --sources figures/ --count 50 -o forged", "from your own pictures");
}

struct Split {
  std::string name;  // empty: the only one
  double share = 1;
};

Result<std::vector<Split>> splits_of(const std::vector<std::string>& texts) {
  std::vector<Split> splits;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    const auto share =
        equals == std::string::npos ? std::nullopt : parse_double(std::string_view(text).substr(equals + 1));
    const std::string name = text.substr(0, equals);
    if (!share || !(*share > 0) || name.empty() || name.find('/') != std::string::npos || name[0] == '.') {
      return fail({.kind = ErrorKind::kUsage,
                   .what = "cannot split by",
                   .input = text,
                   .why = "a name and a share above 0 are wanted",
                   .hint = "Write --split train=0.8 --split test=0.2."});
    }
    splits.push_back({name, *share});
  }
  if (splits.empty()) splits.push_back({});
  return splits;
}

void tell(const forge::ThemisSet& set, Context& context) {
  context.say("{}: {} questions about single panels, {} about pairs, {} about texts{}", set.folder.string(),
              set.forgery_questions, set.duplication_questions, set.text_questions,
              set.already_there ? " (already there)" : "");
  std::string reasons;
  for (const auto& [reason, count] : set.rejected_by_reason)
    reasons += fmt::format("{}{} {}", reasons.empty() ? "" : ", ", count, reason);
  if (!reasons.empty()) context.say("turned away: {}", reasons);
  if (set.unforgeable > 0)
    context.say("{} questions left out: no source allowed them; metadata.json says why", set.unforgeable);
  if (set.found + set.missed + set.left_out > 0)
    context.say("the inspector finds {} of the forgeries kept and misses {}; {} questions left out",
                set.found, set.missed, set.left_out);
}

Result<int> run(const ForgeThemisOptions& options, Context& context) {
  AWRY_TRY_ASSIGN(const std::vector<Split> splits, splits_of(options.splits));
  std::vector<double> shares;
  for (const Split& split : splits) shares.push_back(split.share);
  const std::vector<int> counts = forge::apportion(options.count, shares);
  std::vector<forge::SourcePool> pools;
  if (options.sources.folder != "painted") {
    AWRY_TRY_ASSIGN(const forge::SourcePool pool,
                    open_sources(options.sources, job_count(options.jobs), context));
    pools = pool.split(shares, RandomStream(options.seed).fork("splits"));
  }
  const pipeline::EndpointSettings endpoints = endpoint_settings(options.endpoint, context);
  std::unique_ptr<forge::ImageGenerator> generator;
  if (!options.generator.empty()) {
    AWRY_TRY_ASSIGN(generator, pipeline::make_endpoint_generator(
                                   {.model = options.generator, .size = options.generator_size}, endpoints));
  }
  std::optional<forge::Selection> selection;
  if (options.keep) {
    AWRY_TRY_ASSIGN(
        selection, pipeline::make_selection(*options.keep, options.inspector, endpoints, options.candidates));
  }
  for (std::size_t i = 0; i < splits.size(); ++i) {
    forge::ThemisSetOptions set{.seed = options.seed,
                                .panel_side = options.side,
                                .resynthesised = options.resynthesised,
                                .generator = generator.get(),
                                .released_mix = true,
                                .duplications = options.duplications,
                                .strict_quality = !options.any_quality,
                                .datasheet = true,
                                .pool = pools.empty() ? nullptr : &pools[i],
                                .selection = selection ? &*selection : nullptr,
                                .threads = job_count(options.jobs),
                                .cancel = &context.cancel};
    // Painted panels follow from the seed: another one for each split, and they have nothing in common.
    if (!splits[i].name.empty())
      set.seed = RandomStream(options.seed).fork("split").fork(splits[i].name).next() >> 1;
    forge::take_released_counts(set, counts[i]);
    std::optional<Progress> progress;
    set.on_item = [&](std::size_t, std::size_t total) {
      if (!progress) progress.emplace("forging", total, context.progress());
      progress->add();
    };
    const std::filesystem::path folder =
        splits[i].name.empty() ? options.output : options.output / splits[i].name;
    AWRY_TRY_ASSIGN(const forge::ThemisSet forged, forge::forge_themis_set(folder, set));
    progress.reset();
    tell(forged, context);
  }
  return kExitDone;
}

}  // namespace

std::unique_ptr<CommandInstance> make_forge_themis() {
  return make_command<ForgeThemisOptions>(declare, run);
}

}  // namespace awry::cli
