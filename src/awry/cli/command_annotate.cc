// SPDX-License-Identifier: Apache-2.0
// awry annotate IMAGES --model M: structured anomalies of every image, from a crew of agents.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "awry/annotate/image_metadata.h"
#include "awry/base/text.h"
#include "awry/cli/command.h"
#include "awry/cli/endpoint_options.h"
#include "awry/cli/table.h"
#include "awry/cli/version.h"
#include "awry/input/image_files.h"
#include "awry/pipeline/annotate_images.h"

namespace awry::cli {
namespace {

constexpr std::size_t kShownFailures = 5;

struct AnnotateCommandOptions {
  std::vector<std::string> images;
  std::string model;
  std::vector<std::string> stage_models;
  EndpointOptions endpoint;
  agents::AgentOptions agents;
  std::uint64_t max_objects = 20, expected_objects = 8;
  std::filesystem::path prompts, metadata;
  BudgetOptions budget;
  agents::ReplyStyle style = agents::ReplyStyle::kJson;
  bool check_evidence = false, no_cache = false, retry_errors = false, dry_run = false, json = false;
  std::filesystem::path runs = "runs", output;
  Limit limit;
  int jobs = 0;
};

void declare_agents(AnnotateCommandOptions& options, OptionSet& set) {
  set.value(options.agents.drafts, "drafts",
            {.placeholder = "T",
             .help = "How often the perceiver looks, each time with other words.",
             .minimum = 1,
             .maximum = 20});
  set.value(options.max_objects, "max-objects",
            {.placeholder = "N",
             .help = "Most objects to examine in an image, people first.",
             .minimum = 1,
             .maximum = 200});
  set.flag(options.agents.ask_same, "ask-same", {.help = "Ask the model about objects that may be one."});
  set.flag(options.agents.verdict, "deepfake",
           {.help = "First ask whether the image is generated; those called real are not examined further."});
  set.value(options.agents.reask, "reask",
            {.placeholder = "N",
             .help = "How often a reply that cannot be read is asked for again, with what was wrong.",
             .minimum = 0,
             .maximum = 20});
  set.list(options.stage_models, "model-for",
           {.placeholder = "STAGE=M", .help = "Another model for one stage: format=openai:gpt-4o."});
  set.value(
      options.prompts, "prompts",
      {.placeholder = "DIR", .help = "Your own wording: files in DIR replace awry's of the same name."});
  set.choice(options.style, "replies",
             std::vector<std::pair<std::string, agents::ReplyStyle>>{{"json", agents::ReplyStyle::kJson},
                                                                     {"plain", agents::ReplyStyle::kPlain}},
             {.help = "The form asked for. Both are understood, whatever comes."});
  set.flag(options.check_evidence, "check-evidence",
           {.help = "Compare claims of duplication and splicing with what the embedded detectors find, and "
                    "quoted lettering with what can be read."});
}

void declare(AnnotateCommandOptions& options, OptionSet& set) {
  set.describe(
      "Lists the objects of each image, examines each by itself and with its neighbours, and makes one list "
      "of "
      "anomalies: name, phenomenon, reasoning, severity. Every step is stored before it is read: the same "
      "command goes on where it was stopped, and a changed prompt or model repeats only what it changes.");
  set.positionals(options.images, "image", {.help = "Files or folders.", .required = true});
  set.value(options.model, "model",
            {.placeholder = "M", .help = "Who answers: openai:NAME.", .required = true});
  declare_agents(options, set);
  set.value(options.metadata, "metadata",
            {.placeholder = "FILE",
             .help = "JSON lines with file_name and prompt, generator or source of images.",
             .default_text = "metadata.jsonl beside the images or above"});
  declare_runs_folder(set, options.runs);
  declare_jobs(set, options.jobs);
  declare_limit(set, options.limit);
  set.flag(options.no_cache, "no-cache", {.help = "Ask again even where an earlier run has the reply."});
  set.flag(options.retry_errors, "retry-errors", {.help = "Ask again what was refused or cut off."});
  declare_dry_run(set, options.dry_run);
  set.value(options.expected_objects, "expect-objects",
            {.placeholder = "N", .help = "How many objects an image has, for --dry-run.", .minimum = 0});
  declare_json(set, options.json);
  declare_output(set, options.output);
  declare_endpoint(set, options.endpoint);
  declare_budget(set, options.budget);
  set.example("awry annotate images/ --model openai:gpt-4o --dry-run --price-file prices.json",
              "what would it cost?");
  set.example("awry annotate images/ --model openai:gpt-4o", "runs/latest then holds annotations.json");
}

Result<std::map<agents::Stage, std::string>> stage_models_of(const std::vector<std::string>& pairs) {
  std::map<agents::Stage, std::string> models;
  for (const std::string& pair : pairs) {
    const std::size_t equals = pair.find('=');
    const auto stage = agents::stage_named(std::string_view(pair).substr(0, equals));
    if (equals == std::string::npos || !stage) {
      std::vector<std::string> names;
      for (const agents::StageTraits& traits : agents::all_stages()) names.emplace_back(traits.name);
      return fail({.kind = ErrorKind::kUsage,
                   .what = "cannot read --model-for",
                   .input = pair,
                   .why = "it should look like format=openai:NAME",
                   .hint = fmt::format("Stages are {}.", awry::join(names, ", "))});
    }
    models[*stage] = pair.substr(equals + 1);
  }
  return models;
}

Result<pipeline::AnnotateOptions> annotate_options(const AnnotateCommandOptions& options, Context& context) {
  pipeline::AnnotateOptions annotate{.model = options.model,
                                     .endpoint = endpoint_settings(options.endpoint, context),
                                     .budget = options.budget.limits(),
                                     .agents = options.agents,
                                     .prompts_folder = options.prompts.string(),
                                     .style = options.style,
                                     .check_evidence = options.check_evidence,
                                     .runs_folder = options.runs,
                                     .threads = job_count(options.jobs),
                                     .ask_again = options.no_cache,
                                     .retry_errors = options.retry_errors,
                                     .awry_version = std::string(version()),
                                     .progress = context.progress(),
                                     .cancel = &context.cancel};
  annotate.agents.max_objects = options.max_objects;
  annotate.endpoint.batch_folder = options.runs / "batch";
  AWRY_TRY_ASSIGN(annotate.stage_models, stage_models_of(options.stage_models));
  AWRY_TRY_ASSIGN(annotate.samples, input::samples_of_image_files(options.images));
  AWRY_TRY(annotate::add_metadata(annotate.samples, options.metadata));
  const auto [first, last] = options.limit.range_of(annotate.samples.size());
  annotate.samples = std::vector<Sample>(annotate.samples.begin() + static_cast<std::ptrdiff_t>(first),
                                         annotate.samples.begin() + static_cast<std::ptrdiff_t>(last));
  if (!options.budget.price_file.empty()) {
    AWRY_TRY_ASSIGN(annotate.prices, pipeline::read_price_file(options.budget.price_file));
  }
  std::vector<std::string> words = {"awry", "annotate"};
  words.insert(words.end(), options.images.begin(), options.images.end());
  annotate.command = command_words(std::move(words), context);
  return annotate;
}

Result<int> tell_estimate(const pipeline::AnnotateOptions& annotate, const AnnotateCommandOptions& options,
                          Context& context) {
  AWRY_TRY_ASSIGN(const pipeline::AnnotateEstimate estimate,
                  pipeline::estimate_annotation(annotate, options.expected_objects));
  Table table{.columns = {{"stage"},
                          {"calls_per_image", "calls/image", 1},
                          {"input_tokens_per_image", "input tokens/image", 0},
                          {"output_tokens_per_image", "output tokens/image", 0},
                          {"usd_per_image", "usd/image", 4},
                          {"usd", "usd in all", 2}}};
  const double images = std::max<double>(1, static_cast<double>(estimate.images));
  double calls = 0;
  Usage total;
  const auto add_row = [&](std::string name, double count, const Usage& usage, Tone tone) {
    table.rows.push_back({Cell(std::move(name), tone), Cell(count),
                          Cell(static_cast<double>(usage.input_tokens) / images),
                          Cell(static_cast<double>(usage.output_tokens) / images),
                          usage.cost_usd ? Cell(*usage.cost_usd / images) : Cell(),
                          usage.cost_usd ? Cell(*usage.cost_usd) : Cell()});
  };
  for (const pipeline::StageEstimate& stage : estimate.stages) {
    add_row(std::string(agents::name_of(stage.stage)), stage.calls, stage.usage, Tone::kPlain);
    calls += stage.calls;
    total.input_tokens += stage.usage.input_tokens;
    total.output_tokens += stage.usage.output_tokens;
    if (stage.usage.cost_usd) total.cost_usd = total.cost_usd.value_or(0) + *stage.usage.cost_usd;
  }
  add_row("all", calls, total, Tone::kStrong);
  AWRY_TRY(write_table(context.out, table, {.json = options.json, .file = options.output}));
  context.say(
      "Nothing was asked. Guessed for {} images with {} objects each (--expect-objects); repeated questions "
      "are "
      "not counted, and images or objects without a flaw take fewer.",
      estimate.images, options.expected_objects);
  const bool unpriced = std::ranges::any_of(
      estimate.stages, [](const pipeline::StageEstimate& stage) { return !stage.usage.cost_usd; });
  if (unpriced) context.say("Where no US dollars stand the price is not known: --price-file FILE tells it.");
  return kExitDone;
}

Table table_of_costs(const pipeline::AnnotateResult& result) {
  Table table{.columns = {{"stage"},
                          {"calls"},
                          {"reasked", "asked again"},
                          {"failed", "unusable"},
                          {"input_tokens", "input tokens"},
                          {"output_tokens", "output tokens"},
                          {"usd", "usd", 4}}};
  for (const pipeline::StageCost& cost : result.costs) {
    table.rows.push_back({Cell(agents::name_of(cost.stage)), Cell(cost.calls), Cell(cost.reasked),
                          Cell(cost.failed), Cell(cost.usage.input_tokens), Cell(cost.usage.output_tokens),
                          cost.usage.cost_usd ? Cell(*cost.usage.cost_usd) : Cell()});
  }
  return table;
}

Result<int> show(const pipeline::AnnotateResult& result, const AnnotateCommandOptions& options,
                 Context& context) {
  AWRY_TRY(write_table(context.out, table_of_costs(result), {.json = options.json, .file = options.output}));
  for (std::size_t i = 0; i < std::min(result.failures.size(), kShownFailures); ++i) {
    context.say("  {}", result.failures[i]);
  }
  if (result.failures.size() > kShownFailures) {
    context.say("  ... and {} more: see the report", result.failures.size() - kShownFailures);
  }
  context.say("{} images: {} objects, {} candidates, {} anomalies. {} failed, {} lack a part.", result.images,
              result.objects, result.candidates, result.anomalies, result.failed, result.incomplete);
  if (options.check_evidence) {
    context.say("Evidence: {} supported, {} unsupported, {} not testable.", result.supported,
                result.unsupported, result.not_testable);
  }
  context.say("{} asked, {} known from earlier runs.", result.asked, result.reused);
  context.say("Annotations: {}", (result.folder / "annotations.json").string());
  context.say("Report: {}", (result.folder / "report.html").string());
  return result.failed + result.incomplete > 0 ? kExitPartial : kExitDone;
}

Result<int> run(const AnnotateCommandOptions& options, Context& context) {
  AWRY_TRY_ASSIGN(const pipeline::AnnotateOptions annotate, annotate_options(options, context));
  if (options.dry_run) return tell_estimate(annotate, options, context);
  AWRY_TRY_ASSIGN(const pipeline::AnnotateResult result, pipeline::annotate_images(annotate));
  if (result.budget_used_up) {
    context.say(
        "The budget is used up: {} questions asked, {} tokens, ${:.4f}. Every reply is kept. To go on:",
        result.spent.calls, result.spent.input_tokens + result.spent.output_tokens, result.spent.cost_usd);
    context.say("  {}", command_to_go_on(annotate.command, options.budget));
    return kExitBudget;
  }
  if (result.interrupted && options.model.starts_with("batch:")) {
    const std::filesystem::path& folder = annotate.endpoint.batch_folder;
    context.say(
        "What can be asked so far waits in {}. Send these files, put what comes back into {}, and run the "
        "same "
        "command again: every stage takes such a round.",
        folder.string(), (folder / "results").string());
    return kExitPartial;
  }
  if (result.interrupted) {
    context.say("Stopped after {} replies; every one is kept. Run the same command to go on.",
                result.asked + result.reused);
    return kExitFailed;
  }
  return show(result, options, context);
}

}  // namespace

std::unique_ptr<CommandInstance> make_annotate() {
  return make_command<AnnotateCommandOptions>(declare, run);
}

}  // namespace awry::cli
