// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/magicmirror/bench_prompts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "awry/base/files.h"
#include "awry/benchmarks/magicmirror/magicmirror.h"

namespace awry::benchmarks::magicmirror {
namespace {

using ::testing::HasSubstr;

TEST(BenchPrompts, AHundredOfEachClassNoTwoAlike) {
  std::map<std::string, int> by_class;
  std::set<std::string> texts;
  const std::vector<BenchPrompt> prompts = make_bench_prompts({}).value();
  for (const BenchPrompt& prompt : prompts) {
    ++by_class[prompt.detail_class];
    EXPECT_TRUE(texts.insert(prompt.prompt).second) << prompt.prompt;
    EXPECT_THAT(prompt.prompt, HasSubstr("'" + prompt.subject + "'"));
    EXPECT_EQ(prompt.prompt.find('{'), std::string::npos);
  }
  EXPECT_EQ(by_class.size(), 8u);
  for (const auto& [name, count] : by_class) EXPECT_EQ(count, 100) << name;
}

TEST(BenchPrompts, DependOnTheSeedAndNotOnWhatElseIsMade) {
  const auto lines = [](const BenchPromptOptions& options) {
    return bench_prompt_lines(make_bench_prompts(options).value());
  };
  const std::string few = lines({.per_class = 5, .seed = 3, .classes = {"animal_multi"}});
  EXPECT_EQ(few, lines({.per_class = 5, .seed = 3, .classes = {"animal_multi"}}));
  EXPECT_NE(few, lines({.per_class = 5, .seed = 4, .classes = {"animal_multi"}}));
  EXPECT_THAT(lines({.per_class = 9, .seed = 3}), HasSubstr(few));
}

TEST(BenchPrompts, AreReadAsADataset) {
  TemporaryFolder folder;
  const auto path = folder.path() / "prompts.jsonl";
  ASSERT_TRUE(write_file(path, bench_prompt_lines(make_bench_prompts({.per_class = 3}).value())));
  const auto dataset = kMagicBench.read_samples(path, {});
  ASSERT_TRUE(dataset) << dataset.error().message();
  EXPECT_EQ(dataset->samples.size(), 24u);
}

TEST(BenchPrompts, NonsenseIsRefused) {
  EXPECT_FALSE(make_bench_prompts({.per_class = 0}));
  EXPECT_FALSE(make_bench_prompts({.per_class = 1'000'000}));
  EXPECT_THAT(make_bench_prompts({.classes = {"robot_single"}}).error().message(), HasSubstr("human_single"));
  EXPECT_EQ(make_bench_prompts({.per_class = 5000, .classes = {"object_multi"}}).value().size(), 5000u);
}

}  // namespace
}  // namespace awry::benchmarks::magicmirror
