// SPDX-License-Identifier: Apache-2.0
// awry compare RUN RUN: is the second better, by how much, how surely, and on which samples?
#include <algorithm>

#include "awry/base/json.h"
#include "awry/base/text.h"
#include "awry/cli/command.h"
#include "awry/cli/comparison.h"
#include "awry/cli/stored_run.h"
#include "awry/cli/table.h"
#include "awry/score/signature.h"

namespace awry::cli {

namespace {

constexpr double kSignificance = 0.05;
constexpr std::size_t kMostNamed = 5;

struct CompareOptions {
  std::string first, second;
  std::filesystem::path runs = "runs";
  Limit limit{.kind = Limit::Kind::kCount, .last = 10};
  int resamples = 5000;
  std::uint64_t seed = 1;
  bool force = false, different_judges = false;
  bool fail_if_worse = false;
  bool json = false;
  std::filesystem::path output;
};

void declare(CompareOptions& options, OptionSet& set) {
  set.describe(
      "Matches the scores of two runs sample by sample. For every metric: the difference of the means with "
      "its bootstrap interval, p (exact McNemar for scores of 0 and 1, sign flips otherwise) as it is and "
      "corrected by Holm for the number of metrics, and how many samples got better, stayed or got worse. "
      "Then "
      "the samples that differ most. Higher is better, except where the table says otherwise.");
  const std::string names =
      "An id or a clear part of one, latest, latest~1, a run's folder, or a FILE.json of awry score.";
  set.positional(options.first, "first", {.help = names, .required = true});
  set.positional(options.second, "second", {.help = "What to compare it with, likewise.", .required = true});
  declare_runs_folder(set, options.runs);
  set.value(options.limit, "limit",
            {.letter = 'n',
             .placeholder = "N",
             .help = "How many of the samples that differ to list, the largest difference first; also a "
                     "share (10%), a range (20-40) or all."});
  set.value(options.resamples, "resamples",
            {.placeholder = "N", .help = "Draws of the bootstrap.", .minimum = 100, .maximum = 1000000});
  declare_seed(set, options.seed);
  set.flag(options.force, "force",
           {.help = "Compare although protocol or metric signatures differ, with a warning."});
  set.flag(options.different_judges, "different-judges",
           {.help = "Compare although other models judged the answers, with a warning."});
  set.flag(options.fail_if_worse, "fail-if-worse",
           {.help = "End with exit code 4 when the second run is worse on a metric, p (Holm) below 0.05."});
  declare_json(set, options.json);
  declare_output(set, options.output);
  set.example("awry compare latest~1 latest", "did the last change help?");
  set.example("awry compare runs/baseline latest -n 50", "the 50 samples that differ most");
  set.example("awry compare baseline latest --fail-if-worse -q", "a gate for CI");
}

Table metric_table(const Comparison& comparison) {
  Table table{.columns = {{"metric"},
                          {"first"},
                          {"second"},
                          {"difference", "change"},
                          {"low", "95% from"},
                          {"high", "to"},
                          {"p", "", 4},
                          {"p_holm", "p (Holm)", 4},
                          {"better"},
                          {"same"},
                          {"worse"}}};
  for (const MetricComparison& metric : comparison.metrics) {
    const score::PairedDifference& paired = metric.paired;
    const Tone tone = metric.p_holm >= kSignificance ? Tone::kPlain
                      : metric.gain() > 0            ? Tone::kGood
                                                     : Tone::kBad;
    const std::string name = metric.metric + (metric.lower_is_better ? " (lower is better)" : "");
    table.rows.push_back({name, paired.first, paired.second, Cell(paired.difference, tone),
                          paired.interval.low, paired.interval.high, metric.p_value, metric.p_holm,
                          metric.better, metric.same, metric.worse});
  }
  return table;
}

Table item_table(std::span<const ItemDifference> items) {
  Table table{
      .columns = {
          {"sample", "", 3, Align::kLeft, 48}, {"metric"}, {"first"}, {"second"}, {"difference", "change"}}};
  for (const ItemDifference& item : items) {
    table.rows.push_back({item.sample_id, item.metric, item.first, item.second, item.difference()});
  }
  return table;
}

Json run_json(const StoredRun& stored) {
  return {{"run", stored.run.id},
          {"model", stored.run.model},
          {"protocol", stored.summary.protocol},
          {"answered", stored.summary.outcomes.of(Outcome::kAnswered)},
          {"failed", stored.summary.outcomes.failed()}};
}

std::string signature_of(const MetricComparison& metric, std::size_t metrics, const CompareOptions& options) {
  score::Signature signature("compare/difference_of_means");
  signature.set("pairs", "samples").set("interval", "bootstrap-samples").set("resamples", options.resamples);
  signature.set("test", metric.mcnemar ? "mcnemar-exact" : "sign-flip")
      .set("holm", static_cast<int>(metrics));
  return signature.text();
}

Json metric_json(const MetricComparison& metric, std::size_t metrics, const CompareOptions& options) {
  const score::PairedDifference& paired = metric.paired;
  Json json = {
      {"metric", metric.metric},
      {"lower_is_better", metric.lower_is_better},
      {"samples", paired.samples},
      {"first", paired.first},
      {"second", paired.second},
      {"difference", paired.difference},
      {"interval",
       {{"low", paired.interval.low}, {"high", paired.interval.high}, {"level", paired.interval.level}}},
      {"p", metric.p_value},
      {"p_holm", metric.p_holm},
      {"p_bootstrap", paired.p_value},
      {"test", metric.mcnemar ? "mcnemar" : "sign_flip"},
      {"detectable_difference", metric.detectable},
      {"better", metric.better},
      {"same", metric.same},
      {"worse", metric.worse}};
  if (metric.mcnemar) {
    json["mcnemar"] = {{"only_first", metric.mcnemar->only_first},
                       {"only_second", metric.mcnemar->only_second},
                       {"p", metric.mcnemar->p_value}};
  }
  json["signature"] = signature_of(metric, metrics, options);
  return json;
}

std::string as_json(const StoredRun& first, const StoredRun& second, const Comparison& comparison,
                    std::span<const ItemDifference> items, const std::vector<std::string>& warnings,
                    const CompareOptions& options) {
  Json json = {{"first", run_json(first)}, {"second", run_json(second)}, {"warnings", warnings}};
  json["metrics"] = Json::array();
  for (const MetricComparison& metric : comparison.metrics) {
    json["metrics"].push_back(metric_json(metric, comparison.metrics.size(), options));
  }
  json["items"] = Json::array();
  for (const ItemDifference& item : items) {
    json["items"].push_back({{"sample", item.sample_id},
                             {"metric", item.metric},
                             {"first", item.first},
                             {"second", item.second},
                             {"difference", item.difference()}});
  }
  json["items_that_differ"] = comparison.items.size();
  json["only_first"] = comparison.only_first;
  json["only_second"] = comparison.only_second;
  json["metrics_only_first"] = comparison.metrics_only_first;
  json["metrics_only_second"] = comparison.metrics_only_second;
  json["scores_left_out"] = comparison.not_numbers;
  return dump_json_pretty(json);
}

std::string named(const std::vector<std::string>& names) {
  const std::size_t shown = std::min(names.size(), kMostNamed);
  return join(std::span(names).first(shown), ", ") + (names.size() > shown ? ", ..." : "");
}

void say_what_is_compared(const StoredRun& first, const StoredRun& second, Context& context) {
  const auto describe = [&](std::string_view which, const StoredRun& stored) {
    const std::size_t failed = stored.summary.outcomes.failed();
    context.say(
        "{} {} ({}{}){}", which, stored.run.id, stored.run.model.empty() ? "" : stored.run.model + ", ",
        stored.summary.protocol,
        failed > 0 ? fmt::format(", {} of {} not answered", failed, stored.summary.outcomes.total()) : "");
  };
  describe("first run: ", first);
  describe("second run:", second);
}

void say_what_is_missing(const Comparison& comparison, Context& context) {
  const auto tell = [&](std::string_view what, std::string_view which,
                        const std::vector<std::string>& names) {
    if (names.empty()) return;
    context.say("{} {}{} only in the {} run: {}", names.size(), what, names.size() == 1 ? "" : "s", which,
                named(names));
  };
  tell("sample", "first", comparison.only_first);
  tell("sample", "second", comparison.only_second);
  tell("metric", "first", comparison.metrics_only_first);
  tell("metric", "second", comparison.metrics_only_second);
  if (comparison.not_numbers > 0) {
    context.say("{} scores that are not numbers were left out", comparison.not_numbers);
  }
}

bool is_significant(const MetricComparison& metric) {
  return metric.p_holm < kSignificance;
}

void say_verdict(const Comparison& comparison, Context& context) {
  const auto sure = std::ranges::count_if(comparison.metrics, is_significant);
  const std::size_t count = comparison.metrics.size();
  context.say("{} of {} metric{} differ with p (Holm) below {}", sure, count, count == 1 ? "" : "s",
              kSignificance);
  for (const MetricComparison& metric : comparison.metrics) {
    if (!is_significant(metric)) {
      context.say_more("{}: {} samples would show a difference of {:.3f} or more four times in five",
                       metric.metric, metric.paired.samples, metric.detectable);
    }
  }
}

Result<int> run(const CompareOptions& options, Context& context) {
  AWRY_TRY_ASSIGN(const StoredRun first, find_stored_run(options.runs, options.first));
  AWRY_TRY_ASSIGN(const StoredRun second, find_stored_run(options.runs, options.second));
  std::vector<std::string> warnings = obstacles(first.summary, second.summary);
  if (!warnings.empty() && !options.force) {
    return fail({.kind = ErrorKind::kUsage,
                 .what = "these runs cannot be compared",
                 .why = warnings.size() == 1
                            ? warnings.front()
                            : fmt::format("{} (and {} more)", warnings.front(), warnings.size() - 1),
                 .hint = "Score both in the same way, or pass --force."});
  }
  for (std::string& judges : judge_obstacles(first, second)) {
    if (!options.different_judges) {
      return fail({.kind = ErrorKind::kUsage,
                   .what = "these runs cannot be compared",
                   .why = std::move(judges),
                   .hint = "Judge one of them again (awry rejudge), or pass --different-judges."});
    }
    warnings.push_back(std::move(judges));
  }
  AWRY_TRY_ASSIGN(
      const Comparison comparison,
      compare_summaries(first.summary, second.summary,
                        {.resamples = static_cast<std::size_t>(options.resamples), .seed = options.seed}));
  const auto [from, to] = options.limit.range_of(comparison.items.size());
  const auto items = std::span(comparison.items).subspan(from, to - from);

  say_what_is_compared(first, second, context);
  for (const std::string& warning : warnings) context.say("warning: {}", warning);
  const TableDestination destination{.json = options.json, .file = options.output};
  AWRY_TRY(write_result(context.out, metric_table(comparison),
                        as_json(first, second, comparison, items, warnings, options), destination));
  const bool for_people = !options.json && (options.output.empty() || options.output == "-");
  if (for_people && !items.empty()) {
    context.out.write("\n");
    AWRY_TRY(write_table(context.out, item_table(items), {}));
  }
  if (items.size() < comparison.items.size()) {
    context.say("{} more differences; -n all lists them", comparison.items.size() - items.size());
  }
  say_what_is_missing(comparison, context);
  say_verdict(comparison, context);
  const bool worse = std::ranges::any_of(comparison.metrics, [](const MetricComparison& metric) {
    return is_significant(metric) && metric.gain() < 0;
  });
  return options.fail_if_worse && worse ? kExitGate : kExitDone;
}

}  // namespace

std::unique_ptr<CommandInstance> make_compare() {
  return make_command<CompareOptions>(declare, run);
}

}  // namespace awry::cli
