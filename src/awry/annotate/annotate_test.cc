// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "awry/annotate/image_metadata.h"
#include "awry/annotate/review_formats.h"
#include "awry/annotate/splits.h"
#include "awry/annotate/training_files.h"
#include "awry/base/files.h"
#include "awry/base/json.h"
#include "awry/imaging/encode.h"

namespace awry::annotate {
namespace {

using agents::ImageAnnotation;
using agents::Stage;

// Two anomalies: one made from o1/analyse.verify/1, the other from o2/relate.verify/1; a third candidate led
// nowhere.
ImageAnnotation example(const std::string& image = "a/cat.png", const std::string& generator = "flux") {
  ImageAnnotation annotation;
  annotation.sample = {.id = image, .images = {{.path = image}}, .attributes = {{kGenerator, generator}}};
  annotation.candidates = {
      {.id = "o1/analyse.verify/1", .stage = Stage::kAnalyseVerify, .phenomenon = "six fingers"},
      {.id = "o1/analyse.verify/2", .stage = Stage::kAnalyseVerify, .phenomenon = "odd hair"},
      {.id = "o2/relate.verify/1", .stage = Stage::kRelateVerify, .phenomenon = "hovers"}};
  for (int i = 1; i <= 2; ++i) {
    agents::Anomaly anomaly;
    anomaly.finding = {.id = image + "/format/" + std::to_string(i),
                       .name = "Flaw " + std::to_string(i),
                       .phenomenon = "what is seen",
                       .reasoning = "why it is wrong",
                       .severity = 10.0 * i};
    anomaly.from = {i == 1 ? "o1/analyse.verify/1" : "o2/relate.verify/1"};
    annotation.anomalies.push_back(std::move(anomaly));
  }
  return annotation;
}

Verdict vote(const std::string& id, Decision decision, const std::string& person) {
  return make_verdict(id, decision, person);
}

// --- review ---

TEST(Votes, TheVerifiedSetIsWhatMostAccept) {
  EXPECT_EQ((Votes{.accept = 2, .reject = 1}).standing(), Standing::kAccepted);
  EXPECT_EQ((Votes{.accept = 1, .reject = 1}).standing(), Standing::kDisputed);
  EXPECT_EQ((Votes{.accept = 1, .unsure = 1}).standing(), Standing::kDisputed);
  EXPECT_EQ((Votes{.accept = 1, .reject = 2}).standing(), Standing::kRejected);
  EXPECT_EQ((Votes{.accept = 1}).standing(2), Standing::kUndecided);
  EXPECT_EQ(Votes{}.standing(), Standing::kUndecided);
}

TEST(CountVotes, APersonWhoDecidesAgainHasOneVote) {
  const std::vector<Verdict> verdicts = {vote("f", Decision::kAccept, "ann"),
                                         vote("f", Decision::kReject, "ann"),
                                         vote("f", Decision::kReject, "bob")};
  const VotesById votes = count_votes(verdicts);
  EXPECT_EQ(votes.at("f").reject, 2u);
  EXPECT_EQ(votes.at("f").accept, 0u);
}

TEST(Acceptance, CandidatesInheritWhatBecameOfThem) {
  const std::vector<ImageAnnotation> annotations = {example()};
  const VotesById votes =
      count_votes(std::vector<Verdict>{vote("a/cat.png/format/1", Decision::kAccept, "ann"),
                                       vote("a/cat.png/format/2", Decision::kReject, "ann")});
  const auto rows = acceptance_by_stage(annotations, votes);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].stage, Stage::kAnalyseVerify);
  EXPECT_EQ(rows[0].acceptance.accepted, 1u);
  EXPECT_EQ(rows[0].dropped, 1u);
  EXPECT_EQ(rows[0].acceptance.rate(), 1.0);
  EXPECT_EQ(rows[1].acceptance.rejected, 1u);
  EXPECT_EQ(rows[2].acceptance.rate(), 0.5);
}

TEST(Acceptance, IsToldByGenerator) {
  const std::vector<ImageAnnotation> annotations = {example("1.png", "flux"), example("2.png", "sdxl")};
  const VotesById votes = count_votes(std::vector<Verdict>{vote("1.png/format/1", Decision::kAccept, "ann")});
  const auto rows = acceptance_by_generator(annotations, votes);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].group, "flux");
  EXPECT_EQ(rows[0].accepted, 1u);
  EXPECT_FALSE(rows[1].rate());
}

TEST(VerifiedOnly, KeepsImagesAndTakesTheRestOut) {
  const std::vector<ImageAnnotation> annotations = {example()};
  const VotesById votes =
      count_votes(std::vector<Verdict>{vote("a/cat.png/format/2", Decision::kAccept, "ann")});
  const auto verified = verified_only(annotations, votes);
  ASSERT_EQ(verified.size(), 1u);
  ASSERT_EQ(verified[0].anomalies.size(), 1u);
  EXPECT_EQ(verified[0].anomalies[0].finding.name, "Flaw 2");
}

TEST(ReviewFormats, EveryFormatBringsDecisionsBack) {
  const std::vector<ImageAnnotation> annotations = {example()};
  const std::vector<ReviewItem> items = review_items(annotations);
  const std::vector<Verdict> verdicts = {vote("a/cat.png/format/1", Decision::kAccept, "ann"),
                                         vote("a/cat.png/format/1", Decision::kUnsure, "bob"),
                                         vote("a/cat.png/format/2", Decision::kReject, "ann")};
  for (const ReviewFormat format :
       {ReviewFormat::kJsonLines, ReviewFormat::kLabelStudio, ReviewFormat::kProdigy}) {
    const auto read = read_reviews(write_reviews(items, verdicts, format), "file", "");
    ASSERT_TRUE(read) << read.error().message();
    ASSERT_EQ(read->size(), 3u);
    const VotesById votes = count_votes(*read);
    EXPECT_EQ(votes.at("a/cat.png/format/1").accept, 1u);
    EXPECT_EQ(votes.at("a/cat.png/format/1").unsure, 1u);
    EXPECT_EQ(votes.at("a/cat.png/format/2").reject, 1u);
    EXPECT_EQ(read->front().by.name, "ann");
  }
}

TEST(ReviewFormats, RefuseWhatTheyCannotRead) {
  EXPECT_FALSE(read_reviews(R"({"finding_id":"f","decision":"perhaps not"})", "file", "ann"));
  EXPECT_FALSE(read_reviews(R"({"decision":"accept"})", "file", "ann"));
  EXPECT_FALSE(read_reviews("[{}]", "file", "ann"));
  EXPECT_FALSE(read_reviews(R"({"finding_id":"f","decision":)", "file", "ann"));
  EXPECT_TRUE(read_reviews(R"({"finding_id":"f"})", "file", "ann")->empty());  // not decided yet
  for (const char* value :
       {R"("accept")", "7", "null", R"({"choices":{"a":1}})", R"({"choices":["accept","reject"]})"}) {
    const std::string task = fmt::format(
        R"([{{"data":{{"finding_id":"f"}},"annotations":[{{"result":[{{"type":"choices","value":{}}}]}}]}}])",
        value);
    EXPECT_FALSE(read_reviews(task, "file", "ann")) << task;
  }
  for (const char* harmless :
       {R"([{"data":7,"annotations":null}])", R"([{"data":{},"annotations":[3,"x",{"result":5}]}])"}) {
    const auto read = read_reviews(harmless, "file", "ann");
    EXPECT_TRUE(read && read->empty()) << harmless;
  }
}

TEST(ReviewFormats, TakeLabelStudiosNumbersForPeople) {
  const auto read = read_reviews(
      R"([{"data":{"finding_id":"f"},"annotations":[{"completed_by":4,"result":[{"type":"choices",
           "value":{"choices":["Accept"]}}]},{"was_cancelled":true,"result":[]}]}])",
      "file", "");
  ASSERT_TRUE(read);
  ASSERT_EQ(read->size(), 1u);
  EXPECT_EQ(read->front().by.name, "4");
  const auto named = read_reviews(
      R"([{"data":{"finding_id":"f"},"annotations":[{"completed_by":"bob","result":[{"type":"choices",
           "value":{"choices":["reject"]}}]}]}])",
      "file", "");
  ASSERT_TRUE(named);
  EXPECT_EQ(named->front().by.name, "bob");
}

// --- splits ---

std::vector<SplitImage> many_images(int count) {
  std::vector<SplitImage> images;
  for (int i = 0; i < count; ++i)
    images.push_back({.id = std::to_string(i), .sha256 = "hash" + std::to_string(i)});
  return images;
}

TEST(SplitImages, IsTheSameWhateverTheOrderAndWhoElseIsThere) {
  const auto parts = *parse_parts("train=0.5,test=0.5");
  const std::vector<SplitImage> images = many_images(400);
  const Split all = split_images(images, parts);
  const Split half = split_images(std::span(images).first(200), parts);
  std::vector<SplitImage> reversed(images.rbegin(), images.rend());
  const Split turned = split_images(reversed, parts);
  std::size_t in_train = 0;
  for (std::size_t i = 0; i < images.size(); ++i) {
    if (i < 200) {
      EXPECT_EQ(all.placed[i].part, half.placed[i].part);
    }
    EXPECT_EQ(all.placed[i].part, turned.placed[399 - i].part);
    in_train += all.placed[i].part == 0;
  }
  EXPECT_GT(in_train, 150u);
  EXPECT_LT(in_train, 250u);
}

TEST(SplitImages, NeverSeparatesPromptsOrNearDuplicates) {
  const auto parts = *parse_parts("train=1,test=1");
  std::vector<SplitImage> images = many_images(100);
  for (std::size_t i = 0; i < 100; ++i) images[i].prompt = "A cat, number " + std::to_string(i / 4);
  images[0].looks = PictureHash{0xff, 0};
  images[99].looks = PictureHash{0xfe, 1};  // two signs apart
  const Split split = split_images(images, parts);
  for (std::size_t i = 0; i < 100; ++i) EXPECT_EQ(split.placed[i].part, split.placed[i / 4 * 4].part);
  EXPECT_EQ(split.placed[0].group, split.placed[99].group);
  EXPECT_EQ(split.groups, 24u);
}

TEST(ParseParts, RefusesNonsense) {
  for (const char* text : {"", "train", "train=0", "train=x", "a=1,a=1", "=1"})
    EXPECT_FALSE(parse_parts(text)) << text;
}

TEST(PictureHash, ForgivesJpegAndSizeButNotOtherPictures) {
  const auto painted = [](int side, int phase) {
    imaging::Image image(side, side, 1);
    for (int y = 0; y < side; ++y) {
      for (int x = 0; x < side; ++x) {
        const double u = 9.0 * x / side, v = 9.0 * y / side;
        *image.at(x, y) =
            static_cast<std::uint8_t>(128 + 60 * std::sin(u + phase) + 60 * std::cos(1.7 * v - phase));
      }
    }
    return image;
  };
  const TemporaryFolder folder;
  const auto hash_of = [&](const imaging::Image& image, const char* name) {
    EXPECT_TRUE(imaging::write_image(folder.path() / name, image));
    return *picture_hash(folder.path() / name);
  };
  const auto original = hash_of(painted(128, 0), "a.png"), smaller = hash_of(painted(96, 0), "b.jpg");
  const auto other = hash_of(painted(128, 3), "c.png"),
             flat = hash_of(imaging::Image(64, 64, 1, 90), "d.png");
  ASSERT_TRUE(original && smaller && other);
  EXPECT_LE(differing_signs(*original, *smaller), kNearDuplicate);
  EXPECT_GT(differing_signs(*original, *other), kNearDuplicate);
  EXPECT_FALSE(flat);
}

// --- training files ---

TEST(TrainingSet, PacksAnomaliesUntilTheLimit) {
  ImageAnnotation annotation = example();
  for (int i = 3; i <= 6; ++i) {
    annotation.anomalies.push_back(annotation.anomalies.front());
    annotation.anomalies.back().finding.name = "Flaw " + std::to_string(i);
  }
  const std::vector<ImageAnnotation> annotations = {annotation};
  EXPECT_EQ(make_training_set(annotations, {}).conversations.size(), 1u);
  const TrainingSet split = make_training_set(annotations, {.max_tokens = 60});  // about two anomalies
  EXPECT_EQ(split.conversations.size(), 3u);
  EXPECT_EQ(split.split_images, 1u);
  std::set<std::string> ids;
  std::string answers;
  for (const Conversation& one : split.conversations) {
    ids.insert(one.id);
    answers += one.turns[0].second;
  }
  EXPECT_EQ(ids, (std::set<std::string>{"a/cat.png", "a/cat.png#2", "a/cat.png#3"}));
  for (int i = 1; i <= 6; ++i) EXPECT_NE(answers.find("Flaw " + std::to_string(i)), std::string::npos);
}

TEST(TrainingSet, OrderDependsOnTheSeedAlone) {
  ImageAnnotation annotation = example();
  for (int i = 3; i <= 8; ++i) {
    annotation.anomalies.push_back(annotation.anomalies.front());
    annotation.anomalies.back().finding.name = "Flaw " + std::to_string(i);
  }
  const std::vector<ImageAnnotation> annotations = {annotation, example("dog.png")};
  const auto written = [&](std::uint64_t seed) {
    return write_training_set(make_training_set(annotations, {.seed = seed}), TrainingFormat::kMessages);
  };
  EXPECT_EQ(written(1), written(1));
  EXPECT_NE(written(1), written(2));
}

TEST(TrainingSet, HasAsManyImageTagsAsImages) {
  const std::vector<ImageAnnotation> annotations = {example()};
  const Json list = *parse_json(
      write_training_set(make_training_set(annotations, {}), TrainingFormat::kLlamaFactory), "written");
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0]["images"].size(), 1u);
  EXPECT_TRUE(list[0]["conversations"][0]["value"].get<std::string>().starts_with("<image>\n"));
  EXPECT_TRUE(list[0]["conversations"][1]["value"].get<std::string>().starts_with("@1. Name: "));
  const Json info = *parse_json(write_dataset_info("anomalies", "anomalies.json"), "info");
  EXPECT_EQ(info["anomalies"]["columns"]["messages"], "conversations");
}

TEST(TrainingSet, DeepfakeConversationsHaveTwoTurnsForGeneratedImagesAndOneForReal) {
  ImageAnnotation generated = example("1_fake/a.png"), real = example("0_real/b.png"),
                  unknown = example("c.png");
  std::vector<Sample> samples = {generated.sample, real.sample, unknown.sample};
  ASSERT_TRUE(add_metadata(samples, ""));
  generated.sample = samples[0], real.sample = samples[1], unknown.sample = samples[2];
  const std::vector<ImageAnnotation> annotations = {generated, real, unknown};
  const TrainingSet set = make_training_set(annotations, {.shuffle_images = false, .deepfake = true});
  ASSERT_EQ(set.conversations.size(), 2u);
  EXPECT_EQ(set.conversations[0].turns.size(), 2u);
  EXPECT_EQ(set.conversations[1].turns.size(), 1u);
  EXPECT_EQ(set.without_source, 1u);
}

TEST(AddMetadata, ReadsTheFileBesideTheImages) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder.path() / "metadata.jsonl",
                         R"({"file_name": "x.png", "prompt": "a cat", "generator": "flux"})"));
  std::vector<Sample> samples = {{.id = "x", .images = {{.path = (folder.path() / "x.png").string()}}}};
  ASSERT_TRUE(add_metadata(samples, ""));
  EXPECT_EQ(attribute(samples[0], kPrompt), "a cat");
  EXPECT_EQ(attribute(samples[0], kGenerator), "flux");
  ASSERT_TRUE(write_file(folder.path() / "metadata.jsonl", R"({"prompt": "no name"})"));
  EXPECT_FALSE(add_metadata(samples, ""));
}

// As Hugging Face's image folders are laid out: one file for all subfolders.
TEST(AddMetadata, ReadsTheNearestFileAboveTheImages) {
  const TemporaryFolder folder;
  ASSERT_TRUE(make_folder(folder.path() / "flux"));
  ASSERT_TRUE(make_folder(folder.path() / "sd3"));
  ASSERT_TRUE(write_file(folder.path() / "metadata.jsonl",
                         R"({"file_name": "flux/x.png", "prompt": "a cat"}
{"file_name": "sd3/x.png", "prompt": "a cat"}
)"));
  ASSERT_TRUE(
      write_file(folder.path() / "sd3" / "metadata.jsonl", R"({"file_name": "x.png", "prompt": "a dog"})"));
  std::vector<Sample> samples;
  for (const char* name : {"flux/x.png", "sd3/x.png"}) {
    samples.push_back({.id = name, .images = {{.path = (folder.path() / name).string()}}});
  }
  ASSERT_TRUE(add_metadata(samples, ""));
  EXPECT_EQ(attribute(samples[0], kPrompt), "a cat");
  EXPECT_EQ(attribute(samples[1], kPrompt), "a dog");
}

}  // namespace
}  // namespace awry::annotate
