// SPDX-License-Identifier: Apache-2.0
// Dataset files -> Samples with truth.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_set>

#include "awry/base/text.h"
#include "awry/benchmarks/themis/question_file.h"
#include "awry/benchmarks/themis/release_defects.h"
#include "awry/benchmarks/themis/themis.h"
#include "awry/score/sets.h"

namespace awry::benchmarks::themis {
namespace {

namespace fs = std::filesystem;

tl::unexpected<Error> wrong(const ReleasedQuestion& question, std::string why, std::string hint = "") {
  return fail({.what = "cannot read THEMIS questions",
               .input = std::string(question.file),
               .why = fmt::format("question '{}': {}", question.question_id, std::move(why)),
               .hint = std::move(hint)});
}

bool has_word_real(std::string_view path) {
  constexpr auto kSame = [](char a, char b) { return (a | 0x20) == b; };
  if (std::ranges::search(path, std::string_view("real"), kSame).empty()) return false;
  const std::vector<std::string> words = word_tokens(replace_all(path, "_", " "));
  return std::find(words.begin(), words.end(), "real") != words.end();
}

// A file or folder that must be a question file by its name; others are only looked into.
bool named_like_questions(const fs::path& path) {
  const std::string stem = path.stem().string();
  return std::any_of(kTasks.begin(), kTasks.end(), [&](const Task& task) { return stem == task.issue; });
}

// Of the issue that the file's name tells: forgeries, then duplications, then texts, then anything else.
std::size_t rank_of_file(const fs::path& file) {
  const std::string stem = file.stem().string();
  for (std::size_t i = 0; i < kTasks.size(); ++i) {
    if (stem.find(kTasks[i].issue) != std::string::npos) return i;
  }
  return kTasks.size();
}

Result<std::vector<fs::path>> question_files(const fs::path& path, std::vector<std::string>& notes) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return std::vector<fs::path>{path};
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(path, error)) {
    if (!entry.is_regular_file(error) || entry.path().extension() != ".json") continue;
    if (entry.path().filename() == "metadata.json") continue;     // how a forged set was made
    if (entry.path().filename() == "resynthesis.json") continue;  // forged, but THEMIS asks nothing about it
    if (named_like_questions(entry.path()) || looks_like_question_file(entry.path())) {
      files.push_back(entry.path());
    } else {
      notes.push_back(fmt::format("'{}' is not a file of questions and was passed over",
                                  entry.path().filename().string()));
    }
  }
  std::sort(files.begin(), files.end(), [](const fs::path& a, const fs::path& b) {
    return std::pair(rank_of_file(a), a) < std::pair(rank_of_file(b), b);
  });
  std::sort(notes.begin(), notes.end());
  if (files.empty()) {
    return fail({.kind = ErrorKind::kNotFound,
                 .what = "cannot find THEMIS questions",
                 .input = path.string(),
                 .why = "the folder has no forgery.json, duplication.json or text_image_inconsistency.json",
                 .hint = "Name the folder that holds them, or one of the files."});
  }
  return files;
}

// The letters of the truth, after checking that the three fields that state it agree.
Result<std::string> truth_letters(const ReleasedQuestion& question, const Task& task) {
  std::string letters;
  for (const std::string_view letter : question.ground_truth) {
    const char last = task.nothing;
    if (letter.size() != 1 || letter[0] < 'A' || letter[0] > last) {
      return wrong(question, fmt::format("ground_truth '{}' is not one of A to {}", letter, last));
    }
    letters += letter;
  }
  std::sort(letters.begin(), letters.end());
  letters.erase(std::unique(letters.begin(), letters.end()), letters.end());
  const bool nothing = letters.find(task.nothing) != std::string::npos;
  if (nothing && letters.size() > 1)
    return wrong(question, "ground_truth mixes \"nothing wrong\" with other letters");
  if (letters.size() > 1 && task.kind != kDuplication)
    return wrong(question, "ground_truth has several letters");
  if (question.says_has_issue && question.has_issue == nothing) {
    return wrong(question,
                 fmt::format("has_issue is {}, but ground_truth is {}", question.has_issue, letters));
  }
  std::string named;
  for (const std::string_view name : question.sub_issues) {
    const auto option = std::find_if(task.options.begin(), task.options.end(),
                                     [&](const Option& o) { return o.released == name || o.type == name; });
    if (option == task.options.end())
      return wrong(question, fmt::format("sub_issues has an unknown name '{}'", name));
    named += option->letter;
  }
  std::sort(named.begin(), named.end());
  if (!named.empty() && named != letters) {
    return wrong(question, fmt::format("sub_issues ({}) and ground_truth ({}) disagree",
                                       fmt::join(question.sub_issues, ", "), letters));
  }
  return letters;
}

std::string_view type_of(const Task& task, char letter) {
  for (const Option& option : task.options) {
    if (option.letter == letter) return option.type;
  }
  return kAuthentic;
}

Result<std::optional<imaging::BlockGrid>> grid_of_question(const ReleasedQuestion& question) {
  const auto described = grid_in_words(question.mask_caption);
  if (question.num_blocks < 0) return wrong(question, fmt::format("num_blocks is {}", question.num_blocks));
  if (!described) {
    if (question.num_blocks == 0) return std::nullopt;
    return grid_of(question.num_blocks);
  }
  if (described->rows * described->columns != question.num_blocks) {
    return wrong(question, fmt::format("mask_caption describes {} by {} blocks, num_blocks says {}",
                                       described->rows, described->columns, question.num_blocks));
  }
  return described;
}

bool leaves_its_folder(std::string_view path) {
  if (path.find("..") == std::string_view::npos) return false;
  const fs::path steps(path);
  return std::any_of(steps.begin(), steps.end(), [](const fs::path& step) { return step == ".."; });
}

// `root` is empty or ends with a slash.
Result<std::string> image_path(const ReleasedQuestion& question, std::string_view path,
                               const std::string& root) {
  if (path.empty() || path.starts_with('/') || leaves_its_folder(path)) {
    return wrong(question, fmt::format("the image path '{}' leaves the folder of the dataset", path),
                 "Paths are relative to the file of questions, or to the folder given as images=DIR.");
  }
  std::string whole;
  whole.reserve(root.size() + path.size());
  return std::move(whole.append(root).append(path));
}

std::string as_prefix(const fs::path& folder) {
  return folder.empty() ? "" : (folder / "").string();
}

// Cheapest in the order of the names.
void set(Sample& sample, const char* name, std::string_view value) {
  if (!value.empty()) sample.attributes.emplace_hint(sample.attributes.end(), name, value);
}

// The released folders say more than the fields: forgery/ai_generated/partial/..., duplication/global/...
std::string_view scope_in_path(std::string_view path) {
  if (path.find("/global/") != std::string_view::npos) return "global";
  if (path.find("/partial/") != std::string_view::npos) return "partial";
  return "";
}

Finding planted(const std::string& sample_id, std::size_t number, std::string_view type, Where where) {
  return {.id = sample_id + "/truth/" + std::to_string(number),
          .where = std::move(where),
          .type = std::string(type),
          .by = {.kind = AuthorKind::kForger, .name = "themis"}};
}

void plant_truth(const ReleasedQuestion& question, const Task& task, const std::string& letters,
                 const std::optional<imaging::BlockGrid>& grid, Sample& sample) {
  if (letters.front() == task.nothing) return;
  if (task.kind == kForgery) {
    Where where = WholeImage{};
    if (grid) {
      where =
          BlockSet{grid->rows, grid->columns, score::distinct(std::span<const int>(question.mask_indices))};
    }
    sample.truth.push_back(planted(sample.id, 1, type_of(task, letters.front()), std::move(where)));
  } else if (task.kind == kDuplication) {
    Pair pair;
    for (const char letter : letters) pair.operations.emplace_back(type_of(task, letter));
    sample.truth.push_back(planted(sample.id, 1, kDuplicationType, std::move(pair)));
  } else {
    for (std::size_t i = 0; i < question.tampered_sentences.size(); ++i) {
      sample.truth.push_back(planted(
          sample.id, i + 1, type_of(task, letters.front()),
          TextSpan{std::string(question.sentence_parts[i]), std::string(question.tampered_sentences[i])}));
    }
    if (question.tampered_sentences.empty()) {
      sample.truth.push_back(planted(sample.id, 1, type_of(task, letters.front()),
                                     TextSpan{std::string(question.inconsistent_part), ""}));
    }
  }
}

// Real cases are numbered like the made ones.
std::string sample_id(const ReleasedQuestion& question) {
  const std::string id(question.question_id);
  return question.real && !has_word_real(id) ? "real_" + id : id;
}

Result<Sample> make_sample(ReleasedQuestion& question, const std::string& root) {
  const Task* task = task_of_issue(question.issue);
  if (task == nullptr) {
    return wrong(question,
                 question.issue.empty() ? "it has no 'issue', and the file's name tells none"
                                        : fmt::format("issue '{}' is unknown", question.issue),
                 "Known are forgery, duplication and text_image_inconsistency.");
  }
  const std::size_t wanted_images = task->kind == kDuplication ? 2 : 1;
  if (question.image_paths.size() != wanted_images) {
    return wrong(question, fmt::format("it names {} images, a question about {} has {}",
                                       question.image_paths.size(), question.issue, wanted_images));
  }

  Sample sample{.id = sample_id(question), .unknown = std::move(question.unknown)};
  sample.images.reserve(wanted_images);
  for (const std::string_view path : question.image_paths) {
    AWRY_TRY_ASSIGN(sample.images.emplace_back().path, image_path(question, path, root));
  }
  if (task->kind == kConsistency) {
    sample.passages.reserve(2);
    sample.passages.push_back({"caption", std::move(question.figure_caption)});
    sample.passages.push_back({"related_sentences", std::move(question.figure_related_sentences)});
  }
  AWRY_TRY_ASSIGN(const auto grid, grid_of_question(question));
  std::string letters;
  sample.has_truth = !question.ground_truth.empty();
  if (sample.has_truth) {
    AWRY_TRY_ASSIGN(letters, truth_letters(question, *task));
    plant_truth(question, *task, letters, grid, sample);
  }
  const bool nothing = sample.has_truth && letters.front() == task->nothing;

  set(sample, kDataAttribute, question.real ? "real" : "synthetic");
  if (grid) {
    set(sample, kGridAttribute, grid_text(*grid));
    set(sample, kGridTextAttribute, question.mask_caption);
  }
  if (!question.mask_path.empty()) {
    AWRY_TRY_ASSIGN(const std::string mask, image_path(question, question.mask_path, root));
    set(sample, kMaskFileAttribute, mask);
  }
  if (sample.has_truth && task->kind == kDuplication) {
    set(sample, kOperationsAttribute, std::to_string(nothing ? 0 : letters.size()));
  }
  set(sample, "papers", fmt::to_string(fmt::join(question.paper_ids, ",")));
  set(sample, kScenarioAttribute, question.scenario);
  set(sample, kScopeAttribute, scope_in_path(question.image_paths.front()));
  set(sample, kTaskAttribute, task->kind);
  if (sample.has_truth) {
    set(sample, kTypeAttribute,
        nothing                      ? kAuthentic
        : task->kind == kDuplication ? kDuplicationType
                                     : type_of(*task, letters.front()));
  }
  return sample;
}

}  // namespace

Result<Dataset> read_samples(const fs::path& path, const ProtocolOptions& protocol_options) {
  AWRY_TRY_ASSIGN(const Options options, read_options(protocol_options));
  Dataset dataset;
  AWRY_TRY_ASSIGN(const std::vector<fs::path> files, question_files(path, dataset.notes));

  std::vector<std::shared_ptr<const void>> memory;  // of the files, which the questions look into
  std::vector<ReleasedQuestion> questions;
  for (const fs::path& file : files) {
    AWRY_TRY_ASSIGN(QuestionFile read, read_question_file(file));
    const bool real_file = has_word_real(file.stem().string());
    const std::size_t rank = rank_of_file(file);
    for (ReleasedQuestion& question : read.questions) {
      question.real = real_file || has_word_real(question.image_paths.front());
      if (question.issue.empty() && rank < kTasks.size()) question.issue = kTasks[rank].issue;
      if (!question.says_has_issue) question.has_issue = !question.sub_issues.empty();
    }
    memory.push_back(std::move(read.memory));
    questions.insert(questions.end(), std::move_iterator(read.questions.begin()),
                     std::move_iterator(read.questions.end()));
  }
  std::set<std::string> left_out;
  for (const ReleasedQuestion& question : questions) left_out.insert(sample_id(question));
  AWRY_TRY_ASSIGN(const std::vector<std::string> defects, review_release(questions, options.repair));
  dataset.notes.insert(dataset.notes.end(), defects.begin(), defects.end());

  dataset.samples.reserve(questions.size());
  std::unordered_set<std::string_view> ids;
  std::string root = as_prefix(options.images);
  std::string_view file_of_root;
  for (ReleasedQuestion& question : questions) {
    if (options.images.empty() && question.file != file_of_root) {
      file_of_root = question.file;
      root = as_prefix(fs::path(question.file).parent_path());
    }
    AWRY_TRY_ASSIGN(Sample sample, make_sample(question, root));
    const Sample& kept = dataset.samples.emplace_back(std::move(sample));
    if (!ids.insert(kept.id).second) return wrong(question, "another file has a question with the same id");
    left_out.erase(kept.id);
  }
  dataset.left_out.assign(left_out.begin(), left_out.end());
  return dataset;
}

}  // namespace awry::benchmarks::themis
