// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/tgad/text_prompts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace awry::benchmarks::tgad {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

const TextPrompt& find(const std::vector<TextPrompt>& prompts, std::string_view of,
                       std::string_view variant) {
  return *std::find_if(prompts.begin(), prompts.end(),
                       [&](const TextPrompt& p) { return p.of == of && p.variant == variant; });
}

TEST(TextPrompts, NoTwoHaveTheSameNameAndNoneIsEmpty) {
  std::set<std::string> names;
  const std::vector<TextPrompt> prompts = text_prompts().value();
  for (const TextPrompt& prompt : prompts) {
    EXPECT_TRUE(names.insert(std::to_string(prompt.scenario) + prompt.of + "/" + prompt.variant).second);
    EXPECT_FALSE(prompt.text.empty() && prompt.keyword.empty());
    EXPECT_EQ(prompt.focus.empty(), prompt.contrast.empty());
  }
}

TEST(TextPrompts, FirstScenarioVariesTheWordsForFifteenClasses) {
  std::map<std::string, std::set<std::string>> variants;
  const auto prompts = text_prompts(1).value();
  for (const TextPrompt& prompt : prompts) variants[prompt.of].insert(prompt.variant);
  EXPECT_EQ(variants.size(), 15u);
  for (const auto& [name, of_class] : variants) EXPECT_EQ(of_class.size(), 5u + 3u) << name;
  EXPECT_THAT(find(prompts, "leather", "no-normality").text, Not(HasSubstr("brown")));
  EXPECT_THAT(find(prompts, "leather", "no-anomaly").text, Not(HasSubstr("scratch")));
  EXPECT_THAT(find(prompts, "leather", "minimal").text, Not(HasSubstr("leather")));
}

TEST(TextPrompts, SecondScenarioHasTheFortyTwoSubclassesAndSplitsTheirParts) {
  std::map<std::size_t, int> by_parts;
  const auto prompts = text_prompts(2).value();
  for (const TextPrompt& prompt : prompts) {
    if (prompt.variant != "keywords") continue;
    ++by_parts[prompt.focus.size()];
    for (const std::string& part : prompt.focus) EXPECT_THAT(prompt.contrast, Not(::testing::Contains(part)));
  }
  EXPECT_EQ(by_parts, (std::map<std::size_t, int>{{1, 24}, {2, 16}, {3, 2}}));
  EXPECT_THAT(find(prompts, "capsule1_capsule3", "keywords").contrast,
              ElementsAre("black gelatin capsule", "background"));
  EXPECT_THAT(find(prompts, "screw2", "instruction-2").text, HasSubstr("screw head"));
}

TEST(TextPrompts, ThirdScenarioNamesFourteenErrors) {
  const auto prompts = text_prompts(3).value();
  EXPECT_EQ(
      std::count_if(prompts.begin(), prompts.end(), [](const auto& p) { return p.variant == "per-error"; }),
      14);
  EXPECT_THAT(find(prompts, "A12", "per-error").keyword, HasSubstr("red protective cap"));
}

}  // namespace
}  // namespace awry::benchmarks::tgad
