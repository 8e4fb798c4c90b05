// SPDX-License-Identifier: Apache-2.0
#include "awry/parse/loose_json.h"
#include "awry/parse/support_test.h"

namespace awry::parse {
namespace {

TEST(LastBoxed, FindsTheBodyBetweenBalancedBraces) {
  struct {
    std::string_view text, body;
    bool tolerated;
  } const cases[] = {
      {"\\boxed{A}", "A", false},
      {"so $\\boxed{ A }$.", "A", false},
      {"\\boxed {A}", "A", false},
      {"\\boxed{}", "", false},
      {"\\boxed{{\"a\": {\"b\": 1}}}", "{\"a\": {\"b\": 1}}", false},
      {"\\boxed{{\"a\": \"}\"}} {", "{\"a\": \"}\"}", false},
      {"\\boxed{{\"a\": \"\\\"}\"}}", "{\"a\": \"\\\"}\"}", false},
      {"\\boxed{a} or \\boxed{b}", "b", false},
      {"\\boxed{a}, which I boxed {c}", "a", false},
      {"\\boxed{it is 5\" long}", "it is 5\" long", false},
      {"<boxed>a</boxed> b", "a", true},
      {"<boxed>a", "a", true},
      {"\\boxed{{\"a\": [1, 2", "{\"a\": [1, 2", true},
  };
  for (const auto& c : cases) {
    const auto boxed = last_boxed(c.text);
    ASSERT_TRUE(boxed) << c.text;
    EXPECT_EQ(boxed->value, c.body) << c.text;
    EXPECT_EQ(!boxed->tolerated.empty(), c.tolerated) << c.text << ": " << complaint_of(boxed->tolerated);
  }
}

TEST(LastBoxed, TellsAbsentFromEmpty) {
  for (std::string_view text : {"", "boxed", "\\boxed", "\\boxed A", "boxed{A}", "<boxed", "\\BOXED{A}"}) {
    const auto boxed = last_boxed(text);
    ASSERT_FALSE(boxed) << text;
    EXPECT_EQ(boxed.error().kind, ErrorKind::kNotFound);
    EXPECT_EQ(boxed.error().why, "the reply has no \\boxed{...}");
  }
}

TEST(LastBoxed, StaysLinearOnFloods) {
  for (std::string_view piece : {"\\boxed{", "boxed", "boxed ", "{", "}", "\"", "<boxed>", "\\boxed{\"}"}) {
    const std::string flood = repeated(piece, 1 << 20);
    EXPECT_LT(seconds([&] { (void)last_boxed(flood); }), 2.0) << piece;
    EXPECT_LT(seconds([&] { (void)last_boxed("\\boxed{" + flood); }), 2.0) << piece;
  }
}

}  // namespace
}  // namespace awry::parse
