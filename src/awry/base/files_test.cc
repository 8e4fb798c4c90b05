// SPDX-License-Identifier: Apache-2.0
#include "awry/base/files.h"

#include <gmock/gmock.h>

namespace awry {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

TEST(ReadFile, GivesBackExactlyWhatWasWritten) {
  const TemporaryFolder folder;
  const std::string bytes("a\0b\r\n\xFF", 6);
  ASSERT_TRUE(write_file(folder.path() / "x", bytes));
  EXPECT_EQ(read_file(folder.path() / "x"), bytes);
}

TEST(ReadFile, ReadsFilesWhoseSizeIsNotKnownInAdvance) {
  const auto text = read_file("/proc/self/status");
  ASSERT_TRUE(text);
  EXPECT_THAT(*text, HasSubstr("Name:"));
}

TEST(ReadFile, SaysWhyItCannot) {
  const TemporaryFolder folder;
  EXPECT_EQ(read_file(folder.path() / "absent").error().kind, ErrorKind::kNotFound);
  EXPECT_THAT(read_file(folder.path()).error().message(), HasSubstr("folder"));
  ASSERT_TRUE(write_file(folder.path() / "big", std::string(11, 'x')));
  EXPECT_EQ(read_file(folder.path() / "big", 10).error().kind, ErrorKind::kLimit);
  EXPECT_EQ(read_file("/dev/zero", 1000).error().kind, ErrorKind::kLimit) << "endless files end too";
}

TEST(WriteFile, ReplacesWholeAndLeavesNoLitter) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder.path() / "x", "old"));
  ASSERT_TRUE(write_file(folder.path() / "x", "new"));
  EXPECT_EQ(read_file(folder.path() / "x"), "new");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1);
  EXPECT_FALSE(write_file(folder.path() / "no" / "such" / "folder", "x"));
}

TEST(MakeFolder, NamesAFileInTheWay) {
  const TemporaryFolder folder;
  ASSERT_TRUE(make_folder(folder.path() / "a" / "b"));
  ASSERT_TRUE(make_folder(folder.path() / "a" / "b")) << "already there is fine";
  ASSERT_TRUE(write_file(folder.path() / "f", ""));
  EXPECT_THAT(make_folder(folder.path() / "f").error().message(), HasSubstr("in the way"));
}

TEST(TemporaryFolder, GoesWithEverythingInIt) {
  fs::path path;
  {
    const TemporaryFolder folder;
    path = folder.path();
    ASSERT_TRUE(make_folder(path / "deep" / "down"));
  }
  EXPECT_FALSE(fs::exists(path));
}

}  // namespace
}  // namespace awry
