// SPDX-License-Identifier: Apache-2.0
#include "awry/report/bands.h"

#include <algorithm>
#include <cstdlib>

namespace awry::report {

Band band_of(const Finding& finding) {
  if (finding.false_alarms) {
    return *finding.false_alarms <= 1e-12  ? Band::kStrong
           : *finding.false_alarms <= 1e-3 ? Band::kClear
                                           : Band::kFaint;
  }
  const double probability = finding.probability.value_or(0);
  return probability >= 0.99 ? Band::kStrong : probability >= 0.9 ? Band::kClear : Band::kFaint;
}

std::string_view name_of(Band band) {
  switch (band) {
    case Band::kStrong:
      return "strong";
    case Band::kClear:
      return "clear";
    case Band::kFaint:
      return "faint";
  }
  std::abort();
}

bool has_band(const Finding& finding) {
  return finding.by.kind == AuthorKind::kDetector && (finding.false_alarms || finding.probability);
}

bool is_faint(const Finding& finding) {
  return has_band(finding) && band_of(finding) == Band::kFaint;
}

bool is_quiet(std::span<const Finding> findings) {
  return std::ranges::all_of(findings, is_faint);
}

}  // namespace awry::report
