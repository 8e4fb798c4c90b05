// SPDX-License-Identifier: Apache-2.0
#include "awry/pipeline/try_model.h"

#include "awry/base/files.h"
#include "awry/base/text.h"
#include "awry/imaging/encode.h"
#include "awry/inspectors/vlm/picture.h"
#include "awry/pipeline/endpoint_model.h"
#include "awry/pipeline/prices.h"

namespace awry::pipeline {
namespace {

// As long as a large figure, but a flat colour: some kilobytes, and few tokens.
constexpr int kLongSide = 2048, kHeight = 256;
constexpr int kSmallSide = 64;  // some endpoints refuse anything smaller than a patch of theirs

imaging::Image red_picture(int width, int height) {
  imaging::Image image(width, height, 3);
  for (std::size_t i = 0; i < image.pixels.size(); i += 3) image.pixels[i] = 230;
  return image;
}

// Whether another picture might be taken where this one was not.
bool may_be_the_picture(const Reply& reply) {
  return reply.outcome == Outcome::kTransport && (reply.error.find("HTTP 400") != std::string::npos ||
                                                  reply.error.find("HTTP 413") != std::string::npos ||
                                                  reply.error.find("HTTP 422") != std::string::npos);
}

Result<Trial> show_red(Model& model, const EndpointSettings& settings, int width, int height) {
  const TemporaryFolder folder;
  const std::filesystem::path picture = folder.path() / "red.png";
  AWRY_TRY(write_file(picture, imaging::encode_png(red_picture(width, height))));
  AWRY_TRY_ASSIGN(const inspectors::vlm::Picture sent,
                  inspectors::vlm::load_picture(picture, settings.pictures));
  const Sample sample{.id = "trial", .images = {{.path = picture.string()}}};
  const Question question{.id = "trial/colour",
                          .sample_id = sample.id,
                          .kind = "trial",
                          .prompt = "Which colour is this picture? Answer with one English word.",
                          .images = {0}};
  Trial trial{.width = sent.width,
              .height = sent.height,
              .guessed_tokens = guess_input_tokens(sample, question, settings.pictures)};
  model.begin(sample, question, "", [&](Reply reply) { trial.reply = std::move(reply); });
  model.finish();
  trial.sees = contains_ignoring_case(trial.reply.text, "red");
  return trial;
}

}  // namespace

Result<Trial> try_model(const std::string& name, EndpointSettings settings) {
  if (!name.starts_with("openai:") || endpoint_model_name(name).empty()) {
    return fail({.kind = ErrorKind::kUsage,
                 .what = "cannot try model",
                 .input = name,
                 .why = "only models behind an endpoint can be tried",
                 .hint = "Name one: --model openai:NAME."});
  }
  settings.client.pacing.max_retries = 0;
  AWRY_TRY_ASSIGN(const std::unique_ptr<Model> model,
                  make_endpoint_model(std::string(endpoint_model_name(name)), settings));
  AWRY_TRY_ASSIGN(Trial trial, show_red(*model, settings, kLongSide, kHeight));
  if (!may_be_the_picture(trial.reply)) return trial;
  AWRY_TRY_ASSIGN(Trial small, show_red(*model, settings, kSmallSide, kSmallSide));
  small.long_edge_refused = trial.reply.error;
  small.refused_width = trial.width;
  return small;
}

}  // namespace awry::pipeline
