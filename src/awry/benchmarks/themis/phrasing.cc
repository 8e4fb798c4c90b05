// SPDX-License-Identifier: Apache-2.0
// Inspection -> the reply a model would have written, so that detectors and models are scored alike.
#include <fmt/format.h>

#include <algorithm>

#include "awry/base/text.h"
#include "awry/benchmarks/themis/themis.h"
#include "awry/score/sets.h"

namespace awry::benchmarks::themis {
namespace {

const Option* option_of_type(const Task& task, std::string_view type) {
  for (const Option& option : task.options) {
    if (option.type == type) return &option;
  }
  return nullptr;
}

bool concerns(const Task& task, std::string_view type) {
  return task.kind == kDuplication ? type == kDuplicationType : option_of_type(task, type) != nullptr;
}

// "Not sure" is for an inspector that found nothing of what is asked and left some of it open.
char letter_without_finding(const Task& task, const inspectors::Inspection& inspection) {
  const bool open = std::any_of(inspection.undecided.begin(), inspection.undecided.end(),
                                [&](const std::string& type) { return concerns(task, type); });
  return open ? task.unsure : task.nothing;
}

// Tags and line breaks inside would be taken for the reply's own.
std::string plain(std::string_view text) {
  std::string line;
  for (const char c : text)
    line += c == '\n' || c == '\r' || c == '\t' ? ' ' : c == '<' ? '(' : c == '>' ? ')' : c;
  return std::string(trim(line));
}

std::string explain(const Finding* finding) {
  if (finding == nullptr) return "Nothing of what is asked about was found.";
  std::string text = plain(finding->phenomenon);
  for (const Evidence& evidence : finding->evidence) {
    if (!text.empty()) text += "; ";
    text += plain(evidence.note.empty() ? evidence.kind : evidence.note);
    // Most notes say their number; where one does not, it would be lost on the reader.
    const bool says_a_number = evidence.note.find_first_of("0123456789") != std::string::npos;
    if (evidence.value && !says_a_number) text += fmt::format(": {:.3g}", *evidence.value);
  }
  return text.empty() ? "Found by inspection." : text;
}

// A grid over a grid: drawn at a size that both divide evenly.
Result<BlockSet> regrid(const BlockSet& blocks, const imaging::BlockGrid& grid) {
  AWRY_TRY_ASSIGN(
      const imaging::Bitmap bitmap,
      imaging::bitmap_from_blocks(blocks, blocks.columns * grid.columns, blocks.rows * grid.rows));
  return imaging::blocks_from_bitmap(bitmap, grid);
}

Result<std::vector<int>> blocks_of(const Sample& sample, const Finding& finding,
                                   const imaging::BlockGrid& grid) {
  std::vector<int> blocks;
  const auto add_mask = [&](const Mask& mask) -> Result<void> {
    AWRY_TRY_ASSIGN(const BlockSet found, imaging::blocks_from_mask(mask, grid));
    blocks.insert(blocks.end(), found.blocks.begin(), found.blocks.end());
    return {};
  };
  if (std::holds_alternative<WholeImage>(finding.where)) {
    for (int block = 1; block <= grid.rows * grid.columns; ++block) blocks.push_back(block);
  } else if (const Mask* mask = std::get_if<Mask>(&finding.where)) {
    AWRY_TRY(add_mask(*mask));
  } else if (const BlockSet* set = std::get_if<BlockSet>(&finding.where)) {
    AWRY_TRY_ASSIGN(const BlockSet found, regrid(*set, grid));
    blocks = found.blocks;
  } else if (const Pair* pair = std::get_if<Pair>(&finding.where)) {  // source and target in one image
    if (pair->in_first) AWRY_TRY(add_mask(*pair->in_first));
    if (pair->in_second) AWRY_TRY(add_mask(*pair->in_second));
  } else if (const Box* box = std::get_if<Box>(&finding.where)) {
    const auto index = static_cast<std::size_t>(std::max(0, finding.image));
    if (index >= sample.images.size() || sample.images[index].width <= 0) {
      return fail({.what = "cannot tell the blocks of a box",
                   .input = sample.id,
                   .why = "the size of the image is not known",
                   .hint = "Fill in Sample::images' width and height, or report a mask."});
    }
    AWRY_TRY_ASSIGN(const Mask inside,
                    imaging::mask_from_box(*box, sample.images[index].width, sample.images[index].height));
    AWRY_TRY(add_mask(inside));
  }
  return blocks;
}

Result<std::string> phrase_forgery(const Sample& sample, const Question& question, const Task& task,
                                   const inspectors::Inspection& inspection) {
  const Finding* first = nullptr;
  std::vector<int> blocks;
  const std::string_view asked = attribute(question, kGridAttribute);
  const auto grid = grid_from_text(asked.empty() ? attribute(sample, kGridAttribute) : asked);
  const auto add_blocks = [&](const Finding& finding) -> Result<void> {
    if (!grid) return {};
    AWRY_TRY_ASSIGN(const std::vector<int> more, blocks_of(sample, finding, *grid));
    blocks.insert(blocks.end(), more.begin(), more.end());
    return {};
  };
  for (const Finding& finding : inspection.findings) {
    if (!concerns(task, finding.type) || (first != nullptr && finding.type != first->type)) continue;
    if (first == nullptr) first = &finding;
    AWRY_TRY(add_blocks(finding));
  }
  // Who is not sure what it is can still say where; the place is scored apart from the type.
  const auto lead = std::ranges::find_if(
      inspection.leads, [&](const Finding& finding) { return concerns(task, finding.type); });
  std::string explanation = explain(first);
  if (first == nullptr && lead != inspection.leads.end()) {
    AWRY_TRY(add_blocks(*lead));
    explanation = "Too little to call it a forgery; these blocks are where it would be.";
  }
  const char letter =
      first != nullptr ? option_of_type(task, first->type)->letter : letter_without_finding(task, inspection);
  return fmt::format("<CHOICE>{}</CHOICE>\n<MASK>{}</MASK>\n<EXPLANATION>{}</EXPLANATION>\n", letter,
                     fmt::join(score::distinct(std::span<const int>(blocks)), ","), explanation);
}

// Detectors name operations more finely than the options do.
char letter_of_operation(std::string_view operation) {
  const std::string name = to_lower_ascii(operation);
  const auto has = [&](std::string_view part) { return name.find(part) != std::string::npos; };
  if (has("scal") || has("resiz") || has("zoom")) return 'B';
  if (has("rotat")) return 'C';
  if (has("flip") || has("mirror")) return 'D';
  for (const std::string_view tone :
       {"param", "bright", "contrast", "satur", "hue", "color", "colour", "temperature", "gamma", "tone"}) {
    if (has(tone)) return 'E';
  }
  return 'A';  // direct, translation, crop: the content itself is unchanged
}

std::string phrase_duplication(const Task& task, const inspectors::Inspection& inspection) {
  const auto found = std::find_if(inspection.findings.begin(), inspection.findings.end(),
                                  [](const Finding& finding) { return finding.type == kDuplicationType; });
  std::string letters;
  if (found == inspection.findings.end()) {
    letters = letter_without_finding(task, inspection);
  } else {
    if (const Pair* pair = std::get_if<Pair>(&found->where)) {
      for (const std::string& operation : pair->operations) letters += letter_of_operation(operation);
    }
    std::erase(letters, 'A');
    if (letters.empty()) letters = "A";
    std::sort(letters.begin(), letters.end());
    letters.erase(std::unique(letters.begin(), letters.end()), letters.end());
  }
  const Finding* finding = found == inspection.findings.end() ? nullptr : &*found;
  return fmt::format("<CHOICES>{}</CHOICES>\n<EXPLANATION>{}</EXPLANATION>\n", fmt::join(letters, ","),
                     explain(finding));
}

std::string phrase_consistency(const Task& task, const inspectors::Inspection& inspection) {
  const Finding* first = nullptr;
  std::vector<std::string> parts, sentences;
  for (const Finding& finding : inspection.findings) {
    if (!concerns(task, finding.type) || (first != nullptr && finding.type != first->type)) continue;
    if (first == nullptr) first = &finding;
    const TextSpan* span = std::get_if<TextSpan>(&finding.where);
    if (span == nullptr) continue;
    const std::string part = span->part == "caption" ? "caption" : "related";
    if (std::find(parts.begin(), parts.end(), part) == parts.end()) parts.push_back(part);
    if (!trim(span->sentence).empty()) sentences.push_back(plain(span->sentence));
  }
  const char letter =
      first != nullptr ? option_of_type(task, first->type)->letter : letter_without_finding(task, inspection);
  return fmt::format(
      "<CHOICE>{}</CHOICE>\n<PARTS>{}</PARTS>\n<SENTENCES>{}</SENTENCES>\n<EXPLANATION>{}</EXPLANATION>\n",
      letter, parts.empty() ? "none" : join(parts, ","), join(sentences, "\n"), explain(first));
}

}  // namespace

Result<std::string> phrase(const Sample& sample, const Question& question,
                           const inspectors::Inspection& inspection) {
  const Task* task = task_of_kind(question.kind);
  if (task == nullptr) {
    return fail({.what = "cannot phrase an answer",
                 .input = question.id,
                 .why = fmt::format("'{}' is not a kind of question that THEMIS asks", question.kind)});
  }
  if (task->kind == kForgery) return phrase_forgery(sample, question, *task, inspection);
  if (task->kind == kDuplication) return phrase_duplication(*task, inspection);
  return phrase_consistency(*task, inspection);
}

}  // namespace awry::benchmarks::themis
