// SPDX-License-Identifier: Apache-2.0
#include "awry/input/panel_letters.h"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "awry/imaging/opencv.h"
#include "awry/imaging/resize.h"

namespace awry::input {
namespace {

constexpr int kGlyphHeight = 44;
constexpr int kSlot = 200;   // of the line, one glyph in each: too far apart for words
constexpr int kIndent = 40;  // before the first
constexpr std::size_t kMostPerPanel = 2;
constexpr std::size_t kMostGlyphs = 60, kPerLine = 28;  // longer lines would be read at a smaller size
constexpr const char* kAlphabet = "ABCDEFGHIJKLMNOPabcdefghijklmnop";

struct Glyph {
  cv::Rect place;  // in the figure
  cv::Mat shape;   // 0 where it is drawn, 255 elsewhere
  double distance = 0;
};

// Dark or light, of the size and fullness of a letter, and with nothing of its own kind close by: letters of
// words stand close to one another, and texture does to everything.
bool looks_like_a_letter(const cv::Mat& mask, const cv::Rect& box, int pixels, double longest) {
  const bool sized = box.height >= 10 && box.height >= 0.009 * longest && box.height <= 0.05 * longest;
  const bool shaped = box.width >= 0.12 * box.height && box.width <= 1.5 * box.height;
  const double fullness = static_cast<double>(pixels) / box.area();
  if (!sized || !shaped || fullness < 0.15 || fullness > 0.9) return false;
  const cv::Rect all(0, 0, mask.cols, mask.rows);
  const cv::Rect grown(box.x - 1, box.y - 1, box.width + 2, box.height + 2);
  if ((grown & all) != grown) return false;  // cut off by the edge of what is looked at
  const int around = std::max(2, box.height / 4);
  const cv::Rect ring(box.x - around, box.y - around, box.width + 2 * around, box.height + 2 * around);
  return cv::countNonZero(mask(ring & all)) - pixels <= 0.06 * pixels;
}

// How dark or light a letter is. The second of each leaves out what tissue, cells and scans have around
// letters of full black or white.
struct Ink {
  bool dark;
  int level;
};
constexpr Ink kInks[] = {{true, 100}, {false, 225}, {true, 40}, {false, 248}};

bool is_same_place(const cv::Rect& a, const cv::Rect& b) {
  return 2 * (a & b).area() > std::min(a.area(), b.area());
}

std::vector<Glyph> glyphs_near_corner(const cv::Mat& grey, const Box& panel) {
  const double longest = std::max(grey.cols, grey.rows);
  const cv::Point corner(static_cast<int>(panel.x), static_cast<int>(panel.y));
  const cv::Rect region =
      cv::Rect(
          cv::Point(static_cast<int>(panel.x - 0.02 * longest), static_cast<int>(panel.y - 0.03 * longest)),
          cv::Point(static_cast<int>(panel.x + std::max(0.05 * longest, 0.25 * panel.width)),
                    static_cast<int>(panel.y + std::max(0.05 * longest, 0.25 * panel.height)))) &
      cv::Rect(0, 0, grey.cols, grey.rows);
  std::vector<Glyph> glyphs;
  if (region.empty()) return glyphs;
  for (const Ink& ink : kInks) {
    const cv::Mat mask = ink.dark ? cv::Mat(grey(region) < ink.level) : cv::Mat(grey(region) > ink.level);
    cv::Mat labels, statistics, centres;
    const int count = cv::connectedComponentsWithStats(mask, labels, statistics, centres);
    for (int i = 1; i < count; ++i) {
      const cv::Rect box(statistics.at<int>(i, cv::CC_STAT_LEFT), statistics.at<int>(i, cv::CC_STAT_TOP),
                         statistics.at<int>(i, cv::CC_STAT_WIDTH), statistics.at<int>(i, cv::CC_STAT_HEIGHT));
      if (!looks_like_a_letter(mask, box, statistics.at<int>(i, cv::CC_STAT_AREA), longest)) continue;
      const cv::Rect place = box + region.tl();
      if (std::ranges::any_of(glyphs, [&](const Glyph& g) { return is_same_place(g.place, place); }))
        continue;
      glyphs.push_back({.place = place,
                        .shape = cv::Mat(labels(box) != i),
                        .distance = std::hypot(place.x + place.width / 2.0 - corner.x,
                                               place.y + place.height / 2.0 - corner.y)});
    }
  }
  std::ranges::sort(glyphs, {}, &Glyph::distance);
  if (glyphs.size() > kMostPerPanel) glyphs.resize(kMostPerPanel);
  return glyphs;
}

imaging::Image line_of(std::span<const Glyph> glyphs) {
  imaging::Image line(2 * kIndent + kSlot * static_cast<int>(glyphs.size()), 2 * kGlyphHeight, 1, 255);
  cv::Mat paper = imaging::as_mat(line);
  for (std::size_t i = 0; i < glyphs.size(); ++i) {
    const cv::Rect& place = glyphs[i].place;
    const int width = std::clamp(place.width * kGlyphHeight / place.height, 4, kSlot - 20);
    const cv::Rect slot(kIndent + kSlot * static_cast<int>(i), kGlyphHeight / 2, width, kGlyphHeight);
    cv::Mat drawn;
    cv::resize(glyphs[i].shape, drawn, slot.size(), 0, 0, cv::INTER_CUBIC);
    drawn.copyTo(paper(slot));
  }
  cv::GaussianBlur(paper, paper, {3, 3}, 0);
  return line;
}

Result<void> read_line(std::span<const Glyph> glyphs, std::vector<reading::Word>& letters) {
  AWRY_TRY_ASSIGN(
      const std::vector<reading::Word> words,
      reading::read_lettering(line_of(glyphs),
                              {.layout = reading::Layout::kLine, .min_long_edge = 1, .alphabet = kAlphabet}));
  for (const reading::Word& word : words) {
    // Glyphs in neighbouring slots are sometimes taken for one word.
    const auto slot_of = [](double x) { return static_cast<int>(std::floor((x - kIndent / 2.0) / kSlot)); };
    const int first = slot_of(word.box.x), last = slot_of(word.box.x + word.box.width);
    if (first < 0 || last >= static_cast<int>(glyphs.size())) continue;
    if (static_cast<int>(word.text.size()) != last - first + 1) continue;
    for (int slot = first; slot <= last; ++slot) {
      const cv::Rect& place = glyphs[static_cast<std::size_t>(slot)].place;
      letters.push_back({.text = std::string(1, word.text[static_cast<std::size_t>(slot - first)]),
                         .box = {double(place.x), double(place.y), double(place.width), double(place.height)},
                         .confidence = word.confidence});
    }
  }
  return {};
}

}  // namespace

Result<std::vector<reading::Word>> read_panel_letters(const imaging::Image& figure,
                                                      std::span<const Panel> panels) {
  const imaging::Image grey = imaging::to_grey(figure);
  std::vector<Glyph> glyphs;
  for (const Panel& panel : panels) {
    std::ranges::move(glyphs_near_corner(imaging::as_mat(grey), panel.box), std::back_inserter(glyphs));
  }
  if (glyphs.size() > kMostGlyphs) glyphs.resize(kMostGlyphs);
  std::vector<reading::Word> letters;
  for (std::size_t from = 0; from < glyphs.size(); from += kPerLine) {
    const std::size_t count = std::min(kPerLine, glyphs.size() - from);
    AWRY_TRY(read_line(std::span(glyphs).subspan(from, count), letters));
  }
  return letters;
}

Result<std::vector<reading::Word>> words_for_naming(const imaging::Image& figure,
                                                    std::span<const Panel> panels) {
  AWRY_TRY_ASSIGN(std::vector<reading::Word> words, read_panel_letters(figure, panels));
  AWRY_TRY_ASSIGN(const std::vector<reading::Word> all, reading::read_lettering(figure));
  words.insert(words.end(), all.begin(), all.end());
  return words;
}

}  // namespace awry::input
