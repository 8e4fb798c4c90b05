// SPDX-License-Identifier: Apache-2.0
// AnomReason: semantic anomalies of generated images, described and explained (README.md). This header is
// the folder's shared vocabulary.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "awry/base/result.h"
#include "awry/benchmarks/protocol.h"
#include "awry/score/similarity.h"

namespace awry::benchmarks::anomreason {

extern const Protocol kProtocol;

// The two tasks, which are also the kinds of questions; the second turn of a deepfake question has its own.
inline constexpr std::string_view kAnomalies = "anomalies";  // list what is wrong with a generated image
inline constexpr std::string_view kDeepfake = "deepfake";    // is it generated at all, and what gives it away
inline constexpr std::string_view kDeepfakeList = "deepfake-anomalies";

// Where an image comes from: Sample::attributes[kSourceAttribute], and in Answer::choices the verdict.
inline constexpr const char* kSourceAttribute = "source";
inline constexpr std::string_view kReal = "real", kGenerated = "generated";

// Which texts are compared; also the groups of metrics.
struct View {
  std::string_view name;
  bool phenomenon, reasoning;
};
inline constexpr std::array kViews = {View{"phe", true, false}, View{"rea", false, true},
                                      View{"full", true, true}};

struct Options {
  std::string images;         // folder that image names are relative to; empty: beside the JSON
  std::string subset;         // file that names the images to keep; empty: all
  std::string task = "auto";  // auto: deepfake for images whose source is known, else anomalies
  // Of a deepfake question. 2: first the verdict, then, of an image called generated, the anomalies. 1: both
  // in one reply.
  std::string turns = "2";
  std::string prompts;  // folder with the user's own wording; empty: ours

  std::string variant = "ranked";      // ranked | released (README, Two metrics of one name)
  std::string similarity = "lexical";  // lexical | matrix:FILE | bert[:MODEL] where there is one
  std::string rank = "severity";       // severity: most implausible first | listed: as the model wrote them
  std::vector<double> thresholds = {0.7, 0.8, 0.9};
  double alpha = 0.5;          // weight of the phenomenon in the view "full"
  long long resamples = 2000;  // of the bootstrap; 0: no intervals
  long long seed = 0;

  std::string table = "test";             // of the paper, for the leaderboard
  std::string assessor = "anomreasonor";  // who audited, in the table of generators
};
Result<Options> read_options(const ProtocolOptions& options);

// "" when the sample or question has no such attribute.
template <class Record>
std::string_view attribute(const Record& record, const char* name) {
  const auto found = record.attributes.find(name);
  return found == record.attributes.end() ? std::string_view() : std::string_view(found->second);
}

// The kind of question that a sample is asked.
std::string_view task_of(const Sample& sample, const Options& options);

Result<Dataset> read_samples(const std::filesystem::path& path, const ProtocolOptions& options);
Result<std::vector<Question>> ask(const Sample& sample, const ProtocolOptions& options);
Result<std::vector<Question>> follow_up(const AnsweredSample& answered, std::span<const Reply> replies,
                                        const ProtocolOptions& options);
std::string imagine(const Sample& sample, const Question& question);
Answer parse(const Sample& sample, const Question& question, const Reply& reply);
Result<Summary> score(std::span<const AnsweredSample> samples, const ProtocolOptions& options);
Result<std::vector<AnsweredSample>> read_answers(const std::filesystem::path& path,
                                                 std::vector<Sample> samples, const ProtocolOptions& options);
Result<Leaderboard> leaderboard(std::span<const ScoredRun> runs, const ProtocolOptions& options);

// Like score(), with a similarity that the caller already has.
Result<Summary> score_with(std::span<const AnsweredSample> samples, const Options& options,
                           score::Similarity& similarity);

}  // namespace awry::benchmarks::anomreason
