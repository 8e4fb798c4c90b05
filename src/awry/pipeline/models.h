// SPDX-License-Identifier: Apache-2.0
// Whoever answers questions: an embedded inspector, a chat endpoint, a recording, or files for a batch.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "awry/base/result.h"
#include "awry/benchmarks/protocol.h"
#include "awry/inspectors/vlm/client.h"
#include "awry/records/asking.h"
#include "awry/records/run.h"
#include "awry/records/sample.h"

namespace awry::pipeline {

// What progress shows of a model that works in the background.
struct ModelLoad {
  std::size_t in_flight = 0, waiting = 0;
};

class Model {
 public:
  using Done = std::function<void(Reply)>;

  virtual ~Model() = default;
  virtual std::string name() const = 0;  // as asked for: "forensics", "openai:gpt-4o"
  // Changes whenever its replies may change: part of every reply key. Names the model, never a secret.
  virtual std::string identity() const = 0;

  // Any thread. `done` is called exactly once, perhaps later and on another thread, and must be quick. There
  // is always a reply: what went wrong is in its outcome. Sample and question outlive the call of `done`.
  virtual void begin(const Sample& sample, const Question& question, const std::string& key, Done done) = 0;
  virtual void finish() {}  // returns when everything begun is done
  virtual void stop() {}    // any thread: what has not left yet is done at once, with was_not_asked()
  virtual ModelLoad load() const { return {}; }

  // The run whose replies it gives back, for recordings: they, and not the store, decide the replies.
  virtual const Run* recorded_run() const { return nullptr; }
};

// True for replies to questions that never left: they are not stored, and resuming asks them.
bool was_not_asked(const Reply& reply);
Reply not_asked(const Question& question, std::string why);

// How a model behind an endpoint is reached and asked.
struct EndpointSettings {
  inspectors::vlm::EndpointOptions endpoints;
  std::vector<std::string> model_args;  // "temperature=0"
  inspectors::vlm::PictureLimits pictures;
  inspectors::vlm::ClientOptions client;
  inspectors::vlm::Environment environment = inspectors::vlm::process_environment();
  std::filesystem::path batch_folder;  // of batch:NAME
  bool batch_again = false;            // write requests again whose results are failures
};

enum class Role { kAnswers, kJudges };

// "forensics", "openai:NAME", "replay:FILE" or "batch:NAME". The protocol must outlive the model.
Result<std::unique_ptr<Model>> make_model(const std::string& name, const EndpointSettings& settings,
                                          const benchmarks::Protocol& protocol, Role role = Role::kAnswers);

// The part of "openai:gpt-4o" that endpoints and price lists know; empty for models without one.
std::string_view endpoint_model_name(std::string_view name);

}  // namespace awry::pipeline
