// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/prompts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "awry/base/files.h"

namespace awry::benchmarks {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

class OwnPrompts : public ::testing::Test {
 protected:
  void write(const std::string& name, std::string_view text) {
    value_or_throw(write_file(folder_.path() / name, text));
  }
  Prompts open() { return value_or_throw(Prompts::open("cave", folder_.path().string())); }
  TemporaryFolder folder_;
};

TEST(PromptFiles, AreAllListedAndAllThere) {
  std::set<std::string> listed, present;
  for (const Protocol* protocol : all_protocols()) {
    for (const std::string_view name : prompt_names(protocol->name)) {
      const std::string folder = protocol->name == "magicbench" ? "magicmirror" : std::string(protocol->name);
      listed.insert(folder + "/" + std::string(name));
    }
  }
  for (const fs::directory_entry& folder : fs::directory_iterator(AWRY_MODULE_DIR)) {
    if (!fs::is_directory(folder.path() / "prompts")) continue;
    for (const fs::directory_entry& file : fs::directory_iterator(folder.path() / "prompts")) {
      present.insert(folder.path().filename().string() + "/" + file.path().filename().string());
    }
  }
  EXPECT_EQ(listed, present);
}

TEST_F(OwnPrompts, ReplaceOursByNameAndLeaveTheRest) {
  write("ae.txt", "Why? {description} {\"a\": {}}");
  EXPECT_EQ(open().fill("ae.txt", {{"description", "a {hat} {description}"}}).value(),
            "Why? a {hat} {description} {\"a\": {}}");
  EXPECT_THAT(open().fill("ad.cot.txt", {}).value(), HasSubstr("step by step"));
}

TEST_F(OwnPrompts, ErrorsNameTheFileAndTheGap) {
  write("ae.txt", "Why? {nonsense}");
  EXPECT_THAT(open().fill("ae.txt", {{"description", "x"}}).error().message(),
              AllOf(HasSubstr((folder_.path() / "ae.txt").string()), HasSubstr("{nonsense}"),
                    HasSubstr("description")));
  write("ae.txt", "Why?");
  EXPECT_THAT(open().fill("ae.txt", {{"description", "x"}}, {"description"}).error().message(),
              AllOf(HasSubstr("ae.txt"), HasSubstr("lacks the gap '{description}'")));
  EXPECT_TRUE(open().fill("ae.txt", {{"description", ""}}, {"description"}).has_value());  // nothing to say
  EXPECT_FALSE(open().fill("none.txt", {}).has_value());
}

TEST_F(OwnPrompts, AMisspeltNameIsNoticed) {
  write("notes.md", "anything");
  write("smf_il.txt", "of another protocol");
  EXPECT_TRUE(Prompts::open("cave", folder_.path().string()).has_value());
  write("ad.jugde.txt", "x");
  EXPECT_THAT(Prompts::open("cave", folder_.path().string()).error().message(),
              AllOf(HasSubstr("ad.jugde.txt"), HasSubstr("ad.judge.txt")));
  EXPECT_THAT(Prompts::open("cave", (folder_.path() / "none").string()).error().message(), HasSubstr("none"));
}

TEST_F(OwnPrompts, TheHashChangesWithTheWordingOfThatProtocolOnly) {
  const ProtocolOptions own = {{"prompts", folder_.path().string()}};
  const auto hash = [](std::string_view protocol, const ProtocolOptions& options) {
    return prompts_hash(*find_protocol(protocol), options).value();
  };
  EXPECT_EQ(hash("cave", own), hash("cave", {}));
  write("ae.txt", "Why? {description}");
  EXPECT_NE(hash("cave", own), hash("cave", {}));
  EXPECT_EQ(hash("themis", own), hash("themis", {}));
  EXPECT_EQ(hash("magicbench", {}), hash("magicmirror", {}));
  EXPECT_EQ(hash("tgad", {}), "");
}

}  // namespace
}  // namespace awry::benchmarks
