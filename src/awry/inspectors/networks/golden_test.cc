// SPDX-License-Identifier: Apache-2.0
// Token ids, every layer's states and the final scores against tests/networks/golden, which an independent
// implementation in Python wrote (tests/networks/reference.py).
#include <gtest/gtest.h>

#include "awry/inspectors/networks/bert_score.h"
#include "awry/inspectors/networks/load_module.h"
#include "awry/inspectors/networks/tiny_models_test.h"

namespace awry::inspectors::networks {
namespace {

constexpr double kTolerance = 1e-5;
// Where the processor multiplies tiles, numbers keep 16 bits of mantissa (torch/tile_product.h). Only the
// wide family is multiplied so, and its scores still hold to kTolerance.
constexpr double kStateTolerance = 5e-5;

class Golden : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!load_torch()) GTEST_SKIP() << load_torch().error().message();
    golden_ = *read_json_file(networks_test_folder() / "golden" / (std::string(GetParam()) + ".json"));
    const Json texts = *read_json_file(networks_test_folder() / "texts.json");
    for (const Json& text : texts) texts_.push_back(text.get<std::string>());
    std::string longest;
    for (int i = 0; i < 300; ++i) longest += (i > 0 ? " " : "") + texts_[static_cast<std::size_t>(i % 5)];
    texts_.push_back(longest);
  }

  std::unique_ptr<TextModel> open(DataType type = DataType::kF32, TextModelOptions options = {.layer = 2}) {
    const std::filesystem::path folder = folder_.path() / std::to_string(static_cast<int>(type));
    write_model(make_model(GetParam()), folder, type);
    auto model = TextModel::open(folder, options);
    EXPECT_TRUE(model) << model.error().message();
    return model ? std::move(*model) : nullptr;
  }

  TemporaryFolder folder_;
  Json golden_;
  std::vector<std::string> texts_;
};

TEST_P(Golden, TokensAreThoseOfTheReference) {
  const auto model = open();
  ASSERT_NE(model, nullptr);
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    EXPECT_EQ(model->tokenizer().encode(texts_[i]).tokens, golden_["tokens"][i].get<std::vector<Token>>())
        << texts_[i].substr(0, 80);
  }
}

TEST_P(Golden, EveryLayerHoldsInEveryNumberFormat) {
  const double tolerance = std::string_view(GetParam()) == "bert" ? kStateTolerance : kTolerance;
  for (const DataType type : {DataType::kF32, DataType::kF16, DataType::kBf16}) {
    const auto model = open(type, {.layer = 3});
    ASSERT_NE(model, nullptr);
    const auto encoder = model->encoder();
    ASSERT_TRUE(encoder) << encoder.error().message();
    for (std::size_t i = 0; i < golden_["stated"].size(); ++i) {
      const auto tokens =
          golden_["tokens"][golden_["stated"][i].get<std::size_t>()].get<std::vector<Token>>();
      const std::int32_t length = static_cast<std::int32_t>(tokens.size());
      for (std::size_t layer = 0; layer <= 3; ++layer) {
        const auto expected = golden_["states"][i][layer].get<std::vector<float>>();
        std::vector<float> states(expected.size());
        ASSERT_EQ((*encoder)->encode(tokens, {&length, 1}, static_cast<std::int64_t>(layer), states), "");
        for (std::size_t j = 0; j < states.size(); ++j) {
          ASSERT_NEAR(states[j], expected[j], tolerance) << "layer " << layer << ", number " << j;
        }
      }
    }
  }
}

class WeightFormats : public Golden {};

TEST_P(WeightFormats, FilesThatTorchSavedAndWeightsInPartsGiveTheSame) {
  const auto whole = open();
  ASSERT_NE(whole, nullptr);
  const MadeModel made = make_model(GetParam());
  const std::filesystem::path folder = folder_.path() / "other";
  const auto expect_same = [&] {
    const auto other = TextModel::open(folder, {.layer = 2});
    ASSERT_TRUE(other) << other.error().message();
    const TextPairs pairs{{texts_[0], texts_[1]}, {texts_[2], texts_[3]}};
    const auto expected = bert_score(*whole, {&pairs, 1}), found = bert_score(**other, {&pairs, 1});
    ASSERT_TRUE(expected && found);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(found->scores[0][i].f1, expected->scores[0][i].f1);
  };
  write_frame(made, folder);
  for (const char* const name : {"archive.bin", "old.bin"}) {
    std::filesystem::copy_file(networks_test_folder() / "torch_files" / name, folder / "pytorch_model.bin",
                               std::filesystem::copy_options::overwrite_existing);
    expect_same();
  }
  Json index;
  const std::span<const MadeTensor> tensors(made.tensors);
  for (const auto& [name, part] : {std::pair("model-1.safetensors", tensors.first(20)),
                                   std::pair("model-2.safetensors", tensors.subspan(20))}) {
    must(write_file(folder / name, safetensors_of(part, DataType::kF32)));
    for (const MadeTensor& tensor : part) index["weight_map"][tensor.name] = name;
  }
  must(write_json_file(folder / "model.safetensors.index.json", index));
  expect_same();
}

TEST_P(Golden, EightBitsAreNearAndSayHowNear) {
  const auto model = open(DataType::kF32, {.layer = 2, .precision = Precision::kInt8});
  ASSERT_NE(model, nullptr);
  TextPairs pairs;
  for (const std::size_t i : {0, 1, 2, 3, 4}) pairs.predictions.emplace_back(texts_[i]);
  pairs.truths = pairs.predictions;
  const auto job = bert_score(*model, {&pairs, 1});
  ASSERT_TRUE(job) << job.error().message();
  ASSERT_TRUE(job->deviation);
  EXPECT_EQ(job->deviation->pairs, 25U);
  EXPECT_GT(job->deviation->largest, 0);
  EXPECT_LT(job->deviation->mean, 0.05);
}

// Predictions are the even texts, truths the odd ones; the long text is the last, an even one.
TEST_P(Golden, ScoresAreThoseOfTheReference) {
  const auto model = open();
  ASSERT_NE(model, nullptr);
  TextPairs pairs;
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    (i % 2 == 0 ? pairs.predictions : pairs.truths).emplace_back(texts_[i]);
  }
  for (const bool idf : {false, true}) {
    const auto job = bert_score(*model, {&pairs, 1}, {.idf = idf});
    ASSERT_TRUE(job) << job.error().message();
    EXPECT_EQ(job->cut, 1U);
    const Json& expected = golden_["pairs"][idf ? "idf" : "plain"];
    for (std::size_t i = 0; i < pairs.predictions.size(); ++i) {
      for (std::size_t j = 0; j < pairs.truths.size(); ++j) {
        const BertScore& score = job->scores[0][i * pairs.truths.size() + j];
        EXPECT_NEAR(score.precision, expected[i][j][0].get<double>(), kTolerance) << i << ", " << j;
        EXPECT_NEAR(score.recall, expected[i][j][1].get<double>(), kTolerance) << i << ", " << j;
        // Where precision and recall nearly cancel out, their harmonic mean is beyond single precision.
        if (score.precision + score.recall < 0.2) continue;
        EXPECT_NEAR(score.f1, expected[i][j][2].get<double>(), kTolerance) << i << ", " << j;
      }
    }
  }
}

TEST_P(Golden, BothDirectionsAgreeAndATextIsLikeItself) {
  const auto model = open();
  ASSERT_NE(model, nullptr);
  TextPairs forth;
  for (const std::size_t i : {0, 1, 8, 11, 12}) forth.predictions.emplace_back(texts_[i]);
  forth.truths = forth.predictions;
  const auto job = bert_score(*model, {&forth, 1});
  ASSERT_TRUE(job) << job.error().message();
  const std::size_t count = forth.truths.size();
  EXPECT_EQ(job->encoded, count);
  for (std::size_t i = 0; i < count; ++i) {
    EXPECT_NEAR(job->scores[0][i * count + i].f1, 1, kTolerance);
    for (std::size_t j = 0; j < count; ++j) {
      EXPECT_NEAR(job->scores[0][i * count + j].precision, job->scores[0][j * count + i].recall, kTolerance);
    }
  }
}

TEST_P(Golden, BatchesMemoryAndCacheChangeNothing) {
  const auto model = open();
  ASSERT_NE(model, nullptr);
  std::vector<TextPairs> pairs(4);
  for (std::size_t i = 0; i < 20; ++i) {
    pairs[i % 4].predictions.emplace_back(texts_[i]);
    pairs[i % 3].truths.emplace_back(texts_[i]);
  }
  const auto whole = bert_score(*model, pairs);
  ASSERT_TRUE(whole) << whole.error().message();
  const std::filesystem::path cache = folder_.path() / "cache";
  const std::vector<BertScoreOptions> ways = {
      {.embedder = {.batch_tokens = 1}}, {.embedder = {.batch_tokens = 64}}, {.memory_bytes = 1},
      {.memory_bytes = 10'000},          {.embedder = {.cache = cache}},     {.embedder = {.cache = cache}}};
  for (const BertScoreOptions& way : ways) {
    const auto job = bert_score(*model, pairs, way);
    ASSERT_TRUE(job) << job.error().message();
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      ASSERT_EQ(job->scores[i].size(), whole->scores[i].size());
      for (std::size_t j = 0; j < job->scores[i].size(); ++j) {
        EXPECT_NEAR(job->scores[i][j].f1, whole->scores[i][j].f1, kTolerance);
      }
    }
    if (&way == &ways.back()) {
      EXPECT_EQ(job->encoded, 0U);
      EXPECT_EQ(job->from_cache, job->distinct);
    }
  }
}

constexpr auto kName = [](const auto& family) { return std::string(family.param); };
INSTANTIATE_TEST_SUITE_P(Families, WeightFormats, testing::Values("distilbert"), kName);
INSTANTIATE_TEST_SUITE_P(Families, Golden, testing::Values("bert", "distilbert", "roberta", "t5", "mt5"),
                         kName);

}  // namespace
}  // namespace awry::inspectors::networks
