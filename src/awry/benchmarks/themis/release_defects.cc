// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/themis/release_defects.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <unordered_set>

#include "awry/base/text.h"

namespace awry::benchmarks::themis {
namespace {

using Questions = std::vector<ReleasedQuestion>;

std::string note(std::size_t count, std::string_view defect, bool repair, std::string_view cure,
                 std::string_view example) {
  return fmt::format("{} {}; {} (such as '{}')", count, defect, repair ? cure : "left as released", example);
}

bool contains(std::string_view text, std::string_view part) {
  return !part.empty() && text.find(part) != std::string_view::npos;
}

// The inconsistent question about a figure, by the figure's path.
std::map<std::string_view, const ReleasedQuestion*> tampered_twins(const Questions& questions) {
  std::map<std::string_view, const ReleasedQuestion*> twins;
  for (const ReleasedQuestion& question : questions) {
    if (question.has_issue && !question.tampered_sentences.empty())
      twins[question.image_paths.front()] = &question;
  }
  return twins;
}

void restore_consistent_texts(Questions& questions, bool repair, std::vector<std::string>& notes) {
  const auto twins = tampered_twins(questions);
  std::size_t found = 0;
  std::string example;
  for (ReleasedQuestion& question : questions) {
    if (question.has_issue || (question.figure_caption.empty() && question.figure_related_sentences.empty()))
      continue;
    const auto twin = twins.find(question.image_paths.front());
    if (twin == twins.end()) continue;
    const auto& tampered = twin->second->tampered_sentences;
    const auto& golden = twin->second->golden_sentences;
    bool carries = false;
    for (std::size_t i = 0; i < std::min(tampered.size(), golden.size()); ++i) {
      if (tampered[i] == golden[i]) continue;
      for (std::string* text : {&question.figure_caption, &question.figure_related_sentences}) {
        if (!contains(*text, tampered[i])) continue;
        carries = true;
        if (repair) *text = replace_all(*text, tampered[i], golden[i]);
      }
    }
    if (carries && found++ == 0) example = question.question_id;
  }
  if (found > 0) {
    notes.push_back(note(found,
                         "questions whose truth is \"consistent\" show the tampered text of their twins",
                         repair, "the original sentences were put back", example));
  }
}

void correct_parts(Questions& questions, bool repair, std::vector<std::string>& notes) {
  std::size_t misplaced = 0, absent = 0;
  std::string misplaced_in, absent_in;
  for (ReleasedQuestion& question : questions) {
    question.sentence_parts.assign(question.tampered_sentences.size(), question.inconsistent_part);
    for (std::size_t i = 0; i < question.tampered_sentences.size(); ++i) {
      const bool in_caption = contains(question.figure_caption, question.tampered_sentences[i]);
      const bool in_related = contains(question.figure_related_sentences, question.tampered_sentences[i]);
      if (!in_caption && !in_related) {
        if (absent++ == 0) absent_in = question.question_id;
        continue;
      }
      const bool right = question.inconsistent_part == "caption" ? in_caption : in_related;
      if (right) continue;
      if (misplaced++ == 0) misplaced_in = question.question_id;
      if (repair) question.sentence_parts[i] = in_caption ? "caption" : "related_sentences";
    }
  }
  if (misplaced > 0) {
    notes.push_back(note(misplaced,
                         "tampered sentences are listed under the part of the text they do not stand in",
                         repair, "moved to the part they stand in", misplaced_in));
  }
  if (absent > 0) {
    notes.push_back(
        fmt::format("{} tampered sentences do not occur in the text that is shown; nothing to repair "
                    "them from (such as '{}')",
                    absent, absent_in));
  }
}

void drop_untouched_sentences(Questions& questions, bool repair, std::vector<std::string>& notes) {
  std::size_t found = 0;
  std::string example;
  for (ReleasedQuestion& question : questions) {
    for (std::size_t i = std::min(question.tampered_sentences.size(), question.golden_sentences.size());
         i-- > 0;) {
      if (question.tampered_sentences[i] != question.golden_sentences[i]) continue;
      if (found++ == 0) example = question.question_id;
      if (!repair || question.tampered_sentences.size() == 1) continue;
      const auto at = static_cast<std::ptrdiff_t>(i);
      question.tampered_sentences.erase(question.tampered_sentences.begin() + at);
      question.golden_sentences.erase(question.golden_sentences.begin() + at);
    }
  }
  if (found > 0) {
    notes.push_back(note(found, "sentences are listed as tampered but equal their originals", repair,
                         "no longer listed", example));
  }
}

// The released questions with block numbers outside their grids. The zeros presumably mean "none".
struct KnownStray {
  std::string_view question_id;
  int num_blocks;
  std::size_t indices;
};
constexpr std::array kKnownStrays = {KnownStray{"forgery_718", 3, 1},  KnownStray{"forgery_741", 4, 6},
                                     KnownStray{"forgery_843", 1, 1},  KnownStray{"forgery_1032", 3, 1},
                                     KnownStray{"forgery_1038", 8, 1}, KnownStray{"forgery_1079", 3, 1}};

bool is_known_stray(const ReleasedQuestion& question) {
  return std::any_of(kKnownStrays.begin(), kKnownStrays.end(), [&](const KnownStray& known) {
    return known.question_id == question.question_id && known.num_blocks == question.num_blocks &&
           known.indices == question.mask_indices.size();
  });
}

Result<void> check_blocks(Questions& questions, bool repair, std::vector<std::string>& notes) {
  std::size_t found = 0;
  std::string example;
  for (ReleasedQuestion& question : questions) {
    const auto outside = [&](int index) { return index < 1 || index > question.num_blocks; };
    auto& indices = question.mask_indices;
    const auto stray = std::find_if(indices.begin(), indices.end(), outside);
    if (stray == indices.end()) continue;
    if (!repair && !is_known_stray(question)) {
      return fail({.what = "cannot read THEMIS questions",
                   .input = std::string(question.file),
                   .why = fmt::format("question '{}' marks block {} of a grid with {} blocks",
                                      question.question_id, *stray, question.num_blocks),
                   .hint = "Correct the file, or read it with repair=true to drop such blocks."});
    }
    if (found++ == 0) example = question.question_id;
    if (repair) std::erase_if(indices, outside);
  }
  if (found > 0) {
    notes.push_back(note(found, "questions mark blocks outside their grid", repair,
                         "those blocks were dropped", example));
  }
  return {};
}

// The same images, in whatever order, about the same words with the same truth.
struct SameQuestion {
  static std::vector<std::string_view> sorted(std::vector<std::string_view> paths) {
    std::ranges::sort(paths);
    return paths;
  }
  bool operator()(const ReleasedQuestion* a, const ReleasedQuestion* b) const {
    return a->issue == b->issue && a->ground_truth == b->ground_truth &&
           a->figure_caption == b->figure_caption &&
           a->figure_related_sentences == b->figure_related_sentences &&
           sorted(a->image_paths) == sorted(b->image_paths);
  }
  std::size_t operator()(const ReleasedQuestion* question) const {
    std::size_t sum = 0;  // whose order does not matter
    for (const std::string_view path : question->image_paths) sum += std::hash<std::string_view>()(path);
    return sum;
  }
};

void drop_repeated_questions(Questions& questions, bool repair, std::vector<std::string>& notes) {
  std::unordered_set<const ReleasedQuestion*, SameQuestion, SameQuestion> seen(questions.size());
  std::vector<bool> repeats;
  for (const ReleasedQuestion& question : questions) repeats.push_back(!seen.insert(&question).second);
  const auto first = std::ranges::find(repeats, true);
  if (first == repeats.end()) return;
  notes.push_back(note(static_cast<std::size_t>(std::ranges::count(repeats, true)),
                       "questions repeat an earlier one (same images, same truth)", repair,
                       "the later one was left out",
                       questions[static_cast<std::size_t>(first - repeats.begin())].question_id));
  if (!repair) return;
  std::size_t at = 0;
  std::erase_if(questions, [&](const ReleasedQuestion&) { return repeats[at++]; });
}

// Nothing to repair in the data: ask() has an option against it.
void mention_telltale_grids(const Questions& questions, std::vector<std::string>& notes) {
  std::size_t forged = 0, authentic = 0, authentic_with_grid = 0;
  for (const ReleasedQuestion& question : questions) {
    if (question.issue != "forgery") continue;
    if (question.has_issue) {
      forged += question.num_blocks > 0;
    } else {
      ++authentic;
      authentic_with_grid += question.num_blocks > 0;
    }
  }
  if (forged > 0 && authentic > 0 && authentic_with_grid == 0) {
    notes.push_back(
        fmt::format("none of the {} authentic panels has a grid while {} forged ones have: a question that "
                    "shows the grid gives the answer away (grid=always asks with a grid everywhere)",
                    authentic, forged));
  }
}

}  // namespace

Result<std::vector<std::string>> review_release(Questions& questions, bool repair) {
  std::vector<std::string> notes;
  restore_consistent_texts(questions, repair, notes);
  drop_untouched_sentences(questions, repair, notes);
  correct_parts(questions, repair, notes);
  AWRY_TRY(check_blocks(questions, repair, notes));
  drop_repeated_questions(questions, repair, notes);
  mention_telltale_grids(questions, notes);
  return notes;
}

}  // namespace awry::benchmarks::themis
