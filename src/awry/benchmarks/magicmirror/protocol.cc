// SPDX-License-Identifier: Apache-2.0
#include "awry/base/hash.h"
#include "awry/benchmarks/magicmirror/magicmirror.h"
#include "awry/benchmarks/option_reader.h"

namespace awry::benchmarks::magicmirror {
namespace {

void read_common(OptionReader& read, Options& parsed) {
  parsed.images = read.text("images", parsed.images);
  parsed.prompts = read.text("prompts", parsed.prompts);
  parsed.resamples = read.count("resamples", parsed.resamples);
  parsed.seed = read.count("seed", parsed.seed);
}

constexpr Switch kMirrorSwitches[] = {
    {"images", "DIR", "Folder that image paths are relative to, instead of the data's own."},
    {"prompts", "DIR", "Your own wording; the same as --prompts."},
    {"resamples", "2000", "Resamples behind the intervals; 0: no intervals."},
    {"seed", "0", "Of the resampling."},
    {"unanswered", "missed|left-out", "What an image without a readable verdict counts as."},
    {"consistency", "false|true", "Ask a judge whether each verdict follows from its reasoning."},
    {"reading", "tolerant|strict", "Read all that can be read, or only what the released checker accepts."},
};

constexpr Switch kBenchSwitches[] = {
    {"images", "DIR", "Folder that image paths are relative to, instead of the data's own."},
    {"prompts", "DIR", "Your own wording; the same as --prompts."},
    {"resamples", "2000", "Resamples behind the intervals; 0: no intervals."},
    {"seed", "0", "Of the resampling."},
    {"variant", "released|own-class", "Which rows a class counts its labels in."},
    {"reading", "strict|tolerant", "Only what the released checker accepts, or all that can be read."},
    {"subject", "verified|judge|assumed", "Who says whether the subject is there, where a row does not."},
    {"human", "FILE", "Scores by people, {\"model\": score}, for the leaderboard's rank agreement."},
};

}  // namespace

const Protocol kMagicMirror = {
    .name = "magicmirror",
    .summary = "artifacts in generated images: which labels an assessor finds",
    .switches = kMirrorSwitches,
    .read_samples = read_mirror_samples,
    .ask = ask_mirror,
    .follow_up = follow_up_mirror,
    .parse = parse,
    .score = score_mirror,
    .read_answers = read_mirror_answers,
    .score_files = score_magicmirror_files,
    .leaderboard = mirror_leaderboard,
    .imagine = imagine,
};

const Protocol kMagicBench = {
    .name = "magicbench",
    .summary = "how free of artifacts a generator's images are, by an assessor's verdicts",
    .switches = kBenchSwitches,
    .read_samples = read_bench_samples,
    .ask = ask_bench,
    .parse = parse,
    .score = score_bench,
    .read_answers = read_bench_answers,
    .score_files = score_magicbench_files,
    .leaderboard = bench_leaderboard,
};

Result<Options> read_mirror_options(const ProtocolOptions& options) {
  static constexpr std::array<std::string_view, 2> kUnanswered = {"missed", "left-out"};
  static constexpr std::array<std::string_view, 2> kReading = {"tolerant", "strict"};
  OptionReader read(kMagicMirror.name, options);
  Options parsed;
  read_common(read, parsed);
  parsed.unanswered = read.choice("unanswered", kUnanswered);
  parsed.consistency = read.flag("consistency", parsed.consistency);
  parsed.reading = read.choice("reading", kReading);
  AWRY_TRY(read.finish());
  return parsed;
}

Result<Options> read_bench_options(const ProtocolOptions& options) {
  static constexpr std::array<std::string_view, 2> kVariants = {"released", "own-class"};
  static constexpr std::array<std::string_view, 2> kReading = {"strict", "tolerant"};
  static constexpr std::array<std::string_view, 3> kSubjects = {"verified", "judge", "assumed"};
  OptionReader read(kMagicBench.name, options);
  Options parsed;
  read_common(read, parsed);
  parsed.variant = read.choice("variant", kVariants);
  parsed.reading = read.choice("reading", kReading);
  parsed.subject = read.choice("subject", kSubjects);
  parsed.human = read.text("human", parsed.human);
  AWRY_TRY(read.finish());
  return parsed;
}

std::string_view attribute(const Sample& sample, const char* name) {
  const auto found = sample.attributes.find(name);
  return found == sample.attributes.end() ? std::string_view() : std::string_view(found->second);
}

std::string_view mirror_id(const Row& row) {
  if (!row.id.empty()) return row.id;
  return row.images.empty() ? std::string_view() : image_name(row.images.front());
}

std::string bench_id(const Row& row) {
  if (row.prompt.empty()) return std::string(row.id);
  constexpr std::size_t kHashDigits = 12;
  std::string id(row.detail_class.empty() ? std::string_view("prompt") : row.detail_class);
  return id.append("-").append(sha256_hex(row.prompt), 0, kHashDigits);
}

}  // namespace awry::benchmarks::magicmirror
