// SPDX-License-Identifier: Apache-2.0
// Rows with an assessor's replies -> answered samples.
#include <fmt/format.h>

#include <functional>

#include "awry/benchmarks/magicmirror/magicmirror.h"
#include "awry/benchmarks/magicmirror/row_ids.h"
#include "awry/benchmarks/magicmirror/samples.h"
#include "awry/benchmarks/replies_file.h"

namespace awry::benchmarks::magicmirror {
namespace {

using IdOfRow = std::string (*)(const Row&);
using TakeFields = std::function<Result<void>(const RowReader&, const Row&, Sample&)>;
using Ask = Result<std::vector<Question>> (*)(const Sample&, const ProtocolOptions&);

Result<void> answer_from(const Row& row, Ask ask, const ProtocolOptions& options, AnsweredSample& answered) {
  // Nobody will be asked any more, so it does not matter where the image is.
  if (answered.sample.images.empty()) answered.sample.images.push_back({});
  AWRY_TRY_ASSIGN(answered.questions, ask(answered.sample, options));
  if (answered.sample.images.front().path.empty()) answered.sample.images.clear();
  for (const Question& question : answered.questions) {
    const std::string_view text = reply_text(row);
    const bool replied = question.kind == kAssess && !text.empty();
    Reply reply{.question_id = question.id, .text = std::string(text)};
    if (!replied)
      reply = {.question_id = question.id, .outcome = Outcome::kTransport, .error = "the row has no reply"};
    answered.answers.push_back(parse(answered.sample, question, reply));
  }
  return {};
}

Result<std::vector<AnsweredSample>> join(const Protocol& protocol, const std::filesystem::path& path,
                                         std::vector<Sample> samples, IdOfRow id_of,
                                         const TakeFields& take_fields, const ProtocolOptions& options) {
  AWRY_TRY_ASSIGN(const std::filesystem::path file, rows_file(path));
  AWRY_TRY_ASSIGN(const bool own_form, is_own_form(file, protocol));
  if (own_form) return read_replies_file(protocol, file, std::move(samples), options);
  AWRY_TRY_ASSIGN(RowReader rows, RowReader::open(file));
  RowIds ids;
  std::vector<AnsweredSample> answered;
  answered.reserve(samples.size());
  for (Sample& sample : samples) {
    AWRY_TRY(ids.add(sample.id, rows, answered.size() + 1));
    answered.push_back({.sample = std::move(sample), .questions = {}, .answers = {}});
  }
  for (;;) {
    AWRY_TRY_ASSIGN(const Row* row, rows.next());
    if (row == nullptr) break;
    AWRY_TRY_ASSIGN(const std::size_t index, ids.answer(sample_named_by(id_of(*row)), rows, row->line));
    AWRY_TRY(take_fields(rows, *row, answered[index].sample));
    AWRY_TRY(answer_from(*row, protocol.ask, options, answered[index]));
  }
  return answered;
}

}  // namespace

Result<std::vector<AnsweredSample>> read_mirror_answers(const std::filesystem::path& path,
                                                        std::vector<Sample> samples,
                                                        const ProtocolOptions& options) {
  AWRY_TRY(read_mirror_options(options));
  const TakeFields nothing = [](const RowReader&, const Row&, Sample&) { return Result<void>(); };
  const IdOfRow id = [](const Row& row) { return std::string(mirror_id(row)); };
  return join(kMagicMirror, path, std::move(samples), id, nothing, options);
}

Result<std::vector<AnsweredSample>> read_bench_answers(const std::filesystem::path& path,
                                                       std::vector<Sample> samples,
                                                       const ProtocolOptions& protocol_options) {
  AWRY_TRY_ASSIGN(const Options options, read_bench_options(protocol_options));
  const TakeFields take = [&](const RowReader& rows, const Row& row, Sample& sample) -> Result<void> {
    AWRY_TRY(check_bench_row(rows, row, attribute(sample, kClassAttribute), options,
                             attribute(sample, kHasSubjectAttribute).empty()));
    if (row.has_subject) sample.attributes[kHasSubjectAttribute] = *row.has_subject ? "true" : "false";
    if (sample.images.empty()) {
      AWRY_TRY_ASSIGN(sample.images, image_refs(rows, row, options));
    }
    return {};
  };
  return join(kMagicBench, path, std::move(samples), bench_id, take, protocol_options);
}

}  // namespace awry::benchmarks::magicmirror
