// SPDX-License-Identifier: Apache-2.0
// The forge joined with an images endpoint, over real HTTP, and with the embedded inspectors.
#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>

#include "awry/base/base64.h"
#include "awry/base/files.h"
#include "awry/base/json.h"
#include "awry/forge/themis_set.h"
#include "awry/imaging/decode.h"
#include "awry/imaging/encode.h"
#include "awry/inspectors/vlm/picture.h"
#include "awry/inspectors/vlm/testing/scripted_server.h"
#include "awry/pipeline/hardness.h"
#include "awry/pipeline/image_endpoint.h"
#include "awry/pipeline/inspect_collection.h"

namespace awry::pipeline {
namespace {

namespace fs = std::filesystem;
using inspectors::vlm::testing::ReceivedRequest;
using inspectors::vlm::testing::ScriptedReply;
using inspectors::vlm::testing::ScriptedServer;

ScriptedReply picture_reply() {
  imaging::Image image(96, 96, 3);
  RandomStream random(9);
  for (auto& value : image.pixels) value = static_cast<std::uint8_t>(random.integer(60, 200));
  std::string base64;
  append_base64(base64, imaging::encode_png(image));
  return {.body = dump_json({{"data", Json::array({{{"b64_json", base64}}})}})};
}

EndpointSettings settings_for(const ScriptedServer& server) {
  EndpointSettings settings;
  settings.endpoints.base_urls = {server.base_url()};
  settings.environment = [](std::string_view name) -> std::optional<std::string> {
    return name == "OPENAI_API_KEY" ? std::optional<std::string>("sk-very-secret-0123456789") : std::nullopt;
  };
  settings.client.pacing.max_retries = 2;
  return settings;
}

// A part of a multipart body, by its name.
std::string part(const std::string& body, const std::string& name) {
  const std::size_t at = body.find("name=\"" + name + "\"");
  if (at == std::string::npos) return "";
  const std::size_t from = body.find("\r\n\r\n", at) + 4;
  return body.substr(from, body.find("\r\n--awry-", from) - from);
}

forge::ThemisSetOptions two_generated(forge::ImageGenerator& generator) {
  return {.seed = 5,
          .splicing = 0,
          .copy_move = 0,
          .authentic = 0,
          .global_duplicates = 0,
          .local_duplicates = 0,
          .unrelated_pairs = 0,
          .panel_side = 128,
          .kinds = {forge::PanelKind::kStainedMicrograph},
          .ai_whole = 1,
          .ai_regions = 1,
          .generator = &generator};
}

TEST(ImageEndpoint, MakesWholePanelsAndRegionsAndIsNotAskedTwice) {
  std::mutex mutex;
  std::vector<ReceivedRequest> received;
  const ScriptedServer server([&](const ReceivedRequest& request) {
    const std::lock_guard lock(mutex);
    received.push_back(request);
    // Too fast at first, and once broken: both are tried again.
    if (received.size() == 1)
      return ScriptedReply{.status = 429, .body = "{}", .headers = {{"retry-after-ms", "1"}}};
    return picture_reply();
  });
  const auto generator =
      make_endpoint_generator({.model = "dall-e-2", .size = "64x64"}, settings_for(server));
  ASSERT_TRUE(generator) << generator.error().message();
  const TemporaryFolder folder;
  const auto options = two_generated(**generator);
  const auto set = forge::forge_themis_set(folder.path() / "set", options);
  ASSERT_TRUE(set) << set.error().message();
  EXPECT_EQ(set->forgery_questions, 2);

  ASSERT_EQ(received.size(), 3);
  EXPECT_EQ(received[1].path, "/v1/images/generations");
  EXPECT_EQ(received[1].headers.at("authorization"), "Bearer sk-very-secret-0123456789");
  const Json asked = *parse_json(received[1].body, "body");
  EXPECT_EQ(asked["model"], "dall-e-2");
  EXPECT_EQ(asked["size"], "64x64");
  EXPECT_EQ(asked["response_format"], "b64_json");
  EXPECT_EQ(received[2].path, "/v1/images/edits");
  const std::string body = received[2].body;
  EXPECT_EQ(part(body, "model"), "dall-e-2");
  EXPECT_NE(part(body, "prompt").find("stained_micrograph"), std::string::npos);
  const auto sent = imaging::decode_image(part(body, "image"), "image");
  const auto mask = imaging::decode_image(part(body, "mask"), "mask", {.alpha = imaging::Alpha::kKeep});
  ASSERT_TRUE(sent && mask);
  EXPECT_EQ(sent->width, 64);
  ASSERT_EQ(mask->channels, 4);
  int clear = 0;
  for (std::size_t i = 3; i < mask->pixels.size(); i += 4) clear += mask->pixels[i] == 0;
  EXPECT_GT(clear, 64 * 64 * 3 / 100);  // the region, transparent
  EXPECT_LT(clear, 64 * 64 * 35 / 100);

  // Losing a panel costs nothing: what was generated is still there.
  fs::remove_all(folder.path() / "set/forgery");
  ASSERT_TRUE(forge::forge_themis_set(folder.path() / "set", options));
  ASSERT_TRUE(forge::replay_set(folder.path() / "set/metadata.json", folder.path() / "again"));
  EXPECT_EQ(received.size(), 3);
  const std::string metadata = *read_file(folder.path() / "set/metadata.json");
  EXPECT_EQ(metadata.find("sk-very"), std::string::npos);
  EXPECT_NE(metadata.find("dall-e-2"), std::string::npos);
}

TEST(ImageEndpoint, TakesRefusalsForAnAnswerAndSaysWhatWentWrong) {
  const auto generate = [](ScriptedReply reply) {
    const ScriptedServer server([&](const ReceivedRequest&) { return reply; });
    EndpointSettings settings = settings_for(server);
    settings.client.pacing.max_retries = 0;
    auto generator = make_endpoint_generator({.model = "gpt-image-1"}, settings);
    return (*generator)->generate({.prompt = "a cell", .width = 100, .height = 80});
  };
  const auto refused = generate(
      {.status = 400, .body = R"({"error":{"code":"moderation_blocked","message":"not in my house"}})"});
  ASSERT_TRUE(refused) << refused.error().message();
  EXPECT_NE(refused->refusal.find("not in my house"), std::string::npos);

  const auto wrong_key =
      generate({.status = 401, .body = R"({"error":{"message":"bad key sk-very-secret-0123456789"}})"});
  ASSERT_FALSE(wrong_key);
  EXPECT_NE(wrong_key.error().message().find("401"), std::string::npos);
  EXPECT_EQ(wrong_key.error().message().find("sk-very"), std::string::npos);
  for (const char* body : {"", "[]", R"({"data":[]})", R"({"data":[{"url":"http://x"}]})",
                           R"({"data":[{"b64_json":"%%"}]})", R"({"data":[7]})"}) {
    EXPECT_FALSE(generate({.body = body})) << body;
  }
  EXPECT_FALSE(make_endpoint_generator({.model = "m", .size = "huge"}, {}));
}

TEST(MakeSelection, TellsCopyMovesFromAuthenticPanelsWithTheEmbeddedInspector) {
  const auto selection = make_selection(forge::Keep::kBoth, "forensics", {});
  ASSERT_TRUE(selection) << selection.error().message();
  EXPECT_TRUE(selection->inspector.starts_with("forensics "));
  const auto verdict = [&](forge::ThemisCategory category, forge::PanelKind kind) {
    const auto item = forge::forge_themis_item(
        {.category = category, .kind = kind, .seed = {4, {"test"}}, .panel_side = 256});
    return *selection->finds(*item, 0);
  };
  using enum forge::ThemisCategory;
  const auto kStained = forge::PanelKind::kStainedMicrograph;
  EXPECT_EQ(verdict(kCopyMove, kStained), std::optional(true));
  EXPECT_EQ(verdict(kAuthentic, kStained), std::optional(true));
  EXPECT_EQ(verdict(kSplicing, kStained), std::optional(false));  // it does not look for splices
  EXPECT_EQ(verdict(kGlobalDuplicate, kStained), std::optional(true));
  EXPECT_EQ(verdict(kTrendText, forge::PanelKind::kChart), std::nullopt);
  EXPECT_EQ(verdict(kResynthesis, kStained), std::nullopt);
  EXPECT_FALSE(make_selection(forge::Keep::kBoth, "batch:x", {}));
}

// What keeps crops of one picture in the same split: `awry forge` joins what is found here into groups.
TEST(FindReusedPanels, RecognisesCropsAmongPicturesThatOnlyLookAlike) {
  const TemporaryFolder folder;
  std::vector<Sample> samples;
  const auto add = [&](const std::string& name, const imaging::Image& image) {
    const std::string path = (folder.path() / name).string();
    ASSERT_TRUE(imaging::write_image(path, image));
    samples.push_back({.id = name, .images = {{.path = path}}});
  };
  const auto painted = [](std::uint64_t seed) {
    return forge::paint_panel(forge::PanelKind::kStainedMicrograph, 400, 400, RandomStream(seed))->image;
  };
  const auto crop = [](const imaging::Image& image, int x, int y, int side) {
    imaging::Image part(side, side, 3);
    for (int row = 0; row < side; ++row) std::copy_n(image.at(x, y + row), 3 * side, part.at(0, row));
    return part;
  };
  add("upper.png", crop(painted(1), 0, 0, 280));
  add("lower.png", crop(painted(1), 110, 90, 280));
  for (std::uint64_t seed = 2; seed < 6; ++seed)
    add(std::to_string(seed) + ".png", crop(painted(seed), 0, 0, 280));
  const ReusedPanels reused = find_reused_panels(samples, {});
  ASSERT_EQ(reused.pairs.size(), 1);
  EXPECT_EQ(reused.pairs[0].sample.images[0].path, samples[0].images[0].path);
  EXPECT_EQ(reused.pairs[0].sample.images[1].path, samples[1].images[0].path);
}

}  // namespace
}  // namespace awry::pipeline
