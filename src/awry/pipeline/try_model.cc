// SPDX-License-Identifier: Apache-2.0
#include "awry/pipeline/try_model.h"

#include "awry/base/files.h"
#include "awry/base/text.h"
#include "awry/imaging/encode.h"
#include "awry/pipeline/endpoint_model.h"

namespace awry::pipeline {
namespace {

constexpr int kSide = 64;  // some endpoints refuse anything smaller than a patch of theirs

imaging::Image red_square() {
  imaging::Image image(kSide, kSide, 3);
  for (std::size_t i = 0; i < image.pixels.size(); i += 3) image.pixels[i] = 230;
  return image;
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
  const TemporaryFolder folder;
  const std::filesystem::path picture = folder.path() / "red.png";
  AWRY_TRY(write_file(picture, imaging::encode_png(red_square())));
  const Sample sample{.id = "trial", .images = {{.path = picture.string()}}};
  const Question question{.id = "trial/colour",
                          .sample_id = sample.id,
                          .kind = "trial",
                          .prompt = "Which colour is this picture? Answer with one English word.",
                          .images = {0}};
  Trial trial;
  model->begin(sample, question, "", [&](Reply reply) { trial.reply = std::move(reply); });
  model->finish();
  trial.sees = contains_ignoring_case(trial.reply.text, "red");
  return trial;
}

}  // namespace awry::pipeline
