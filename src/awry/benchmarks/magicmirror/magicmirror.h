// SPDX-License-Identifier: Apache-2.0
// MagicMirror: artifacts in generated images (README.md). Two protocols share the folder:
//   magicmirror  how well an assessor finds the artifacts that people labelled (MagicData340K)
//   magicbench   how many artifacts an assessor finds in a generator's images
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "awry/base/result.h"
#include "awry/benchmarks/magicmirror/rows.h"
#include "awry/benchmarks/protocol.h"
#include "awry/score/correlation.h"

namespace awry::benchmarks::magicmirror {

extern const Protocol kMagicMirror;
extern const Protocol kMagicBench;

// Scores files of any size without holding their rows: the same metrics as read_samples, read_answers and
// score of the protocol in turn, except that Summary::scores stays empty. A run's
// samples.jsonl as answers takes the ordinary way, and keeps its scores.
Result<Summary> score_magicmirror_files(const std::filesystem::path& truth,
                                        const std::filesystem::path& answers, const ProtocolOptions& options);
Result<Summary> score_magicbench_files(const std::filesystem::path& truth,
                                       const std::filesystem::path& answers, const ProtocolOptions& options);

// Kinds of questions.
inline constexpr std::string_view kAssess = "assess";            // which artifacts does the image show?
inline constexpr std::string_view kSubject = "subject";          // MagicBench: is the subject there, whole?
inline constexpr std::string_view kConsistency = "consistency";  // of a judge: does the reasoning lead there?

// The eight prompts sets of MagicBench and the L2 that each is about.
struct DetailClass {
  std::string_view name, subject_class;
};
inline constexpr std::array kDetailClasses = {
    DetailClass{"human_single", "human"},  DetailClass{"human_double", "human"},
    DetailClass{"human_multi", "human"},   DetailClass{"animal_single", "animal"},
    DetailClass{"animal_multi", "animal"}, DetailClass{"object_single", "object"},
    DetailClass{"object_multi", "object"}, DetailClass{"object_compo", "object"},
};

struct Options {
  std::string images;          // folder that image paths are relative to; empty: beside the rows
  std::string prompts;         // folder with the user's own wording; empty: ours
  long long resamples = 2000;  // of the bootstrap; 0: no intervals
  long long seed = 0;

  // magicmirror. missed: an image without a readable verdict has none of its labels found. left-out: it
  // does not count, as in the released evaluation.
  std::string unanswered = "missed";
  // magicmirror: a judge is asked whether each verdict follows from its reasoning, for the rewards.
  bool consistency = false;
  // Which replies count: strict is the form that the released checker accepts, tolerant all that can be
  // read. The default is tolerant for magicmirror and strict for magicbench, as in the authors' scripts.
  std::string reading;

  // magicbench. released: human, animal and object count the label in all valid rows, but divide by the
  // rows of their class. own-class: both over the rows of the class.
  std::string variant = "released";
  // verified: a row must say whether its subject is there; where it does not, the assessor is asked. judge:
  // the judge is asked instead. assumed: rows that do not say are taken to have it.
  std::string subject = "verified";
  std::string human;  // JSON file {"model": score by people}, for the leaderboard's rank agreement
};
Result<Options> read_mirror_options(const ProtocolOptions& options);
Result<Options> read_bench_options(const ProtocolOptions& options);

// Sample::attributes that the folder writes and reads.
inline constexpr const char* kClassAttribute = "class";  // human | animal | object
inline constexpr const char* kDetailAttribute = "detail_class";
inline constexpr const char* kSubjectAttribute = "subject";
inline constexpr const char* kHasSubjectAttribute = "has_subject";  // true | false; absent: nobody looked
// Answer::values: the verdict as the released checker reads it (LabelSet::bits); absent where it refuses.
inline constexpr const char* kReleasedLabels = "released_labels";
// Answer::values of a kSubject answer: 1 or 0.
inline constexpr const char* kHasSubject = "has_subject";
// Answer::values of a kConsistency answer: 1 or 0.
inline constexpr const char* kIsConsistent = "consistent";

// "" when the sample has no such attribute.
std::string_view attribute(const Sample& sample, const char* name);

// What a row is called. MagicData rows by id or image; MagicBench rows by their prompt, shortened to the
// detail class and a hash, because prompts, results and images share nothing else. "" if nothing names it.
std::string_view mirror_id(const Row& row);
std::string bench_id(const Row& row);

Result<Dataset> read_mirror_samples(const std::filesystem::path& path, const ProtocolOptions& options);
Result<Dataset> read_bench_samples(const std::filesystem::path& path, const ProtocolOptions& options);
Result<std::vector<Question>> ask_mirror(const Sample& sample, const ProtocolOptions& options);
Result<std::vector<Question>> ask_bench(const Sample& sample, const ProtocolOptions& options);
// With consistency=true, the judge's question about an assessment that gives its reasoning.
Result<std::vector<Question>> follow_up_mirror(const AnsweredSample& answered, std::span<const Reply> replies,
                                               const ProtocolOptions& options);
std::string imagine(const Sample& sample, const Question& question);
Answer parse(const Sample& sample, const Question& question, const Reply& reply);
Result<std::vector<AnsweredSample>> read_mirror_answers(const std::filesystem::path& path,
                                                        std::vector<Sample> samples,
                                                        const ProtocolOptions& options);
Result<std::vector<AnsweredSample>> read_bench_answers(const std::filesystem::path& path,
                                                       std::vector<Sample> samples,
                                                       const ProtocolOptions& options);
Result<Summary> score_mirror(std::span<const AnsweredSample> samples, const ProtocolOptions& options);
Result<Summary> score_bench(std::span<const AnsweredSample> samples, const ProtocolOptions& options);
Result<Leaderboard> mirror_leaderboard(std::span<const ScoredRun> runs, const ProtocolOptions& options);
Result<Leaderboard> bench_leaderboard(std::span<const ScoredRun> runs, const ProtocolOptions& options);

// How the overall scores of the board's models go together with people's. Models without one are left out.
Result<score::RankAgreement> agreement_with_people(const Leaderboard& board,
                                                   const std::map<std::string, double>& human_scores);

}  // namespace awry::benchmarks::magicmirror
