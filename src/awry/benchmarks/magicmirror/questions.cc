// SPDX-License-Identifier: Apache-2.0
// Sample -> Questions.
#include <fmt/format.h>

#include "awry/benchmarks/magicmirror/magicmirror.h"
#include "awry/benchmarks/prompts.h"

namespace awry::benchmarks::magicmirror {
namespace {

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
  const Gaps gaps = {{"prompt", prompt}, {"subject", std::string(attribute(sample, kSubjectAttribute))}};
  Question question{.id = fmt::format("{}/{}", sample.id, kind),
                    .sample_id = sample.id,
                    .kind = std::string(kind),
                    .images = {0}};
  AWRY_TRY_ASSIGN(const Prompts prompts, Prompts::open("magicmirror", options.prompts));
  const std::string file = fmt::format("{}.txt", kind);
  AWRY_TRY_ASSIGN(question.prompt,
                  kind == kSubject ? prompts.fill(file, gaps, {"subject"}) : prompts.fill(file, gaps));
  return question;
}

}  // namespace

Result<std::vector<Question>> ask_mirror(const Sample& sample, const ProtocolOptions& protocol_options) {
  AWRY_TRY_ASSIGN(const Options options, read_mirror_options(protocol_options));
  AWRY_TRY_ASSIGN(Question question, question_of(sample, kAssess, options));
  return std::vector<Question>{std::move(question)};
}

// Whatever the verdict, its reasoning is what the judge is asked about.
std::string imagine(const Sample&, const Question& question) {
  if (question.kind != kAssess) return "";
  return "<think>Each part is looked at, and none is out of place.</think>\n\\boxed{{\"Whether Normal\": "
         "true}}";
}

Result<std::vector<Question>> ask_bench(const Sample& sample, const ProtocolOptions& protocol_options) {
  AWRY_TRY_ASSIGN(const Options options, read_bench_options(protocol_options));
  std::vector<Question> questions;
  // Both are asked whatever the other says: a row counts only with an assessment, also without its subject.
  if (attribute(sample, kHasSubjectAttribute).empty() && options.subject != "assumed") {
    AWRY_TRY_ASSIGN(Question subject, question_of(sample, kSubject, options));
    subject.for_judge = options.subject == "judge";
    questions.push_back(std::move(subject));
  }
  AWRY_TRY_ASSIGN(Question assess, question_of(sample, kAssess, options));
  questions.push_back(std::move(assess));
  return questions;
}

}  // namespace awry::benchmarks::magicmirror
