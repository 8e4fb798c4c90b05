// SPDX-License-Identifier: Apache-2.0
// How implausible the images of a generator are, from the anomalies that an assessor found in them:
//   MAI  implausibility: the sum of 1 - severity/100 over the anomalies of an image, averaged over images
//   AF   frequency: anomalies per image
//   CAP  penalty: MAI * AF, the product of the two averages (not an average of products: only this
//        gives the published table)
// Lower is better; an image without anomalies is 0 in all three.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "awry/base/result.h"
#include "awry/records/scoring.h"
#include "awry/score/bootstrap.h"

namespace awry::score {

struct AuditedImage {
  // One entry per anomaly, 0 = impossible ... 100 = fully realistic. Without a value an anomaly counts as
  // found, but adds nothing to the implausibility.
  std::vector<std::optional<double>> severities;
};

struct ImageAudit {
  double implausibility = 0;
  std::size_t anomalies = 0, unrated = 0;
};

struct AuditValue {
  double value = 0;
  std::optional<Interval> interval;  // bootstrap over images
  std::optional<Interval> unrated;   // from all unrated anomalies fully realistic to all impossible
};

struct GeneratorAudit {
  std::size_t images = 0, anomalies = 0, unrated = 0;
  AuditValue mai, af, cap;
};

// An error names the anomaly whose severity is outside 0..100 or no number.
Result<ImageAudit> audit_image(const AuditedImage& image);

// No images is an error. Intervals are left out when options.resamples is 0.
Result<GeneratorAudit> audit_generator(std::span<const AuditedImage> images,
                                       const BootstrapOptions& options = {});

}  // namespace awry::score
