// SPDX-License-Identifier: Apache-2.0
#include "awry/forge/source_pool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>

#include "awry/base/files.h"
#include "awry/base/json.h"
#include "awry/forge/set_folder.h"
#include "awry/forge/themis_set.h"
#include "awry/imaging/encode.h"

namespace awry::forge {
namespace {

namespace fs = std::filesystem;

// Six different pictures, one of them also mirrored, and four that cannot be used: too small, of one colour,
// a strip, and none at all.
class PoolOfPictures : public testing::Test {
 protected:
  void SetUp() override {
    for (int i = 0; i < 6; ++i) {
      const auto panel =
          paint_panel(PanelKind::kStainedMicrograph, 400, 360, RandomStream(static_cast<std::uint64_t>(i)));
      add("stained_micrograph/" + std::to_string(i) + ".png", panel->image);
      if (i > 0) continue;
      imaging::Image mirrored = panel->image;
      for (int y = 0; y < mirrored.height; ++y) {
        for (int x = 0; x < mirrored.width; ++x)
          std::copy_n(panel->image.at(mirrored.width - 1 - x, y), 3, mirrored.at(x, y));
      }
      add("stained_micrograph/mirrored.png", mirrored);
    }
    add("small.png", imaging::Image(40, 400, 3, 90));
    add("blank.png", imaging::Image(400, 400, 3, 90));
    add("long.png", imaging::Image(1200, 200, 3, 90));
    ASSERT_TRUE(write_file(folder_.path() / "none.png", "no picture"));
    files_.push_back(folder_.path() / "none.png");
  }
  void add(const std::string& name, const imaging::Image& image) {
    ASSERT_TRUE(make_folder((folder_.path() / name).parent_path()));
    ASSERT_TRUE(imaging::write_image(folder_.path() / name, image));
    files_.push_back(folder_.path() / name);
  }
  SourcePool pool() {
    auto pool = SourcePool::open(folder_.path(), files_);
    EXPECT_TRUE(pool) << pool.error().message();
    return std::move(*pool);
  }

  TemporaryFolder folder_;
  std::vector<fs::path> files_;
};

TEST_F(PoolOfPictures, GroupsNearDuplicatesAndCountsWhatItLeavesOut) {
  const SourcePool pool = this->pool();
  EXPECT_EQ(pool.images().size(), 7);
  EXPECT_EQ(pool.groups(), 6);
  EXPECT_EQ(pool.left_out(), (std::map<std::string, std::vector<std::string>>{{"blank", {"blank.png"}},
                                                                              {"too_long", {"long.png"}},
                                                                              {"too_small", {"small.png"}},
                                                                              {"unreadable", {"none.png"}}}));
  EXPECT_EQ(pool.images()[0].group, pool.images()[1].group);
  EXPECT_EQ(pool.images()[0].scenario, "Stained Micrograph");
  EXPECT_EQ(pool.pairs().size(), 7 * 6 / 2 - 1);
}

TEST_F(PoolOfPictures, KeepsTogetherWhatItIsToldBelongsTogether) {
  SourcePoolOptions options;
  options.related = {{files_[2], files_[4]}, {files_[4], files_[5]}, {files_[0], "elsewhere.png"}};
  const auto pool = SourcePool::open(folder_.path(), files_, options);
  ASSERT_TRUE(pool);
  EXPECT_EQ(pool->groups(), 4);
  EXPECT_EQ(pool->images()[2].group, pool->images()[5].group);
}

TEST_F(PoolOfPictures, SplitsWithoutSharingAPictureOrANearDuplicate) {
  const SourcePool pool = this->pool();
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const auto parts = pool.split(std::array{0.6, 0.4}, RandomStream(seed));
    ASSERT_EQ(parts.size(), 2);
    EXPECT_EQ(parts[0].images().size() + parts[1].images().size(), 7);
    std::set<int> first;
    for (const PoolImage& image : parts[0].images()) first.insert(image.group);
    for (const PoolImage& image : parts[1].images()) EXPECT_FALSE(first.contains(image.group));
  }
}

TEST_F(PoolOfPictures, GivesSetsThatReplayToTheSameBytes) {
  const SourcePool pool = this->pool();
  ThemisSetOptions options{.seed = 4,
                           .splicing = 2,
                           .copy_move = 1,
                           .authentic = 1,
                           .global_duplicates = 2,
                           .local_duplicates = 1,
                           .unrelated_pairs = 1,
                           .panel_side = 200,
                           .released_mix = true,
                           .datasheet = true,
                           .pool = &pool,
                           .threads = 2};
  const auto set = forge_themis_set(folder_.path() / "set", options);
  ASSERT_TRUE(set) << set.error().message();
  const Json metadata = *read_json_file(folder_.path() / "set/metadata.json");
  for (const Json& item : metadata["items"]) {
    for (const Json& source : item["sources"]) EXPECT_EQ(source["sha256"].get<std::string>().size(), 64);
  }
  const auto replayed =
      replay_set(folder_.path() / "set/metadata.json", folder_.path() / "again", {.pool = &pool});
  ASSERT_TRUE(replayed) << replayed.error().message();
  EXPECT_GT(replayed->files, 15);
  EXPECT_FALSE(
      replay_set(folder_.path() / "set/metadata.json", folder_.path() / "third"));  // without its pictures
}

TEST_F(PoolOfPictures, GivesReplaysTheGroupsOfTheSetAndNamesWhatIsGoneOrHasChanged) {
  SourcePoolOptions related;
  related.related = {{files_[2], files_[4]}};
  const SourcePool pool = *SourcePool::open(folder_.path(), files_, related);
  ThemisSetOptions options{.splicing = 2,
                           .copy_move = 0,
                           .authentic = 0,
                           .global_duplicates = 0,
                           .local_duplicates = 0,
                           .unrelated_pairs = 6,
                           .panel_side = 200,
                           .pool = &pool};
  const fs::path set = folder_.path() / "set", metadata = set / "metadata.json";
  ASSERT_TRUE(forge_themis_set(set, options));
  // One more picture, and nobody says what is related.
  add("stained_micrograph/0a.png",
      paint_panel(PanelKind::kStainedMicrograph, 400, 360, RandomStream(77))->image);
  std::ranges::sort(files_);
  const SourcePool more = this->pool();
  const auto replayed = replay_set(metadata, folder_.path() / "again", {.pool = &more});
  ASSERT_TRUE(replayed) << replayed.error().message();
  EXPECT_FALSE(replayed->already_there);
  EXPECT_TRUE(replay_set(metadata, folder_.path() / "again", {.pool = &more})->already_there);

  imaging::Image edited = paint_panel(PanelKind::kStainedMicrograph, 400, 360, RandomStream(3))->image;
  edited.at(5, 5)[0] ^= 1;
  ASSERT_TRUE(imaging::write_image(folder_.path() / "stained_micrograph/3.png", edited));
  const SourcePool changed = this->pool();
  const auto refused = replay_set(metadata, folder_.path() / "third", {.pool = &changed});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message().find("stained_micrograph/3.png"), std::string::npos);
  EXPECT_NE(refused.error().message().find("has changed"), std::string::npos);
  EXPECT_FALSE(fs::exists(folder_.path() / "third"));

  std::erase(files_, folder_.path() / "stained_micrograph/3.png");
  const SourcePool fewer = this->pool();
  const auto absent = replay_set(metadata, folder_.path() / "third", {.pool = &fewer});
  ASSERT_FALSE(absent);
  EXPECT_NE(absent.error().message().find("stained_micrograph/3.png"), std::string::npos);
}

TEST(ReplaySet, MakesPaintedSetsAgainAndRefusesOthers) {
  const TemporaryFolder folder;
  ThemisSetOptions options{.seed = 2,
                           .splicing = 1,
                           .copy_move = 0,
                           .authentic = 0,
                           .global_duplicates = 1,
                           .local_duplicates = 0,
                           .unrelated_pairs = 0,
                           .panel_side = 160,
                           .numerical_texts = 2,
                           .trend_texts = 2,
                           .consistent_texts = 1,
                           .resynthesised = 1,
                           .strict_quality = true,
                           .datasheet = true};
  ASSERT_TRUE(forge_themis_set(folder.path() / "set", options));
  const auto replayed =
      replay_set(folder.path() / "set/metadata.json", folder.path() / "again", {.threads = 2});
  ASSERT_TRUE(replayed) << replayed.error().message();
  EXPECT_EQ(*read_file(folder.path() / "set/metadata.json"),
            *read_file(folder.path() / "again/metadata.json"));

  Json metadata = *read_json_file(folder.path() / "set/metadata.json");
  metadata["version"] = 999;
  ASSERT_TRUE(write_json_file(folder.path() / "newer.json", metadata));
  EXPECT_FALSE(replay_set(folder.path() / "newer.json", folder.path() / "x"));
  for (const char* text : {"{}", "[]", "{\"made_by\": 1}", "x"}) {
    ASSERT_TRUE(write_file(folder.path() / "odd.json", text));
    EXPECT_FALSE(replay_set(folder.path() / "odd.json", folder.path() / "y"));
  }
}

TEST(ForgeThemisSet, TampersWithTextsInTheFieldsOfTheRelease) {
  const TemporaryFolder folder;
  const ThemisSetOptions options{.seed = 2,
                                 .splicing = 0,
                                 .copy_move = 0,
                                 .authentic = 0,
                                 .global_duplicates = 0,
                                 .local_duplicates = 0,
                                 .unrelated_pairs = 0,
                                 .panel_side = 160,
                                 .numerical_texts = 4,
                                 .trend_texts = 4,
                                 .consistent_texts = 2};
  const auto set = forge_themis_set(folder.path(), options);
  ASSERT_TRUE(set) << set.error().message();
  EXPECT_EQ(set->text_questions, 10);
  const Json questions = (*read_json_file(folder.path() / "text_image_inconsistency.json"))["question"];
  ASSERT_EQ(questions.size(), 10);
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const Json& question = questions[i];
    EXPECT_EQ(question["question_id"], "consistency_" + std::to_string(i + 1));
    EXPECT_EQ(question["ground_truth"], Json::array({i < 4 ? "A" : i < 8 ? "B" : "C"}));
    EXPECT_EQ(question["has_issue"], i < 8);
    EXPECT_EQ(question["tampered_sentences"].empty(), i >= 8);
    ASSERT_EQ(question["tampered_sentences"].size(), question["golden_sentences"].size());
    if (i >= 8) continue;
    const std::string text =
        question[question["inconsistent_part"] == "caption" ? "figure_caption" : "figure_related_sentences"];
    for (std::size_t k = 0; k < question["tampered_sentences"].size(); ++k) {
      EXPECT_NE(text.find(question["tampered_sentences"][k].get<std::string>()), std::string::npos);
      EXPECT_NE(question["tampered_sentences"][k], question["golden_sentences"][k]);
    }
    EXPECT_TRUE(fs::exists(folder.path() / question["figure_path"][0].get<std::string>()));
  }
}

}  // namespace
}  // namespace awry::forge
