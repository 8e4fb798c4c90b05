// SPDX-License-Identifier: Apache-2.0
// THEMIS: visual fraud in scientific figures (README.md). This header is the folder's shared vocabulary.
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
#include "awry/imaging/block_grid.h"

namespace awry::benchmarks::themis {

extern const Protocol kProtocol;

// The three tasks, which are also the kinds of questions.
inline constexpr std::string_view kForgery = "smf-il";      // one panel: which forgery, and where
inline constexpr std::string_view kDuplication = "cmo-i";   // two panels: which operations link them
inline constexpr std::string_view kConsistency = "cmi-il";  // figure and text: do they agree, and where not

// One letter the model can choose, and the finding it stands for.
struct Option {
  char letter;
  std::string_view released;  // its name in the dataset's sub_issues; empty for the options after these
  std::string_view type;      // Finding::type, or for duplication the operation in Pair::operations
};
inline constexpr std::array kForgeryOptions = {Option{'A', "splicing", "splicing"},
                                               Option{'B', "copy-move", "copy_move"},
                                               Option{'C', "ai_generated", "ai_generated"}};
inline constexpr std::array kDuplicationOptions = {
    Option{'A', "direct", "direct"}, Option{'B', "scaling", "scaling"}, Option{'C', "rotated", "rotated"},
    Option{'D', "flipped", "flipped"}, Option{'E', "parameter-modified", "parameter-modified"}};
inline constexpr std::array kConsistencyOptions = {Option{'A', "numerical", "numerical_inconsistency"},
                                                   Option{'B', "trend", "trend_inconsistency"}};
inline constexpr std::string_view kDuplicationType = "duplication";

// A task's vocabulary in one place: after the options come "nothing wrong" and "not sure".
struct Task {
  std::string_view kind;   // kForgery, ...
  std::string_view issue;  // as the dataset names it
  std::span<const Option> options;
  char nothing, unsure;
};
inline constexpr std::array kTasks = {
    Task{kForgery, "forgery", kForgeryOptions, 'D', 'E'},
    Task{kDuplication, "duplication", kDuplicationOptions, 'F', 'G'},
    Task{kConsistency, "text_image_inconsistency", kConsistencyOptions, 'C', 'D'}};
const Task* task_of_kind(std::string_view kind);
const Task* task_of_issue(std::string_view issue);

struct Options {
  bool repair = false;           // correct the release's known defects instead of reading it as it is
  std::string images;            // folder that panel paths are relative to; empty: beside the JSON
  std::string prompt = "basic";  // basic | cot | few-shot
  std::string prompts;           // folder with the user's own wording; empty: ours
  // released: panels without a grid are shown without one, which gives them away as authentic or wholly
  // generated. always: they get a grid as well.
  std::string grid = "released";
  // How many authentic panels weigh on copy-move: the paper's 150 when the data has its 273, else all.
  std::string copy_move_authentic = "auto";
  long long resamples = 2000;  // of the bootstrap; 0: no intervals
  long long seed = 0;
  double lambda = 0.25;  // of the balanced robustness index
  std::string cohort;    // published models and groups to keep in the leaderboard; empty: all
};
Result<Options> read_options(const ProtocolOptions& options);

// Sample::attributes that the folder writes and reads.
inline constexpr const char* kTaskAttribute = "task";
inline constexpr const char* kTypeAttribute = "type";  // splicing ... | authentic
inline constexpr const char* kScenarioAttribute = "scenario";
inline constexpr const char* kDataAttribute = "data";              // synthetic | real
inline constexpr const char* kOperationsAttribute = "operations";  // how many were stacked: "2"
inline constexpr const char* kScopeAttribute = "scope";            // global | partial
inline constexpr const char* kGridAttribute = "grid";              // "2x3": rows, columns; absent: no grid
inline constexpr const char* kGridTextAttribute = "mask_caption";
inline constexpr const char* kMaskFileAttribute = "mask_path";
inline constexpr std::string_view kAuthentic = "authentic";

// "" when the sample or question has no such attribute.
template <class Record>
std::string_view attribute(const Record& record, const char* name) {
  const auto found = record.attributes.find(name);
  return found == record.attributes.end() ? std::string_view() : std::string_view(found->second);
}

// Finds "2-row by 3-column" in a grid's description.
std::optional<imaging::BlockGrid> grid_in_words(std::string_view caption);
// Without a description: as square as the number allows, wider than high (6 -> 2x3, 5 -> 1x5).
imaging::BlockGrid grid_of(int num_blocks);
std::string describe_grid(const imaging::BlockGrid& grid);
std::string grid_text(const imaging::BlockGrid& grid);  // "2x3"
std::optional<imaging::BlockGrid> grid_from_text(std::string_view text);

Result<Dataset> read_samples(const std::filesystem::path& path, const ProtocolOptions& options);
Result<std::vector<Question>> ask(const Sample& sample, const ProtocolOptions& options);
Result<std::vector<Question>> outline(const Sample& sample, const ProtocolOptions& options);
Result<std::string> phrase(const Sample& sample, const Question& question,
                           const inspectors::Inspection& inspection);
Answer parse(const Sample& sample, const Question& question, const Reply& reply);
Result<Summary> score(std::span<const AnsweredSample> samples, const ProtocolOptions& options);
Result<Leaderboard> leaderboard(std::span<const ScoredRun> runs, const ProtocolOptions& options);

}  // namespace awry::benchmarks::themis
