// SPDX-License-Identifier: Apache-2.0
// Files of a model folder that are cut off, damaged, swapped or made to do harm: never a crash, and always a
// sentence that says what is wrong.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "awry/base/random.h"
#include "awry/inspectors/networks/bert_score.h"
#include "awry/inspectors/networks/pickle.h"
#include "awry/inspectors/networks/text_model.h"
#include "awry/inspectors/networks/tiny_models_test.h"

namespace awry::inspectors::networks {
namespace {

namespace fs = std::filesystem;

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}

// What does open is used: a damaged number is still a number.
void expect_no_harm(const fs::path& folder, const std::string& what) {
  const auto model = TextModel::open(folder, {.layer = 2});
  if (!model) {
    EXPECT_FALSE(model.error().what.empty()) << what;
    EXPECT_FALSE(model.error().why.empty()) << what << ": " << model.error().message();
    return;
  }
  const TokenizedText text = (*model)->tokenizer().encode("the hand has six fingers \xF0\x9F\x8D\xB5");
  for (const Token token : text.tokens) {
    EXPECT_TRUE(token >= 0 && token < (*model)->shape().vocabulary) << what;
  }
}

class HostileFolder : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override { write_model(make_model(GetParam()), folder_.path()); }

  std::vector<fs::path> files() const {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder_.path())) files.push_back(entry.path());
    return files;
  }

  TemporaryFolder folder_;
};

TEST_P(HostileFolder, CutOffAnywhere) {
  for (const fs::path& file : files()) {
    const std::string whole = *read_file(file);
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{7}, std::size_t{9},
                                   whole.size() / 4, whole.size() / 2, whole.size() - 5, whole.size() - 1}) {
      must(write_file(file, whole.substr(0, size)));
      expect_no_harm(folder_.path(), fmt::format("{} cut to {}", file.filename().string(), size));
    }
    fs::remove(file);
    const auto missing = TextModel::open(folder_.path(), {.layer = 2});
    ASSERT_FALSE(missing);
    must(write_file(file, whole));
  }
}

// Half a list of pieces reads like a whole one, but splits every text differently.
TEST_P(HostileFolder, HalfAListOfPiecesIsRefused) {
  for (const fs::path& file : files()) {
    if (file.extension() != ".txt" && file.extension() != ".model") continue;
    const std::string whole = *read_file(file);
    must(write_file(file, whole.substr(0, whole.find('\n', whole.size() / 2) + 1)));
    EXPECT_FALSE(TextModel::open(folder_.path(), {.layer = 2})) << file;
    must(write_file(file, whole));
  }
}

TEST_P(HostileFolder, BitsFlipped) {
  RandomStream random(7);
  for (const fs::path& file : files()) {
    const std::string whole = *read_file(file);
    for (int i = 0; i < 40; ++i) {
      std::string damaged = whole;
      const std::size_t at = random.below(std::min<std::size_t>(whole.size(), 3000));
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << random.below(8)));
      must(write_file(file, damaged));
      expect_no_harm(folder_.path(), fmt::format("{} flipped at {}", file.filename().string(), at));
    }
    must(write_file(file, whole));
  }
}

TEST_P(HostileFolder, SwappedWithOneAnother) {
  const std::vector<fs::path> all = files();
  for (std::size_t i = 0; i + 1 < all.size(); ++i) {
    const std::string first = *read_file(all[i]), second = *read_file(all[i + 1]);
    must(write_file(all[i], second));
    must(write_file(all[i + 1], first));
    EXPECT_FALSE(TextModel::open(folder_.path(), {.layer = 2}));
    expect_no_harm(folder_.path(), "swapped");
    must(write_file(all[i], first));
    must(write_file(all[i + 1], second));
  }
}

// They would make everything unlike everything, which looks like a score of 0.
TEST_P(HostileFolder, WeightsThatAreNoNumbersGiveNoScore) {
  const fs::path file = folder_.path() / "model.safetensors";
  if (!fs::exists(file)) GTEST_SKIP() << "its weights are in another form";
  std::string content = *read_file(file);
  std::uint64_t header = 0;
  std::memcpy(&header, content.data(), sizeof header);
  std::fill(content.begin() + static_cast<std::ptrdiff_t>(8 + header), content.end(), '\xFF');
  must(write_file(file, content));
  const auto model = TextModel::open(folder_.path(), {.layer = 2});
  ASSERT_TRUE(model) << model.error().message();
  const std::vector<std::string> words = {"the hand has six fingers", "a cup floats"};
  const std::vector<TextPairs> pairs = {{{words[0]}, {words[1]}}};
  const auto scored = bert_score(**model, pairs, {});
  ASSERT_FALSE(scored);
  EXPECT_NE(scored.error().message().find("weights must be damaged"), std::string::npos)
      << scored.error().message();
}

TEST_P(HostileFolder, AnotherModelsConfiguration) {
  for (const char* const other : {"bert", "distilbert", "roberta", "t5", "mt5"}) {
    if (std::string_view(other) == GetParam()) continue;
    must(write_json_file(folder_.path() / "config.json", make_model(other).config));
    const auto model = TextModel::open(folder_.path(), {.layer = 2});
    ASSERT_FALSE(model) << other;
    EXPECT_FALSE(model.error().why.empty());
  }
}

INSTANTIATE_TEST_SUITE_P(Families, HostileFolder, testing::Values("distilbert", "roberta", "mt5"),
                         [](const auto& family) { return std::string(family.param); });

std::string explain(const Result<TensorList>& tensors) {
  return tensors ? "" : tensors.error().message();
}

std::string safetensors_with(std::string_view header) {
  const std::uint64_t size = header.size();
  return std::string(reinterpret_cast<const char*>(&size), 8) + std::string(header) + std::string(64, '\0');
}

TEST(Safetensors, ClaimsBeyondTheFileAreRefused) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({"a":{"dtype":"F32","shape":[1000000,1000000],"data_offsets":[0,64]}})", "its shape needs"},
      {R"({"a":{"dtype":"F32","shape":[4],"data_offsets":[56,72]}})", "do not lie within the file"},
      {R"({"a":{"dtype":"F32","shape":[-4],"data_offsets":[0,16]}})", "impossible shape"},
      {R"({"a":{"dtype":"F32","shape":[9223372036854775807,4],"data_offsets":[0,16]}})", "impossible shape"},
      {R"({"a":{"dtype":"F32","shape":[4],"data_offsets":[16,0]}})", "impossible shape"},
      {R"({"a":{"dtype":"Q7","shape":[4],"data_offsets":[0,16]}})", "unknown type"},
      {R"({"a":{"dtype":"F32","shape":[4]}})", "lacks"},
      {R"({"a":7})", "lacks"},
      {R"([1])", "no JSON object"}};
  for (const auto& [header, why] : cases) {
    const std::string file = safetensors_with(header);
    EXPECT_NE(explain(read_safetensors(bytes_of(file), "x.safetensors")).find(why), std::string::npos)
        << header << "\n"
        << explain(read_safetensors(bytes_of(file), "x.safetensors"));
  }
  std::string huge = safetensors_with("{}");
  huge[6] = '\x7F';
  EXPECT_NE(explain(read_safetensors(bytes_of(huge), "x")).find("inside its header"), std::string::npos);
}

TEST(TorchFile, BothFormsHoldWhatTorchSaved) {
  const MadeModel made = make_model("distilbert");
  for (const char* const name : {"archive.bin", "old.bin"}) {
    const auto file = read_file(networks_test_folder() / "torch_files" / name);
    ASSERT_TRUE(file) << name;
    const auto tensors = read_torch_file(bytes_of(*file), name);
    ASSERT_TRUE(tensors) << tensors.error().message();
    EXPECT_EQ(tensors->size(), made.tensors.size() + 1) << "and one tensor of integers";
    for (const MadeTensor& tensor : made.tensors) {
      const auto found = tensors->find(tensor.name);
      ASSERT_NE(found, tensors->end()) << tensor.name;
      EXPECT_EQ(found->second.shape, tensor.shape);
      ASSERT_EQ(found->second.type, DataType::kF16);
      for (std::size_t i = 0; i < tensor.values.size(); ++i) {
        std::uint16_t half = 0;
        std::memcpy(&half, found->second.data + 2 * i, 2);
        ASSERT_EQ(half, half_of(tensor.values[i])) << tensor.name << " " << i;
      }
    }
  }
}

TEST(TorchFile, DamageIsToldAndNeverFollowed) {
  RandomStream random(3);
  for (const char* const name : {"archive.bin", "old.bin"}) {
    const std::string whole = *read_file(networks_test_folder() / "torch_files" / name);
    for (int i = 0; i < 3000; ++i) {
      std::string damaged = whole;
      // The pickle stands at the beginning, the archive's directory at the end.
      std::size_t at = random.below(6000);
      if (random.chance(0.3)) at = whole.size() - 1 - at;
      damaged[at] = static_cast<char>(random.below(256));
      if (const auto tensors = read_torch_file(bytes_of(damaged), name)) {
        for (const auto& [tensor_name, tensor] : *tensors) {
          EXPECT_GE(tensor.data, bytes_of(damaged).data());
          EXPECT_LE(tensor.data, bytes_of(damaged).data() + damaged.size());
        }
      } else {
        EXPECT_FALSE(tensors.error().why.empty());
      }
    }
    for (std::size_t size = 0; size < whole.size(); size += whole.size() / 50) {
      EXPECT_FALSE(read_torch_file(bytes_of(whole).subspan(0, size), name)) << size;
    }
  }
}

TEST(Pickles, NamesOfFunctionsAreRefusedWithoutBeingCalled) {
  const std::string_view evil[] = {
      "\x80\x02"
      "cos\nsystem\nX\x02\x00\x00\x00lsq\x00\x85R.",
      "\x80\x04\x8c\x08"
      "builtins\x8c\x04"
      "eval\x93."};
  for (const std::string_view text : evil) {
    const auto pickle = read_pickle(std::as_bytes(std::span(text)), "evil.bin");
    ASSERT_FALSE(pickle);
    EXPECT_NE(pickle.error().why.find("runs nothing out of a file"), std::string::npos) << pickle.error().why;
  }
}

TEST(Pickles, CopyingWithoutEndIsStopped) {
  // A text of 60,000 letters, remembered once and recalled a million times.
  std::string text =
      "\x80\x02X\x60\xEA" + std::string(2, '\0') + std::string(60000, 'a') + std::string("q\0", 2);
  for (int i = 0; i < 1'000'000; ++i) text += std::string("h\0", 2);
  const auto pickle = read_pickle(bytes_of(text), "bomb.bin");
  ASSERT_FALSE(pickle);
  EXPECT_NE(pickle.error().why.find("too many"), std::string::npos);
}

TEST(Pickles, StacksThatRunEmptyAreTold) {
  for (const std::string_view text :
       {".", "R", "Q", "t", "\x87", "s", "u", "b", "q\x01", "h\x05", "a", "((((", ""}) {
    EXPECT_FALSE(read_pickle(std::as_bytes(std::span(text)), "x"));
  }
}

}  // namespace
}  // namespace awry::inspectors::networks
