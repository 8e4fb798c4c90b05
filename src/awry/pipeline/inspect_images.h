// SPDX-License-Identifier: Apache-2.0
// The embedded inspectors over a pile of images, without any benchmark: what `awry inspect` does.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "awry/base/cancel.h"
#include "awry/base/progress.h"
#include "awry/base/result.h"
#include "awry/inspectors/inspection.h"
#include "awry/pipeline/inspection_journal.h"
#include "awry/records/sample.h"
#include "awry/report/html.h"

namespace awry::pipeline {

struct InspectOptions {
  int threads = 1;
  ProgressOptions progress;
  const CancelToken* cancel = nullptr;
  InspectionJournal* journal = nullptr;  // where inspections are kept and taken from
};

struct InspectedImage {
  Sample sample;
  inspectors::Inspection inspection;
  std::optional<Error> error;  // the image could not be read: no inspection
};

// From the journal if it has one; otherwise the inspector looks, and the journal keeps what it saw.
Result<inspectors::Inspection> inspect_or_recall(const inspectors::Inspector& inspector, const Sample& sample,
                                                 std::span<const int> images, InspectionJournal* journal);

// One entry per sample, in their order; shorter only when cancelled, and then a prefix is not promised.
std::vector<InspectedImage> inspect_images(std::span<const Sample> samples, const InspectOptions& options);

// The same as a report: a card per image or pair, those with findings and errors first, those without last.
report::ReportInput report_of(std::span<const InspectedImage> inspected);

}  // namespace awry::pipeline
