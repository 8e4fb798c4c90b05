// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "awry/base/text.h"
#include "awry/benchmarks/anomreason/anomreason.h"
#include "awry/benchmarks/option_reader.h"

namespace awry::benchmarks::anomreason {

namespace {

constexpr Switch kSwitches[] = {
    {"images", "DIR", "Folder that image paths are relative to, instead of the data's own."},
    {"subset", "FILE", "Names the images to keep."},
    {"task", "auto|anomalies|deepfake",
     "What is asked; auto: deepfake where the source of an image is known, else the list of anomalies."},
    {"turns", "2|1", "Of a deepfake question: first the verdict, then the anomalies; or both at once."},
    {"prompts", "DIR", "Your own wording; the same as --prompts."},
    {"variant", "ranked|released", "Which of the two metrics of the same name."},
    {"similarity", "lexical|matrix:FILE|bert:MODEL", "How texts are compared; the same as --similarity."},
    {"rank", "severity|listed", "Most implausible first, or as the model listed them."},
    {"thresholds", "0.7,0.8,0.9", "From which similarity on two anomalies are the same."},
    {"alpha", "0.5", "Weight of the phenomenon against the reasoning."},
    {"resamples", "2000", "Resamples behind the intervals; 0: no intervals."},
    {"seed", "0", "Of the resampling."},
    {"table", "test|test-roberta-large-mnli|test-mt5-large|deepfake|generators",
     "Which of the paper's tables the leaderboard is."},
    {"assessor", "anomreasonor|anomagent", "Who audited, in the table of generators."},
};

}  // namespace

const Protocol kProtocol = {
    .name = "anomreason",
    .summary = "semantic anomalies of generated images: what is seen, and why it cannot be",
    .switches = kSwitches,
    .read_samples = read_samples,
    .ask = ask,
    .follow_up = follow_up,
    .parse = parse,
    .score = score,
    .read_answers = read_answers,
    .leaderboard = leaderboard,
    .imagine = imagine,
};

namespace {

Error refuse(std::string_view name, std::string_view value, std::string_view why) {
  return {.kind = ErrorKind::kUsage,
          .what = fmt::format("cannot use option '{}' of protocol anomreason", name),
          .input = std::string(value),
          .why = std::string(why)};
}

Result<std::vector<double>> read_thresholds(std::string_view text) {
  std::vector<double> thresholds;
  for (const std::string_view part : split(text, ',')) {
    const auto number = parse_double(trim(part));
    if (!number || !(*number > 0 && *number <= 1)) {
      return fail(refuse("thresholds", text, "it is not a list of numbers above 0 and up to 1"));
    }
    if (!thresholds.empty() && *number <= thresholds.back()) {
      return fail(refuse("thresholds", text, "it does not go up from number to number"));
    }
    thresholds.push_back(*number);
  }
  return thresholds;
}

}  // namespace

Result<Options> read_options(const ProtocolOptions& options) {
  static constexpr std::array<std::string_view, 2> kVariants = {"ranked", "released"};
  static constexpr std::array<std::string_view, 2> kRanks = {"severity", "listed"};
  static constexpr std::array<std::string_view, 3> kTasks = {"auto", kAnomalies, kDeepfake};
  static constexpr std::array<std::string_view, 5> kTables = {"test", "test-roberta-large-mnli",
                                                              "test-mt5-large", "deepfake", "generators"};
  static constexpr std::array<std::string_view, 2> kTurns = {"2", "1"};
  static constexpr std::array<std::string_view, 2> kAssessors = {"anomreasonor", "anomagent"};
  OptionReader read("anomreason", options);
  Options parsed;
  parsed.images = read.text("images", parsed.images);
  parsed.subset = read.text("subset", parsed.subset);
  parsed.task = read.choice("task", kTasks);
  parsed.turns = read.choice("turns", kTurns);
  parsed.prompts = read.text("prompts", parsed.prompts);
  parsed.variant = read.choice("variant", kVariants);
  parsed.similarity = read.text("similarity", parsed.similarity);
  parsed.rank = read.choice("rank", kRanks);
  const std::string thresholds = read.text("thresholds", "0.7,0.8,0.9");
  parsed.alpha = read.number("alpha", parsed.alpha);
  parsed.resamples = read.count("resamples", parsed.resamples);
  parsed.seed = read.count("seed", parsed.seed);
  parsed.table = read.choice("table", kTables);
  parsed.assessor = read.choice("assessor", kAssessors);
  AWRY_TRY(read.finish());
  AWRY_TRY_ASSIGN(parsed.thresholds, read_thresholds(thresholds));
  if (!(parsed.alpha >= 0 && parsed.alpha <= 1)) {
    return fail(refuse("alpha", fmt::format("{}", parsed.alpha), "it is not between 0 and 1"));
  }
  return parsed;
}

std::string_view task_of(const Sample& sample, const Options& options) {
  if (options.task == kAnomalies) return kAnomalies;
  if (options.task == kDeepfake) return kDeepfake;
  return attribute(sample, kSourceAttribute).empty() ? kAnomalies : kDeepfake;
}

}  // namespace awry::benchmarks::anomreason
