// SPDX-License-Identifier: Apache-2.0
#include "awry/pipeline/inspect_images.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <memory>

#include "awry/inspectors/forensics/forensics.h"
#include "awry/pipeline/parallel.h"
#include "awry/report/bands.h"

namespace awry::pipeline {
namespace {

report::Item card_of(const InspectedImage& image) {
  const std::string question_id = image.sample.id + "/inspect";
  Answer answer{.question_id = question_id, .findings = image.inspection.findings};
  if (image.error) {
    answer.outcome = Outcome::kUnreadable;
    answer.complaint = image.error->message();
  }
  std::vector<int> images;
  for (std::size_t i = 0; i < image.sample.images.size(); ++i) images.push_back(static_cast<int>(i));
  return {.sample = image.sample,
          .questions = {{.id = question_id,
                         .sample_id = image.sample.id,
                         .kind = "inspect",
                         .images = std::move(images)}},
          .replies = {},
          .answers = {std::move(answer)}};
}

// What a reader wants to see first.
int urgency(const InspectedImage& image) {
  if (image.error) return 1;
  if (image.inspection.findings.empty()) return 3;
  return report::is_quiet(image.inspection.findings) ? 2 : 0;
}

std::string lead_of(std::span<const InspectedImage> inspected) {
  std::size_t pairs = 0, images = 0, with_findings = 0, faint = 0, unreadable = 0, open = 0;
  for (const InspectedImage& image : inspected) {
    const bool is_pair = image.sample.images.size() == 2;
    (is_pair ? pairs : images) += 1;
    unreadable += image.error ? 1 : 0;
    with_findings += !is_pair && urgency(image) == 0 ? 1 : 0;
    faint += !is_pair && urgency(image) == 2 ? 1 : 0;
    open += image.inspection.undecided.empty() ? 0 : 1;
  }
  return fmt::format(
      "{} of {} images show something to look at, and {} pairs of images share content. Faint traces only: "
      "{}. Left open: {}. Unreadable: {}.\n"
      "A finding is a reason to look again, not a verdict. Strong ones come from chance less than once in "
      "10^12 authentic images, clear ones less than once in 1,000; each names its innocent causes. What lies "
      "under a mark is the evidence: compare it in the full images before asking anybody.",
      with_findings, images, pairs, faint, open, unreadable);
}

}  // namespace

Result<inspectors::Inspection> inspect_or_recall(const inspectors::Inspector& inspector, const Sample& sample,
                                                 std::span<const int> images, InspectionJournal* journal) {
  if (journal == nullptr) return inspector.inspect(sample, images);
  const std::string key = journal_key(inspector, sample, images);
  if (auto known = journal->find(key)) return std::move(*known);
  AWRY_TRY_ASSIGN(inspectors::Inspection inspection, inspector.inspect(sample, images));
  AWRY_TRY(journal->append(key, inspection));
  return inspection;
}

std::vector<InspectedImage> inspect_images(std::span<const Sample> samples, const InspectOptions& options) {
  const auto inspector = inspectors::forensics::make_forensic_inspector();
  std::vector<std::optional<InspectedImage>> seen(samples.size());
  std::atomic<std::size_t> unreadable{0};
  Progress progress("inspecting", samples.size(), options.progress);
  for_each_index(samples.size(),
                 {.threads = options.threads, .progress = &progress, .cancel = options.cancel},
                 [&](std::size_t i) {
                   InspectedImage image{.sample = samples[i]};
                   const int only[] = {0};
                   if (auto inspection = inspect_or_recall(*inspector, samples[i], only, options.journal)) {
                     image.inspection = std::move(*inspection);
                   } else {
                     image.error = std::move(inspection.error());
                     progress.set_note(fmt::format("{} unreadable", ++unreadable));
                   }
                   seen[i] = std::move(image);
                 });
  progress.finish();
  std::vector<InspectedImage> inspected;
  inspected.reserve(seen.size());
  for (auto& image : seen) {
    if (image) inspected.push_back(std::move(*image));
  }
  return inspected;
}

report::ReportInput report_of(std::span<const InspectedImage> inspected) {
  std::vector<const InspectedImage*> order;
  for (const InspectedImage& image : inspected) order.push_back(&image);
  std::stable_sort(order.begin(), order.end(),
                   [](const auto* a, const auto* b) { return urgency(*a) < urgency(*b); });
  report::ReportInput input{
      .run = {.name = "inspection", .model = "forensics", .status = RunStatus::kFinished},
      .lead = lead_of(inspected)};
  for (const InspectedImage* image : order) {
    input.items.push_back(card_of(*image));
    input.summary.outcomes.add(input.items.back().answers.front().outcome);
  }
  return input;
}

}  // namespace awry::pipeline
