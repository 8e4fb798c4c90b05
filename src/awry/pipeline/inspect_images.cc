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
  return report::is_quiet(image.inspection.findings) ? 2 : 0;
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
      .run = {.name = "inspection", .model = "forensics", .status = RunStatus::kFinished}};
  for (const InspectedImage* image : order) {
    input.items.push_back(card_of(*image));
    input.summary.outcomes.add(input.items.back().answers.front().outcome);
  }
  return input;
}

}  // namespace awry::pipeline
