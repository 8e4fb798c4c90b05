// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/tgad/tgad.h"

namespace awry::benchmarks::tgad {
namespace {

tl::unexpected<Error> answers_with_maps() {
  return fail({.kind = ErrorKind::kUnsupported,
               .what = "cannot ask protocol 'tgad'",
               .why = "its models answer with anomaly maps, which are scored from files",
               .hint = "Run: awry score maps --truth CLASS_FOLDER --maps FOLDER"});
}

Result<Dataset> read_samples(const std::filesystem::path&, const ProtocolOptions&) {
  return answers_with_maps();
}
Result<std::vector<Question>> ask(const Sample&, const ProtocolOptions&) {
  return answers_with_maps();
}
Answer parse(const Sample&, const Question&, const Reply&) {
  return {.outcome = Outcome::kUnparsable, .complaint = answers_with_maps().value().message()};
}
Result<Summary> score(std::span<const AnsweredSample>, const ProtocolOptions&) {
  return answers_with_maps();
}

constexpr Switch kSwitches[] = {
    {"table", "prompts|parts|panel|panel_resized|panel_padded",
     "Which of the paper's tables the leaderboard is."},
};

}  // namespace

const Protocol kProtocol = {
    .name = "tgad",
    .summary = "anomaly maps of industrial parts, with and without instructions",
    .switches = kSwitches,
    .read_samples = read_samples,
    .ask = ask,
    .parse = parse,
    .score = score,
    .leaderboard = leaderboard,
};

}  // namespace awry::benchmarks::tgad
