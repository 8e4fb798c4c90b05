// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/magicmirror/classification.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <limits>

#include "awry/score/signature.h"

namespace awry::benchmarks::magicmirror {
namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();
constexpr std::uint32_t kEveryLabel = (1U << LabelSet::kBits) - 1;

// One per label, indexed by its bit: L1, then L2, then L3.
using LabelCounts = std::array<score::MatchCounts, LabelSet::kBits>;

int bit_of(Level2 level2) {
  return 1 + static_cast<int>(level2);
}
int bit_of_level3(std::size_t level3) {
  return 1 + static_cast<int>(kLevel2.size() + level3);
}

// A row of the table that the protocol prints: one label, or an average of several.
struct Line {
  std::string group;
  std::vector<int> bits;
  enum { kLabel, kMacro, kMicro } average = kLabel;
};

std::vector<Line> lines() {
  std::vector<int> level2, level3;
  for (const Level2 scored : kScoredLevel2) level2.push_back(bit_of(scored));
  for (std::size_t i = 0; i < kLevel3.size(); ++i) level3.push_back(bit_of_level3(i));
  std::vector<Line> lines = {{"artifacts", {0}, Line::kLabel},
                             {"l2_macro", level2, Line::kMacro},
                             {"l2_micro", level2, Line::kMicro},
                             {"l3_macro", level3, Line::kMacro},
                             {"l3_micro", level3, Line::kMicro}};
  for (const Level2 scored : kScoredLevel2) {
    lines.push_back({std::string(label_of(scored).key), {bit_of(scored)}, Line::kLabel});
  }
  for (const Level2 rare : {Level2::kAttributes, Level2::kOther}) {
    lines.push_back({std::string(label_of(rare).key), {bit_of(rare)}, Line::kLabel});
  }
  for (std::size_t i = 0; i < kLevel3.size(); ++i) {
    lines.push_back({fmt::format("l3/{}", kLevel3[i].key), {bit_of_level3(i)}, Line::kLabel});
  }
  return lines;
}

// What stands in for a verdict that is not there.
enum class Missing { kNothingFound, kLeftOut, kAllWrong, kAllRight };

void count(LabelCounts& labels, LabelSet truth, LabelSet predicted, std::uint32_t times) {
  for (std::uint32_t bits = (truth | predicted).bits(); bits != 0; bits &= bits - 1) {
    const int bit = std::countr_zero(bits);
    score::MatchCounts& label = labels[static_cast<std::size_t>(bit)];
    if (predicted.has_bit(bit)) label.predicted += times;
    if (truth.has_bit(bit)) label.truth += times;
    if (predicted.has_bit(bit) && truth.has_bit(bit)) label.correct += times;
  }
}

// How often each label was predicted, is true, and both. The second value is the share of right L1.
std::pair<LabelCounts, double> count_labels(std::span<const LabelledImages::Kind> kinds,
                                            std::span<const std::uint32_t> times, Missing missing) {
  LabelCounts labels{};
  double right = 0, all = 0;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    if (times[i] == 0) continue;
    const LabelSet truth = kinds[i].truth;
    const bool answered = kinds[i].predicted.has_value();
    if (!answered && missing == Missing::kLeftOut) continue;
    LabelSet predicted = kinds[i].predicted.value_or(LabelSet());
    if (!answered && missing == Missing::kAllRight) predicted = truth;
    if (!answered && missing == Missing::kAllWrong) {
      predicted = LabelSet::from_bits(kEveryLabel).without(truth);
    }
    count(labels, truth, predicted, times[i]);
    const bool counts_as_right =
        (answered || missing == Missing::kAllRight) && predicted.has_bit(0) == truth.has_bit(0);
    all += times[i];
    if (counts_as_right) right += times[i];
  }
  return {labels, all == 0 ? kUndefined : right / all};
}

PrecisionRecall value_of(const Line& line, const LabelCounts& labels) {
  if (line.average == Line::kMacro) {
    std::array<PrecisionRecall, LabelSet::kBits> values;
    std::size_t size = 0;
    for (const int bit : line.bits) values[size++] = precision_recall(labels[static_cast<std::size_t>(bit)]);
    return macro_average(std::span(values).first(size));
  }
  score::MatchCounts pooled;
  for (const int bit : line.bits) pooled += labels[static_cast<std::size_t>(bit)];
  return precision_recall(pooled);
}

constexpr std::array<std::string_view, 3> kKeys = {"precision", "recall", "f1"};
constexpr std::size_t kPerLine = kKeys.size();

// All metrics in the order of lines(), then accuracy.
void compute(std::span<const Line> lines, std::span<const LabelledImages::Kind> kinds,
             std::span<const std::uint32_t> times, Missing missing, std::span<double> values) {
  const auto [labels, accuracy] = count_labels(kinds, times, missing);
  std::size_t at = 0;
  for (const Line& line : lines) {
    const PrecisionRecall value = value_of(line, labels);
    values[at++] = value.precision;
    values[at++] = value.recall;
    values[at++] = value.f1;
  }
  values[at] = accuracy;
}

std::string_view average_name(const Line& line) {
  if (line.average == Line::kLabel) return "none";
  return line.average == Line::kMacro ? "macro" : "micro";
}

score::Signature signature(std::string_view key, const Options& options) {
  score::Signature signature(fmt::format("magicmirror/{}", key));
  return signature.set("reading", options.reading).set("unanswered", options.unanswered);
}

}  // namespace

void LabelledImages::add(LabelSet truth, std::optional<LabelSet> predicted) {
  constexpr int kAnsweredBit = 2 * LabelSet::kBits;
  std::uint64_t kind = truth.bits();
  if (predicted) {
    kind |= std::uint64_t{predicted->bits()} << LabelSet::kBits | std::uint64_t{1} << kAnsweredBit;
  } else {
    ++unanswered_;
  }
  kinds_.add(kind);
}

LabelledImages::Kind LabelledImages::kind_of(std::uint64_t kind) {
  const auto labels = [](std::uint64_t bits) {
    return LabelSet::from_bits(static_cast<std::uint32_t>(bits & kEveryLabel));
  };
  const bool answered = (kind >> (2 * LabelSet::kBits)) != 0;
  return {.truth = labels(kind),
          .predicted = answered ? std::optional(labels(kind >> LabelSet::kBits)) : std::nullopt};
}

PrecisionRecall precision_recall(const score::MatchCounts& counts) {
  if (counts.predicted == 0 && counts.truth == 0) return {kUndefined, kUndefined, kUndefined};
  return {score::precision(counts), score::recall(counts), score::f1(counts)};
}

PrecisionRecall macro_average(std::span<const PrecisionRecall> labels) {
  PrecisionRecall sum;
  std::size_t defined = 0;
  for (const PrecisionRecall& label : labels) {
    if (std::isnan(label.f1)) continue;
    sum.precision += label.precision;
    sum.recall += label.recall;
    sum.f1 += label.f1;
    ++defined;
  }
  if (defined == 0) return {kUndefined, kUndefined, kUndefined};
  const auto n = static_cast<double>(defined);
  return {sum.precision / n, sum.recall / n, sum.f1 / n};
}

Result<void> summarise(const LabelledImages& images, const Options& options, Summary& summary) {
  const std::vector<Line> table = lines();
  std::vector<LabelledImages::Kind> kinds;
  for (const std::uint64_t kind : images.kinds().kinds()) kinds.push_back(LabelledImages::kind_of(kind));
  const std::size_t metrics = kPerLine * table.size() + 1;
  const Missing missing = options.unanswered == "missed" ? Missing::kNothingFound : Missing::kLeftOut;
  const auto values_with = [&](Missing how) {
    std::vector<double> values(metrics);
    compute(table, kinds, images.kinds().counts(), how, values);
    return values;
  };
  const std::vector<double> values = values_with(missing), worst = values_with(Missing::kAllWrong),
                            best = values_with(Missing::kAllRight);
  std::vector<std::optional<Interval>> intervals(metrics);
  if (options.resamples > 0 && images.size() > 0) {
    intervals = bootstrap_kinds(images.kinds(), metrics,
                                [&](std::span<const std::uint32_t> times, std::span<double> resampled) {
                                  compute(table, kinds, times, missing, resampled);
                                },
                                {.resamples = static_cast<std::size_t>(options.resamples),
                                 .seed = static_cast<std::uint64_t>(options.seed)});
  }

  const std::size_t counted =
      images.size() - (missing == Missing::kLeftOut ? images.unanswered() : std::size_t{0});
  const auto push = [&](std::string_view group, std::string_view key, std::size_t at,
                        const score::Signature& signed_as) {
    if (std::isnan(values[at])) return;
    Metric metric{.key = std::string(key),
                  .group = std::string(group),
                  .value = values[at],
                  .interval = intervals[at],
                  .count = counted,
                  .signature = signed_as.text()};
    if (images.unanswered() > 0) metric.missing = Interval{worst[at], best[at], 1.0};
    summary.metrics.push_back(std::move(metric));
  };
  for (std::size_t line = 0; line < table.size(); ++line) {
    for (std::size_t key = 0; key < kPerLine; ++key) {
      push(table[line].group, kKeys[key], kPerLine * line + key,
           signature(kKeys[key], options)
               .with("label", table[line].group)
               .with("average", average_name(table[line])));
    }
    if (line == 0) push("artifacts", "accuracy", metrics - 1, signature("accuracy", options));
  }
  return {};
}

}  // namespace awry::benchmarks::magicmirror
