// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/option_reader.h"
#include "awry/benchmarks/themis/themis.h"

namespace awry::benchmarks::themis {

namespace {

constexpr Switch kSwitches[] = {
    {"repair", "false|true", "Correct the release's known defects."},
    {"images", "DIR", "Folder that image paths are relative to, instead of the data's own."},
    {"prompt", "basic|cot|few-shot", "How it is asked."},
    {"prompts", "DIR", "Your own wording; the same as --prompts."},
    {"grid", "released|always", "always: panels without a grid are shown with one too."},
    {"copy_move_authentic", "auto|all|N", "How many authentic panels weigh on copy-move."},
    {"resamples", "2000", "Resamples behind the intervals; 0: no intervals."},
    {"seed", "0", "Of the resampling."},
    {"lambda", "0.25", "Of the balanced robustness index."},
    {"cohort", "A,B",
     "Published models or groups (proprietary, open) that the index is computed over; none."},
};

}  // namespace

const Protocol kProtocol = {
    .name = "themis",
    .summary = "forged, duplicated and misdescribed panels of scientific figures",
    .switches = kSwitches,
    .read_samples = read_samples,
    .ask = ask,
    .outline = outline,
    .phrase = phrase,
    .parse = parse,
    .score = score,
    .leaderboard = leaderboard,
};

const Task* task_of_kind(std::string_view kind) {
  for (const Task& task : kTasks) {
    if (task.kind == kind) return &task;
  }
  return nullptr;
}

const Task* task_of_issue(std::string_view issue) {
  for (const Task& task : kTasks) {
    if (task.issue == issue) return &task;
  }
  return nullptr;
}

Result<Options> read_options(const ProtocolOptions& options) {
  static constexpr std::array<std::string_view, 3> kPrompts = {"basic", "cot", "few-shot"};
  static constexpr std::array<std::string_view, 2> kGrids = {"released", "always"};
  OptionReader read("themis", options);
  Options parsed;
  parsed.repair = read.flag("repair", parsed.repair);
  parsed.images = read.text("images", parsed.images);
  parsed.prompt = read.choice("prompt", kPrompts);
  parsed.prompts = read.text("prompts", parsed.prompts);
  parsed.grid = read.choice("grid", kGrids);
  parsed.copy_move_authentic = read.text("copy_move_authentic", parsed.copy_move_authentic);
  if (parsed.copy_move_authentic != "auto" && parsed.copy_move_authentic != "all") {
    (void)read.count("copy_move_authentic", 0);
  }
  parsed.resamples = read.count("resamples", parsed.resamples);
  parsed.seed = read.count("seed", parsed.seed);
  parsed.lambda = read.number("lambda", parsed.lambda);
  parsed.cohort = read.text("cohort", parsed.cohort);
  AWRY_TRY(read.finish());
  return parsed;
}

}  // namespace awry::benchmarks::themis
