// SPDX-License-Identifier: Apache-2.0
#include "awry/forge/captioned_figures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "awry/base/files.h"
#include "awry/base/json.h"
#include "awry/forge/paint.h"
#include "awry/forge/set_folder.h"
#include "awry/forge/source_pool.h"
#include "awry/forge/themis_item.h"
#include "awry/forge/themis_set.h"
#include "awry/imaging/encode.h"

namespace awry::forge {
namespace {

namespace fs = std::filesystem;

imaging::Image picture(std::uint64_t seed, PanelKind kind = PanelKind::kStainedMicrograph) {
  return paint_panel(kind, 400, 400, RandomStream(seed))->image;
}

// Two figures as `awry extract` leaves them, the first of two panels, and two charts as `awry paint` does.
class FolderOfFigures : public testing::Test {
 protected:
  void SetUp() override {
    write("paper/page-001/figure-1/figure.png", picture(1));
    write("paper/page-001/figure-1/panel-1.png", picture(1));
    write("paper/page-001/figure-1/panel-2.png", picture(2));
    write("paper/page-001/figure-2/figure.png", picture(3));
    write("paper/page-001/figure-2/panel-1.png", picture(3));
    text("paper/page-001/figure-1/figure.json",
         R"({"caption": "Figure 1. Sections after 14 days [3], scale bar 50 um.", "sentences": [],
             "panels": [{"file": "page-001/figure-1/panel-1.png"}, {"file": "page-001/figure-1/panel-2.png"}]})");
    text("paper/page-001/figure-2/figure.json",
         R"({"caption": "Figure 2. Vessels.", "sentences": ["Density increased after 21 days (Fig. 2)."],
             "panels": [{"file": "page-001/figure-2/panel-1.png"}]})");
    write("painted/a.png", picture(4, PanelKind::kChart));
    write("painted/b.png", picture(5, PanelKind::kChart));
    text("painted/panels.jsonl",
         "{\"file_name\": \"a.png\", \"caption\": \"It fell from 8.5 to 2.5.\", \"lettering\": [\"8.5\"]}\n"
         "no json\n"
         "{\"file_name\": \"../b.png\", \"caption\": \"outside\"}\n"
         "{\"file_name\": \"absent.png\", \"caption\": \"nowhere\"}\n"
         "{\"file_name\": \"b.png\", \"caption\": \"\", \"sentences\": []}\n");
    text("damaged/figure.json", "{\"caption\": ");
  }
  void write(const std::string& name, const imaging::Image& image) {
    ASSERT_TRUE(make_folder((folder_.path() / name).parent_path()));
    ASSERT_TRUE(imaging::write_image(folder_.path() / name, image));
    if (!name.ends_with("figure.png")) files_.push_back(folder_.path() / name);
  }
  void text(const std::string& name, const std::string& text) {
    ASSERT_TRUE(make_folder((folder_.path() / name).parent_path()));
    ASSERT_TRUE(write_file(folder_.path() / name, text));
  }
  SourcePool pool(SourcePoolOptions options = {}) {
    options.figures = captioned_figures_in(folder_.path());
    for (CaptionedFigure& figure : options.figures) {
      if (!figure.lettering) figure.lettering = {"50", "A"};
    }
    auto pool = SourcePool::open(folder_.path(), files_, options);
    EXPECT_TRUE(pool) << pool.error().message();
    return std::move(*pool);
  }

  TemporaryFolder folder_;
  std::vector<fs::path> files_;
};

TEST_F(FolderOfFigures, AreFoundWithTheirWordsAndPanels) {
  const auto figures = captioned_figures_in(folder_.path());
  ASSERT_EQ(figures.size(), 3);
  EXPECT_EQ(figures[0].name, "painted/a.png");
  EXPECT_EQ(figures[0].lettering, std::vector<std::string>{"8.5"});
  EXPECT_EQ(figures[1].name, "paper/page-001/figure-1/figure.png");
  EXPECT_EQ(figures[1].lettering, std::nullopt);
  EXPECT_EQ(figures[1].pictures, (std::vector<std::string>{"paper/page-001/figure-1/panel-1.png",
                                                           "paper/page-001/figure-1/panel-2.png"}));
  EXPECT_EQ(figures[2].sentences, std::vector<std::string>{"Density increased after 21 days (Fig. 2)."});
}

TEST_F(FolderOfFigures, AreFoundByTheFilesBesideThem) {
  write("photos/a.png", picture(6));
  write("photos/b.png", picture(7));
  write("photos/c.png", picture(8));
  text("photos/a.txt", "  Cells after 31 days.\n");
  text("photos/b.json", R"({"caption": "Cells.", "sentences": ["They grew by 17 um."]})");
  text("photos/b.txt", "Not this one: the other file says more.");
  text("photos/metadata.jsonl", R"({"file_name": "a.png", "text": "Lists go before files beside one."})");
  text("photos/readme.txt", "No picture of this name.");
  text("photos/c.json", "[1, 2]");
  const auto figures = captioned_figures_in(folder_.path() / "photos");
  ASSERT_EQ(figures.size(), 2);
  EXPECT_EQ(figures[0].caption, "Lists go before files beside one.");
  EXPECT_EQ(figures[1].caption, "Cells.");
  EXPECT_EQ(figures[1].sentences, std::vector<std::string>{"They grew by 17 um."});
  EXPECT_EQ(figures[1].pictures, std::vector<std::string>{"b.png"});
  ASSERT_TRUE(fs::remove(folder_.path() / "photos/metadata.jsonl"));
  EXPECT_EQ(captioned_figures_in(folder_.path() / "photos")[0].caption, "Cells after 31 days.");
}

TEST_F(FolderOfFigures, AreTamperedWithButNotInWhatIsReadOrPointsElsewhereAndReplay) {
  const SourcePool pool = this->pool();
  ASSERT_EQ(pool.figures().size(), 3);
  const ThemisSetOptions options{.splicing = 0,
                                 .copy_move = 0,
                                 .authentic = 0,
                                 .global_duplicates = 0,
                                 .local_duplicates = 0,
                                 .unrelated_pairs = 0,
                                 .numerical_texts = 6,
                                 .trend_texts = 2,
                                 .consistent_texts = 2,
                                 .pool = &pool};
  const fs::path set = folder_.path() / "set";
  const auto forged = forge_themis_set(set, options);
  ASSERT_TRUE(forged) << forged.error().message();
  EXPECT_EQ(forged->text_questions, 10);
  const auto metadata = read_json_file(set / "metadata.json");
  ASSERT_TRUE(metadata);
  int edits = 0;
  for (const Json& item : metadata->at("items")) {
    for (const Json& edit : item.at("text_edits")) {
      const std::string original = edit.at("original").get<std::string>();
      // Not 1, 2 and 3, which are of figures and references, nor 50 and 8.5, which can be read in them.
      EXPECT_TRUE(original == "14" || original == "21" || original == "2.5" || original == "fell" ||
                  original == "increased")
          << original;
      ++edits;
    }
  }
  EXPECT_GE(edits, 8);

  // A replay knows the words from the metadata: nobody has to read the figures again.
  SourcePoolOptions unread;
  unread.figures = captioned_figures_in(folder_.path());
  std::erase_if(unread.figures, [](const CaptionedFigure& f) { return f.name.starts_with("set/"); });
  const auto without_words = SourcePool::open(folder_.path(), files_, unread);
  ASSERT_TRUE(without_words);
  EXPECT_EQ(without_words->left_out().at("figures_not_read").size(), 2);
  const auto again = replay_set(set / "metadata.json", folder_.path() / "again", {.pool = &*without_words});
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_GT(again->files, 10);
}

TEST_F(FolderOfFigures, GoWhereTheirPanelsGo) {
  const SourcePool pool = this->pool();
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    std::size_t figures = 0;
    for (const SourcePool& part : pool.split(std::array{0.5, 0.5}, RandomStream(seed))) {
      figures += part.figures().size();
      for (const CaptionedFigure& figure : part.figures()) {
        for (const std::string& name : figure.pictures)
          EXPECT_NE(std::ranges::find(part.images(), name, &PoolImage::name), part.images().end()) << name;
      }
    }
    EXPECT_EQ(figures, 3);
  }
}

TEST_F(FolderOfFigures, KeepWhatIsWrittenClearOfCopies) {
  SourcePoolOptions options;
  for (const fs::path& file : files_) options.annotations[file] = {{0, 0, 400, 200}};
  const SourcePool pool = this->pool(options);
  const auto item = forge_themis_item(
      {.category = ThemisCategory::kCopyMove, .seed = {3, {}}, .panel_side = 200, .pool = &pool});
  ASSERT_TRUE(item) << item.error().message();
  for (const ItemMask& mask : item->masks) {
    for (int y = 0; y < mask.pixels.height / 2; ++y) {
      for (int x = 0; x < mask.pixels.width; ++x) ASSERT_EQ(mask.pixels.at(x, y), 0) << mask.role;
    }
  }
}

TEST_F(FolderOfFigures, AreCopiedWhereAMaskSaysSo) {
  imaging::Image mask(400, 400, 1, 0);
  for (int y = 20; y < 180; ++y) {
    for (int x = 40; x < 200; ++x) *mask.at(x, y) = 255;
  }
  ASSERT_TRUE(imaging::write_image(folder_.path() / "mask.bmp.png", mask));
  SourcePoolOptions options;
  for (const fs::path& file : files_) options.masks[file] = folder_.path() / "mask.bmp.png";
  const SourcePool pool = this->pool(options);
  const auto item = forge_themis_item(
      {.category = ThemisCategory::kCopyMove, .seed = {3, {}}, .panel_side = 200, .pool = &pool});
  ASSERT_TRUE(item) << item.error().message();
  EXPECT_EQ(item->recipe.operations.front().name, "given_mask");
  const auto from = std::ranges::find(item->masks, "copied_from", &ItemMask::role);
  ASSERT_NE(from, item->masks.end());
  for (int y = 0; y < 200; ++y) {
    for (int x = 0; x < 200; ++x)
      ASSERT_EQ(from->pixels.at(x, y), x >= 20 && x < 100 && y >= 10 && y < 90) << x << "," << y;
  }
}

}  // namespace
}  // namespace awry::forge
