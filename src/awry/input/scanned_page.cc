// SPDX-License-Identifier: Apache-2.0
#include "awry/input/scanned_page.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "awry/reading/lettering.h"

namespace awry::input {
namespace {

constexpr double kReadingDpi = 200;
constexpr double kLeastConfidence = 40;  // below, tesseract mostly reads texture

Box around(const Box& a, const Box& b) {
  const double x = std::min(a.x, b.x), y = std::min(a.y, b.y);
  return {x, y, std::max(a.x + a.width, b.x + b.width) - x, std::max(a.y + a.height, b.y + b.height) - y};
}

// Tesseract takes the axis labels of plots that stand side by side for one line, but no text has such gaps.
bool stands_apart(const Box& line, const Box& word) {
  return word.x - (line.x + line.width) > 2.5 * std::max(line.height, word.height);
}

std::vector<TextLine> lines_of(std::span<const reading::Word> words, double scale) {
  std::vector<TextLine> lines;
  std::map<int, std::size_t> latest;  // part of each of tesseract's lines
  for (const reading::Word& word : words) {
    if (word.confidence < kLeastConfidence) continue;
    const Box box{word.box.x * scale, word.box.y * scale, word.box.width * scale, word.box.height * scale};
    const auto known = latest.find(word.line);
    if (known == latest.end() || stands_apart(lines[known->second].box, box)) {
      latest[word.line] = lines.size();
      lines.push_back({box, word.text});
      continue;
    }
    TextLine& line = lines[known->second];
    line.box = around(line.box, box);
    line.text += " " + word.text;
  }
  return lines;
}

// A line that follows closely below, and not beside, continues the block.
bool continues(const TextBlock& block, const TextLine& line) {
  const Box& last = block.lines.back().box;
  const double gap = line.box.y - (last.y + last.height);
  const double shared =
      std::min(last.x + last.width, line.box.x + line.box.width) - std::max(last.x, line.box.x);
  return gap > -0.5 * last.height && gap < 0.8 * std::max(last.height, line.box.height) && shared > 0;
}

}  // namespace

bool looks_scanned(const PdfPage& page, std::span<const EmbeddedPicture> pictures) {
  std::size_t letters = 0;
  for (const TextBlock& block : page.blocks) {
    for (const TextLine& line : block.lines) letters += line.text.size();
  }
  return letters < 60 && std::ranges::any_of(pictures, [&](const EmbeddedPicture& picture) {
           return picture.page == page.number && picture.shown_width() > 0.75 * page.width &&
                  picture.shown_height() > 0.75 * page.height;
         });
}

Result<void> read_scanned_page(const PdfDocument& document, PdfPage& page) {
  AWRY_TRY_ASSIGN(const PdfDocument::Rendered rendered, document.render(page.number, kReadingDpi));
  AWRY_TRY_ASSIGN(const std::vector<reading::Word> words,
                  reading::read_lettering(rendered.image, {.layout = reading::Layout::kPage}));
  page.blocks.clear();
  for (TextLine& line : lines_of(words, 72 / rendered.dpi)) {
    if (page.blocks.empty() || !continues(page.blocks.back(), line)) page.blocks.push_back({.box = line.box});
    page.blocks.back().box = around(page.blocks.back().box, line.box);
    page.blocks.back().lines.push_back(std::move(line));
  }
  page.scanned = true;
  return {};
}

}  // namespace awry::input
