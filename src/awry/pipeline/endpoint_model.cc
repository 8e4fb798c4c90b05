// SPDX-License-Identifier: Apache-2.0
#include "awry/pipeline/endpoint_model.h"

#include <fmt/format.h>

#include <utility>

#include "awry/inspectors/vlm/request.h"

namespace awry::pipeline {
namespace {

namespace vlm = inspectors::vlm;

class EndpointModel final : public Model {
 public:
  EndpointModel(std::string name, std::string identity, vlm::ModelArgs args, vlm::PictureLimits pictures,
                std::vector<vlm::Endpoint> endpoints, const vlm::ClientOptions& options)
      : name_(std::move(name)),
        identity_(std::move(identity)),
        args_(std::move(args)),
        pictures_(pictures),
        client_(std::move(endpoints), options) {}

  std::string name() const override { return "openai:" + name_; }
  std::string identity() const override { return identity_; }

  void begin(const Sample& sample, const Question& question, const std::string&, Done done) override {
    const Result<vlm::ChatRequest> request =
        vlm::make_chat_request(sample, question, name_, args_, pictures_);
    if (!request) {
      return done({.question_id = question.id,
                   .outcome = Outcome::kUnreadable,
                   .model = name(),
                   .error = request.error().message()});
    }
    client_.ask(*request, [done = std::move(done), model = name()](Reply reply) {
      reply.model = model;
      done(std::move(reply));
    });
  }
  void finish() override { client_.drain(); }
  void stop() override { client_.stop_asking(); }
  ModelLoad load() const override {
    const vlm::ClientStats stats = client_.stats();
    return {.in_flight = stats.in_flight, .waiting = stats.waiting};
  }

 private:
  const std::string name_, identity_;
  const vlm::ModelArgs args_;
  const vlm::PictureLimits pictures_;
  vlm::ChatClient client_;
};

}  // namespace

Result<std::string> endpoint_identity(const std::string& name, const EndpointSettings& settings) {
  AWRY_TRY_ASSIGN(const vlm::ModelArgs args, vlm::parse_model_args(settings.model_args));
  const vlm::PictureLimits& limits = settings.pictures;
  return fmt::format("openai:{} {} edge {} pixels {} bytes {}", name, args.canonical(), limits.max_long_edge,
                     limits.max_pixels, limits.max_bytes);
}

Result<std::unique_ptr<Model>> make_endpoint_model(const std::string& name,
                                                   const EndpointSettings& settings) {
  AWRY_TRY_ASSIGN(std::string identity, endpoint_identity(name, settings));
  AWRY_TRY_ASSIGN(vlm::ModelArgs args, vlm::parse_model_args(settings.model_args));
  AWRY_TRY_ASSIGN(std::vector<vlm::Endpoint> endpoints,
                  vlm::resolve_endpoints(settings.endpoints, settings.environment));
  return std::make_unique<EndpointModel>(name, std::move(identity), std::move(args), settings.pictures,
                                         std::move(endpoints), settings.client);
}

}  // namespace awry::pipeline
