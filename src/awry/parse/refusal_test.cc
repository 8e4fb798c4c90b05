// SPDX-License-Identifier: Apache-2.0
#include "awry/parse/refusal.h"

#include <gtest/gtest.h>

#include <string>

namespace awry::parse {
namespace {

TEST(Declines, KnowsRefusalsHoweverPolite) {
  for (const char* reply :
       {"I'm sorry, but I can't assist with that request.", "I cannot help with identifying people.",
        "Sorry, I can\u2019t help with that.", "Unfortunately, I am unable to analyze this image.",
        "<think>Policy says no.</think>I must decline.", "As an AI, I can not provide that."}) {
    EXPECT_TRUE(declines(reply)) << reply;
  }
}

TEST(Declines, LeavesEverythingElseUnreadable) {
  for (const char* reply : {"", "Blah.", "The picture is lovely.", "The woman in red cannot stand like that.",
                            "In Bali cannot help but be a typo.",
                            "It is sorry-looking furniture, and nobody can't help but notice.",
                            "<think>I can't help thinking of seams.</think>It is fine."}) {
    EXPECT_FALSE(declines(reply)) << reply;
  }
}

// Whoever goes on for paragraphs has said something about the matter.
TEST(Declines, IsAboutShortReplies) {
  EXPECT_FALSE(declines("I am unable to see the left edge well. " + std::string(1000, 'x')));
  EXPECT_FALSE(declines(std::string(200, 'x') + " I am unable to say more."));
}

}  // namespace
}  // namespace awry::parse
