// SPDX-License-Identifier: Apache-2.0
// Sample -> Questions. The wording lives in prompts/; here the gaps in it are filled.
#include <fmt/format.h>

#include <algorithm>

#include "awry/base/text.h"
#include "awry/benchmarks/prompts.h"
#include "awry/benchmarks/themis/themis.h"

namespace awry::benchmarks::themis {
namespace {

constexpr imaging::BlockGrid kUsualGrid = {.rows = 2, .columns = 3};  // the release's most frequent one

std::string file_stem(std::string_view kind) {
  return replace_all(kind, "-", "_");
}

std::string or_else(std::string_view text, std::string_view otherwise) {
  return std::string(trim(text).empty() ? otherwise : text);
}

std::string_view passage(const Sample& sample, std::string_view part) {
  for (const Passage& passage : sample.passages) {
    if (passage.part == part) return passage.text;
  }
  return "";
}

std::string_view explanation_wanted(std::string_view kind, bool in_steps) {
  if (in_steps) return "your steps, ending with the reason for the final choice";
  if (kind == kForgery) return "in short, what you saw that led to the choice, and in which blocks";
  if (kind == kDuplication) return "in short, which panels share content and what shows it";
  return "in short, which words contradict which element of the figure, or why there is no contradiction";
}

// Everything of a question but its wording.
Result<Question> outlined(const Sample& sample, const std::string& grids) {
  const std::string_view kind = attribute(sample, kTaskAttribute);
  if (task_of_kind(kind) == nullptr) {
    return fail({.what = "cannot ask about a sample",
                 .input = sample.id,
                 .why = fmt::format("its task is '{}'", kind),
                 .hint = "Only samples read as a THEMIS dataset have one."});
  }
  Question question{.sample_id = sample.id, .kind = std::string(kind)};
  question.id.reserve(sample.id.size() + 1 + kind.size());
  question.id.append(sample.id).append("/").append(kind);
  if (kind == kForgery) {
    std::string grid(attribute(sample, kGridAttribute));
    if (grid.empty() && grids == "always") grid = grid_text(kUsualGrid);
    if (!grid.empty()) question.attributes[kGridAttribute] = std::move(grid);
  }
  for (std::size_t i = 0; i < sample.images.size(); ++i) question.images.push_back(static_cast<int>(i));
  return question;
}

}  // namespace

Result<std::vector<Question>> outline(const Sample& sample, const ProtocolOptions& options) {
  const auto grids = options.find("grid");
  std::vector<Question> questions;  // not from a list of one, which would be copied
  AWRY_TRY_ASSIGN(questions.emplace_back(), outlined(sample, grids == options.end() ? "" : grids->second));
  return questions;
}

Result<std::vector<Question>> ask(const Sample& sample, const ProtocolOptions& protocol_options) {
  AWRY_TRY_ASSIGN(const Options options, read_options(protocol_options));
  AWRY_TRY_ASSIGN(Question question, outlined(sample, options.grid));
  const std::string_view kind = question.kind;
  AWRY_TRY_ASSIGN(const Prompts prompts, Prompts::open("themis", options.prompts));
  const std::string stem = file_stem(kind);
  Gaps gaps = {
      {"reasoning", ""},
      {"examples", ""},
      {"explanation", std::string(explanation_wanted(kind, options.prompt == "cot"))},
      {"figure_caption", or_else(passage(sample, "caption"), "[empty]")},
      {"figure_related", or_else(passage(sample, "related_sentences"), "[empty]")},
  };
  if (options.prompt == "cot") {
    AWRY_TRY_ASSIGN(const std::string steps, prompts.text(stem + ".reasoning.txt"));
    gaps["reasoning"] = "\n" + steps;
  } else if (options.prompt == "few-shot") {
    AWRY_TRY_ASSIGN(const std::string examples, prompts.text(stem + ".examples.txt"));
    gaps["examples"] = "\n" + examples;
  }

  std::string caption(attribute(sample, kGridTextAttribute));
  if (kind == kForgery) {
    const std::string_view grid = attribute(question, kGridAttribute);
    if (const auto shape = grid_from_text(grid); shape && caption.empty()) caption = describe_grid(*shape);
    // As released: only a panel known to be wholly generated is asked about without blocks.
    const bool whole = grid.empty() && attribute(sample, kTypeAttribute) == "ai_generated";
    gaps["mask_rule"] = whole ? "Blocks are not asked for here: leave <MASK> empty."
                              : "Blocks are asked for: with A, B or C take their numbers from mask_caption.";
  }
  gaps["mask_caption"] = or_else(caption, "[no caption]");

  AWRY_TRY_ASSIGN(
      question.prompt,
      kind == kConsistency
          ? prompts.fill(stem + ".txt", gaps, {"figure_caption", "figure_related", "reasoning", "examples"})
          : prompts.fill(stem + ".txt", gaps, {"mask_caption", "reasoning", "examples"}));
  question.attributes["prompt"] = options.prompt;
  return std::vector<Question>{std::move(question)};
}

}  // namespace awry::benchmarks::themis
