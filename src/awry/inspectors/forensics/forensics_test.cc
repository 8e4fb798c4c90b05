// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/forensics/forensics.h"

#include <gtest/gtest.h>

#include "awry/inspectors/forensics/copy_move.h"
#include "awry/inspectors/forensics/pair_duplication.h"

namespace awry::inspectors::forensics {
namespace {

TEST(Detectors, SurviveTinyAndFlatImages) {
  for (const auto& [width, height] : {std::pair(1, 1), {2, 300}, {300, 2}, {16, 16}, {200, 200}}) {
    const imaging::Image flat(width, height, 3, 200);
    EXPECT_TRUE(find_copy_move(flat).findings.empty());
    EXPECT_TRUE(find_pair_duplication(flat, flat).findings.empty());
  }
}

TEST(ForensicInspector, RefusesWhatItCannotLookAt) {
  const auto inspector = make_forensic_inspector();
  const Sample sample{.id = "s", .images = {{.path = "does-not-exist.png"}}};
  EXPECT_FALSE(inspector->inspect(sample, {}).has_value());
  const std::vector<int> absent{3}, unreadable{0};
  EXPECT_FALSE(inspector->inspect(sample, absent).has_value());
  EXPECT_FALSE(inspector->inspect(sample, unreadable).has_value());
}

}  // namespace
}  // namespace awry::inspectors::forensics
