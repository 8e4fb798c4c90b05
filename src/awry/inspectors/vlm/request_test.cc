// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/vlm/request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "awry/base/base64.h"
#include "awry/base/files.h"
#include "awry/base/json.h"
#include "awry/base/random.h"
#include "awry/imaging/decode.h"
#include "awry/imaging/encode.h"

namespace awry::inspectors::vlm {
namespace {

using ::testing::HasSubstr;

imaging::Image noise(int width, int height) {
  imaging::Image image(width, height, 3);
  RandomStream random(1);
  for (std::uint8_t& value : image.pixels) value = static_cast<std::uint8_t>(random.below(256));
  return image;
}

TEST(ModelArgs, BecomeTheJsonTheyLookLike) {
  const std::vector<std::string> args = {
      "temperature=0",      "seed=7",        "max_tokens=512", "reasoning_effort=high",   "top_p=1e-1",
      "stop=[\"a\",\"b\"]", "logprobs=true", "user=\"42\"",    "extra={\"a\":{\"b\":1}}", "note=a=b c"};
  const Result<ModelArgs> parsed = parse_model_args(args);
  ASSERT_TRUE(parsed) << parsed.error().message();
  const Json json = *parse_json(parsed->canonical(), "args");
  // Sorted by name: the order decides the bytes, and they decide the reply's key.
  EXPECT_EQ(json, *parse_json(R"({"extra":{"a":{"b":1}},"logprobs":true,"max_tokens":512,"note":"a=b c",
    "reasoning_effort":"high","seed":7,"stop":["a","b"],"temperature":0,"top_p":0.1,"user":"42"})",
                              "want"));
}

TEST(ModelArgs, AreTheSameInWhateverOrder) {
  const std::vector<std::string> one = {"seed=7", "temperature=0"}, other = {"temperature=0", "seed=7"};
  EXPECT_EQ(parse_model_args(one)->canonical(), parse_model_args(other)->canonical());
  EXPECT_EQ(ModelArgs{}.canonical(), "{}");
}

TEST(ModelArgs, RefuseWhatCannotBeMeant) {
  for (const char* arg :
       {"temperature", "=1", "temperature=warm", "seed=1.5", "max_tokens=0", "max_tokens=-3",
        "max_tokens=many", "model=other", "messages=[]", "stream=true", "n=3", "reasoning-effort=low",
        "reasoning_effort=3", "stop=[\"a\"", "logprobs=yes"}) {
    const std::vector<std::string> args = {arg};
    const Result<ModelArgs> parsed = parse_model_args(args);
    ASSERT_FALSE(parsed) << arg;
    EXPECT_EQ(parsed.error().kind, ErrorKind::kUsage) << arg;
  }
  const std::vector<std::string> twice = {"seed=1", "seed=2"};
  EXPECT_FALSE(parse_model_args(twice));
}

TEST(ModelArgs, DoubleWhicheverLimitThereIs) {
  const auto doubled = [](std::vector<std::string> args) -> std::string {
    const auto result = with_doubled_limit(*parse_model_args(args));
    return result ? result->canonical() : "none";
  };
  EXPECT_EQ(doubled({"max_tokens=100"}), R"({"max_tokens":200})");
  EXPECT_EQ(doubled({"max_completion_tokens=64", "seed=1"}), R"({"max_completion_tokens":128,"seed":1})");
  EXPECT_EQ(doubled({"seed=1"}), "none");
}

TEST(Base64, FollowsTheTestVectorsOfRfc4648) {
  const std::pair<std::string_view, std::string_view> vectors[] = {{"", ""},
                                                                   {"f", "Zg=="},
                                                                   {"fo", "Zm8="},
                                                                   {"foo", "Zm9v"},
                                                                   {"foob", "Zm9vYg=="},
                                                                   {"fooba", "Zm9vYmE="},
                                                                   {"foobar", "Zm9vYmFy"},
                                                                   {"\xff\xfe\xfd", "//79"}};
  for (const auto& [plain, coded] : vectors) {
    std::string out = "x";
    append_base64(out, plain);
    EXPECT_EQ(out, "x" + std::string(coded));
  }
}

TEST(Picture, TravelsUntouchedWhenNothingForbidsIt) {
  const std::string file = imaging::encode_png(noise(40, 30));
  for (const PictureLimits limits : {PictureLimits{}, PictureLimits{40, 1200, file.size()}}) {
    const Result<Picture> picture = load_picture_bytes(file, "a.png", limits);
    ASSERT_TRUE(picture);
    EXPECT_EQ(picture->bytes, file);
    EXPECT_EQ(picture->mime_type, "image/png");
    EXPECT_FALSE(picture->reencoded);
    EXPECT_EQ(picture->width, 40);
  }
}

TEST(Picture, ShrinksToTheLongEdgeThenByTenPercentSteps) {
  const std::string file = imaging::encode_png(noise(400, 200));
  const Result<Picture> edge = load_picture_bytes(file, "a.png", {.max_long_edge = 100});
  ASSERT_TRUE(edge);
  EXPECT_EQ(edge->width, 100);
  EXPECT_EQ(edge->height, 50);
  EXPECT_TRUE(edge->reencoded);
  // 100x50 = 5000, 90x45 = 4050, 81x40 = 3240: the first that fits.
  const Result<Picture> budget =
      load_picture_bytes(file, "a.png", {.max_long_edge = 100, .max_pixels = 4000});
  ASSERT_TRUE(budget);
  EXPECT_EQ(budget->width, 81);
  EXPECT_EQ(budget->height, 40);
  EXPECT_EQ(imaging::probe_image_bytes(budget->bytes, "sent")->width, 81);
  EXPECT_NEAR(budget->sent_from_original[0], 81.0 / 400, 1e-9);
}

TEST(Picture, ShrinksUntilItsBytesFit) {
  const std::string file = imaging::encode_png(noise(100, 100));  // noise does not compress: about 30 kB
  const Result<Picture> picture = load_picture_bytes(file, "a.png", {.max_bytes = 20'000});
  ASSERT_TRUE(picture);
  EXPECT_LE(picture->bytes.size(), 20'000u);
  EXPECT_GE(picture->bytes.size(), 12'000u);  // and not further than it must
  EXPECT_FALSE(load_picture_bytes(file, "a.png", {.max_bytes = 10}));
}

TEST(Picture, KeepsLossyImagesLossyAndOthersExact) {
  const std::string jpeg = *imaging::encode_jpeg(noise(64, 64), 90);
  EXPECT_EQ(load_picture_bytes(jpeg, "a.jpg", {.max_long_edge = 32})->mime_type, "image/jpeg");
  EXPECT_EQ(load_picture_bytes(jpeg, "a.jpg")->bytes, jpeg);
}

TEST(Picture, IsRefusedByNameWhenItIsNone) {
  for (const char* content : {"", "not an image", "\x89PNG\r\n\x1a\n"}) {
    const Result<Picture> picture = load_picture_bytes(content, "broken.png");
    ASSERT_FALSE(picture);
    EXPECT_THAT(picture.error().message(), HasSubstr("broken.png"));
  }
}

class ChatRequestOfFiles : public ::testing::Test {
 protected:
  ChatRequestOfFiles() {
    for (const char* name : {"a.png", "b.png"}) {
      const std::string path = (folder_.path() / name).string();
      EXPECT_TRUE(write_file(path, imaging::encode_png(noise(name[0], 5))));
      sample_.images.push_back({.path = path});
    }
  }
  TemporaryFolder folder_;
  Sample sample_{.id = "s"};
};

TEST_F(ChatRequestOfFiles, ShowsTheImagesInOrderAndThenThePrompt) {
  const Question question{.id = "s/x", .prompt = "Same \"cell\"?\nÄ\x01", .images = {1, 0}};
  const std::vector<std::string> args = {"temperature=0"};
  const Result<ChatRequest> request = make_chat_request(sample_, question, "m-1", *parse_model_args(args));
  ASSERT_TRUE(request);
  EXPECT_EQ(request->question_id, "s/x");
  const Json body = *parse_json(write_chat_body(*request).json, "body");
  EXPECT_EQ(body["model"], "m-1");
  EXPECT_EQ(body["temperature"], 0);
  const Json& content = body["messages"][0]["content"];
  ASSERT_EQ(content.size(), 3u);
  std::string url;
  append_data_url(url, *load_picture(sample_.images[1].path));
  EXPECT_EQ(content[0]["type"], "image_url");
  EXPECT_EQ(content[0]["image_url"]["url"], url);
  EXPECT_EQ(content[2]["type"], "text");
  EXPECT_EQ(content[2]["text"], question.prompt);
}

TEST_F(ChatRequestOfFiles, FailsForImagesThatAreNotThere) {
  EXPECT_FALSE(make_chat_request(sample_, {.images = {2}}, "m"));
  EXPECT_FALSE(make_chat_request(sample_, {.images = {-1}}, "m"));
  sample_.images[0].path = (folder_.path() / "gone.png").string();
  const auto request = make_chat_request(sample_, {.images = {0}}, "m");
  ASSERT_FALSE(request);
  EXPECT_THAT(request.error().message(), HasSubstr("gone.png"));
}

TEST(ChatBody, KeepsTextPlainAndTurnsInOrder) {
  const ChatRequest request{.model = "m",
                            .turns = {{"system", {{.text = "Be brief."}}}, {"user", {{.text = "Hi \xff"}}}}};
  const Json body = *parse_json(write_chat_body(request).json, "body");
  EXPECT_EQ(body["messages"][0], (Json{{"role", "system"}, {"content", "Be brief."}}));
  EXPECT_EQ(body["messages"][1]["content"], "Hi \xEF\xBF\xBD");
}

TEST(ChatBody, ReplacesItsArgumentsAndNothingElse) {
  const ChatRequest request{.model = "m", .turns = {{"user", {{.text = "?"}}}}};
  ChatBody body = write_chat_body(request);
  const std::string before = body.json;
  body.replace_args({{{"max_tokens", "8"}}});
  EXPECT_EQ((*parse_json(body.json, "body"))["max_tokens"], 8);
  body.replace_args({});
  EXPECT_EQ(body.json, before);
}

TEST(ChatRequest, EarlierTurnsComeFirstAndKeepTheImages) {
  const TemporaryFolder folder;
  const std::filesystem::path image = folder.path() / "a.png";
  value_or_throw(write_file(image, imaging::encode_png(imaging::Image(4, 4, 3))));
  const Sample sample{.id = "s", .images = {{.path = image.string()}}};
  const Question question{
      .id = "s/b", .prompt = "and why?", .images = {0}, .earlier = {{.prompt = "odd?", .reply = "yes"}}};
  const ChatBody body = write_chat_body(value_or_throw(make_chat_request(sample, question, "m")));
  const Json messages = value_or_throw(parse_json(body.json, "body"))["messages"];
  ASSERT_EQ(messages.size(), 3u);
  EXPECT_EQ(messages[0]["content"][0]["type"], "image_url");
  EXPECT_EQ(messages[0]["content"][1]["text"], "odd?");
  EXPECT_EQ(messages[1]["role"], "assistant");
  EXPECT_EQ(messages[1]["content"], "yes");
  EXPECT_EQ(messages[2]["role"], "user");
  EXPECT_EQ(messages[2]["content"], "and why?");
}

}  // namespace
}  // namespace awry::inspectors::vlm
