// SPDX-License-Identifier: Apache-2.0
#include "awry/pipeline/models.h"

#include <array>
#include <utility>

#include "awry/inspectors/forensics/forensics.h"
#include "awry/pipeline/batch_model.h"
#include "awry/pipeline/endpoint_model.h"
#include "awry/pipeline/inspector_model.h"
#include "awry/pipeline/recording.h"

namespace awry::pipeline {
namespace {

constexpr std::string_view kNotAsked = "not asked";

Result<std::unique_ptr<Model>> make_forensics(const benchmarks::Protocol& protocol, Role role) {
  if (role == Role::kJudges) {
    return fail({.kind = ErrorKind::kUsage,
                 .what = "the embedded inspector cannot judge answers",
                 .hint = "Name a chat model: --judge openai:NAME."});
  }
  if (protocol.phrase == nullptr) {
    return fail({.kind = ErrorKind::kUsage,
                 .what = "the embedded inspector cannot answer the protocol",
                 .input = std::string(protocol.name),
                 .hint = "It can be asked about themis."});
  }
  return make_inspector_model(inspectors::forensics::make_forensic_inspector(), protocol);
}

}  // namespace

bool was_not_asked(const Reply& reply) {
  return inspectors::vlm::was_cancelled(reply) || reply.finish_reason == kNotAsked;
}

Reply not_asked(const Question& question, std::string why) {
  return {.question_id = question.id,
          .outcome = Outcome::kTransport,
          .finish_reason = std::string(kNotAsked),
          .error = std::move(why)};
}

std::string_view endpoint_model_name(std::string_view name) {
  for (const std::string_view scheme : {"openai:", "batch:"}) {
    if (name.starts_with(scheme)) return name.substr(scheme.size());
  }
  return {};
}

Result<std::unique_ptr<Model>> make_model(const std::string& name, const EndpointSettings& settings,
                                          const benchmarks::Protocol& protocol, Role role) {
  if (name == "forensics") return make_forensics(protocol, role);
  const std::size_t colon = name.find(':');
  const std::string scheme = name.substr(0, colon);
  const std::string rest = colon == std::string::npos ? "" : name.substr(colon + 1);
  if (!rest.empty()) {
    if (scheme == "openai") return make_endpoint_model(rest, settings);
    if (scheme == "batch") return make_batch_model(rest, settings);
    if (scheme == "replay") {
      AWRY_TRY_ASSIGN(Recording recording, read_recording(rest));
      return make_replay_model(std::move(recording), role);
    }
  }
  return fail({.kind = ErrorKind::kUsage,
               .what = "unknown model",
               .input = name,
               .hint = "Known are forensics, openai:NAME, batch:NAME and replay:FILE."});
}

}  // namespace awry::pipeline
