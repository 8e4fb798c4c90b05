// SPDX-License-Identifier: Apache-2.0
#include "awry/parse/think.h"

#include "awry/parse/support_test.h"

namespace awry::parse {
namespace {

struct Case {
  std::string_view reply, thinking, answer;
};

TEST(SplitThinking, SeparatesReasoningFromAnswer) {
  const Case cases[] = {
      {"", "", ""},
      {"plain answer", "", "plain answer"},
      {"<think>\nhm\n</think>\n\\boxed{{}}", "hm", "\\boxed{{}}"},
      {"<THINKING>a</THINKING>b", "a", "b"},
      {"< think >a</ think > b", "a", "b"},
      {"<reasoning>a</reasoning><CHOICE>B</CHOICE>", "a", "<CHOICE>B</CHOICE>"},
      {"<think>a</think>b<think>c</think>d", "a\n\nc", "b\nd"},
      {"<think>a <think>b</think> c</think> d", "a <think>b</think> c", "d"},
      {"the template ate the opening</think>answer", "the template ate the opening", "answer"},
      {"<think>a</think> wait </think> b", "a\n\nwait", "b"},
      {"<CHOICE>A</CHOICE></think>", "", "<CHOICE>A</CHOICE>"},
      {"a <thinker> b < think", "", "a <thinker> b < think"},
      {"<think></think>", "", ""},
  };
  for (const Case& c : cases) {
    const auto split = split_thinking(c.reply).value;
    EXPECT_EQ(split.thinking, c.thinking) << c.reply;
    EXPECT_EQ(split.answer, c.answer) << c.reply;
    EXPECT_FALSE(split.unclosed) << c.reply;
  }
}

TEST(SplitThinking, LooksForTheAnswerInsideThinkingThatIsNeverClosed) {
  const auto split = split_thinking("<think>two hands, so \\boxed{{\"Whether Normal\": true}}");
  EXPECT_TRUE(split.value.unclosed);
  EXPECT_EQ(split.value.answer, split.value.thinking);
  EXPECT_TRUE(mentions(split.tolerated, "never closed"));
}

TEST(SplitThinking, TakesAStoppedModelAtItsWord) {
  const auto split = split_thinking("Let me see. <think>maybe <CHOICE>A", UnclosedThinking::kIsThinking);
  EXPECT_EQ(split.value.answer, "Let me see.");
  EXPECT_EQ(split.value.thinking, "maybe <CHOICE>A");
  EXPECT_TRUE(split.value.unclosed);
}

TEST(SplitThinking, SaysNothingIsLeftOnceSplit) {
  for (std::string_view reply : {"<think>a</think>b", "a</think>b</think>c", "<think>x", "no tags at all"}) {
    const std::string answer = split_thinking(reply).value.answer;
    EXPECT_EQ(split_thinking(answer).value.answer, answer);
  }
}

TEST(SplitThinking, StaysLinearOnTagFloods) {
  for (std::string_view piece : {"<think>", "</think>", "<", "<think></think>", "a</think>"}) {
    const std::string flood = repeated(piece, 1 << 20);
    EXPECT_LT(seconds([&] { split_thinking(flood); }), 2.0) << piece;
    const std::string trailing = flood + std::string(1 << 19, ' ');
    EXPECT_LT(seconds([&] { split_thinking(trailing); }), 2.0) << piece;
  }
}

}  // namespace
}  // namespace awry::parse
