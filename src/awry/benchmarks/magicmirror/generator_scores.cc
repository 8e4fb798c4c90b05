// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/magicmirror/generator_scores.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "awry/score/signature.h"

namespace awry::benchmarks::magicmirror {
namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

struct SubjectClass {
  std::string_view name;
  Level2 level2;
};
constexpr std::array kClasses = {SubjectClass{"human", Level2::kHuman},
                                 SubjectClass{"animal", Level2::kAnimal},
                                 SubjectClass{"object", Level2::kObject}};
constexpr std::size_t kNoDetail = kDetailClasses.size();

std::optional<std::size_t> class_named(std::string_view name) {
  // The released scorer counts "person" among the humans.
  const std::string_view known = name == "person" ? "human" : name;
  for (std::size_t i = 0; i < kClasses.size(); ++i) {
    if (kClasses[i].name == known) return i;
  }
  return std::nullopt;
}

std::size_t detail_named(std::string_view name) {
  const auto found = std::ranges::find(kDetailClasses, name, &DetailClass::name);
  return static_cast<std::size_t>(found - kDetailClasses.begin());
}

// A GeneratedImage in one number.
struct Kind {
  std::size_t subject_class = 0, detail = kNoDetail;
  bool valid = false;
  LabelSet labels;  // of an invalid image: what is certain even so
};
std::uint64_t pack(const Kind& kind) {
  return kind.labels.bits() | std::uint64_t{kind.subject_class} << 24 | std::uint64_t{kind.detail} << 28 |
         std::uint64_t{kind.valid} << 32;
}
Kind unpack(std::uint64_t packed) {
  return {.subject_class = packed >> 24 & 0xF,
          .detail = packed >> 28 & 0xF,
          .valid = (packed >> 32 & 1) != 0,
          .labels = LabelSet::from_bits(packed & 0xFFFFFF)};
}

enum class Missing { kLeftOut, kEveryFlaw, kNoFlaw };

LabelSet every_flaw() {
  LabelSet labels;
  for (const Level2 level2 : kScoredLevel2) labels.add(level2);
  return labels;
}

// 100 (1 - flawed / images) of one score.
struct Share {
  double flawed = 0, images = 0;
  double score() const { return images == 0 ? kUndefined : 100 * (1 - flawed / images); }
};

struct Shares {
  Share interaction, overall;
  std::array<Share, kClasses.size()> classes;
  std::array<Share, kDetailClasses.size()> details;
};

Shares count(std::span<const Kind> kinds, std::span<const std::uint32_t> times, bool own_class,
             Missing missing) {
  Shares shares;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const Kind& kind = kinds[i];
    if (times[i] == 0 || (!kind.valid && missing == Missing::kLeftOut)) continue;
    const LabelSet labels = kind.valid || missing == Missing::kNoFlaw ? kind.labels : every_flaw();
    const double n = times[i];
    const auto add = [n](Share& share, bool belongs, bool flawed) {
      if (belongs) share.images += n;
      if (flawed) share.flawed += n;
    };
    add(shares.interaction, true, labels.has(Level2::kInteraction));
    add(shares.overall, true, labels.is_artifact());
    for (std::size_t c = 0; c < kClasses.size(); ++c) {
      const bool belongs = kind.subject_class == c;
      add(shares.classes[c], belongs, labels.has(kClasses[c].level2) && (belongs || !own_class));
    }
    if (kind.detail < kNoDetail) {
      add(shares.details[kind.detail], true, labels.has(kClasses[kind.subject_class].level2));
    }
  }
  return shares;
}

struct Entry {
  std::string_view group, key;
  const Share& share;
};

// In the order that the paper prints them.
std::vector<Entry> entries(const Shares& shares) {
  std::vector<Entry> all = {{"", "interaction", shares.interaction}};
  for (std::size_t c = 0; c < kClasses.size(); ++c) all.push_back({"", kClasses[c].name, shares.classes[c]});
  all.push_back({"", "overall", shares.overall});
  for (std::size_t d = 0; d < kDetailClasses.size(); ++d) {
    all.push_back({"detail_class", kDetailClasses[d].name, shares.details[d]});
  }
  return all;
}

score::Signature signature(std::string_view key, const Options& options) {
  score::Signature signature(fmt::format("magicbench/{}", key));
  return signature.set("variant", options.variant)
      .set("reading", options.reading)
      .set("subject", options.subject)
      .set("missing", "left-out");
}

void add_count(std::string_view key, std::size_t count, const Options& options, Summary& summary) {
  summary.metrics.push_back({.key = std::string(key),
                             .value = static_cast<double>(count),
                             .count = count,
                             .signature = signature(key, options).with("unit", "rows").text()});
}

}  // namespace

LabelSet labels_with_subject(LabelSet verdict, bool has_subject, std::string_view subject_class) {
  if (has_subject) return verdict;
  LabelSet labels = LabelSet::artifact();
  if (const auto known = class_named(subject_class)) labels.add(kClasses[*known].level2);
  return labels;
}

Result<void> GeneratedImages::add(const GeneratedImage& image) {
  const auto subject_class = class_named(image.subject_class);
  if (!subject_class) {
    return fail({.what = "cannot score an image",
                 .input = std::string(image.subject_class),
                 .why = "its class is neither human, animal nor object"});
  }
  const bool valid = image.generated && image.verdict && image.has_subject;
  const LabelSet labels = labels_with_subject(valid ? *image.verdict : LabelSet(),
                                              image.has_subject.value_or(true), image.subject_class);
  // A detail class that contradicts the class would divide by rows of a foreign class.
  std::size_t detail = detail_named(image.detail_class);
  if (detail < kNoDetail && kDetailClasses[detail].subject_class != kClasses[*subject_class].name) {
    return fail({.what = "cannot score an image",
                 .input = std::string(image.detail_class),
                 .why = fmt::format("its class is {}", image.subject_class)});
  }
  kinds_.add(pack({.subject_class = *subject_class, .detail = detail, .valid = valid, .labels = labels}));
  total_ += image.generated;
  valid_ += valid;
  return {};
}

Result<void> summarise(const GeneratedImages& images, const Options& options, Summary& summary) {
  std::vector<Kind> kinds;
  for (const std::uint64_t kind : images.kinds().kinds()) kinds.push_back(unpack(kind));
  const bool own_class = options.variant == "own-class";
  const auto shares_of = [&](Missing missing) {
    return count(kinds, images.kinds().counts(), own_class, missing);
  };
  const Shares shares = shares_of(Missing::kLeftOut), worst = shares_of(Missing::kEveryFlaw),
               best = shares_of(Missing::kNoFlaw);
  const std::vector<Entry> all = entries(shares), lowest = entries(worst), highest = entries(best);

  std::vector<std::optional<Interval>> intervals(all.size());
  if (options.resamples > 0 && images.prompts() > 0) {
    intervals =
        bootstrap_kinds(images.kinds(), all.size(),
                        [&](std::span<const std::uint32_t> times, std::span<double> values) {
                          const Shares resampled = count(kinds, times, own_class, Missing::kLeftOut);
                          std::ranges::transform(entries(resampled), values.begin(),
                                                 [](const Entry& entry) { return entry.share.score(); });
                        },
                        {.resamples = static_cast<std::size_t>(options.resamples),
                         .seed = static_cast<std::uint64_t>(options.seed)});
  }

  std::vector<std::string> without_images;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double score = all[i].share.score();
    if (std::isnan(score)) {
      without_images.emplace_back(all[i].key);
      if (own_class) continue;
    }
    Metric metric{.key = std::string(all[i].key),
                  .group = std::string(all[i].group),
                  .value = std::isnan(score) ? 0 : score,
                  .interval = intervals[i],
                  .count = static_cast<std::size_t>(all[i].share.images),
                  .signature = signature(all[i].key, options).text()};
    if (images.valid() < images.prompts() && lowest[i].share.images > 0) {
      metric.missing = Interval{lowest[i].share.score(), highest[i].share.score(), 1.0};
    }
    summary.metrics.push_back(std::move(metric));
  }
  add_count("valid", images.valid(), options, summary);
  add_count("total", images.total(), options, summary);
  if (!without_images.empty()) {
    summary.notes.push_back(fmt::format("no valid image to score for {}{}", fmt::join(without_images, ", "),
                                        own_class ? "" : ": shown as 0, as the released scorer does"));
  }
  return {};
}

}  // namespace awry::benchmarks::magicmirror
