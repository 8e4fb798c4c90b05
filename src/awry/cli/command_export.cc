// SPDX-License-Identifier: Apache-2.0
// awry export RUN: verified anomalies as files to fine-tune a model on.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "awry/annotate/review.h"
#include "awry/annotate/training_files.h"
#include "awry/base/files.h"
#include "awry/cli/annotation_run.h"
#include "awry/cli/command.h"
#include "awry/cli/row_file.h"

namespace awry::cli {
namespace {

struct ExportOptions {
  std::string run, part, name = "anomalies";
  std::filesystem::path output, runs = "runs", split;
  annotate::TrainingFormat format = annotate::TrainingFormat::kLlamaFactory;
  annotate::TrainingOptions training;
  std::uint64_t max_tokens = 2048, min_votes = 1;
  bool all = false;
};

void declare(ExportOptions& options, OptionSet& set) {
  set.describe(
      "Writes conversations to fine-tune a vision model on: an image, the question, and its anomalies in "
      "random "
      "order. Only anomalies that most reviewers accept are used, unless --all is given.");
  set.positional(options.run, "run",
                 {.help = "A run of `awry annotate`: a folder, an id, or latest.", .required = true});
  set.value(options.output, "output",
            {.letter = 'o', .placeholder = "DIR", .help = "Folder to write into.", .required = true});
  set.choice(
      options.format, "format",
      std::vector<std::pair<std::string, annotate::TrainingFormat>>{
          {"llama-factory", annotate::TrainingFormat::kLlamaFactory},
          {"messages", annotate::TrainingFormat::kMessages},
          {"anomreason", annotate::TrainingFormat::kReleased}},
      {.help = "ShareGPT list with dataset_info.json, JSON lines of messages, or AnomReason's records."});
  set.flag(options.all, "all", {.help = "Also anomalies that nobody verified."});
  set.value(options.min_votes, "min-votes",
            {.placeholder = "N", .help = "Fewer votes do not verify an anomaly.", .minimum = 1});
  set.value(
      options.max_tokens, "max-answer-tokens",
      {.placeholder = "N",
       .help = "Longest answer, guessed at four bytes a token; longer ones are split at whole anomalies.",
       .minimum = 1});
  set.flag(options.training.deepfake, "deepfake",
           {.help = "Two turns: generated or real, then the anomalies. Needs the source of every image."});
  set.flag(options.training.with_clean_images, "with-clean",
           {.help = "Also images without anomalies, which are answered so."});
  set.value(options.split, "split-file",
            {.placeholder = "FILE", .help = "Output of `awry split`, to take one part of."});
  set.value(options.part, "part", {.placeholder = "NAME", .help = "That part: train."});
  set.value(options.name, "name",
            {.placeholder = "NAME", .help = "Of the files, and of the set in dataset_info.json."});
  declare_seed(set, options.training.seed);
  declare_runs_folder(set, options.runs);
  set.example("awry export latest -o sft/ --split-file split.csv --part train",
              "what was verified, without the test set");
}

Result<void> keep_part(const ExportOptions& options, std::vector<agents::ImageAnnotation>& annotations) {
  if (options.split.empty() != options.part.empty()) {
    return fail({.kind = ErrorKind::kUsage, .what = "--split-file and --part belong together"});
  }
  if (options.split.empty()) return {};
  AWRY_TRY_ASSIGN(const RowFile rows, read_row_file(options.split));
  const auto column = [&](std::string_view name) {
    return static_cast<std::size_t>(std::ranges::find(rows.columns, name) - rows.columns.begin());
  };
  const std::size_t image = column("image"), part = column("part");
  if (image == rows.columns.size() || part == rows.columns.size()) {
    return fail({.what = "cannot read the split",
                 .input = options.split.string(),
                 .why = "it has no columns 'image' and 'part'",
                 .hint = "Make it with: awry split IMAGES -o split.csv."});
  }
  std::set<std::string> wanted;
  for (const Row& row : rows.rows) {
    if (row.fields[part] == options.part) wanted.insert(row.fields[image]);
  }
  std::erase_if(annotations,
                [&](const agents::ImageAnnotation& one) { return !wanted.contains(one.sample.id); });
  if (annotations.empty()) {
    return fail({.what = "cannot take the part",
                 .input = options.part,
                 .why = "none of the annotated images belongs to it",
                 .hint = "Images are told apart by their paths, as given to both commands."});
  }
  return {};
}

Result<int> run(const ExportOptions& options, Context& context) {
  AWRY_TRY_ASSIGN(AnnotationRun annotated, find_annotation_run(options.runs, options.run));
  AWRY_TRY(keep_part(options, annotated.annotations));
  if (!options.all) {
    AWRY_TRY_ASSIGN(const std::vector<Verdict> verdicts, verdicts_of(annotated));
    if (verdicts.empty()) {
      return fail({.what = "nothing is verified in",
                   .input = options.run,
                   .why = "nobody has reviewed it",
                   .hint = "Review it with `awry review`, or take everything with --all."});
    }
    annotated.annotations =
        annotate::verified_only(annotated.annotations, annotate::count_votes(verdicts), options.min_votes);
  }
  annotate::TrainingOptions training = options.training;
  training.max_tokens = options.max_tokens;
  const annotate::TrainingSet set = annotate::make_training_set(annotated.annotations, training);
  AWRY_TRY(make_folder(options.output));
  const bool lines = options.format == annotate::TrainingFormat::kMessages;
  const std::string file = options.name + (lines ? ".jsonl" : ".json");
  AWRY_TRY(write_file(options.output / file, annotate::write_training_set(set, options.format)));
  if (options.format == annotate::TrainingFormat::kLlamaFactory) {
    AWRY_TRY(
        write_file(options.output / "dataset_info.json", annotate::write_dataset_info(options.name, file)));
  }
  context.say(
      "{} conversations with {} anomalies; {} images are split over several, {} had none{}.",
      set.conversations.size(), set.anomalies, set.split_images, set.without_anomalies,
      set.without_source > 0 ? fmt::format(", of {} the source is not known", set.without_source) : "");
  context.say("Written: {}", (options.output / file).string());
  return kExitDone;
}

}  // namespace

std::unique_ptr<CommandInstance> make_export() {
  return make_command<ExportOptions>(declare, run);
}

}  // namespace awry::cli
