// SPDX-License-Identifier: Apache-2.0
#include "awry/forge/themis_set.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "awry/base/files.h"
#include "awry/base/hash.h"
#include "awry/base/json.h"
#include "awry/imaging/block_grid.h"
#include "awry/imaging/decode.h"
#include "awry/imaging/mask.h"

namespace awry::forge {
namespace {

namespace fs = std::filesystem;

ThemisSetOptions small_set() {
  return {.seed = 5,
          .splicing = 1,
          .copy_move = 1,
          .authentic = 1,
          .global_duplicates = 1,
          .local_duplicates = 1,
          .unrelated_pairs = 1,
          .panel_side = 128,
          .kinds = {PanelKind::kMicrograph}};
}

std::map<std::string, std::string> contents_of(const fs::path& folder) {
  std::map<std::string, std::string> contents;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) contents[entry.path().lexically_relative(folder)] = *read_file(entry.path());
  }
  return contents;
}

// Forged once for all tests that only look.
class ForgedSet : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TemporaryFolder;
    const auto set = forge_themis_set(path(), small_set());
    ASSERT_TRUE(set) << set.error().message();
    EXPECT_EQ(set->forgery_questions, 3);
    EXPECT_EQ(set->duplication_questions, 3);
    EXPECT_FALSE(set->already_there);
  }
  static void TearDownTestSuite() { delete folder_; }
  static fs::path path() { return folder_->path() / "set"; }
  static Json questions(const char* file) { return (*read_json_file(path() / file))["question"]; }

  static TemporaryFolder* folder_;
};
TemporaryFolder* ForgedSet::folder_ = nullptr;

TEST_F(ForgedSet, HasTheFieldsOfTheReleaseInTheirOrder) {
  const std::vector<std::string> fields = {
      "question_id", "issue",        "sub_issues", "has_issue",    "ground_truth", "paper_ids", "panel_ids",
      "panel_paths", "mask_indices", "mask_path",  "mask_caption", "num_blocks",   "scenario"};
  for (const char* file : {"forgery.json", "duplication.json"}) {
    for (const Json& question : questions(file)) {
      std::vector<std::string> found;
      for (const auto& [name, value] : question.items()) found.push_back(name);
      EXPECT_EQ(found, fields);
      EXPECT_TRUE(question["paper_ids"].is_array());
      EXPECT_EQ(question["scenario"], "Micrograph");
    }
  }
}

TEST_F(ForgedSet, StatesEachTruthInTheWordsOfTheRelease) {
  const Json forgery = questions("forgery.json");
  ASSERT_EQ(forgery.size(), 3);
  EXPECT_EQ(forgery[0]["sub_issues"], Json::array({"splicing"}));
  EXPECT_EQ(forgery[0]["ground_truth"], Json::array({"A"}));
  EXPECT_EQ(forgery[1]["sub_issues"], Json::array({"copy-move"}));
  EXPECT_EQ(forgery[1]["ground_truth"], Json::array({"B"}));
  EXPECT_EQ(forgery[2]["sub_issues"], Json::array());
  EXPECT_EQ(forgery[2]["ground_truth"], Json::array({"D"}));
  EXPECT_EQ(forgery[2]["has_issue"], false);
  const std::map<std::string, std::string> names = {
      {"A", "direct"}, {"B", "scaling"}, {"C", "rotated"}, {"D", "flipped"}, {"E", "parameter-modified"}};
  const Json duplication = questions("duplication.json");
  ASSERT_EQ(duplication.size(), 3);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(duplication[i]["has_issue"], true);
    ASSERT_EQ(duplication[i]["sub_issues"].size(), duplication[i]["ground_truth"].size());
    for (std::size_t k = 0; k < duplication[i]["sub_issues"].size(); ++k)
      EXPECT_EQ(duplication[i]["sub_issues"][k], names.at(duplication[i]["ground_truth"][k]));
  }
  EXPECT_EQ(duplication[2]["ground_truth"], Json::array({"F"}));
  EXPECT_NE(duplication[0]["panel_paths"][0].get<std::string>().find("/global/"), std::string::npos);
  EXPECT_NE(duplication[1]["panel_paths"][0].get<std::string>().find("/partial/"), std::string::npos);
}

TEST_F(ForgedSet, HasBlocksThatFollowFromTheMaskOnDisk) {
  for (const Json& question : questions("forgery.json")) {
    const std::string caption = question["mask_caption"];
    const std::size_t row = caption.find("-row"), column = caption.find("-column");
    ASSERT_TRUE(row != std::string::npos && column != std::string::npos);
    const imaging::BlockGrid grid{caption[row - 1] - '0', caption[column - 1] - '0'};
    EXPECT_EQ(question["num_blocks"], grid.rows * grid.columns);
    const std::string mask_path = question["mask_path"];
    if (question["has_issue"] == false) {
      EXPECT_TRUE(mask_path.empty());
      EXPECT_TRUE(question["mask_indices"].empty());
      continue;
    }
    const auto mask = imaging::read_bitmap(path() / mask_path);
    ASSERT_TRUE(mask) << mask.error().message();
    const auto panel = imaging::read_image(path() / question["panel_paths"][0].get<std::string>());
    ASSERT_TRUE(panel);
    EXPECT_EQ(panel->width, mask->width);
    EXPECT_EQ(panel->height, mask->height);
    EXPECT_EQ(question["mask_indices"].get<std::vector<int>>(), blocks_from_bitmap(*mask, grid)->blocks);
    EXPECT_FALSE(question["mask_indices"].empty());
  }
}

TEST_F(ForgedSet, DescribesEveryQuestionAndHashesEveryFile) {
  const Json metadata = *read_json_file(path() / "metadata.json");
  EXPECT_EQ(metadata["finished"], true);
  EXPECT_EQ(metadata["options"]["seed"], 5);
  std::set<std::string> described = {"metadata.json"};
  for (const auto& [name, hash] : metadata["files"].items()) described.insert(name);
  ASSERT_EQ(metadata["items"].size(), 6);
  for (const Json& item : metadata["items"]) {
    EXPECT_FALSE(item["sources"].empty());
    for (const auto& [name, hash] : item["files"].items()) {
      described.insert(name);
      EXPECT_EQ(hash, *sha256_hex_of_file(path() / name));
    }
    const bool authentic = item["category"].get<std::string>().find("authentic") != std::string::npos;
    EXPECT_EQ(item.contains("transform"), !authentic);
    EXPECT_EQ(item["operations"].empty(), authentic);
  }
  std::set<std::string> there;
  for (const auto& [name, content] : contents_of(path())) there.insert(name);
  EXPECT_EQ(described, there);
}

TEST_F(ForgedSet, IsTheSameWhateverTheNumberOfThreads) {
  const TemporaryFolder other;
  ThemisSetOptions options = small_set();
  options.threads = 3;
  std::size_t told = 0;
  options.on_item = [&](std::size_t done, std::size_t total) {
    EXPECT_EQ(done, ++told);
    EXPECT_EQ(total, 6);
  };
  ASSERT_TRUE(forge_themis_set(other.path() / "set", options));
  EXPECT_EQ(told, 6);
  EXPECT_EQ(contents_of(path()), contents_of(other.path() / "set"));
}

TEST_F(ForgedSet, IsLeftAloneWhenFinishedAndRestoredWhenAFileIsMissing) {
  const auto before = contents_of(path());
  const auto again = forge_themis_set(path(), small_set());
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_TRUE(again->already_there);
  EXPECT_EQ(again->forgery_questions, 3);

  fs::remove(path() / "forgery.json");
  const auto restored = forge_themis_set(path(), small_set());
  ASSERT_TRUE(restored) << restored.error().message();
  EXPECT_FALSE(restored->already_there);
  EXPECT_EQ(contents_of(path()), before);
}

TEST_F(ForgedSet, RefusesOtherOptionsAndNamesTheDifference) {
  const auto before = contents_of(path());
  ThemisSetOptions options = small_set();
  options.copy_move = 2;
  const auto set = forge_themis_set(path(), options);
  ASSERT_FALSE(set);
  EXPECT_NE(set.error().message().find("copy_move is 1, not 2"), std::string::npos) << set.error().message();
  EXPECT_EQ(contents_of(path()), before);
}

TEST_F(ForgedSet, RefusesToOverwriteAFileThatWasChanged) {
  const fs::path panel = path() / "forgery/authentic/panel/forgery_3.png";
  const std::string original = *read_file(panel);
  ASSERT_TRUE(write_file(panel, "mine"));
  const auto set = forge_themis_set(path(), small_set());
  ASSERT_FALSE(set);
  EXPECT_NE(set.error().message().find("forgery_3.png"), std::string::npos);
  EXPECT_EQ(*read_file(panel), "mine");
  ASSERT_TRUE(write_file(panel, original));
}

TEST_F(ForgedSet, RefusesDamagedMetadata) {
  const std::string original = *read_file(path() / "metadata.json");
  for (const char* field : {"items", "files", "finished"}) {
    Json metadata = *parse_json(original, "metadata");
    metadata[field] = Json::array({3});
    ASSERT_TRUE(write_json_file(path() / "metadata.json", metadata));
    EXPECT_FALSE(forge_themis_set(path(), small_set())) << field;
  }
  ASSERT_TRUE(write_file(path() / "metadata.json", original));
}

TEST(ForgeThemisSet, GoesOnAfterBeingStopped) {
  const TemporaryFolder folder;
  ThemisSetOptions options = small_set();
  options.local_duplicates = options.global_duplicates = options.splicing = 0;
  CancelToken cancel;
  options.cancel = &cancel;
  options.on_item = [&](std::size_t, std::size_t) { cancel.request(); };
  const auto stopped = forge_themis_set(folder.path(), options);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().kind, ErrorKind::kCancelled);
  EXPECT_FALSE(fs::exists(folder.path() / "forgery.json"));

  options.cancel = nullptr;
  options.on_item = nullptr;
  const auto set = forge_themis_set(folder.path(), options);
  ASSERT_TRUE(set) << set.error().message();
  EXPECT_FALSE(set->already_there);
  EXPECT_TRUE(fs::exists(folder.path() / "forgery.json"));
}

// Between the letters of a table there is nothing to splice.
TEST(ForgeThemisSet, LeavesOutWhatNoSourceAllowsAndSaysWhy) {
  const TemporaryFolder folder;
  ThemisSetOptions options{.splicing = 1,
                           .copy_move = 0,
                           .authentic = 1,
                           .global_duplicates = 0,
                           .local_duplicates = 0,
                           .unrelated_pairs = 0,
                           .panel_side = 128,
                           .kinds = {PanelKind::kTable},
                           .datasheet = true};
  const auto set = forge_themis_set(folder.path() / "set", options);
  ASSERT_TRUE(set) << set.error().message();
  EXPECT_EQ(set->unforgeable, 1);
  EXPECT_EQ(set->left_out, 0);
  EXPECT_EQ(set->forgery_questions, 1);
  const Json metadata = *read_json_file(folder.path() / "set/metadata.json");
  ASSERT_EQ(metadata["left_out"].size(), 1);
  EXPECT_EQ(metadata["left_out"][0]["question_id"], "forgery_1");
  EXPECT_NE(metadata["left_out"][0]["why"].get<std::string>().find("candidate objects"), std::string::npos);
  EXPECT_NE(read_file(folder.path() / "set/datasheet.html")->find("no source allowed it"), std::string::npos);
  ASSERT_TRUE(replay_set(folder.path() / "set/metadata.json", folder.path() / "again"));
  EXPECT_EQ(forge_themis_set(folder.path() / "set", options)->unforgeable,
            1);  // once more, from its metadata

  options.authentic = 0;
  const auto empty = forge_themis_set(folder.path() / "empty", options);
  ASSERT_FALSE(empty);
  EXPECT_NE(empty.error().message().find("no source allowed any of 1 questions"), std::string::npos);
}

TEST(ForgeThemisSet, RefusesFoldersThatHoldSomethingElse) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder.path() / "thesis.tex", "years of work"));
  EXPECT_FALSE(forge_themis_set(folder.path(), small_set()));
  EXPECT_FALSE(forge_themis_set(folder.path() / "thesis.tex", small_set()));
  for (const char* text : {"", "[]", "{\"made_by\": 3}", "{\"made_by\": \"somebody\"}", "{\"made_by\""}) {
    ASSERT_TRUE(write_file(folder.path() / "metadata.json", text));
    EXPECT_FALSE(forge_themis_set(folder.path(), small_set())) << text;
    EXPECT_EQ(*read_file(folder.path() / "metadata.json"), text);
  }
}

TEST(ForgeThemisSet, RefusesImpossibleOptionsBeforeTouchingTheFolder) {
  const TemporaryFolder folder;
  const auto refused = [&](auto change) {
    ThemisSetOptions options = small_set();
    change(options);
    const auto set = forge_themis_set(folder.path() / "set", options);
    return !set && set.error().kind == ErrorKind::kUsage && !fs::exists(folder.path() / "set");
  };
  EXPECT_TRUE(refused([](ThemisSetOptions& o) { o.panel_side = 127; }));
  EXPECT_TRUE(refused([](ThemisSetOptions& o) { o.panel_side = 1 << 20; }));
  EXPECT_TRUE(refused([](ThemisSetOptions& o) { o.splicing = -1; }));
  EXPECT_TRUE(refused([](ThemisSetOptions& o) { o.authentic = 2'000'000'000; }));
  EXPECT_TRUE(refused([](ThemisSetOptions& o) { o.kinds.clear(); }));
  EXPECT_TRUE(refused([](ThemisSetOptions& o) { o.threads = 0; }));
  EXPECT_TRUE(refused([](ThemisSetOptions& o) {
    o.splicing = o.copy_move = o.authentic = 0;
    o.global_duplicates = o.local_duplicates = o.unrelated_pairs = 0;
  }));
}

}  // namespace
}  // namespace awry::forge
