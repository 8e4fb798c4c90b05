// SPDX-License-Identifier: Apache-2.0
// Sample -> Question. The wording lives in prompts/.
#include <fmt/format.h>

#include "awry/base/files.h"
#include "awry/benchmarks/anomreason/anomreason.h"
#include "awry/benchmarks/embedded_files.h"

namespace awry::benchmarks::anomreason {
namespace {

// The user's own wording where there is one, ours otherwise.
Result<std::string> wording(std::string_view task, const Options& options) {
  const std::string name = fmt::format("{}.txt", task);
  if (!options.prompts.empty()) {
    const std::filesystem::path own = std::filesystem::path(options.prompts) / name;
    std::error_code error;
    if (std::filesystem::exists(own, error)) return read_file(own);
  }
  const auto ours = embedded_file("anomreason/prompts/" + name);
  if (!ours) return fail({.kind = ErrorKind::kNotFound, .what = "there is no prompt", .input = name});
  return std::string(*ours);
}

}  // namespace

Result<std::vector<Question>> ask(const Sample& sample, const ProtocolOptions& protocol_options) {
  AWRY_TRY_ASSIGN(const Options options, read_options(protocol_options));
  if (sample.images.size() != 1) {
    return fail({.what = "cannot ask about a sample",
                 .input = sample.id,
                 .why = fmt::format("it has {} images; AnomReason asks about one", sample.images.size())});
  }
  const std::string_view task = task_of(sample, options);
  Question question{.id = fmt::format("{}/{}", sample.id, task),
                    .sample_id = sample.id,
                    .kind = std::string(task),
                    .images = {0}};
  AWRY_TRY_ASSIGN(question.prompt, wording(task, options));
  return std::vector<Question>{std::move(question)};
}

}  // namespace awry::benchmarks::anomreason
