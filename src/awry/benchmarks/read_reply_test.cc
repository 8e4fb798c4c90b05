// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/read_reply.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace awry::benchmarks {
namespace {

using ::testing::HasSubstr;

// A protocol that can read one letter.
Answer parse(const Sample&, const Question& question, const Reply& reply) {
  if (reply.text.size() == 1) return {.question_id = question.id, .choices = {reply.text}};
  return {.question_id = question.id, .outcome = Outcome::kUnparsable, .complaint = "more than a letter"};
}
const Protocol kLetters = {.name = "letters", .parse = parse};

Answer read(const char* text) {
  return read_reply(kLetters, {.id = "1"}, {.id = "1/q", .sample_id = "1"}, {.text = text});
}

TEST(ReadReply, TellsDecliningFromNonsense) {
  EXPECT_EQ(read("A").outcome, Outcome::kAnswered);
  EXPECT_EQ(read("A or B").outcome, Outcome::kUnparsable);
  EXPECT_EQ(read("A or B").complaint, "more than a letter");
  const Answer declined = read("I'm sorry, but I can't assist with that request.");
  EXPECT_EQ(declined.outcome, Outcome::kRefused);
  EXPECT_THAT(declined.complaint, HasSubstr("can't assist"));
}

}  // namespace
}  // namespace awry::benchmarks
