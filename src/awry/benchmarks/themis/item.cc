// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/themis/item.h"

#include <fmt/format.h>

#include <algorithm>

#include "awry/score/overlap.h"
#include "awry/score/sets.h"
#include "awry/score/text_overlap.h"

namespace awry::benchmarks::themis {
namespace {

char letter_of(const Task& task, std::string_view type) {
  for (const Option& option : task.options) {
    if (option.type == type) return option.letter;
  }
  return '\0';
}

Result<std::string> truth_letters(const Sample& sample, const Task& task) {
  if (sample.truth.empty()) return std::string(1, task.nothing);
  std::string letters;
  if (const Pair* pair = std::get_if<Pair>(&sample.truth.front().where); pair && task.kind == kDuplication) {
    for (const std::string& operation : pair->operations) letters += letter_of(task, operation);
  } else {
    letters = letter_of(task, sample.truth.front().type);
  }
  if (letters.empty() || letters.find('\0') != std::string::npos) {
    return fail(
        {.what = "cannot score a sample",
         .input = sample.id,
         .why = fmt::format("its truth '{}' is not something THEMIS asks about", sample.truth.front().type)});
  }
  std::sort(letters.begin(), letters.end());
  return letters;
}

std::vector<int> blocks_in(const std::vector<Finding>& findings) {
  std::vector<int> blocks;
  for (const Finding& finding : findings) {
    if (const BlockSet* set = std::get_if<BlockSet>(&finding.where)) {
      blocks.insert(blocks.end(), set->blocks.begin(), set->blocks.end());
    }
  }
  return blocks;
}

std::vector<std::string> sentences_in(const std::vector<Finding>& findings) {
  std::vector<std::string> sentences;
  for (const Finding& finding : findings) {
    const TextSpan* span = std::get_if<TextSpan>(&finding.where);
    if (span != nullptr && !span->sentence.empty()) sentences.push_back(span->sentence);
  }
  return sentences;
}

const Answer* find_answer(const AnsweredSample& answered, const Task& task) {
  for (std::size_t i = 0; i < answered.questions.size(); ++i) {
    if (answered.questions[i].kind == task.kind) return &answered.answers[i];
  }
  return nullptr;
}

void compare_place(const Item& item, const Sample& sample, const Answer* answer, Item& out) {
  const std::vector<Finding> none;
  const std::vector<Finding>& found = item.answered() ? answer->findings : none;
  if (item.task->kind == kForgery) {
    const std::vector<int> truth = blocks_in(sample.truth), marked = blocks_in(found);
    if (truth.empty()) return;
    out.loc = score::block_iou(marked, truth);
    out.block_f1 = score::set_f1(score::compare_sets<int>(marked, truth));
  } else if (item.task->kind == kConsistency) {
    const std::vector<std::string> truth = sentences_in(sample.truth);
    if (!truth.empty()) out.loc = score::text_f1(sentences_in(found), truth);
  }
}

}  // namespace

Result<std::optional<Item>> compare(const AnsweredSample& answered) {
  const Sample& sample = answered.sample;
  if (answered.questions.size() != answered.answers.size()) {
    return fail({.what = "cannot score a sample",
                 .input = sample.id,
                 .why = fmt::format("{} questions and {} answers", answered.questions.size(),
                                    answered.answers.size())});
  }
  const Task* task = task_of_kind(attribute(sample, kTaskAttribute));
  if (task == nullptr) {
    return fail({.what = "cannot score a sample",
                 .input = sample.id,
                 .why = "it has no THEMIS task",
                 .hint = "Read the dataset as themis."});
  }
  if (!sample.has_truth) return std::nullopt;

  Item item{.sample = &sample, .task = task, .authentic = sample.truth.empty()};
  AWRY_TRY_ASSIGN(item.truth, truth_letters(sample, *task));
  item.real = attribute(sample, kDataAttribute) == "real";
  if (task->kind == kForgery) {
    item.type = item.authentic ? std::string(kAuthentic) : sample.truth.front().type;
  } else {
    item.type = task->issue;
  }

  const Answer* answer = find_answer(answered, *task);
  item.asked = answer != nullptr;
  if (answer != nullptr) item.outcome = answer->outcome;
  if (item.answered()) {
    for (const std::string& choice : answer->choices) item.chosen += choice;
    std::sort(item.chosen.begin(), item.chosen.end());
    if (!answer->findings.empty() && !answer->findings.front().type.empty()) {
      item.claimed = task->kind == kForgery ? answer->findings.front().type : std::string(task->issue);
    }
    const auto options = score::compare_sets<char>(item.chosen, item.truth);
    const bool right = score::exact_match(options);
    item.id = task->kind == kDuplication ? score::set_f1(options) : (right ? 1.0 : 0.0);
    item.subset_credit = score::subset_partial_credit(options);
    item.exact_match = right ? 1.0 : 0.0;
  }
  compare_place(item, sample, answer, item);
  if (item.loc && *item.loc < 1) item.exact_match = 0;
  return item;
}

}  // namespace awry::benchmarks::themis
