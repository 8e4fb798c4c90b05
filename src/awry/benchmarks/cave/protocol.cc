// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "awry/base/text.h"
#include "awry/benchmarks/cave/cave.h"
#include "awry/benchmarks/option_reader.h"

namespace awry::benchmarks::cave {

namespace {

constexpr Switch kSwitches[] = {
    {"images", "DIR", "Folder that image paths are relative to, instead of the data's own."},
    {"boxes", "xyxy|xywh", "What four bare numbers of a true box mean."},
    {"tasks", "LIST",
     "What is asked, divided by commas: ad, al, ae, aj, severity, surprisal, complexity (ratings: all "
     "three); "
     "category and culture only when named."},
    {"prompt", "vanilla|cot|som|cot-som|multi-step|multi-turn|consistency",
     "How anomalies are asked for. som: numbered boxes are drawn, see marks. multi-turn: the steps as turns "
     "of a conversation. consistency: three step-by-step drafts, then what at least two of them say."},
    {"draft_temperature", "0.5|default", "Of the drafts of consistency."},
    {"categories", "true|described", "Whether a category is asked of true anomalies or of described ones."},
    {"marks", "FILE", "Boxes to draw for som and cot-som; or let --marks-from find them."},
    {"marked", "DIR", "Keeps the marked copies."},
    {"prompts", "DIR", "Your own wording; the same as --prompts."},
    {"verdicts", "FILE", "Verdicts of people or judges to add before scoring."},
    {"iou", "0.1", "From which overlap on a box counts as found."},
    {"resamples", "5000", "Resamples behind the intervals; 0: no intervals."},
    {"seed", "0", "Of the resampling."},
};

}  // namespace

const Protocol kProtocol = {
    .name = "cave",
    .summary = "commonsense anomalies in photographs: describe, locate, explain, justify and rate them",
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

std::string letters_only(std::string_view text) {
  std::string letters;
  for (const char c : to_lower_ascii(text)) {
    if (c >= 'a' && c <= 'z') letters += c;
  }
  return letters;
}

Result<std::vector<std::string>> read_tasks(const std::string& list) {
  std::vector<std::string> tasks;
  for (const std::string_view part : split(list, ',')) {
    const std::string_view task = trim(part);
    if (task == "ratings") {
      tasks.insert(tasks.end(), kFeatures.begin(), kFeatures.end());
    } else if (std::find(kTasks.begin(), kTasks.end(), task) != kTasks.end() ||
               std::find(kExtraTasks.begin(), kExtraTasks.end(), task) != kExtraTasks.end()) {
      tasks.emplace_back(task);
    } else {
      return fail({.kind = ErrorKind::kUsage,
                   .what = "cannot use option 'tasks' of protocol cave",
                   .input = list,
                   .why = fmt::format("'{}' is none of {}, {}, ratings", task, fmt::join(kTasks, ", "),
                                      fmt::join(kExtraTasks, ", "))});
    }
  }
  return tasks;
}

}  // namespace

std::optional<std::string_view> category_named(std::string_view name) {
  const std::string wanted = letters_only(name);
  for (const Category& category : kCategories) {
    if (wanted == category.key || wanted == letters_only(category.name)) return category.key;
  }
  return std::nullopt;
}

std::vector<std::string_view> categories_of(const Finding& truth) {
  if (truth.type.empty()) return {};
  return split(truth.type, '+');
}

Result<std::size_t> anomaly_index(const Sample& sample, const Question& question) {
  const auto number = parse_integer(attribute(question, kAnomalyAttribute));
  if (!number || *number < 1 || *number > static_cast<long long>(sample.truth.size())) {
    return fail({.what = "cannot tell which anomaly a question is about",
                 .input = question.id,
                 .why = fmt::format("its anomaly is '{}', and '{}' has {}",
                                    attribute(question, kAnomalyAttribute), sample.id, sample.truth.size())});
  }
  return static_cast<std::size_t>(*number - 1);
}

Result<Options> read_options(const ProtocolOptions& options) {
  static constexpr std::array<std::string_view, 7> kPrompts = {
      "vanilla", "cot", "som", "cot-som", "multi-step", "multi-turn", "consistency"};
  static constexpr std::array<std::string_view, 2> kCategorised = {"true", "described"};
  static constexpr std::array<std::string_view, 2> kLayouts = {"xyxy", "xywh"};
  OptionReader read("cave", options);
  Options parsed;
  parsed.images = read.text("images", parsed.images);
  parsed.boxes = read.choice("boxes", kLayouts);
  const std::string tasks = read.text("tasks", "");
  parsed.prompt = read.choice("prompt", kPrompts);
  parsed.draft_temperature = read.text("draft_temperature", parsed.draft_temperature);
  parsed.categories = read.choice("categories", kCategorised);
  parsed.marks = read.text("marks", parsed.marks);
  parsed.marked = read.text("marked", parsed.marked);
  parsed.prompts = read.text("prompts", parsed.prompts);
  parsed.verdicts = read.text("verdicts", parsed.verdicts);
  parsed.iou = read.number("iou", parsed.iou);
  parsed.resamples = read.count("resamples", parsed.resamples);
  parsed.seed = read.count("seed", parsed.seed);
  AWRY_TRY(read.finish());
  if (!tasks.empty()) {
    AWRY_TRY_ASSIGN(parsed.tasks, read_tasks(tasks));
  }
  if (!(parsed.iou > 0 && parsed.iou <= 1)) {
    return fail({.kind = ErrorKind::kUsage,
                 .what = "cannot use option 'iou' of protocol cave",
                 .input = fmt::format("{}", parsed.iou),
                 .why = "it is not above 0 and at most 1"});
  }
  const auto warmth = parse_double(parsed.draft_temperature);
  if (parsed.draft_temperature != "default" && !(warmth && *warmth >= 0 && *warmth <= 2)) {
    return fail({.kind = ErrorKind::kUsage,
                 .what = "cannot use option 'draft_temperature' of protocol cave",
                 .input = parsed.draft_temperature,
                 .why = "it is neither a number from 0 to 2 nor 'default'"});
  }
  if (!parsed.marks.empty() && parsed.prompt.find("som") == std::string::npos) {
    return fail({.kind = ErrorKind::kUsage,
                 .what = "cannot use option 'marks' of protocol cave",
                 .input = parsed.marks,
                 .why = fmt::format("prompt={} shows no marks", parsed.prompt),
                 .hint = "Pass prompt=som or prompt=cot-som."});
  }
  return parsed;
}

}  // namespace awry::benchmarks::cave
