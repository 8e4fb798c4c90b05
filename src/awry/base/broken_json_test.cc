// SPDX-License-Identifier: Apache-2.0
#include "awry/base/broken_json.h"

#include <gtest/gtest.h>

namespace awry {
namespace {

TEST(BrokenJson, SaysWhereAndWhatToDo) {
  const Error cut = explain_broken_json("{\"a\": [1,\n 2", "?");
  EXPECT_EQ(cut.why, "the JSON is broken or cut off: it ends in the middle, at line 2, column 3");
  EXPECT_EQ(cut.hint, "The file may be truncated: write or download it again.");
  EXPECT_EQ(explain_broken_json("{\"a\" 1}", "?").why,
            "the JSON is broken or cut off: syntax error at line 1, column 6");
  EXPECT_EQ(explain_broken_json("", "?").why, "the JSON is broken or cut off: it is empty");
}

TEST(BrokenJson, PassesOnWhatOnlyTheOtherParserMinds) {
  EXPECT_EQ(explain_broken_json("{}", "it said so").why, "the JSON is broken or cut off: it said so");
  EXPECT_EQ(explain_broken_json("{}", "it said so").hint, "");
}

}  // namespace
}  // namespace awry
