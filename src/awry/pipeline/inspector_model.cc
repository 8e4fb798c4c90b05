// SPDX-License-Identifier: Apache-2.0
#include "awry/pipeline/inspector_model.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

namespace awry::pipeline {
namespace {

class InspectorModel final : public Model {
 public:
  InspectorModel(std::unique_ptr<inspectors::Inspector> inspector, const benchmarks::Protocol& protocol)
      : inspector_(std::move(inspector)), protocol_(protocol) {}

  std::string name() const override { return inspector_->name(); }
  std::string identity() const override {
    return fmt::format("{} {}", inspector_->name(), inspector_->version());
  }

  void begin(const Sample& sample, const Question& question, const std::string&, Done done) override {
    const auto start = std::chrono::steady_clock::now();
    Reply reply{
        .question_id = question.id, .model = name(), .returned_model = identity(), .finish_reason = "stop"};
    const Result<std::string> text = look_and_phrase(sample, question);
    if (text) {
      reply.text = *text;
    } else {
      reply.outcome = Outcome::kUnreadable;
      reply.error = text.error().message();
    }
    reply.latency_ms =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    done(std::move(reply));
  }

 private:
  Result<std::string> look_and_phrase(const Sample& sample, const Question& question) const {
    AWRY_TRY_ASSIGN(const inspectors::Inspection inspection, inspector_->inspect(sample, question.images));
    return protocol_.phrase(sample, question, inspection);
  }

  std::unique_ptr<inspectors::Inspector> inspector_;
  const benchmarks::Protocol& protocol_;
};

}  // namespace

std::unique_ptr<Model> make_inspector_model(std::unique_ptr<inspectors::Inspector> inspector,
                                            const benchmarks::Protocol& protocol) {
  return std::make_unique<InspectorModel>(std::move(inspector), protocol);
}

}  // namespace awry::pipeline
