// SPDX-License-Identifier: Apache-2.0
#include "awry/pipeline/inspection_journal.h"

#include <gtest/gtest.h>

#include "awry/base/files.h"

namespace awry::pipeline {
namespace {

inspectors::Inspection something() {
  return {.findings = {{.where = Box{1, 2, 3, 4}, .type = "copy_move", .false_alarms = 1e-9}},
          .undecided = {"splicing"}};
}

TEST(InspectionJournal, GivesBackWhatWasAppendedBeforeItWasOpened) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "journal.jsonl";
  auto journal = InspectionJournal::open(file);
  ASSERT_TRUE(journal);
  EXPECT_FALSE((*journal)->find("a"));
  ASSERT_TRUE((*journal)->append("a", something()));
  ASSERT_TRUE((*journal)->append("b", {}));
  auto again = InspectionJournal::open(file);
  ASSERT_TRUE(again);
  ASSERT_TRUE((*again)->find("a"));
  EXPECT_EQ((*again)->find("a")->findings, something().findings);
  EXPECT_EQ((*again)->find("a")->undecided, something().undecided);
  ASSERT_TRUE((*again)->find("b"));
  EXPECT_TRUE((*again)->find("b")->findings.empty());
}

TEST(InspectionJournal, SkipsALineThatWasCutOffAndKeepsTheNext) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "journal.jsonl";
  ASSERT_TRUE(write_file(file, "{\"key\":\"a\",\"findings\":[]}\n[1]\n\n{\"key\":\"b\",\"findi"));
  auto journal = InspectionJournal::open(file);
  ASSERT_TRUE(journal);
  EXPECT_EQ((*journal)->size(), 1u);
  ASSERT_TRUE((*journal)->append("c", something()));
  auto again = InspectionJournal::open(file);
  ASSERT_TRUE(again);
  EXPECT_TRUE((*again)->find("a"));
  EXPECT_FALSE((*again)->find("b"));
  EXPECT_TRUE((*again)->find("c"));
}

TEST(InspectionJournal, WithoutAFileKeepsNothing) {
  InspectionJournal journal;
  EXPECT_TRUE(journal.append("a", something()));
  EXPECT_FALSE(journal.find("a"));
}

}  // namespace
}  // namespace awry::pipeline
