// SPDX-License-Identifier: Apache-2.0
#include "awry/pipeline/image_generation.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "awry/base/base64.h"
#include "awry/base/files.h"
#include "awry/inspectors/vlm/image_request.h"
#include "awry/inspectors/vlm/testing/scripts.h"

namespace awry::pipeline {
namespace {

namespace fs = std::filesystem;
using inspectors::vlm::read_generated;
using inspectors::vlm::testing::pictures;
using inspectors::vlm::testing::ReceivedRequest;
using inspectors::vlm::testing::refusal_429;
using inspectors::vlm::testing::ScriptedServer;

class ImageGeneration : public ::testing::Test {
 protected:
  void SetUp() override {
    value_or_throw(write_file(folder_.path() / "prompts.jsonl",
                              R"({"prompt_t2i": "a cat", "class": "animal", "detail_class": "animal_single"}
{"prompt_t2i": "a dog", "class": "animal", "detail_class": "animal_single"}
{"prompt_t2i": "a cup", "class": "object", "detail_class": "object_single"}
)"));
  }
  ImagesOptions options(const ScriptedServer& server) const {
    ImagesOptions options{.prompts = folder_.path() / "prompts.jsonl",
                          .output = folder_.path() / "out",
                          .model = "openai:painter",
                          .at_once = 2};
    options.endpoint.endpoints.base_urls = {server.base_url()};
    options.endpoint.environment = [](std::string_view) -> std::optional<std::string> {
      return "sk-secret-1234567890abcdef";
    };
    options.endpoint.client.pacing.first_backoff = std::chrono::milliseconds(5);
    return options;
  }
  std::size_t rows() const {
    return static_cast<std::size_t>(
        std::ranges::count(value_or_throw(read_file(folder_.path() / "out" / "rows.jsonl")), '\n'));
  }
  TemporaryFolder folder_;
};

TEST_F(ImageGeneration, KeepsEachPictureAndAsksForItOnce) {
  for (const bool by_address : {false, true}) {
    fs::remove_all(folder_.path() / "out");
    const ScriptedServer server(pictures(by_address));
    const ImagesResult first = value_or_throw(generate_images(options(server)));
    EXPECT_EQ(first.made, 3u) << (first.failures.empty() ? "" : first.failures.front());
    EXPECT_EQ(rows(), 3u);
    EXPECT_EQ(server.counts().requests, by_address ? 6u : 3u);
    const ImagesResult again = value_or_throw(generate_images(options(server)));
    EXPECT_EQ(again.known, 3u);
    EXPECT_EQ(server.counts().requests, by_address ? 6u : 3u);
  }
}

TEST_F(ImageGeneration, GoesOnWhereItStopped) {
  const ScriptedServer server(pictures(false));
  ImagesOptions frugal = options(server);
  frugal.budget.max_calls = 2;
  const ImagesResult stopped = value_or_throw(generate_images(frugal));
  EXPECT_TRUE(stopped.budget_used_up);
  EXPECT_EQ(stopped.made, 2u);
  EXPECT_EQ(rows(), 2u);
  EXPECT_TRUE(value_or_throw(generate_images(frugal)).budget_used_up) << "what was spent before counts";
  frugal.budget.max_calls = 3;
  EXPECT_EQ(value_or_throw(generate_images(frugal)).made, 1u);
  EXPECT_EQ(rows(), 3u);
  EXPECT_EQ(server.counts().requests, 3u);
}

TEST_F(ImageGeneration, CountsMoneyByThePicture) {
  const ScriptedServer server(pictures(false));
  ImagesOptions paid = options(server);
  paid.budget.max_cost_usd = 0.10;
  EXPECT_EQ(generate_images(paid).error().kind, ErrorKind::kUsage) << "nobody knows the price";
  paid.prices.models["painter"] = {.image_usd = 0.04};
  const ImagesResult result = value_or_throw(generate_images(paid));
  EXPECT_TRUE(result.budget_used_up);
  EXPECT_EQ(result.made, 2u);
  EXPECT_NEAR(result.spent.cost_usd, 0.08, 1e-9);
}

TEST_F(ImageGeneration, WhatIsNoPictureIsAFailureThatNamesThePromptAndNeverTheKey) {
  const ScriptedServer server([](const ReceivedRequest& request) -> inspectors::vlm::testing::ScriptedReply {
    if (request.body.find("a cat") != std::string::npos)
      return {.body = R"({"data": [{"b64_json": "AAAA"}]})"};
    if (request.body.find("a dog") != std::string::npos) {
      return {.status = 400, .body = R"({"error": {"message": "no dogs for sk-secret-1234567890abcdef"}})"};
    }
    return {.body = R"({"data": [{"url": "file:///etc/passwd"}]})"};
  });
  const ImagesResult result = value_or_throw(generate_images(options(server)));
  ASSERT_EQ(result.failures.size(), 3u);
  EXPECT_TRUE(result.failures[0].starts_with("a cat: "));
  EXPECT_NE(result.failures[2].find("HTTP 400"), std::string::npos) << result.failures[2];
  for (const std::string& failure : result.failures) EXPECT_EQ(failure.find("sk-secret"), std::string::npos);
  EXPECT_EQ(rows(), 0u);
}

TEST(DecodeBase64, GivesBackWhatWasEncoded) {
  EXPECT_EQ(decode_base64(""), "");
  EXPECT_EQ(decode_base64("Zg=="), "f");
  EXPECT_EQ(decode_base64("Zm9v"), "foo");
  EXPECT_EQ(decode_base64("Zm9v\nYmE="), "fooba");
  for (const char* wrong : {"Z", "Zm9v!", "Zg==Zg==", "Z m"}) EXPECT_FALSE(decode_base64(wrong)) << wrong;
}

TEST(ReadGenerated, TakesDataUrlsAndRefusesTheRest) {
  EXPECT_EQ(value_or_throw(read_generated(R"({"url": "data:image/png;base64,Zm9v"})")).bytes, "foo");
  EXPECT_EQ(value_or_throw(read_generated(R"({"url": "https://x/y.png"})")).url, "https://x/y.png");
  for (const char* wrong :
       {"", "[]", "{}", R"({"url": 3})", R"({"b64_json": "!"})", R"({"url": "data:x"})"}) {
    EXPECT_FALSE(read_generated(wrong).has_value()) << wrong;
  }
}

}  // namespace
}  // namespace awry::pipeline
