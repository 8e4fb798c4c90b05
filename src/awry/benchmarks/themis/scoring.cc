// SPDX-License-Identifier: Apache-2.0
// Answers + truth -> Scores -> Summary.
#include "awry/benchmarks/themis/scoring.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>

#include "awry/base/text.h"
#include "awry/benchmarks/find_metric.h"
#include "awry/score/bootstrap.h"
#include "awry/score/sets.h"
#include "awry/score/signature.h"

namespace awry::benchmarks::themis {
namespace {

using Items = std::vector<const Item*>;
using Value = std::function<std::optional<double>(const Item&)>;

// In the paper's tables copy-move stands beside 150 authentic panels, the other types beside all 273.
constexpr std::size_t kReleasedAuthentic = 273, kReleasedAuthenticForCopyMove = 150;

const Value kId = [](const Item& item) { return std::optional(item.id); };
const Value kLoc = [](const Item& item) { return item.loc; };
const Value kBlockF1 = [](const Item& item) { return item.block_f1; };
const Value kExactMatch = [](const Item& item) { return std::optional(item.exact_match); };
const Value kSubsetCredit = [](const Item& item) { return std::optional(item.subset_credit); };
const Value kRight = [](const Item& item) {
  return std::optional(item.answered() && item.chosen == item.truth ? 1.0 : 0.0);
};

// The values of one metric, one row per item it rests on.
struct Column {
  std::vector<double> values, weights;
  std::vector<bool> missing;

  void add(double value, double weight, bool is_missing) {
    values.push_back(value), weights.push_back(weight), missing.push_back(is_missing);
  }
  double total_weight() const {
    double sum = 0;
    for (const double weight : weights) sum += weight;
    return sum;
  }
  // The mean, with `for_missing` in place of what was not answered.
  double mean(std::optional<double> for_missing = std::nullopt) const {
    double sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      sum += weights[i] * (missing[i] && for_missing ? *for_missing : values[i]);
    }
    return sum / total_weight();
  }
  bool any_missing() const { return std::find(missing.begin(), missing.end(), true) != missing.end(); }
};

Column column_of(const Items& items, const Value& value,
                 const std::function<double(const Item&)>& weight = {}) {
  Column column;
  for (const Item* item : items) {
    if (const auto v = value(*item)) column.add(*v, weight ? weight(*item) : 1.0, !item->answered());
  }
  return column;
}

Items select(const Items& items, const std::function<bool(const Item&)>& keep) {
  Items kept;
  std::copy_if(items.begin(), items.end(), std::back_inserter(kept),
               [&](const Item* item) { return keep(*item); });
  return kept;
}

// Writes one half of the data, made or real, into the summary.
class Board {
 public:
  Board(std::span<const Item> items, bool real, const Options& options, Summary& summary)
      : options_(options), summary_(summary), real_(real) {
    for (const Item& item : items) {
      if (item.real == real) items_.push_back(&item);
    }
  }

  Result<void> write() {
    if (items_.empty()) return {};
    AWRY_TRY(write_forgery());
    AWRY_TRY(write_duplication());
    AWRY_TRY(write_consistency());
    AWRY_TRY(write_overall());
    write_capabilities();
    return {};
  }

 private:
  score::BootstrapOptions bootstrap_options() const {
    return {.resamples = static_cast<std::size_t>(options_.resamples),
            .seed = static_cast<std::uint64_t>(options_.seed)};
  }

  score::Signature signature(std::string_view key, std::string_view metric) const {
    score::Signature signature(fmt::format("themis/{}", key));
    signature.set("metric", metric).set("data", real_ ? "real" : "synthetic");
    signature.set("release", options_.repair ? "repaired" : "as-is").set("missing", "wrong");
    return signature;
  }

  void push(std::string_view group, std::string_view key, Metric metric, const score::Signature& signature) {
    metric.key = key;
    metric.group = real_ ? fmt::format("real/{}", group) : std::string(group);
    metric.signature = signature.text();
    summary_.metrics.push_back(std::move(metric));
  }

  Result<void> add(std::string_view group, std::string_view key, const Column& column,
                   const score::Signature& signature) {
    if (column.values.empty() || column.total_weight() <= 0) return {};
    Metric metric{.value = column.mean(),
                  .count = static_cast<std::size_t>(std::lround(column.total_weight()))};
    if (column.any_missing()) metric.missing = Interval{column.mean(0.0), column.mean(1.0), 1.0};
    if (options_.resamples > 0) {
      std::vector<double> numerators(column.values.size());
      for (std::size_t i = 0; i < numerators.size(); ++i)
        numerators[i] = column.values[i] * column.weights[i];
      AWRY_TRY_ASSIGN(const score::BootstrapEstimate estimate,
                      score::bootstrap_ratio(numerators, column.weights, bootstrap_options()));
      metric.interval = estimate.interval;
    }
    push(group, key, std::move(metric), signature);
    return {};
  }

  // id, loc and exact_match of the items that share an attribute, one group per value.
  Result<void> break_down(std::string_view task, const Items& items, const char* by,
                          std::string_view metric) {
    std::map<std::string, Items> groups;
    for (const Item* item : items) {
      if (const auto value = attribute(*item->sample, by); !value.empty())
        groups[std::string(value)].push_back(item);
    }
    for (const auto& [value, members] : groups) {
      const std::string group = fmt::format("{}/{}:{}", task, by, value);
      AWRY_TRY(add(group, "id", column_of(members, kId), signature("id", metric)));
      AWRY_TRY(add(group, "loc", column_of(members, kLoc), signature("loc", "iou")));
      AWRY_TRY(add(group, "exact_match", column_of(members, kExactMatch), signature("exact_match", "exact")));
    }
    return {};
  }

  Result<void> add_false_alarms(std::string_view group, const Items& authentic, std::string_view type) {
    const Value alarm = [type = std::string(type)](const Item& item) {
      const bool alarmed = type.empty() ? !item.claimed.empty() : item.claimed == type;
      return std::optional(alarmed ? 1.0 : 0.0);
    };
    score::Signature signed_as = signature("false_alarm_rate", type.empty() ? "any-type" : "this-type");
    return add(group, "false_alarm_rate", column_of(authentic, alarm), signed_as.set("missing", "no-alarm"));
  }

  double copy_move_weight(std::size_t authentic) const {
    std::size_t wanted = authentic;
    if (const auto number = parse_integer(options_.copy_move_authentic)) {
      wanted = static_cast<std::size_t>(*number);
    } else if (options_.copy_move_authentic == "auto" && !real_ && authentic == kReleasedAuthentic) {
      wanted = kReleasedAuthenticForCopyMove;
    }
    return authentic == 0 ? 1.0 : std::min(1.0, static_cast<double>(wanted) / static_cast<double>(authentic));
  }

  Result<void> write_forgery() {
    const Items all = select(items_, [](const Item& item) { return item.task->kind == kForgery; });
    const Items authentic = select(all, [](const Item& item) { return item.authentic; });
    std::vector<std::string> types;
    for (const Option& option : kForgeryOptions) {
      const std::string type(option.type);
      const Items forged = select(all, [&](const Item& item) { return item.type == type; });
      if (forged.empty()) continue;
      types.push_back(type);
      Items both = forged;
      both.insert(both.end(), authentic.begin(), authentic.end());
      const double authentic_weight = type == "copy_move" ? copy_move_weight(authentic.size()) : 1.0;
      const auto weight = [&](const Item& item) { return item.authentic ? authentic_weight : 1.0; };
      const std::string share = fmt::format(
          "{}of{}", std::lround(authentic_weight * static_cast<double>(authentic.size())), authentic.size());
      AWRY_TRY(add(type, "id", column_of(both, kId, weight),
                   signature("id", "accuracy").with("authentic", share)));
      AWRY_TRY(add(type, "loc", column_of(forged, kLoc), signature("loc", "iou").with("over", "masked")));
      AWRY_TRY(add(type, "set_f1", column_of(forged, kBlockF1),
                   signature("set_f1", "blocks").with("over", "masked")));
      AWRY_TRY(add(type, "exact_match", column_of(both, kExactMatch, weight),
                   signature("exact_match", "choice+blocks").with("authentic", share)));
      AWRY_TRY(add_false_alarms(type, authentic, type));
      if (authentic_weight < 1) {
        summary_.notes.push_back(fmt::format(
            "copy_move: each authentic panel weighs {}/{}: the paper counted that many of them without "
            "saying which",
            std::lround(authentic_weight * static_cast<double>(authentic.size())), authentic.size()));
      }
    }
    if (types.empty() && authentic.empty()) return {};
    AWRY_TRY(add_average("id", types, all, authentic));
    AWRY_TRY(add_average("loc", types, all, authentic));
    AWRY_TRY(add("single_mode", "exact_match", column_of(all, kExactMatch),
                 signature("exact_match", "choice+blocks")));
    AWRY_TRY(add_false_alarms("single_mode", authentic, ""));
    AWRY_TRY(break_down("forgery", all, kScenarioAttribute, "accuracy"));
    const Items generated = select(all, [](const Item& item) { return item.type == "ai_generated"; });
    return break_down("ai_generated", generated, kScopeAttribute, "accuracy");
  }

  // The paper's "Avg." columns: the mean of the types, each type counting the same.
  Result<void> add_average(std::string_view key, const std::vector<std::string>& types, const Items& all,
                           const Items& authentic) {
    Metric metric;
    double low = 0, high = 0;
    bool missing = false;
    std::size_t parts = 0;
    for (const std::string& type : types) {
      const Metric* part = find(type, key);
      if (part == nullptr) continue;
      ++parts;
      metric.value += part->value;
      low += part->missing ? part->missing->low : part->value;
      high += part->missing ? part->missing->high : part->value;
      missing |= part->missing.has_value();
      metric.count += part->count;
    }
    if (parts == 0) return {};
    const auto n = static_cast<double>(parts);
    metric.value /= n;
    if (missing) metric.missing = Interval{low / n, high / n, 1.0};
    if (options_.resamples > 0) {
      const bool with_authentic = key == "id";
      const double shared = copy_move_weight(authentic.size());
      const score::Statistic average = [&](std::span<const std::uint32_t> drawn) {
        double sum = 0;
        for (const std::string& type : types) {
          double value = 0, weight = 0;
          for (const std::uint32_t index : drawn) {
            const Item& item = *all[index];
            if (item.type != type && !(with_authentic && item.authentic)) continue;
            const auto v = with_authentic ? std::optional(item.id) : item.loc;
            if (!v) continue;
            const double w = item.authentic && type == "copy_move" ? shared : 1.0;
            value += w * *v, weight += w;
          }
          if (weight == 0) return std::numeric_limits<double>::quiet_NaN();
          sum += value / weight;
        }
        return sum / static_cast<double>(types.size());
      };
      if (const auto estimate = score::bootstrap(all.size(), average, bootstrap_options())) {
        metric.interval = estimate->interval;
      }
    }
    push("single_mode", key, std::move(metric),
         signature(key, key == "id" ? "accuracy" : "iou").with("average", join(types, "+")));
    return {};
  }

  Result<void> write_duplication() {
    const Items all = select(items_, [](const Item& item) { return item.task->kind == kDuplication; });
    const Items authentic = select(all, [](const Item& item) { return item.authentic; });
    AWRY_TRY(add("duplication", "id", column_of(all, kId), signature("id", "set_f1")));
    AWRY_TRY(
        add("duplication", "exact_match", column_of(all, kExactMatch), signature("exact_match", "choices")));
    AWRY_TRY(add("duplication", "subset_credit", column_of(all, kSubsetCredit),
                 signature("subset_credit", "spc")));
    AWRY_TRY(add_false_alarms("duplication", authentic, "duplication"));
    AWRY_TRY(break_down("duplication", all, kOperationsAttribute, "set_f1"));
    AWRY_TRY(break_down("duplication", all, kScopeAttribute, "set_f1"));
    return break_down("duplication", all, kScenarioAttribute, "set_f1");
  }

  Result<void> write_consistency() {
    const Items all = select(items_, [](const Item& item) { return item.task->kind == kConsistency; });
    const Items consistent = select(all, [](const Item& item) { return item.authentic; });
    constexpr std::string_view kGroup = "text_image_inconsistency";
    AWRY_TRY(add(kGroup, "id", column_of(all, kId), signature("id", "accuracy")));
    AWRY_TRY(add(
        kGroup, "loc", column_of(all, kLoc),
        signature("loc", "text_f1").with("tokens", "casefolded-word-multiset").with("over", "inconsistent")));
    AWRY_TRY(add_macro_f1(kGroup, all));
    AWRY_TRY(
        add(kGroup, "exact_match", column_of(all, kExactMatch), signature("exact_match", "choice+words")));
    AWRY_TRY(add_false_alarms(kGroup, consistent, kGroup));
    return {};
  }

  static double macro_f1_of(const Items& items, std::span<const std::uint32_t> drawn) {
    std::map<std::string_view, score::MatchCounts> by_letter;
    for (const std::uint32_t index : drawn) {
      const Item& item = *items[index];
      ++by_letter[item.truth].truth;
      if (!item.answered()) continue;
      ++by_letter[item.chosen].predicted;
      if (item.chosen == item.truth) ++by_letter[item.truth].correct;
    }
    std::vector<score::ClassF1> classes;
    for (const auto& [letter, counts] : by_letter) classes.push_back({std::string(letter), counts});
    return score::macro_f1(classes);
  }

  Result<void> add_macro_f1(std::string_view group, const Items& items) {
    if (items.empty()) return {};
    std::vector<std::string> chosen, truth, best;
    bool missing = false;
    for (const Item* item : items) {
      missing |= !item->answered();
      chosen.push_back(item->answered() ? item->chosen : "");
      best.push_back(item->answered() ? item->chosen : item->truth);
      truth.push_back(item->truth);
    }
    Metric metric{.value = score::macro_f1(score::count_by_class(chosen, truth)), .count = items.size()};
    if (missing)
      metric.missing = Interval{metric.value, score::macro_f1(score::count_by_class(best, truth)), 1.0};
    if (options_.resamples > 0) {
      const score::Statistic statistic = [&](std::span<const std::uint32_t> drawn) {
        return macro_f1_of(items, drawn);
      };
      AWRY_TRY_ASSIGN(const auto estimate, score::bootstrap(items.size(), statistic, bootstrap_options()));
      metric.interval = estimate.interval;
    }
    push(group, "macro_f1", std::move(metric), signature("macro_f1", "macro_f1").with("classes", "met"));
    return {};
  }

  Result<void> write_overall() {
    const Items authentic = select(items_, [](const Item& item) { return item.authentic; });
    AWRY_TRY(add("overall", "accuracy", column_of(items_, kRight), signature("accuracy", "choice")));
    AWRY_TRY(
        add("overall", "exact_match", column_of(items_, kExactMatch), signature("exact_match", "all-asked")));
    return add_false_alarms("overall", authentic, "");
  }

  // README, Capabilities: the five columns of the index, read as the paper's five capabilities.
  void write_capabilities() {
    struct Source {
      std::string_view capability, group, key;
    };
    constexpr std::array kSources = {Source{"visual_recognition", "single_mode", "id"},
                                     Source{"region_localization", "single_mode", "loc"},
                                     Source{"spatial_reasoning", "duplication", "id"},
                                     Source{"comparative_reasoning", "text_image_inconsistency", "id"},
                                     Source{"expert_knowledge", "text_image_inconsistency", "loc"}};
    for (const Source& source : kSources) {
      const Metric* metric = find(source.group, source.key);
      if (metric == nullptr) continue;
      Metric copy = *metric;
      copy.group = fmt::format("{}capability:{}", real_ ? "real/" : "", source.capability);
      copy.key = "score";
      summary_.metrics.push_back(std::move(copy));
    }
  }

  const Metric* find(std::string_view group, std::string_view key) const {
    return find_metric(summary_, real_ ? fmt::format("real/{}", group) : std::string(group), key);
  }

  Items items_;
  const Options& options_;
  Summary& summary_;
  bool real_;
};

void add_scores(const Item& item, Summary& summary) {
  const auto add = [&](std::string_view key, double value) {
    Score& score = summary.scores.emplace_back();
    score.sample_id = item.sample->id;
    score.metric.reserve(sizeof("themis//") + item.type.size() + key.size());
    score.metric.append("themis/").append(item.type).append("/").append(key);
    score.value = value;
  };
  add("id", item.id);
  if (item.loc) add("loc", *item.loc);
  add("exact_match", item.exact_match);
}

void count_outcomes(std::span<const Item> items, Summary& summary) {
  std::size_t unasked = 0, unsure = 0;
  for (const Item& item : items) {
    if (!item.asked) {
      ++unasked;
      continue;
    }
    summary.outcomes.add(item.outcome);
    unsure += item.answered() && item.chosen.find(item.task->unsure) != std::string::npos;
  }
  if (unasked > 0) {
    summary.notes.push_back(fmt::format("{} samples have no answer at all; they count as wrong", unasked));
  }
  if (summary.outcomes.failed() > 0) {
    summary.notes.push_back(
        fmt::format("{} of {} questions got no usable answer; they count as wrong, and every "
                    "number shows the range between all of them wrong and all right",
                    summary.outcomes.failed(), summary.outcomes.total()));
  }
  if (unsure > 0)
    summary.notes.push_back(fmt::format("{} answers are \"not sure\", which is never right", unsure));
}

}  // namespace

Result<void> summarise(std::span<const Item> items, const Options& options, Summary& summary) {
  for (const bool real : {false, true}) AWRY_TRY(Board(items, real, options, summary).write());
  return {};
}

Result<Summary> score(std::span<const AnsweredSample> samples, const ProtocolOptions& protocol_options) {
  AWRY_TRY_ASSIGN(const Options options, read_options(protocol_options));
  AWRY_TRY(check_metrics_first(options));

  Summary summary{.protocol = "themis"};
  std::vector<Item> items;
  items.reserve(samples.size());
  std::size_t without_truth = 0;
  for (const AnsweredSample& sample : samples) {
    AWRY_TRY_ASSIGN(std::optional<Item> item, compare(sample));
    if (!item) {
      ++without_truth;
      continue;
    }
    add_scores(*item, summary);
    items.push_back(std::move(*item));
  }
  if (without_truth > 0) {
    summary.notes.push_back(fmt::format("{} samples have no truth and were left out", without_truth));
  }
  count_outcomes(items, summary);
  AWRY_TRY(summarise(items, options, summary));
  return summary;
}

}  // namespace awry::benchmarks::themis
