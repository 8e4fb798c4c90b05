// SPDX-License-Identifier: Apache-2.0
// awry score PROTOCOL: scores answers that somebody already has.
#include "awry/benchmarks/replies_file.h"
#include "awry/cli/benchmark_output.h"
#include "awry/cli/bert_similarity.h"
#include "awry/cli/command.h"

namespace awry::cli {
namespace {

struct ScoreOptions {
  std::string protocol;
  std::filesystem::path truth, answers;
  std::vector<std::string> options;
  std::string variant, rank;
  SimilarityOptions similarity;
  bool json = false;
  std::filesystem::path output;
};

void declare(ScoreOptions& options, OptionSet& set) {
  set.describe(
      "Scores answers against the truth as the paper does. Answers come in the form the paper's authors "
      "released, or as the model's words by question: JSON lines {\"id\": ..., \"reply\": ...}, a list of "
      "such "
      "objects, one object {id: reply}, chat completions of a batch, or a folder of such files; response, "
      "output, prediction and the like are as good as reply. Questions without an answer count as such; "
      "every "
      "score is printed with the number of items it rests on.");
  set.positional(options.protocol, "protocol",
                 {.help = fmt::format("One of {}.", protocol_names()), .required = true});
  set.value(options.truth, "truth",
            {.placeholder = "PATH", .help = "The dataset, in its released layout.", .required = true});
  set.value(options.answers, "answers",
            {.placeholder = "PATH", .help = "What the model answered.", .required = true});
  set.value(
      options.variant, "variant",
      {.placeholder = "V",
       .help = "Of two metrics that share a name: ranked or released (anomreason), released or own-class "
               "(magicbench). The same as --option variant=V."});
  set.value(options.rank, "rank",
            {.placeholder = "R",
             .help = "Which prediction comes first: severity or listed (anomreason). The same as --option "
                     "rank=R."});
  declare_protocol_options(set, options.options);
  declare_similarity(set, options.similarity);
  declare_json(set, options.json);
  declare_output(set, options.output);
  set.example("awry score themis --truth themis/ --answers replies.jsonl --json", "Id and Loc per type");
  set.example("awry score themis --truth themis/ --answers replies.jsonl -o mine.json",
              "to a file that `awry leaderboard themis --add mine.json` and `awry compare` read");
  set.example(
      "awry score anomreason --truth truth.json --answers mine.json --similarity "
      "bert:distilbert-base-uncased",
      "SemAP and SemF1 as the paper computes them");
}

Result<Summary> score(const ScoreOptions& options, Context& context) {
  AWRY_TRY_ASSIGN(const benchmarks::Protocol* protocol, protocol_called(options.protocol));
  AWRY_TRY_ASSIGN(benchmarks::ProtocolOptions switches, protocol_options_of(options.options));
  if (!options.variant.empty()) switches["variant"] = options.variant;
  if (!options.rank.empty()) switches["rank"] = options.rank;
  use_similarity(options.similarity, context, switches);
  if (protocol->score_files != nullptr)
    return protocol->score_files(options.truth, options.answers, switches);
  AWRY_TRY_ASSIGN(benchmarks::Dataset dataset, protocol->read_samples(options.truth, switches));
  if (dataset.samples.empty()) {
    return fail({.what = "cannot score", .input = options.truth.string(), .why = "it holds no sample"});
  }
  AWRY_TRY_ASSIGN(const auto answered,
                  benchmarks::read_answers(*protocol, options.answers, std::move(dataset.samples), switches,
                                           dataset.left_out));
  AWRY_TRY_ASSIGN(Summary summary, protocol->score(answered, switches));
  summary.notes.insert(summary.notes.begin(), dataset.notes.begin(), dataset.notes.end());
  return summary;
}

Result<int> run(const ScoreOptions& options, Context& context) {
  AWRY_TRY_ASSIGN(const Summary summary, score(options, context));
  AWRY_TRY(write_summary(summary, context, {.json = options.json, .file = options.output}));
  say_outcomes(summary, context);
  return kExitDone;
}

}  // namespace

std::unique_ptr<CommandInstance> make_score() {
  return make_command<ScoreOptions>(declare, run);
}

}  // namespace awry::cli
