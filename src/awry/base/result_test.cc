// SPDX-License-Identifier: Apache-2.0
#include "awry/base/result.h"

#include <gtest/gtest.h>

namespace awry {
namespace {

Result<int> half(int number) {
  if (number % 2 != 0)
    return fail({.what = "cannot halve", .input = std::to_string(number), .why = "it is odd"});
  return number / 2;
}

Result<int> quarter(int number) {
  AWRY_TRY_ASSIGN(const int once, half(number));
  AWRY_TRY_ASSIGN(const int twice, half(once));
  return twice;
}

TEST(Error, SaysWhatWhichWhyAndWhatToTry) {
  const Error error{
      .what = "cannot read mask", .input = "cat.png", .why = "it is empty", .hint = "Export it again."};
  EXPECT_EQ(error.message(), "cannot read mask 'cat.png': it is empty. Export it again.");
  EXPECT_EQ((Error{.what = "no space left"}).message(), "no space left");
}

TEST(Try, HandsOnTheFirstErrorOrTheValue) {
  EXPECT_EQ(quarter(12), 3);
  EXPECT_EQ(quarter(6).error().input, "3");
}

TEST(ValueOrThrow, CarriesTheExitCode) {
  EXPECT_EQ(value_or_throw(half(4)), 2);
  try {
    value_or_throw(half(3), 5);
    FAIL();
  } catch (const CommandError& error) {
    EXPECT_EQ(error.exit_code(), 5);
    EXPECT_STREQ(error.what(), "cannot halve '3': it is odd");
  }
}

}  // namespace
}  // namespace awry
