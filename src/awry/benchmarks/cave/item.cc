// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/cave/item.h"

#include <fmt/format.h>

#include <algorithm>

#include "awry/benchmarks/cave/questions.h"
#include "awry/score/overlap.h"

namespace awry::benchmarks::cave {
namespace {

tl::unexpected<Error> cannot_score(const Sample& sample, std::string why) {
  return fail({.what = "cannot score a sample", .input = sample.id, .why = std::move(why)});
}

// Whether there is an answer to look at. One whose judge is said to have failed is there, too.
Standing standing_of(const Answer& answer) {
  if (answer.outcome == Outcome::kAnswered) return Standing::kScored;
  return answer.outcome == Outcome::kJudgeFailed ? Standing::kUnjudged : Standing::kFailed;
}

PairVerdicts verdicts_in(const Sample& sample, const Answer& answer) {
  PairVerdicts verdicts(answer.findings.size(), sample.truth.size());
  for (std::size_t p = 0; p < answer.findings.size(); ++p) {
    for (const Evidence& evidence : answer.findings[p].evidence) {
      if (evidence.kind != kSameAnomaly || !evidence.value) continue;
      for (std::size_t t = 0; t < sample.truth.size(); ++t) {
        if (sample.truth[t].id != evidence.note) continue;
        verdicts.at(p, t) = *evidence.value > 0 ? PairVerdict::kSame : PairVerdict::kDifferent;
      }
    }
  }
  return verdicts;
}

void compare_descriptions(const Sample& sample, const Answer& answer, ImageItem& item) {
  const PairVerdicts nothing(0, sample.truth.size());
  item.described = standing_of(answer);
  if (item.described == Standing::kFailed ||
      (item.described == Standing::kUnjudged && answer.findings.empty())) {
    item.detection = match(nothing);
  } else {
    // Without a pair to judge there is nothing a judge could have failed at.
    const PairVerdicts verdicts = verdicts_in(sample, answer);
    item.described = verdicts.complete() ? Standing::kScored : Standing::kUnjudged;
    item.claims = answer.findings.size();
    item.detection = match(verdicts, PairVerdict::kDifferent);
    item.best = match(verdicts, PairVerdict::kSame);
  }
  if (item.described == Standing::kUnjudged) return;
  for (std::size_t t = 0; t < item.anomalies.size(); ++t) {
    item.anomalies[t].described = item.detection.found_by[t].has_value();
  }
}

void compare_explanation(const Answer& answer, AnomalyItem& item) {
  item.explained = standing_of(answer);
  if (item.explained == Standing::kFailed) return;
  item.explained = Standing::kUnjudged;
  for (const Finding& finding : answer.findings) {
    for (const Evidence& evidence : finding.evidence) {
      if (evidence.kind != kRightExplanation || !evidence.value) continue;
      item.explained = Standing::kScored;
      item.right = *evidence.value > 0 ? 1 : 0;
    }
  }
}

Result<void> compare_place(const Sample& sample, const Answer& answer, AnomalyItem& item) {
  const Box* truth = std::get_if<Box>(&item.truth->where);
  if (truth == nullptr) return {};
  item.located = standing_of(answer);
  if (item.located == Standing::kUnjudged) item.located = Standing::kScored;  // no judge is needed
  const ImageRef& image = sample.images.front();
  const Box whole{0, 0, static_cast<double>(image.width), static_cast<double>(image.height)};
  AWRY_TRY_ASSIGN(const double most, score::coverage_ratio(whole, *truth));
  item.most_coverage = std::max(1.0, most);
  if (item.located != Standing::kScored) return {};
  const Box* found = answer.findings.empty() ? nullptr : std::get_if<Box>(&answer.findings.front().where);
  if (found == nullptr) return cannot_score(sample, "an answer to 'al' holds no box");
  item.iou = score::box_iou(*found, *truth);
  AWRY_TRY_ASSIGN(item.coverage, score::coverage_ratio(*found, *truth));
  return {};
}

void compare_justification(const Answer& answer, AnomalyItem& item) {
  item.justified = standing_of(answer);
  if (item.justified == Standing::kFailed) return;
  item.justified = Standing::kUnjudged;
  for (const Finding& finding : answer.findings) {
    for (const Evidence& evidence : finding.evidence) {
      const auto criterion = std::find(kCriteria.begin(), kCriteria.end(), evidence.kind);
      if (criterion == kCriteria.end() || !evidence.value) continue;
      item.justified = Standing::kScored;
      item.ratings[static_cast<std::size_t>(criterion - kCriteria.begin())].push_back(evidence);
    }
  }
}

Result<void> compare_rating(const Sample& sample, const Answer& answer, std::size_t feature,
                            AnomalyItem& item) {
  if (!item.people[feature]) return {};
  item.rated[feature] = standing_of(answer);
  if (item.rated[feature] == Standing::kUnjudged) item.rated[feature] = Standing::kScored;
  if (item.rated[feature] != Standing::kScored) return {};
  const auto value = answer.values.find(std::string(kFeatures[feature]));
  if (value == answer.values.end() || !(value->second >= 1 && value->second <= 5)) {
    return cannot_score(sample,
                        fmt::format("an answer to '{}' holds no rating from 1 to 5", kFeatures[feature]));
  }
  item.rating[feature] = value->second;
  return {};
}

void average_people(AnomalyItem& item) {
  for (std::size_t feature = 0; feature < kFeatures.size(); ++feature) {
    double sum = 0, raters = 0;
    for (const Evidence& evidence : item.truth->evidence) {
      if (evidence.kind == kFeatures[feature] && evidence.value) sum += *evidence.value, ++raters;
    }
    if (raters > 0) item.people[feature] = sum / raters;
  }
}

void compare_category(const Answer& answer, const Finding& truth, Standing& standing, double& is_right) {
  const std::vector<std::string_view> right = categories_of(truth);
  if (right.empty()) return;
  standing = standing_of(answer);
  if (standing == Standing::kUnjudged) standing = Standing::kScored;  // no judge is needed
  is_right =
      !answer.choices.empty() && std::find(right.begin(), right.end(), answer.choices.front()) != right.end();
}

// The category that the model gave to a description of its own counts for the true anomaly it found.
void compare_own_categories(const AnsweredSample& answered, ImageItem& item) {
  if (item.described != Standing::kScored) return;
  const Answer* description = nullptr;
  for (std::size_t i = 0; i < answered.questions.size(); ++i) {
    if (answered.questions[i].kind == kDescribe) description = &answered.answers[i];
  }
  if (description == nullptr) return;
  for (std::size_t t = 0; t < item.anomalies.size(); ++t) {
    const auto found_by = item.detection.found_by[t];
    if (!found_by) continue;
    AnomalyItem& anomaly = item.anomalies[t];
    for (std::size_t i = 0; i < answered.questions.size(); ++i) {
      if (answered.questions[i].kind == kCategoriseOwn &&
          attribute(answered.questions[i], kFindingAttribute) == description->findings[*found_by].id) {
        compare_category(answered.answers[i], *anomaly.truth, anomaly.own_categorised,
                         anomaly.right_own_category);
      }
    }
  }
}

void compare_culture(const Answer& answer, AnomalyItem& item) {
  item.cultured = standing_of(answer);
  if (item.cultured == Standing::kUnjudged) item.cultured = Standing::kScored;
  item.usual_somewhere = !answer.choices.empty() && answer.choices.front() == "yes";
}

// A conversation that ended before the description was asked for: the answer that ended it.
const Answer* broken_off(const AnsweredSample& answered) {
  int drafts = 0, usable = 0;
  const Answer* failed = nullptr;
  for (std::size_t i = 0; i < answered.questions.size(); ++i) {
    const std::string_view kind = answered.questions[i].kind;
    const bool fine = answered.answers[i].outcome == Outcome::kAnswered;
    if (kind == kDescribe) return nullptr;
    if (kind == kStep && !fine) return &answered.answers[i];
    if (kind != kDraft) continue;
    ++drafts, usable += fine;
    if (!fine) failed = &answered.answers[i];
  }
  return drafts > 0 && usable < kEnoughDrafts ? failed : nullptr;
}

Result<void> compare_anomaly(const Sample& sample, const Question& question, const Answer& answer,
                             AnomalyItem& item) {
  if (question.kind == kExplain) compare_explanation(answer, item);
  if (question.kind == kLocate) AWRY_TRY(compare_place(sample, answer, item));
  if (question.kind == kJustify) compare_justification(answer, item);
  if (question.kind == kCategorise) {
    compare_category(answer, *item.truth, item.categorised, item.right_category);
  }
  if (question.kind == kCulture) compare_culture(answer, item);
  for (std::size_t feature = 0; feature < kFeatures.size(); ++feature) {
    if (question.kind == kFeatures[feature]) AWRY_TRY(compare_rating(sample, answer, feature, item));
  }
  return {};
}

bool is_unjudged(const Question& question, const ImageItem& item, std::size_t anomaly) {
  if (question.kind == kDescribe) return item.described == Standing::kUnjudged;
  if (question.kind == kExplain) return item.anomalies[anomaly].explained == Standing::kUnjudged;
  if (question.kind == kJustify) return item.anomalies[anomaly].justified == Standing::kUnjudged;
  return false;
}

}  // namespace

Result<std::optional<ImageItem>> compare(const AnsweredSample& answered, OutcomeCounts& outcomes) {
  const Sample& sample = answered.sample;
  if (answered.questions.size() != answered.answers.size()) {
    return cannot_score(sample, fmt::format("{} questions and {} answers", answered.questions.size(),
                                            answered.answers.size()));
  }
  if (!sample.has_truth) return std::nullopt;
  if (sample.images.size() != 1) return cannot_score(sample, "it does not have exactly one image");
  ImageItem item{.sample = &sample};
  for (const Finding& truth : sample.truth) {
    item.anomalies.push_back({.truth = &truth});
    average_people(item.anomalies.back());
  }
  if (const Answer* failed = broken_off(answered)) compare_descriptions(sample, *failed, item);
  for (std::size_t i = 0; i < answered.questions.size(); ++i) {
    const Question& question = answered.questions[i];
    const Answer& answer = answered.answers[i];
    std::size_t index = 0;
    if (question.kind == kDescribe) {
      compare_descriptions(sample, answer, item);
    } else if (question.kind != kDraft && question.kind != kStep && question.kind != kCategoriseOwn) {
      AWRY_TRY_ASSIGN(index, anomaly_index(sample, question));
      AWRY_TRY(compare_anomaly(sample, question, answer, item.anomalies[index]));
    }
    const bool failed = standing_of(answer) == Standing::kFailed;
    outcomes.add(failed                               ? answer.outcome
                 : is_unjudged(question, item, index) ? Outcome::kJudgeFailed
                                                      : Outcome::kAnswered);
  }
  compare_own_categories(answered, item);
  return item;
}

}  // namespace awry::benchmarks::cave
