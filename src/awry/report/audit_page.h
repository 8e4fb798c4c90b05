// SPDX-License-Identifier: Apache-2.0
// An audit of image generators as one HTML file: which is worst, how severe and how frequent its anomalies
// are.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "awry/records/scoring.h"

namespace awry::report {

struct AuditedGenerator {
  std::string name;
  std::size_t images = 0;
  double mai = 0, af = 0, cap = 0;
  std::optional<Interval> mai_interval, af_interval, cap_interval;
  std::vector<double> severities;        // of every anomaly that has one
  std::vector<double> anomalies_images;  // how many each image has
};

struct AuditSection {
  std::string assessor;
  std::vector<AuditedGenerator> generators;  // best first
};

struct AuditPage {
  std::string title;
  std::vector<AuditSection> sections;
  std::vector<std::string> notes;
};

// The same input always gives the same bytes; all names are escaped.
std::string render_audit_page(const AuditPage& page);

}  // namespace awry::report
