// SPDX-License-Identifier: Apache-2.0
// awry review export, import and report: decisions to and from other tools, and what they come to.
#include <fmt/format.h>

#include <set>
#include <string>
#include <vector>

#include "awry/annotate/review_formats.h"
#include "awry/base/files.h"
#include "awry/cli/annotation_run.h"
#include "awry/cli/command.h"
#include "awry/cli/table.h"

namespace awry::cli {
namespace {

struct ReviewFileOptions {
  std::string run, stage = "format", person;
  std::filesystem::path file, output, runs = "runs";
  annotate::ReviewFormat format = annotate::ReviewFormat::kJsonLines;
  std::uint64_t min_votes = 1;
  bool by_generator = false, json = false;
};

void declare_run(ReviewFileOptions& options, OptionSet& set) {
  set.positional(options.run, "run",
                 {.help = "A run of `awry annotate`: a folder, an id, or latest.", .required = true});
  declare_runs_folder(set, options.runs);
}

void declare_export(ReviewFileOptions& options, OptionSet& set) {
  set.describe("Writes what there is to decide on, with the decisions so far, for other tools.");
  declare_run(options, set);
  set.choice(options.format, "format",
             std::vector<std::pair<std::string, annotate::ReviewFormat>>{
                 {"jsonl", annotate::ReviewFormat::kJsonLines},
                 {"label-studio", annotate::ReviewFormat::kLabelStudio},
                 {"prodigy", annotate::ReviewFormat::kProdigy}},
             {.help = "Whose form."});
  set.value(options.stage, "stage", {.placeholder = "STAGE", .help = "Candidates of another stage."});
  set.value(options.output, "output",
            {.letter = 'o', .placeholder = "FILE", .help = "Where to; without it, stdout."});
  set.example("awry review export latest --format label-studio -o tasks.json", "for a Label Studio project");
}

Result<int> run_export(const ReviewFileOptions& options, Context& context) {
  const auto stage = agents::stage_named(options.stage);
  if (!stage) return fail({.kind = ErrorKind::kUsage, .what = "unknown stage", .input = options.stage});
  AWRY_TRY_ASSIGN(const AnnotationRun run, find_annotation_run(options.runs, options.run));
  AWRY_TRY_ASSIGN(const std::vector<Verdict> verdicts, verdicts_of(run));
  const std::vector<annotate::ReviewItem> items = annotate::review_items(run.annotations, *stage);
  const std::string text = annotate::write_reviews(items, verdicts, options.format);
  if (options.output.empty() || options.output == "-") {
    context.out.write(text);
  } else {
    AWRY_TRY(write_file(options.output, text));
  }
  if (options.format == annotate::ReviewFormat::kLabelStudio) {
    context.say_more("Labelling interface:\n{}", annotate::label_studio_configuration());
  }
  context.say("{} items, {} decisions.", items.size(), verdicts.size());
  return kExitDone;
}

void declare_import(ReviewFileOptions& options, OptionSet& set) {
  set.describe("Takes decisions made in Label Studio, in Prodigy or by `awry review export` elsewhere.");
  declare_run(options, set);
  set.positional(options.file, "file", {.help = "The exported file.", .required = true});
  set.value(options.person, "by",
            {.placeholder = "NAME", .help = "Who decided, where the file does not say."});
  set.example("awry review import latest project-1.json --by maria", "what came back");
}

Result<int> run_import(const ReviewFileOptions& options, Context& context) {
  AWRY_TRY_ASSIGN(const AnnotationRun run, find_annotation_run(options.runs, options.run));
  AWRY_TRY_ASSIGN(const std::string text, read_file(options.file));
  AWRY_TRY_ASSIGN(const std::vector<Verdict> verdicts,
                  annotate::read_reviews(text, options.file.string(), options.person));
  std::set<std::string> known;
  for (const agents::StageTraits& traits : agents::all_stages()) {
    for (const annotate::ReviewItem& item : annotate::review_items(run.annotations, traits.stage))
      known.insert(item.id);
  }
  for (const Verdict& verdict : verdicts) {
    if (verdict.by.name.empty()) {
      return fail({.kind = ErrorKind::kUsage,
                   .what = "cannot take decisions from",
                   .input = options.file.string(),
                   .why = fmt::format("it does not say who decided on '{}'", verdict.finding_id),
                   .hint = "Name the person: --by NAME."});
    }
    if (known.contains(verdict.finding_id)) continue;
    return fail({.what = "cannot take decisions from",
                 .input = options.file.string(),
                 .why = fmt::format("the run has no '{}'", verdict.finding_id),
                 .hint = "Decisions belong to the run they were exported from."});
  }
  AWRY_TRY_ASSIGN(const std::unique_ptr<store::Store> store, open_store_of(run));
  for (const Verdict& verdict : verdicts) AWRY_TRY(store->put_verdict(run.id, verdict));
  context.say("{} decisions taken.", verdicts.size());
  return kExitDone;
}

void declare_report(ReviewFileOptions& options, OptionSet& set) {
  set.describe(
      "Tells how much of what the annotator claims people accept, stage by stage, or generator by generator. "
      "A "
      "candidate that nobody decided on counts as the final anomaly it led to.");
  declare_run(options, set);
  set.flag(options.by_generator, "by-generator", {.help = "A row for each generator instead of each stage."});
  set.value(options.min_votes, "min-votes",
            {.placeholder = "N", .help = "Fewer votes leave an anomaly undecided.", .minimum = 1});
  declare_json(set, options.json);
  declare_output(set, options.output);
  set.example("awry review report latest --min-votes 3", "what most of at least three accept");
}

Result<int> run_report(const ReviewFileOptions& options, Context& context) {
  AWRY_TRY_ASSIGN(const AnnotationRun run, find_annotation_run(options.runs, options.run));
  AWRY_TRY_ASSIGN(const std::vector<Verdict> verdicts, verdicts_of(run));
  const annotate::VotesById votes = annotate::count_votes(verdicts);
  Table table{.columns = {{options.by_generator ? "generator" : "stage"},
                          {"items"},
                          {"accepted"},
                          {"rejected"},
                          {"disputed"},
                          {"undecided"},
                          {"acceptance"}}};
  if (!options.by_generator) table.columns.push_back({"dropped"});
  const auto cells_of = [](const annotate::Acceptance& row) {
    const auto rate = row.rate();
    return std::vector<Cell>{Cell(row.group.empty() ? std::string("unknown") : row.group),
                             Cell(row.items),
                             Cell(row.accepted),
                             Cell(row.rejected),
                             Cell(row.disputed),
                             Cell(row.undecided),
                             rate ? Cell(*rate) : Cell()};
  };
  if (options.by_generator) {
    for (const auto& row : annotate::acceptance_by_generator(run.annotations, votes, options.min_votes)) {
      table.rows.push_back(cells_of(row));
    }
  } else {
    for (const auto& row : annotate::acceptance_by_stage(run.annotations, votes, options.min_votes)) {
      table.rows.push_back(cells_of(row.acceptance));
      table.rows.back().push_back(Cell(row.dropped));
    }
  }
  AWRY_TRY(write_table(context.out, table, {.json = options.json, .file = options.output}));
  std::set<std::string> people;
  for (const Verdict& verdict : verdicts) people.insert(verdict.by.name);
  context.say("{} decisions by {} people.", verdicts.size(), people.size());
  if (const Result<double> alpha = annotate::agreement_of(verdicts)) {
    context.say("Agreement (Krippendorff's alpha): {:.3f}.", *alpha);
  }
  return kExitDone;
}

}  // namespace

std::unique_ptr<CommandInstance> make_review_export() {
  return make_command<ReviewFileOptions>(declare_export, run_export);
}
std::unique_ptr<CommandInstance> make_review_import() {
  return make_command<ReviewFileOptions>(declare_import, run_import);
}
std::unique_ptr<CommandInstance> make_review_report() {
  return make_command<ReviewFileOptions>(declare_report, run_report);
}

}  // namespace awry::cli
