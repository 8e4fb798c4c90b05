// SPDX-License-Identifier: Apache-2.0
// Reply -> Answer.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "awry/base/text.h"
#include "awry/benchmarks/themis/themis.h"
#include "awry/benchmarks/themis/untagged.h"
#include "awry/parse/blocks.h"
#include "awry/parse/choices.h"
#include "awry/parse/sentences.h"
#include "awry/parse/tags.h"
#include "awry/parse/think.h"

namespace awry::benchmarks::themis {
namespace {

constexpr std::array<std::string_view, 6> kTags = {"CHOICE", "CHOICES",   "MASK",
                                                   "PARTS",  "SENTENCES", "EXPLANATION"};

const parse::ChoiceRules& rules_of(const Task& task) {
  static const parse::ChoiceRules kForgeryRules = {
      .options = {{'A', {"splicing", "spliced", "image splicing"}},
                  {'B', {"copy-move", "copy move forgery"}},
                  {'C', {"ai-generated", "ai generation", "ai generated image", "ai"}},
                  {'D', {"no forgery", "authentic", "genuine"}},
                  {'E', {"not sure", "unsure", "uncertain"}}},
      .exclusive = "DE",
      .single = true};
  static const parse::ChoiceRules kDuplicationRules = {
      .options = {{'A', {"direct", "direct reuse", "direct duplication"}},
                  {'B', {"scaling", "scaled"}},
                  {'C', {"rotated", "rotation"}},
                  {'D', {"flipped", "flip", "mirrored"}},
                  {'E', {"parameter-modified", "parameter modification"}},
                  {'F', {"no duplication"}},
                  {'G', {"not sure", "unsure", "uncertain"}}},
      .exclusive = "FG",
      .single = false};
  static const parse::ChoiceRules kConsistencyRules = {
      .options = {{'A', {"numerical inconsistent", "numerical inconsistency", "numerical"}},
                  {'B', {"trend inconsistent", "trend inconsistency", "trend"}},
                  {'C', {"consistent"}},
                  {'D', {"not sure", "unsure", "uncertain"}}},
      .exclusive = "CD",
      .single = true};
  if (task.kind == kForgery) return kForgeryRules;
  return task.kind == kDuplication ? kDuplicationRules : kConsistencyRules;
}

// One reply being read: the text, and what was overlooked on the way.
struct Reading {
  std::string text;
  parse::Tags tags{text, kTags};
  parse::Parsed<bool> tolerated;

  explicit Reading(std::string reply) : text(std::move(reply)) {}
  Reading(const Reading&) = delete;  // tags look into text

  void tolerate(std::string note) { tolerated.tolerate(std::move(note)); }

  template <class T>
  Result<T> take(Result<parse::Parsed<T>> parsed) {
    if (!parsed) return fail(parsed.error());
    tolerated.tolerate_all(parsed->tolerated);
    return std::move(parsed->value);
  }

  Result<std::string> tag(std::string_view name) { return take(tags.last(name)); }

  // "" when the tag is missing, which is worth a note only to those who need it.
  std::string tag_or_empty(std::string_view name) { return tag(name).value_or(std::string()); }
};

Result<std::string> read_letters(Reading& reading, const Task& task) {
  const bool several = task.kind == kDuplication;
  const std::string_view asked = several ? "CHOICES" : "CHOICE", other = several ? "CHOICE" : "CHOICES";
  Result<std::string> body = reading.tag(asked);
  if (!body && body.error().kind == ErrorKind::kNotFound) {
    if (Result<std::string> instead = reading.tag(other)) {
      reading.tolerate(fmt::format("<{}> was written for <{}>", other, asked));
      body = std::move(instead);
    }
  }
  if (!body) return fail(body.error());
  AWRY_TRY_ASSIGN(const parse::Choices choices, reading.take(parse::read_choices(*body, rules_of(task))));
  return choices.letters;
}

std::optional<imaging::BlockGrid> grid_asked(const Sample& sample, const Question& question) {
  const std::string_view asked = attribute(question, kGridAttribute);
  return grid_from_text(asked.empty() ? attribute(sample, kGridAttribute) : asked);
}

// A number outside the grid is kept: it can only count as wrong, as it should.
std::vector<int> read_mask(Reading& reading, const std::optional<imaging::BlockGrid>& grid) {
  const auto body = reading.tag("MASK");
  if (!body) {
    if (grid) reading.tolerate("there is no <MASK>: no block is marked");
    return {};
  }
  const int blocks = grid ? grid->rows * grid->columns : 0;
  if (auto inside = reading.take(parse::read_blocks(*body, blocks))) return std::move(*inside);
  auto any = reading.take(parse::read_blocks(*body, 0));
  if (any) {
    reading.tolerate(fmt::format("<MASK> names blocks outside the grid of {}: they count as wrong", blocks));
    return std::move(*any);
  }
  reading.tolerate(fmt::format("no block is marked: {}", any.error().message()));
  return {};
}

// Where something is shown counts whether or not the type was named rightly, so it is kept beside a choice
// that denies it as well; without a type it claims nothing.
std::string type_of(const Option* chosen) {
  return chosen != nullptr ? std::string(chosen->type) : std::string();
}

void read_forgery(Reading& reading, const Sample& sample, const Question& question, const Option* chosen,
                  Answer& answer) {
  const auto grid = grid_asked(sample, question);
  std::vector<int> blocks = read_mask(reading, chosen != nullptr ? grid : std::nullopt);
  if (chosen == nullptr && blocks.empty()) return;
  Finding finding{.type = type_of(chosen)};
  if (grid) {
    finding.where = BlockSet{grid->rows, grid->columns, std::move(blocks)};
  } else if (!blocks.empty()) {
    reading.tolerate("blocks were marked although there is no grid: ignored");
    if (chosen == nullptr) return;
  }
  if (chosen == nullptr && !answer.unsure)
    reading.tolerate("blocks were marked although no forgery was chosen");
  answer.findings.push_back(std::move(finding));
}

void read_duplication(const Task& task, const std::string& letters, Answer& answer) {
  Pair pair;
  for (const Option& option : task.options) {
    if (letters.find(option.letter) != std::string::npos) pair.operations.emplace_back(option.type);
  }
  if (pair.operations.empty()) return;
  answer.findings.push_back({.where = std::move(pair), .type = std::string(kDuplicationType)});
}

void read_consistency(Reading& reading, const Option* chosen, Answer& answer) {
  static const std::array<parse::PartName, 2> kParts = {
      parse::PartName{"caption", {"figure caption", "figure_caption", "image caption"}},
      parse::PartName{"related_sentences",
                      {"related", "related sentences", "related text", "figure related", "figure_related",
                       "related sentence"}}};
  std::vector<std::string> parts;
  if (auto read = reading.take(parse::read_parts(reading.tag_or_empty("PARTS"), kParts))) {
    parts = std::move(*read);
  } else {
    reading.tolerate(read.error().message());  // the parts are not scored
  }
  const std::vector<std::string> sentences = parse::read_sentences(reading.tag_or_empty("SENTENCES"));
  if (chosen == nullptr) {
    if (sentences.empty()) return;
    reading.tolerate("sentences were listed although nothing was found wrong");
  }
  const std::string part = parts.size() == 1 ? parts.front() : "";
  for (const std::string& sentence : sentences) {
    answer.findings.push_back({.where = TextSpan{part, sentence}, .type = type_of(chosen)});
  }
  if (sentences.empty()) {
    reading.tolerate("an inconsistency was chosen, but no sentence listed");
    answer.findings.push_back({.where = TextSpan{part, ""}, .type = type_of(chosen)});
  }
}

}  // namespace

Answer parse(const Sample& sample, const Question& question, const Reply& reply) {
  Answer answer{.question_id = question.id, .outcome = reply.outcome, .complaint = reply.error};
  if (reply.outcome != Outcome::kAnswered) return answer;
  const Task* task = task_of_kind(question.kind);
  if (task == nullptr) {
    answer.outcome = Outcome::kUnparsable;
    answer.complaint = fmt::format("'{}' is not a kind of question that THEMIS asks", question.kind);
    return answer;
  }
  const auto cut_off = reply.finish_reason == "length" ? parse::UnclosedThinking::kIsThinking
                                                       : parse::UnclosedThinking::kMayHoldAnswer;
  parse::Parsed<parse::ThinkSplit> split = parse::split_thinking(reply.text, cut_off);
  std::optional<Reading> room(std::in_place, std::move(split.value.answer));
  if (room->tags.empty()) {
    parse::Parsed<std::string> tagged = with_tags(room->text);
    room.emplace(std::move(tagged.value));
    room->tolerated.tolerate_all(tagged.tolerated);
  }
  Reading& reading = *room;
  reading.tolerated.tolerate_all(split.tolerated);

  const Result<std::string> letters = read_letters(reading, *task);
  if (!letters) {
    answer.outcome = reply.finish_reason == "length" ? Outcome::kTruncated : Outcome::kUnparsable;
    answer.complaint = letters.error().message();
    return answer;
  }
  for (const char letter : *letters) answer.choices.emplace_back(1, letter);
  answer.unsure = letters->find(task->unsure) != std::string::npos;
  const auto chosen = std::find_if(task->options.begin(), task->options.end(),
                                   [&](const Option& option) { return option.letter == letters->front(); });
  const Option* option = chosen == task->options.end() ? nullptr : &*chosen;
  if (task->kind == kForgery) read_forgery(reading, sample, question, option, answer);
  if (task->kind == kDuplication) read_duplication(*task, *letters, answer);
  if (task->kind == kConsistency) read_consistency(reading, option, answer);

  const Author author{.kind = AuthorKind::kModel, .name = reply.model};
  for (std::size_t i = 0; i < answer.findings.size(); ++i) {
    answer.findings[i].id = fmt::format("{}/{}", question.id, i + 1);
    answer.findings[i].by = author;
  }
  answer.text = reading.tag_or_empty("EXPLANATION");
  answer.complaint = parse::complaint_of(reading.tolerated.tolerated);
  return answer;
}

}  // namespace awry::benchmarks::themis
