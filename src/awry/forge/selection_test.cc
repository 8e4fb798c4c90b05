// SPDX-License-Identifier: Apache-2.0
#include "awry/forge/selection.h"

#include <gtest/gtest.h>

#include <atomic>

#include "awry/base/files.h"
#include "awry/base/json.h"
#include "awry/forge/compose.h"
#include "awry/forge/generation_archive.h"
#include "awry/forge/item_journal.h"
#include "awry/forge/themis_set.h"
#include "awry/imaging/decode.h"
#include "awry/imaging/encode.h"

namespace awry::forge {
namespace {

namespace fs = std::filesystem;

ThemisSetOptions three_pairs() {
  return {.seed = 3,
          .splicing = 0,
          .copy_move = 0,
          .authentic = 1,
          .global_duplicates = 2,
          .local_duplicates = 0,
          .unrelated_pairs = 0,
          .panel_side = 128,
          .kinds = {PanelKind::kMicrograph},
          .datasheet = true};
}

std::map<std::string, std::string> contents_of(const fs::path& folder) {
  std::map<std::string, std::string> contents;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) contents[entry.path().lexically_relative(folder)] = *read_file(entry.path());
  }
  return contents;
}

// Finds every forgery but the third candidate of a question.
Selection overlooks_the_third(Keep keep) {
  return {.keep = keep,
          .inspector = "tired 1",
          .max_candidates = 4,
          .finds = [](const ThemisItem&, int candidate) -> Result<std::optional<bool>> {
            return std::optional(candidate != 2);
          }};
}

TEST(Selection, KeepsWhatTheInspectorMissesAndSaysSo) {
  const TemporaryFolder folder;
  const Selection selection = overlooks_the_third(Keep::kMissed);
  ThemisSetOptions options = three_pairs();
  options.selection = &selection;
  const auto set = forge_themis_set(folder.path() / "set", options);
  ASSERT_TRUE(set) << set.error().message();
  EXPECT_EQ(set->missed, 2);
  EXPECT_EQ(set->found, 0);
  EXPECT_EQ(set->left_out, 0);
  EXPECT_EQ(set->rejected_by_reason.at("found_by_inspector"), 4);
  const Json metadata = *read_json_file(folder.path() / "set/metadata.json");
  EXPECT_EQ(metadata["options"]["selection"]["keep"], "missed");
  EXPECT_EQ(metadata["options"]["selection"]["inspector"], "tired 1");
  EXPECT_EQ(metadata["items"][0]["inspector_found"], Json::array({true}));  // authentic: as it comes
  EXPECT_EQ(metadata["items"][1]["inspector_found"], Json::array({true, true, false}));
  EXPECT_NE(read_file(folder.path() / "set/datasheet.html")->find("tired 1"), std::string::npos);

  const auto replayed = replay_set(folder.path() / "set/metadata.json", folder.path() / "again");
  ASSERT_TRUE(replayed) << replayed.error().message();
  EXPECT_EQ(contents_of(folder.path() / "set"), contents_of(folder.path() / "again"));
  EXPECT_EQ(forge_themis_set(folder.path() / "set", options)->missed, 2);
}

TEST(Selection, OfBothIsTheSetWithoutSelectionPlusWhatWasSaid) {
  const TemporaryFolder folder;
  const Selection selection = overlooks_the_third(Keep::kBoth);
  ThemisSetOptions options = three_pairs();
  ASSERT_TRUE(forge_themis_set(folder.path() / "plain", options));
  options.selection = &selection;
  const auto set = forge_themis_set(folder.path() / "noted", options);
  ASSERT_TRUE(set);
  EXPECT_EQ(set->found, 2);
  for (const char* file : {"forgery.json", "duplication.json"})
    EXPECT_EQ(*read_file(folder.path() / "plain" / file), *read_file(folder.path() / "noted" / file));
}

TEST(Selection, LeavesOutQuestionsWithoutASuitableCandidateAndRefusesAnEmptySet) {
  const TemporaryFolder folder;
  Selection selection = overlooks_the_third(Keep::kMissed);
  selection.max_candidates = 2;
  ThemisSetOptions options = three_pairs();
  options.selection = &selection;
  const auto set = forge_themis_set(folder.path() / "set", options);
  ASSERT_TRUE(set);
  EXPECT_EQ(set->left_out, 2);
  EXPECT_EQ(set->duplication_questions, 0);
  EXPECT_FALSE(fs::exists(folder.path() / "set/duplication.json"));
  const Json metadata = *read_json_file(folder.path() / "set/metadata.json");
  ASSERT_EQ(metadata["left_out"].size(), 2);
  EXPECT_EQ(metadata["left_out"][0]["question_id"], "duplication_1");
  ASSERT_TRUE(replay_set(folder.path() / "set/metadata.json", folder.path() / "again"));

  options.authentic = 0;
  const auto empty = forge_themis_set(folder.path() / "empty", options);
  ASSERT_FALSE(empty);
  EXPECT_NE(empty.error().message().find("left nothing"), std::string::npos);
}

TEST(ItemJournal, SparesWhatIsDoneAndSurvivesACutOffLine) {
  const TemporaryFolder folder;
  CancelToken cancel;
  std::atomic<int> asked = 0;
  Selection selection = overlooks_the_third(Keep::kBoth);
  selection.finds = [&](const ThemisItem&, int) -> Result<std::optional<bool>> {
    ++asked;
    return std::optional(true);
  };
  ThemisSetOptions options = three_pairs();
  options.selection = &selection;
  ASSERT_TRUE(forge_themis_set(folder.path() / "at_once", options));
  EXPECT_EQ(asked.exchange(0), 3);

  options.cancel = &cancel;
  options.on_item = [&](std::size_t done, std::size_t) {
    if (done == 2) cancel.request();
  };
  ASSERT_FALSE(forge_themis_set(folder.path() / "set", options));
  const fs::path journal = folder.path() / "set" / kItemJournal;
  const std::string lines = *read_file(journal);
  EXPECT_EQ(std::ranges::count(lines, '\n'), 2);
  ASSERT_TRUE(write_file(journal, lines + "{\"index\": 2, \"item\": {\"quest"));

  options.cancel = nullptr;
  options.on_item = nullptr;
  ASSERT_TRUE(forge_themis_set(folder.path() / "set", options));
  EXPECT_EQ(asked, 3);  // two before, one after
  EXPECT_EQ(contents_of(folder.path() / "set"), contents_of(folder.path() / "at_once"));
}

// Answers every request with noise of its own; the first one of all is refused.
class NoiseGenerator final : public ImageGenerator {
 public:
  std::string identity() const override { return "noise-1"; }
  Result<Generation> generate(const GenerationRequest&) override {
    if (++asked_ == 1) return Generation{.refusal = "not this one"};
    imaging::Image image(64, 64, 3);
    RandomStream random(static_cast<std::uint64_t>(asked_));
    for (auto& value : image.pixels) value = static_cast<std::uint8_t>(random.integer(90, 160));
    return Generation{.bytes = imaging::encode_png(image)};
  }
  int asked() const { return asked_; }

 private:
  int asked_ = 0;
};

TEST(AiGeneratedItems, CarryTheGeneratorsPixelsInTheirMaskAndReplayWithoutIt) {
  const TemporaryFolder folder;
  NoiseGenerator generator;
  const ThemisSetOptions options{.seed = 2,
                                 .splicing = 0,
                                 .copy_move = 0,
                                 .authentic = 0,
                                 .global_duplicates = 0,
                                 .local_duplicates = 0,
                                 .unrelated_pairs = 0,
                                 .panel_side = 128,
                                 .kinds = {PanelKind::kStainedMicrograph},
                                 .ai_whole = 1,
                                 .ai_regions = 2,
                                 .generator = &generator};
  const auto set = forge_themis_set(folder.path() / "set", options);
  ASSERT_TRUE(set) << set.error().message();
  EXPECT_EQ(set->forgery_questions, 3);
  EXPECT_EQ(generator.asked(), 4);
  EXPECT_EQ(set->rejected_by_reason.at("refused_by_generator"), 1);
  const Json questions = (*read_json_file(folder.path() / "set/forgery.json"))["question"];
  ASSERT_EQ(questions.size(), 3);
  for (const Json& question : questions) {
    EXPECT_EQ(question["sub_issues"], Json::array({"ai_generated"}));
    EXPECT_EQ(question["ground_truth"], Json::array({"C"}));
  }
  EXPECT_EQ(questions[0]["mask_path"], "");
  EXPECT_TRUE(questions[0]["panel_paths"][0].get<std::string>().starts_with("forgery/ai_generated/global/"));
  EXPECT_TRUE(questions[1]["panel_paths"][0].get<std::string>().starts_with("forgery/ai_generated/partial/"));

  const Json item = (*read_json_file(folder.path() / "set/metadata.json"))["items"][1];
  EXPECT_EQ(item["type"], "ai_generated");
  EXPECT_FALSE(item["generated"]["prompt"].get<std::string>().empty());
  const Json& source = item["sources"][0];
  const auto panel =
      imaging::read_image(folder.path() / "set" / questions[1]["panel_paths"][0].get<std::string>());
  const auto mask =
      imaging::read_bitmap(folder.path() / "set" / questions[1]["mask_path"].get<std::string>());
  ASSERT_TRUE(panel && mask);
  SeedPath stream{.seed = 2}, style{.seed = 2};
  const auto labels_of = [](const std::string& text, SeedPath& path) {
    std::size_t from = text.find('/');
    while (from != std::string::npos) {
      const std::size_t to = text.find('/', from + 1);
      path.labels.push_back(text.substr(from + 1, to == std::string::npos ? to : to - from - 1));
      from = to;
    }
  };
  labels_of(source["stream"], stream);
  labels_of(source["style"], style);
  const Painted host = *paint_panel(PanelKind::kStainedMicrograph, panel->width, panel->height,
                                    stream.stream(), style.stream());
  for (int y = 0; y < panel->height; ++y) {
    for (int x = 0; x < panel->width; ++x) {
      if (mask->at(x, y) != 0) continue;
      ASSERT_TRUE(std::equal(host.image.at(x, y), host.image.at(x, y) + 3, panel->at(x, y)));
    }
  }
  EXPECT_GT(mean_change(host.image, *panel, *mask), 5);

  const auto replayed = replay_set(folder.path() / "set/metadata.json", folder.path() / "again");
  ASSERT_TRUE(replayed) << replayed.error().message();
  EXPECT_EQ(contents_of(folder.path() / "set"), contents_of(folder.path() / "again"));
  EXPECT_EQ(generator.asked(), 4);
}

TEST(AiGeneratedItems, NeedAGeneratorAndKeepWhatWasPaidFor) {
  const TemporaryFolder folder;
  ThemisSetOptions options = three_pairs();
  options.ai_regions = 1;
  const auto refused = forge_themis_set(folder.path() / "set", options);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::kUsage);

  NoiseGenerator generator;
  GenerationArchive archive(folder.path(), generator);
  const GenerationRequest request{.prompt = "a cell", .width = 32, .height = 32};
  ASSERT_TRUE(archive.generate(request));
  EXPECT_EQ(archive.generate(request)->generation.refusal, "not this one");
  GenerationRequest other = request;
  other.prompt = "two cells";
  const auto made = archive.generate(other);
  EXPECT_EQ(archive.generate(other)->generation.bytes, made->generation.bytes);
  EXPECT_EQ(generator.asked(), 2);
  EXPECT_FALSE(make_recorded_generator(folder.path(), "noise-2")->generate(other));
}

}  // namespace
}  // namespace awry::forge
