// SPDX-License-Identifier: Apache-2.0
// CAVE: things in photographs that common sense finds odd (README.md). This header is the folder's shared
// vocabulary.
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

namespace awry::benchmarks::cave {

extern const Protocol kProtocol;

// The kinds of questions. One description per image; everything else once per true anomaly.
inline constexpr std::string_view kDescribe = "ad";     // what is odd here?
inline constexpr std::string_view kLocate = "al";       // where is this anomaly?
inline constexpr std::string_view kExplain = "ae";      // why is it odd?
inline constexpr std::string_view kJustify = "aj";      // how may it have come about?
inline constexpr std::string_view kDraft = "ad-draft";  // one of three descriptions to be merged
inline constexpr std::string_view kStep = "ad-step";    // a turn on the way to a description
// Asked only when named: which category is a description of, and is this usual somewhere in the world?
inline constexpr std::string_view kCategorise = "category", kCulture = "culture";
// Which category is a description that the model itself gave? Asked instead, with categories=described.
inline constexpr std::string_view kCategoriseOwn = "category-described";
// Asked of a judge, about a description and a true one, and about an explanation.
inline constexpr std::string_view kJudgePair = "ad-judge", kJudgeExplanation = "ae-judge";
// 1 to 5: how bad, how unusual, how hard to notice. Each is a kind of question too.
inline constexpr std::array<std::string_view, 3> kFeatures = {"severity", "surprisal", "complexity"};
// On which people compare a model's justification with a person's.
inline constexpr std::array<std::string_view, 3> kCriteria = {"plausibility", "relevance", "creativity"};
inline constexpr std::array<std::string_view, 7> kTasks = {kDescribe,  kLocate,     kExplain,    kJustify,
                                                           "severity", "surprisal", "complexity"};
inline constexpr std::array<std::string_view, 2> kExtraTasks = {kCategorise, kCulture};

// How an anomaly shows; Finding::type holds the keys, joined by '+' where there are several.
struct Category {
  std::string_view key, name;
};
inline constexpr std::array kCategories = {
    Category{"absence", "Entity Absence"},   Category{"attribute", "Entity Attribute"},
    Category{"presence", "Entity Presence"}, Category{"relation", "Spatial Relation"},
    Category{"textual", "Textual Anomaly"},  Category{"uniformity", "Uniformity Breach"},
};
std::optional<std::string_view> category_named(std::string_view name);  // "Entity Absence", "absence"
std::vector<std::string_view> categories_of(const Finding& truth);

// Evidence::kind of what people and judges say of a finding.
//   kSameAnomaly       on a described anomaly; note = id of the true one, value 1 yes, 0 no, none: no verdict
//   kRightExplanation  on an explanation; value as above
//   a criterion        on a justification; note = rater, value 1 better than the person's, 0 similar, -1
//   worse a feature          on a true anomaly; note = "rater 2", value 1 to 5
inline constexpr const char* kSameAnomaly = "same_anomaly";
inline constexpr const char* kRightExplanation = "right_explanation";
// Evidence of a true anomaly that is only text, in the note.
inline constexpr const char* kJustification = "justification";
inline constexpr const char* kCorrectVersion = "correct_version";

// Question::attributes that the folder writes and reads.
inline constexpr const char* kAnomalyAttribute = "anomaly";     // which true anomaly, from 1
inline constexpr const char* kPromptAttribute = "prompt";       // Options::prompt
inline constexpr const char* kJudgeAttribute = "judge";         // who gave the verdicts
inline constexpr const char* kFindingAttribute = "finding_id";  // which description or explanation

struct Options {
  std::string images;          // folder of the images; empty: beside the annotations
  std::string boxes = "xyxy";  // what four bare numbers of a true box mean: | xywh
  std::vector<std::string> tasks{kTasks.begin(), kTasks.end()};
  std::string prompt = "vanilla";  // vanilla | cot | som | cot-som | multi-step | multi-turn | consistency
  std::string draft_temperature = "0.5";  // of consistency; default: what the endpoint does by itself
  std::string categories = "true";        // category is asked of the true anomalies: | described
  std::string marks;              // file of the boxes to draw for som and cot-som (marks.h); empty: none
  std::string marked = "marked";  // folder that keeps the marked copies
  std::string prompts;            // folder with the user's own wording; empty: ours
  std::string verdicts;           // file of verdicts to add before scoring (README)
  double iou = 0.10;              // a box counts as found from this overlap on
  long long resamples = 5000;     // of the bootstrap over images; 0: no intervals
  long long seed = 0;
};
Result<Options> read_options(const ProtocolOptions& options);

// "" when the sample or question has no such attribute.
template <class Record>
std::string_view attribute(const Record& record, const char* name) {
  const auto found = record.attributes.find(name);
  return found == record.attributes.end() ? std::string_view() : std::string_view(found->second);
}

// Which true anomaly a question is about, as an index into Sample::truth.
Result<std::size_t> anomaly_index(const Sample& sample, const Question& question);

Result<Dataset> read_samples(const std::filesystem::path& path, const ProtocolOptions& options);
Result<std::vector<Question>> ask(const Sample& sample, const ProtocolOptions& options);
// The later turns of multi-turn, the merging of drafts, then the judge's questions about what was answered.
Result<std::vector<Question>> follow_up(const AnsweredSample& answered, std::span<const Reply> replies,
                                        const ProtocolOptions& options);
std::string imagine(const Sample& sample, const Question& question);
Answer parse(const Sample& sample, const Question& question, const Reply& reply);
Result<std::vector<AnsweredSample>> read_answers(const std::filesystem::path& path,
                                                 std::vector<Sample> samples, const ProtocolOptions& options);
Result<Summary> score(std::span<const AnsweredSample> samples, const ProtocolOptions& options);
Result<Leaderboard> leaderboard(std::span<const ScoredRun> runs, const ProtocolOptions& options);

}  // namespace awry::benchmarks::cave
