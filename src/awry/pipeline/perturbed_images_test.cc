// SPDX-License-Identifier: Apache-2.0
#include "awry/pipeline/perturbed_images.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "awry/base/files.h"
#include "awry/imaging/decode.h"
#include "awry/imaging/encode.h"
#include "awry/imaging/mask.h"

namespace awry::pipeline {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;

imaging::Image chequered(int width, int height) {
  imaging::Image image(width, height, 3);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      for (int c = 0; c < 3; ++c) image.at(x, y)[c] = (x / 4 + y / 4) % 2 != 0 ? 230 : 20;
    }
  }
  return image;
}

class PerturbedImages : public ::testing::Test {
 protected:
  void SetUp() override {
    original_ = (folder_.path() / "panel é.png").string();
    value_or_throw(imaging::write_image(original_, chequered(40, 20)));
  }
  PerturbedSamples perturb(std::vector<Sample> samples, std::string_view how) const {
    const auto by = value_or_throw(parse_perturbations(how));
    return value_or_throw(perturb_images(std::move(samples), by, {.folder = cache(), .threads = 2}));
  }
  std::filesystem::path cache() const { return folder_.path() / "cache"; }
  Sample sample(Where where = WholeImage{}) const {
    return {.id = "1",
            .images = {{.path = original_, .width = 40, .height = 20, .sha256 = "old"}},
            .has_truth = true,
            .truth = {{.where = std::move(where)}}};
  }

  TemporaryFolder folder_;
  std::string original_;
};

TEST(Perturbations, AreReadAndWrittenAlike) {
  const auto by = parse_perturbations(" scale:0.5 , jpeg:70").value();
  EXPECT_THAT(by, ElementsAre(Perturbation{Damage::kScale, 0.5}, Perturbation{Damage::kJpeg, 70}));
  EXPECT_EQ(text_of(by), "scale:0.5,jpeg:70");
  for (const char* wrong :
       {"", "blur", "blur:", "blur:-1", "blur:nan", "blur:1e9", "jpeg:0", "jpeg:101", "jpeg:70.5", "scale:0",
        "scale:100", "rotate:3", "jpeg:70,", "jpeg:seventy", "blur:1:2"}) {
    EXPECT_FALSE(parse_perturbations(wrong).has_value()) << wrong;
  }
  EXPECT_THAT(parse_perturbations("rotate:3").error().message(), HasSubstr("none of blur, jpeg, scale"));
}

TEST_F(PerturbedImages, CopiesAreMadeOnceAndFoundAgain) {
  const PerturbedSamples first = perturb({sample(), sample()}, "blur:1.5");
  EXPECT_EQ(first.made, 1u);
  const ImageRef copy = first.samples[0].images[0];
  EXPECT_NE(copy.path, original_);
  EXPECT_EQ(copy.sha256, "");
  EXPECT_EQ(first.samples[0].attributes.at("perturbation"), "blur:1.5");
  EXPECT_EQ(first.samples[0].id, "1");
  const std::string bytes = read_file(copy.path).value();

  const PerturbedSamples again = perturb({sample()}, "blur:1.5");
  EXPECT_EQ(again.made, 0u);
  EXPECT_EQ(again.reused, 1u);
  EXPECT_EQ(again.samples[0].images[0].path, copy.path);
  std::filesystem::remove(copy.path);
  EXPECT_EQ(read_file(perturb({sample()}, "blur:1.5").samples[0].images[0].path).value(), bytes);
}

TEST_F(PerturbedImages, AnEditedOriginalGetsAnotherCopy) {
  const std::string before = perturb({sample()}, "jpeg:50").samples[0].images[0].path;
  EXPECT_THAT(before, EndsWith(".jpg"));
  value_or_throw(imaging::write_image(original_, chequered(40, 24)));
  EXPECT_NE(perturb({sample()}, "jpeg:50").samples[0].images[0].path, before);
}

TEST_F(PerturbedImages, BlurAndJpegKeepTheSizeAndTheTruth) {
  const Box box{3, 4, 10, 5};
  for (const char* how : {"blur:2", "jpeg:20", "blur:1,jpeg:60"}) {
    const Sample after = perturb({sample(box)}, how).samples[0];
    EXPECT_EQ(after.images[0].width, 40);
    EXPECT_EQ(std::get<Box>(after.truth[0].where), box);
    EXPECT_NE(imaging::read_image(after.images[0].path).value(), chequered(40, 20)) << how;
  }
}

TEST_F(PerturbedImages, ScalingCarriesBoxesMasksAndPairsAlong) {
  const Sample boxed = perturb({sample(Box{4, 6, 10, 8})}, "scale:0.5").samples[0];
  EXPECT_EQ(boxed.images[0].width, 20);
  EXPECT_EQ(boxed.images[0].height, 10);
  EXPECT_EQ(std::get<Box>(boxed.truth[0].where), (Box{2, 3, 5, 4}));

  const Mask mask = imaging::mask_from_box({4, 6, 10, 8}, 40, 20).value();
  const Sample masked = perturb({sample(mask)}, "scale:2").samples[0];
  const Mask twice = std::get<Mask>(masked.truth[0].where);
  EXPECT_EQ(twice, imaging::mask_from_box({8, 12, 20, 16}, 80, 40).value());

  const BlockSet blocks{.rows = 2, .columns = 3, .blocks = {1, 5}};
  EXPECT_EQ(std::get<BlockSet>(perturb({sample(blocks)}, "scale:0.5").samples[0].truth[0].where), blocks);

  // The second image is the first, shifted by (10, 4); at half size by (5, 2).
  Pair pair{.in_first = mask, .second_from_first = Transform{1, 0, 10, 0, 1, 4, 0, 0, 1}};
  Sample two = sample(pair);
  two.images.push_back(two.images[0]);
  const Pair half = std::get<Pair>(perturb({two}, "scale:0.5").samples[0].truth[0].where);
  EXPECT_EQ(half.second_from_first, (Transform{1, 0, 5, 0, 1, 2, 0, 0, 1}));
  EXPECT_EQ(*half.in_first, imaging::mask_from_box({2, 3, 5, 4}, 20, 10).value());
}

TEST_F(PerturbedImages, WhatCannotBeReadStaysAndIsSaid) {
  Sample broken = sample();
  broken.images[0].path = (folder_.path() / "none.png").string();
  const PerturbedSamples after = perturb({broken, sample()}, "jpeg:50");
  EXPECT_THAT(after.unreadable, ElementsAre(HasSubstr("none.png")));
  EXPECT_EQ(after.samples[0].images[0].path, broken.images[0].path);
  EXPECT_EQ(after.made, 1u);
}

TEST_F(PerturbedImages, AFileInTheWayOfTheFolderIsAnError) {
  value_or_throw(write_file(cache(), "x"));
  const auto by = parse_perturbations("blur:1").value();
  EXPECT_FALSE(perturb_images({sample()}, by, {.folder = cache()}).has_value());
}

}  // namespace
}  // namespace awry::pipeline
