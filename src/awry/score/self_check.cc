// SPDX-License-Identifier: Apache-2.0
#include "awry/score/self_check.h"

#include <fmt/format.h>

#include <cmath>

namespace awry::score {
namespace {

Result<void> expect(const SelfCheck& check, std::string_view prediction, const std::function<double()>& score,
                    double wanted) {
  if (!score) return {};
  const double got = score();
  if (std::abs(got - wanted) <= check.tolerance) return {};  // false for NaN as well
  return fail({.what = fmt::format("metric '{}' failed its self-check", check.metric),
               .why = fmt::format("{} prediction scores {}, not {}", prediction, got, wanted),
               .hint = "No numbers are printed. This is a defect in awry: please report it."});
}

}  // namespace

Result<void> check_metric(const SelfCheck& check) {
  AWRY_TRY(expect(check, "a perfect", check.perfect, check.best));
  AWRY_TRY(expect(check, "an empty", check.empty, check.worst));
  AWRY_TRY(expect(check, "a permuted but perfect", check.permuted, check.best));
  return {};
}

Result<void> check_metrics(std::span<const SelfCheck> checks) {
  for (const SelfCheck& check : checks) AWRY_TRY(check_metric(check));
  return {};
}

}  // namespace awry::score
