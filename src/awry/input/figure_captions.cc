// SPDX-License-Identifier: Apache-2.0
#include "awry/input/figure_captions.h"

#include <cmath>
#include <optional>

#include "awry/base/text.h"
#include "awry/reading/figure_mentions.h"

namespace awry::input {
namespace {

double right(const Box& box) {
  return box.x + box.width;
}
double bottom(const Box& box) {
  return box.y + box.height;
}
Box around(const Box& a, const Box& b) {
  const double x = std::min(a.x, b.x), y = std::min(a.y, b.y);
  return {x, y, std::max(right(a), right(b)) - x, std::max(bottom(a), bottom(b)) - y};
}

// "Figure 2" at the start of a line may also be a sentence that happens to break there.
bool begins_a_caption(const TextBlock& block, std::size_t i, const reading::CaptionStart& start) {
  const std::string& text = block.lines[i].text;
  const char next = start.end < text.size() ? text[start.end] : '\0';
  const bool capital = (next >= 'A' && next <= 'Z') || next == '(' || next == '\0';
  if (i == 0) return start.punctuated || capital;
  const TextLine &line = block.lines[i], &before = block.lines[i - 1];
  const bool apart = line.box.y - bottom(before.box) > 0.3 * line.box.height;
  const bool after_short_line = before.box.width < 0.6 * block.box.width;
  return start.punctuated && (apart || after_short_line);
}

// A caption while its pieces are gathered.
struct Gathered {
  std::vector<TextLine> lines;
  double text_left = 0;  // where words begin: right of the label, if that stands alone
};

bool is_of_one_size(const Box& a, const Box& b) {
  return std::abs(a.height - b.height) < 0.4 * std::max(a.height, b.height);
}

// What stands behind a label that is a block of its own.
bool stands_behind(const TextLine& label, const TextLine& words) {
  const double height = std::max(label.box.height, words.box.height);
  const double gap = words.box.x - right(label.box);
  return gap > -1 && gap < 2.5 * height &&
         std::min(bottom(label.box), bottom(words.box)) - std::max(label.box.y, words.box.y) > 0.6 * height;
}

// The next line of the same paragraph: as close below as lines are, as large, where the others begin or in
// the middle below them, and below a line that had no room left.
bool continues(const Gathered& caption, const TextLine& line) {
  const Box &last = caption.lines.back().box, &next = line.box;
  const double height = std::max(last.height, next.height);
  const double gap = next.y - bottom(last);
  if (gap < -0.4 * height || gap > 0.75 * height || !is_of_one_size(last, next)) return false;
  const double middle = std::abs(last.x + last.width / 2 - next.x - next.width / 2);
  const bool aligned = std::abs(next.x - caption.lines.front().box.x) < 3 ||
                       std::abs(next.x - caption.text_left) < 3 || middle < 4;
  return aligned && right(last) > right(next) - 4 * height;
}

// Each block joins at most one caption, and none that begins one itself.
void gather(CaptionBlock& caption, Gathered& gathered, const PdfPage& page, bool label_alone) {
  const auto is_free = [&](std::size_t b) {
    const TextBlock& block = page.blocks[b];
    return !block.lines.empty() && !caption.covers(b) && !reading::caption_start(block.lines.front().text);
  };
  const auto take = [&](std::size_t b) {
    caption.further.push_back(b);
    for (const TextLine& line : page.blocks[b].lines) gathered.lines.push_back(line);
  };
  for (std::size_t b = 0; label_alone && b < page.blocks.size(); ++b) {
    if (!is_free(b) || !stands_behind(gathered.lines.back(), page.blocks[b].lines.front())) continue;
    gathered.text_left = page.blocks[b].lines.front().box.x;
    caption.bare = false;
    take(b);
    break;
  }
  // "... is shown in\nFigure 3." ends a paragraph: what follows below is another one.
  const bool ends_a_paragraph = label_alone && caption.first_line > 0 && caption.further.empty();
  for (bool grew = !ends_a_paragraph; grew;) {
    grew = false;
    for (std::size_t b = 0; b < page.blocks.size() && !grew; ++b) {
      if (!is_free(b) || !continues(gathered, page.blocks[b].lines.front())) continue;
      take(b);
      grew = true;
    }
  }
}

}  // namespace

std::string joined_lines(std::span<const TextLine> lines) {
  std::string text;
  for (const TextLine& line : lines) {
    const bool broken = text.size() > 1 && text.back() == '-' && !line.text.empty() && line.text[0] >= 'a' &&
                        line.text[0] <= 'z';
    if (broken) text.pop_back();
    text += (text.empty() || broken ? "" : " ") + line.text;
  }
  return text;
}

std::vector<CaptionBlock> captions_of(const PdfPage& page) {
  std::vector<CaptionBlock> captions;
  for (std::size_t b = 0; b < page.blocks.size(); ++b) {
    const TextBlock& block = page.blocks[b];
    for (std::size_t i = 0; i < block.lines.size(); ++i) {
      const auto start = reading::caption_start(block.lines[i].text);
      if (!start || !begins_a_caption(block, i, *start)) continue;
      CaptionBlock caption{.block = b,
                           .first_line = i,
                           .label = start->label,
                           .number = start->number,
                           .punctuated = start->punctuated};
      Gathered gathered{.lines = {block.lines.begin() + static_cast<std::ptrdiff_t>(i), block.lines.end()},
                        .text_left = block.lines[i].box.x};
      const bool label_alone = gathered.lines.size() == 1 && start->end >= block.lines[i].text.size();
      caption.bare = label_alone;
      gather(caption, gathered, page, label_alone);
      caption.text = joined_lines(gathered.lines);
      caption.box = gathered.lines.front().box;
      for (const TextLine& line : gathered.lines) caption.box = around(caption.box, line.box);
      captions.push_back(std::move(caption));
      break;
    }
  }
  return captions;
}

}  // namespace awry::input
