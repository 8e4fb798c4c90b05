// SPDX-License-Identifier: Apache-2.0
// What needs no network to be right: matching, weights, baselines, the cache, and where models are found.
#include <gtest/gtest.h>

#include "awry/inspectors/networks/bert_score.h"
#include "awry/inspectors/networks/distinct_texts.h"
#include "awry/inspectors/networks/embedding_cache.h"
#include "awry/inspectors/networks/model_folders.h"
#include "awry/inspectors/networks/tiny_models_test.h"

namespace awry::inspectors::networks {
namespace {

namespace fs = std::filesystem;

// Rows are [CLS] a b, columns [CLS] x: [CLS] counts for nothing, but b is matched to it.
//   P = (0.5 + 0.8) / 2 = 0.65, R = 0.6 (x with the row [CLS]), F = 2 * 0.65 * 0.6 / 1.25 = 0.624
TEST(MatchGreedily, SpecialTokensAreOnlyTargets) {
  const float cosines[] = {1.0F, 0.6F, 0.2F, 0.5F, 0.8F, 0.1F};
  const float rows[] = {0, 1, 1}, columns[] = {0, 1};
  const BertScore score =
      match_greedily({.first = cosines, .rows = 3, .columns = 2, .stride = 2}, rows, columns);
  EXPECT_FLOAT_EQ(score.precision, 0.65F);
  EXPECT_FLOAT_EQ(score.recall, 0.6F);
  EXPECT_FLOAT_EQ(score.f1, 0.624F);
}

// Weights 1 and 3: P = (0.5 + 3 * 0.9) / 4 = 0.8, R = max of the only column = 0.9.
TEST(MatchGreedily, RareWordsCountMoreAndRowsMayLieApart) {
  const float cosines[] = {0.5F, -7, 0.9F, -7};
  const float rows[] = {1, 3}, columns[] = {2};
  const BertScore score =
      match_greedily({.first = cosines, .rows = 2, .columns = 1, .stride = 2}, rows, columns);
  EXPECT_FLOAT_EQ(score.precision, 0.8F);
  EXPECT_FLOAT_EQ(score.recall, 0.9F);
}

TEST(MatchGreedily, OppositesDoNotDivideByZero) {
  const float cosines[] = {0.0F};
  const float one[] = {1};
  EXPECT_EQ(match_greedily({.first = cosines, .rows = 1, .columns = 1, .stride = 1}, one, one).f1, 0);
}

TEST(Normalise, RowsGetLengthOneAndZeroStaysZero) {
  float rows[] = {3, 4, 0, 0};
  normalise_rows(rows, 2);
  EXPECT_FLOAT_EQ(rows[0], 0.6F);
  EXPECT_FLOAT_EQ(rows[1], 0.8F);
  EXPECT_EQ(rows[2], 0);
}

TEST(BaselineFile, TheLineOfTheLayerIsUsed) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "distilbert.tsv";
  must(write_file(path, "LAYER,P,R,F\r\n0,0.1,0.2,0.3\n5,0.81,0.82,0.83\n"));
  const auto baseline = read_baseline(path, 5);
  ASSERT_TRUE(baseline) << baseline.error().message();
  EXPECT_FLOAT_EQ(baseline->precision, 0.81F);
  EXPECT_FLOAT_EQ(baseline->f1, 0.83F);
  EXPECT_FALSE(read_baseline(path, 6));
  must(write_file(path, "LAYER,P,R,F\n5,0.8,0.8,1\n"));
  EXPECT_FALSE(read_baseline(path, 5)) << "dividing by zero";
  must(write_file(path, "a,b\n"));
  EXPECT_FALSE(read_baseline(path, 5));
}

class TinyModel : public testing::Test {
 protected:
  void SetUp() override {
    write_model(make_model("distilbert"), folder_.path() / "model");
    auto model = TextModel::open(folder_.path() / "model", {.layer = 2});
    ASSERT_TRUE(model) << model.error().message();
    model_ = std::move(*model);
  }
  TemporaryFolder folder_;
  std::unique_ptr<TextModel> model_;
};

// Two truths; "hand" is in one, "the" in both: log(3/2) and log(3/3).
TEST_F(TinyModel, IdfFollowsTheTruths) {
  DistinctTexts texts(model_->tokenizer());
  texts.add("the hand", DistinctTexts::Role::kTruth);
  texts.add("the shadow", DistinctTexts::Role::kTruth);
  const std::size_t again = texts.add("  The HAND ", DistinctTexts::Role::kPrediction);
  EXPECT_EQ(again, 0U) << "the same tokens are the same text";
  EXPECT_EQ(texts.size(), 2U);
  const std::vector<float> weights = texts.weights(0, true);
  ASSERT_EQ(weights.size(), 4U);
  EXPECT_EQ(weights[0], 0);
  EXPECT_FLOAT_EQ(weights[1], 0);
  EXPECT_FLOAT_EQ(weights[2], 0.4054651F);
  EXPECT_EQ(texts.weights(0, false), (std::vector<float>{0, 1, 1, 0}));
}

TEST_F(TinyModel, TheCacheSurvivesDamage) {
  const fs::path folder = folder_.path() / "cache";
  const std::vector<Token> first = {1, 2}, second = {3};
  const std::vector<float> rows(32, 0.25F), row(16, -1.0F);
  fs::path path;
  {
    const auto cache = EmbeddingCache::open(folder, *model_);
    ASSERT_TRUE(cache) << cache.error().message();
    must((*cache)->add(first, rows));
    must((*cache)->add(second, row));
    EXPECT_EQ((*cache)->find(first), rows);
    path = (*cache)->path();
  }
  const std::string whole = *read_file(path);
  must(write_file(path, whole.substr(0, whole.size() - 3)));
  {
    const auto cache = EmbeddingCache::open(folder, *model_);
    ASSERT_TRUE(cache);
    EXPECT_EQ((*cache)->find(first), rows);
    EXPECT_FALSE((*cache)->find(second)) << "cut off";
    must((*cache)->add(second, row));
  }
  std::string flipped = whole;
  flipped[100] = static_cast<char>(flipped[100] ^ 4);
  must(write_file(path, flipped));
  const auto cache = EmbeddingCache::open(folder, *model_);
  ASSERT_TRUE(cache);
  EXPECT_FALSE((*cache)->find(first)) << "a number was changed";
  EXPECT_EQ((*cache)->find(second), row);
  must(write_file(path,
                  "no records at all, but long enough to be taken for a header, or two of them, perhaps"));
  EXPECT_TRUE(EmbeddingCache::open(folder, *model_));
}

TEST_F(TinyModel, TheHashFollowsEveryFile) {
  const std::string before = model_->hash();
  must(write_file(folder_.path() / "model" / "tokenizer_config.json", "{\"do_lower_case\": false}"));
  const auto other = TextModel::open(folder_.path() / "model", {.layer = 2});
  ASSERT_TRUE(other) << other.error().message();
  EXPECT_NE((*other)->hash(), before);
}

TEST_F(TinyModel, ALayerThatNobodyKnowsHasToBeSaid) {
  const auto model = TextModel::open(folder_.path() / "model");
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().kind, ErrorKind::kUsage);
  EXPECT_FALSE(TextModel::open(folder_.path() / "model", {.layer = 9})) << "it has three";
}

TEST(UsualLayer, IsTheReferencePackages) {
  const EncoderShape large{.family = Family::kRoberta, .layers = 24};
  EXPECT_EQ(usual_layer("roberta-large-mnli", large), 19);
  EXPECT_EQ(usual_layer("FacebookAI/roberta-large", large), 17);
  EXPECT_EQ(usual_layer("google/mt5-large", {.family = Family::kT5, .layers = 24}), 19);
  EXPECT_EQ(
      usual_layer("distilbert-base-uncased-distilled-squad", {.family = Family::kDistilBert, .layers = 6}),
      4);
  EXPECT_EQ(usual_layer("anything", {.family = Family::kDistilBert, .layers = 6}), 5);
  EXPECT_EQ(usual_layer("anything", large), std::nullopt);
}

TEST(ModelFolders, AreFoundInEveryPlace) {
  const TemporaryFolder home;
  const auto variables = [&](std::string_view name) -> std::optional<std::string> {
    if (name == "HF_HOME") return (home.path() / "hf").string();
    if (name == "HOME") return (home.path() / "me").string();
    return std::nullopt;
  };
  const ModelPlaces places = model_places(variables);
  EXPECT_EQ(places.own, home.path() / "me/.cache/awry/models");
  ASSERT_EQ(places.hubs.size(), 2U);

  const fs::path snapshot = home.path() / "hf/hub/models--google--mt5-large/snapshots/abc";
  const fs::path own = places.own / "distilbert-base-uncased";
  for (const fs::path& folder : {snapshot, own}) {
    must(make_folder(folder));
    must(write_file(folder / "config.json", "{}"));
  }
  must(make_folder(home.path() / "hf/hub/models--google--mt5-large/refs"));
  must(write_file(home.path() / "hf/hub/models--google--mt5-large/refs/main", "abc\n"));

  EXPECT_EQ(find_model("google/mt5-large", places), snapshot);
  EXPECT_EQ(find_model("mt5-large", places), snapshot);
  EXPECT_EQ(find_model("", places), own);
  EXPECT_EQ(find_model(own.string(), places), own);
  EXPECT_EQ(list_models(places).size(), 2U);
  EXPECT_EQ(model_name_of(snapshot), "google/mt5-large");
  EXPECT_EQ(model_name_of(own.string() + "/"), "distilbert-base-uncased");

  const auto missing = find_model("roberta-large-mnli", places);
  ASSERT_FALSE(missing);
  for (const char* const part :
       {"vocab.json", "merges.txt", "model.safetensors", "awry/models/roberta-large-mnli"}) {
    EXPECT_NE(missing.error().message().find(part), std::string::npos) << missing.error().message();
  }
}

}  // namespace
}  // namespace awry::inspectors::networks
