// SPDX-License-Identifier: Apache-2.0
#include "awry/input/image_files.h"

#include <gmock/gmock.h>

#include "awry/base/files.h"

namespace awry::input {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> names(const std::vector<Sample>& samples) {
  std::vector<std::string> result;
  for (const Sample& sample : samples) {
    result.push_back(std::filesystem::path(sample.images.at(0).path).filename().string());
  }
  return result;
}

TEST(SamplesOfImageFiles, SearchesFoldersForImageNamesInSortedOrder) {
  const TemporaryFolder folder;
  ASSERT_TRUE(make_folder(folder.path() / "sub"));
  for (const char* name : {"b.png", "a.JPG", "notes.txt", "sub/ü.tiff", "c.webp.bak"}) {
    ASSERT_TRUE(write_file(folder.path() / name, "x"));
  }
  const std::string path = folder.path().string();
  const auto samples = samples_of_image_files({&path, 1});
  ASSERT_TRUE(samples);
  EXPECT_THAT(names(*samples), ElementsAre("a.JPG", "b.png", "ü.tiff"));
}

TEST(SamplesOfImageFiles, LeavesOutTheContactSheetOfPaintedPanelsOnly) {
  const TemporaryFolder folder;
  ASSERT_TRUE(make_folder(folder.path() / "mine"));
  for (const char* name : {"chart_001.png", "contact.png", "panels.jsonl", "mine/contact.png"}) {
    ASSERT_TRUE(write_file(folder.path() / name, "x"));
  }
  const std::string path = folder.path().string();
  const auto samples = samples_of_image_files({&path, 1});
  ASSERT_TRUE(samples);
  EXPECT_THAT(names(*samples), ElementsAre("chart_001.png", "contact.png"));
  EXPECT_THAT(samples->at(1).id, HasSubstr("mine"));
}

TEST(SamplesOfImageFiles, TakesANamedFileWhateverItsNameAndOnlyOnce) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "scan.dat").string();
  ASSERT_TRUE(write_file(file, "x"));
  const std::vector<std::string> paths = {file, folder.path().string() + "/./scan.dat"};
  const auto samples = samples_of_image_files(paths);
  ASSERT_TRUE(samples);
  EXPECT_EQ(samples->size(), 1U);
}

TEST(SamplesOfImageFiles, NamesThePathThatDoesNotExist) {
  const std::string path = "no/such/place";
  const auto samples = samples_of_image_files({&path, 1});
  ASSERT_FALSE(samples);
  EXPECT_EQ(samples.error().kind, ErrorKind::kNotFound);
  EXPECT_THAT(samples.error().message(), HasSubstr("no/such/place"));
}

TEST(SamplesOfImageFiles, AnEmptyFolderIsAnErrorNotAnEmptyResult) {
  const TemporaryFolder folder;
  const std::string path = folder.path().string();
  EXPECT_FALSE(samples_of_image_files({&path, 1}));
}

}  // namespace
}  // namespace awry::input
