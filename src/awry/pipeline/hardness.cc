// SPDX-License-Identifier: Apache-2.0
#include "awry/pipeline/hardness.h"

#include <fmt/format.h>

#include <future>
#include <memory>
#include <utility>

#include "awry/base/files.h"
#include "awry/base/json.h"
#include "awry/benchmarks/themis/item.h"
#include "awry/forge/themis_json.h"
#include "awry/imaging/encode.h"

namespace awry::pipeline {
namespace {

using benchmarks::AnsweredSample;
using forge::ThemisItem;

// The item as a folder of its own, read back as any set is.
Result<Sample> sample_of(const ThemisItem& item, const std::filesystem::path& folder,
                         const benchmarks::Protocol& protocol) {
  for (const forge::ItemPanel& panel : item.panels) {
    AWRY_TRY(make_folder((folder / panel.path).parent_path()));
    AWRY_TRY(write_file(folder / panel.path, imaging::encode_png(panel.image)));
  }
  const Json file{{"question", Json::array({forge::question_json(item)})}};
  AWRY_TRY(
      write_json_file(folder / fmt::format("{}.json", forge::question_file_of(item.plan.category)), file));
  AWRY_TRY_ASSIGN(benchmarks::Dataset set, protocol.read_samples(folder, {}));
  if (set.samples.size() != 1)
    return fail(
        {.what = "cannot show the inspector", .input = item.question_id, .why = "it is not one sample"});
  return std::move(set.samples.front());
}

Result<Reply> ask(Model& model, const Sample& sample, const Question& question) {
  std::promise<Reply> promise;
  model.begin(sample, question, "", [&](Reply reply) { promise.set_value(std::move(reply)); });
  Reply reply = promise.get_future().get();
  if (reply.outcome == Outcome::kTransport || reply.outcome == Outcome::kUnreadable || was_not_asked(reply)) {
    return fail({.kind = ErrorKind::kIo,
                 .what = "cannot ask the inspector about",
                 .input = sample.id,
                 .why = reply.error,
                 .hint = "What was forged so far is kept: run the same command again to go on."});
  }
  return reply;
}

Result<std::optional<bool>> finds(Model& model, const benchmarks::Protocol& protocol,
                                  const ThemisItem& item) {
  // THEMIS does not ask about resynthesised regions, and the embedded detectors read no texts.
  if (item.plan.category == forge::ThemisCategory::kResynthesis) return std::nullopt;
  if (is_about_text(item.plan.category) && endpoint_model_name(model.name()).empty()) return std::nullopt;
  const TemporaryFolder folder;
  AWRY_TRY_ASSIGN(const Sample sample, sample_of(item, folder.path(), protocol));
  AnsweredSample answered{.sample = sample};
  AWRY_TRY_ASSIGN(answered.questions, protocol.ask(sample, {}));
  for (const Question& question : answered.questions) {
    AWRY_TRY_ASSIGN(const Reply reply, ask(model, sample, question));
    answered.answers.push_back(protocol.parse(sample, question, reply));
  }
  AWRY_TRY_ASSIGN(const auto compared, benchmarks::themis::compare(answered));
  if (!compared) return std::nullopt;
  if (compared->authentic) return compared->answered() && compared->claimed.empty();
  return compared->answered() && compared->claimed == compared->type;
}

}  // namespace

Result<forge::Selection> make_selection(forge::Keep keep, const std::string& inspector,
                                        const EndpointSettings& settings, int max_candidates) {
  if (inspector != "forensics" && !inspector.starts_with("openai:")) {
    return fail({.kind = ErrorKind::kUsage,
                 .what = "cannot select with inspector",
                 .input = inspector,
                 .why = "it cannot be asked while forging",
                 .hint = "Known are forensics and openai:NAME."});
  }
  const benchmarks::Protocol* protocol = benchmarks::find_protocol("themis");
  AWRY_TRY_ASSIGN(std::unique_ptr<Model> made, make_model(inspector, settings, *protocol));
  const std::shared_ptr<Model> model = std::move(made);
  return forge::Selection{
      .keep = keep,
      .inspector = model->identity(),
      .max_candidates = max_candidates,
      .finds = [model, protocol](const ThemisItem& item, int) { return finds(*model, *protocol, item); }};
}

}  // namespace awry::pipeline
