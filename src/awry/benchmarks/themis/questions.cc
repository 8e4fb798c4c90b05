// SPDX-License-Identifier: Apache-2.0
// Sample -> Questions. The wording lives in prompts/; here the gaps in it are filled.
#include <fmt/format.h>

#include <algorithm>

#include "awry/base/files.h"
#include "awry/base/text.h"
#include "awry/benchmarks/embedded_files.h"
#include "awry/benchmarks/themis/themis.h"

namespace awry::benchmarks::themis {
namespace {

constexpr imaging::BlockGrid kUsualGrid = {.rows = 2, .columns = 3};  // the release's most frequent one

std::string file_stem(std::string_view kind) {
  return replace_all(kind, "-", "_");
}

// The user's own wording where there is one, ours otherwise.
Result<std::string> prompt_file(const std::string& name, const Options& options) {
  if (!options.prompts.empty()) {
    const std::filesystem::path own = std::filesystem::path(options.prompts) / name;
    std::error_code error;
    if (std::filesystem::exists(own, error)) return read_file(own);
  }
  const auto ours = embedded_file("themis/prompts/" + name);
  if (!ours) {
    return fail(
        {.kind = ErrorKind::kNotFound,
         .what = "there is no prompt",
         .input = name,
         .hint = "The paper gives few-shot examples for smf-il only; use prompt=basic or prompt=cot, or put "
                 "your own file into the folder given as prompts=DIR."});
  }
  return std::string(*ours);
}

// Fills {name} gaps in one pass, so that braces in a figure's caption are never taken for gaps.
Result<std::string> fill(std::string_view text, const std::map<std::string, std::string, std::less<>>& gaps,
                         std::string_view file) {
  std::string filled;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t open = text.find('{', at);
    if (open == std::string_view::npos) return filled.append(text.substr(at));
    const std::size_t close = text.find('}', open);
    const std::string_view name =
        close == std::string_view::npos ? text.substr(open + 1) : text.substr(open + 1, close - open - 1);
    const auto gap = gaps.find(name);
    if (gap == gaps.end()) {
      return fail({.kind = ErrorKind::kUsage,
                   .what = "cannot use the prompt",
                   .input = std::string(file),
                   .why = fmt::format("nothing is known to fill the gap '{{{}}}'", shorten(name, 40))});
    }
    filled.append(text.substr(at, open - at)).append(gap->second);
    at = close + 1;
  }
  return filled;
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

}  // namespace

Result<std::vector<Question>> ask(const Sample& sample, const ProtocolOptions& protocol_options) {
  AWRY_TRY_ASSIGN(const Options options, read_options(protocol_options));
  const std::string_view kind = attribute(sample, kTaskAttribute);
  if (task_of_kind(kind) == nullptr) {
    return fail({.what = "cannot ask about a sample",
                 .input = sample.id,
                 .why = fmt::format("its task is '{}'", kind),
                 .hint = "Only samples read as a THEMIS dataset have one."});
  }
  const std::string stem = file_stem(kind);
  std::map<std::string, std::string, std::less<>> gaps = {
      {"reasoning", ""},
      {"examples", ""},
      {"explanation", std::string(explanation_wanted(kind, options.prompt == "cot"))},
      {"figure_caption", or_else(passage(sample, "caption"), "[empty]")},
      {"figure_related", or_else(passage(sample, "related_sentences"), "[empty]")},
  };
  if (options.prompt == "cot") {
    AWRY_TRY_ASSIGN(const std::string steps, prompt_file(stem + ".reasoning.txt", options));
    gaps["reasoning"] = "\n" + steps;
  } else if (options.prompt == "few-shot") {
    AWRY_TRY_ASSIGN(const std::string examples, prompt_file(stem + ".examples.txt", options));
    gaps["examples"] = "\n" + examples;
  }

  Question question{
      .id = fmt::format("{}/{}", sample.id, kind), .sample_id = sample.id, .kind = std::string(kind)};
  std::string grid(attribute(sample, kGridAttribute));
  std::string caption(attribute(sample, kGridTextAttribute));
  if (kind == kForgery) {
    if (grid.empty() && options.grid == "always") grid = grid_text(kUsualGrid);
    if (const auto shape = grid_from_text(grid); shape && caption.empty()) caption = describe_grid(*shape);
    // As released: only a panel known to be wholly generated is asked about without blocks.
    const bool whole = grid.empty() && attribute(sample, kTypeAttribute) == "ai_generated";
    gaps["mask_rule"] = whole ? "Blocks are not asked for here: leave <MASK> empty."
                              : "Blocks are asked for: with A, B or C take their numbers from mask_caption.";
    if (!grid.empty()) question.attributes[kGridAttribute] = grid;
  }
  gaps["mask_caption"] = or_else(caption, "[no caption]");

  AWRY_TRY_ASSIGN(const std::string wording, prompt_file(stem + ".txt", options));
  AWRY_TRY_ASSIGN(question.prompt, fill(wording, gaps, stem + ".txt"));
  question.attributes["prompt"] = options.prompt;
  for (std::size_t i = 0; i < sample.images.size(); ++i) question.images.push_back(static_cast<int>(i));
  return std::vector<Question>{std::move(question)};
}

}  // namespace awry::benchmarks::themis
