// SPDX-License-Identifier: Apache-2.0
#include "awry/pipeline/models.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "awry/inspectors/forensics/forensics.h"

namespace awry::pipeline {
namespace {

// Lets an embedded inspector take part in a protocol: it looks, the protocol words what it saw.
class InspectorModel final : public Model {
 public:
  InspectorModel(std::unique_ptr<inspectors::Inspector> inspector, const benchmarks::Protocol& protocol)
      : inspector_(std::move(inspector)), protocol_(protocol) {}

  std::string name() const override { return inspector_->name(); }
  std::string identity() const override {
    return fmt::format("{} {}", inspector_->name(), inspector_->version());
  }

  Reply answer(const Sample& sample, const Question& question) const override {
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
    return reply;
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

Result<std::unique_ptr<Model>> make_model(std::string_view name, const benchmarks::Protocol& protocol) {
  if (name != "forensics") {
    return fail({.kind = ErrorKind::kUsage,
                 .what = "unknown model",
                 .input = std::string(name),
                 .hint = "This version answers with the embedded inspector: --model forensics."});
  }
  if (protocol.phrase == nullptr) {
    return fail({.kind = ErrorKind::kUsage,
                 .what = "the embedded inspector cannot answer the protocol",
                 .input = std::string(protocol.name),
                 .hint = "It can be asked about themis."});
  }
  return std::make_unique<InspectorModel>(inspectors::forensics::make_forensic_inspector(), protocol);
}

}  // namespace awry::pipeline
