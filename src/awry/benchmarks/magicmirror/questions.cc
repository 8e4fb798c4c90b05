// SPDX-License-Identifier: Apache-2.0
// Sample -> Questions.
#include <fmt/format.h>

#include <map>

#include "awry/base/files.h"
#include "awry/base/text.h"
#include "awry/benchmarks/embedded_files.h"
#include "awry/benchmarks/magicmirror/magicmirror.h"

namespace awry::benchmarks::magicmirror {
namespace {

// The user's own wording where there is one, ours otherwise.
Result<std::string> wording(std::string_view kind, const Options& options) {
  const std::string name = fmt::format("{}.txt", kind);
  if (!options.prompts.empty()) {
    const std::filesystem::path own = std::filesystem::path(options.prompts) / name;
    std::error_code error;
    if (std::filesystem::exists(own, error)) return read_file(own);
  }
  const auto ours = embedded_file("magicmirror/prompts/" + name);
  if (!ours) return fail({.kind = ErrorKind::kNotFound, .what = "there is no prompt", .input = name});
  return std::string(*ours);
}

// The wording holds JSON, so gaps are named as no JSON ever is: [[prompt]]. Filled in one pass, so that a
// prompt that happens to contain a gap's name stays as it is.
std::string fill(std::string_view text, const std::map<std::string, std::string, std::less<>>& gaps) {
  std::string filled;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t open = text.find("[[", at);
    const std::size_t close = text.find("]]", open);
    if (open == std::string_view::npos || close == std::string_view::npos)
      return filled.append(text.substr(at));
    const auto gap = gaps.find(text.substr(open + 2, close - open - 2));
    filled.append(text.substr(at, open - at));
    filled.append(gap == gaps.end() ? text.substr(open, close + 2 - open) : std::string_view(gap->second));
    at = close + 2;
  }
  return filled;
}

Result<Question> question_of(const Sample& sample, std::string_view kind, const Options& options) {
  if (sample.images.empty()) {
    return fail({.what = "cannot ask about a sample",
                 .input = sample.id,
                 .why = "it has no image",
                 .hint = "MagicBench prompts need the generator's images first: rows with gen_images."});
  }
  std::string prompt = "(not known)";
  for (const Passage& passage : sample.passages) {
    if (passage.part == "prompt") prompt = passage.text;
  }
  AWRY_TRY_ASSIGN(const std::string text, wording(kind, options));
  return Question{.id = fmt::format("{}/{}", sample.id, kind),
                  .sample_id = sample.id,
                  .kind = std::string(kind),
                  .prompt = fill(text, {{"prompt", prompt},
                                        {"subject", std::string(attribute(sample, kSubjectAttribute))}}),
                  .images = {0}};
}

}  // namespace

Result<std::vector<Question>> ask_mirror(const Sample& sample, const ProtocolOptions& protocol_options) {
  AWRY_TRY_ASSIGN(const Options options, read_mirror_options(protocol_options));
  AWRY_TRY_ASSIGN(Question question, question_of(sample, kAssess, options));
  return std::vector<Question>{std::move(question)};
}

Result<std::vector<Question>> ask_bench(const Sample& sample, const ProtocolOptions& protocol_options) {
  AWRY_TRY_ASSIGN(const Options options, read_bench_options(protocol_options));
  std::vector<Question> questions;
  if (attribute(sample, kHasSubjectAttribute).empty() && options.subject == "verified") {
    AWRY_TRY_ASSIGN(Question subject, question_of(sample, kSubject, options));
    questions.push_back(std::move(subject));
  }
  AWRY_TRY_ASSIGN(Question assess, question_of(sample, kAssess, options));
  questions.push_back(std::move(assess));
  return questions;
}

}  // namespace awry::benchmarks::magicmirror
