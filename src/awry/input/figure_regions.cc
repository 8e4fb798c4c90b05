// SPDX-License-Identifier: Apache-2.0
#include "awry/input/figure_regions.h"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <optional>

#include "awry/base/text.h"
#include "awry/input/figure_ink.h"

namespace awry::input {
namespace {

constexpr double kLeastFigureSide = 36;   // points
constexpr double kLeastPictureSide = 72;  // without a caption
constexpr double kMarginShare = 0.07;     // running heads and page numbers live in it

double right(const Box& box) {
  return box.x + box.width;
}
double bottom(const Box& box) {
  return box.y + box.height;
}
double shared(double a_low, double a_high, double b_low, double b_high) {
  return std::min(a_high, b_high) - std::max(a_low, b_low);
}
double shared_width(const Box& a, const Box& b) {
  return shared(a.x, right(a), b.x, right(b));
}
double shared_height(const Box& a, const Box& b) {
  return shared(a.y, bottom(a), b.y, bottom(b));
}

cv::Rect pixels(const Box& box, double pad = 0) {
  return {cv::Point(static_cast<int>(std::floor(box.x - pad)), static_cast<int>(std::floor(box.y - pad))),
          cv::Point(static_cast<int>(std::ceil(right(box) + pad)),
                    static_cast<int>(std::ceil(bottom(box) + pad)))};
}
Box points(const cv::Rect& rect) {
  return {double(rect.x), double(rect.y), double(rect.width), double(rect.height)};
}

std::size_t words_in(std::string_view text) {
  return text.empty() ? 0 : static_cast<std::size_t>(std::ranges::count(text, ' ')) + 1;
}

bool in_margin(const Box& box, const PdfPage& page) {
  const double margin = kMarginShare * page.height;
  return bottom(box) < margin || box.y > page.height - margin;
}

class PageOfFigures {
 public:
  PageOfFigures(const PdfPage& page, const imaging::Image& picture, std::span<const CaptionBlock> captions)
      : page_(page), ink_(ink_of(picture)) {
    for (std::size_t b = 0; b < page.blocks.size(); ++b) {
      const TextBlock& block = page.blocks[b];
      if (is_running_text(block, page)) lefts_.push_back(block.box.x);
    }
    for (std::size_t b = 0; b < page.blocks.size(); ++b) {
      const TextBlock& block = page.blocks[b];
      const bool caption = std::ranges::any_of(captions, [&](const CaptionBlock& c) { return c.covers(b); });
      if (caption) continue;
      if (is_running_text(block, page) || in_margin(block.box, page)) {
        block_off(block.box);
      } else {
        // Headings and list items begin where paragraphs do, labels inside figures hardly ever.
        for (const TextLine& line : block.lines) {
          const bool aligned =
              std::ranges::any_of(lefts_, [&](double x) { return std::abs(x - line.box.x) < 2; });
          const bool upright = line.box.width > line.box.height;  // the title of an axis is not
          if (aligned && upright && words_in(line.text) >= 2) block_off(line.box);
        }
      }
    }
    for (const CaptionBlock& caption : captions) block_off(caption.box);
    for (const Box& head : page.furniture) block_off(head);
    // Rules below running heads and above footnotes.
    for (const cv::Rect& piece : pieces_of(ink_, 3)) {
      if (piece.height <= 3 && piece.width > 0.2 * page.width) ink_(piece).setTo(0);
    }
  }

  std::optional<Box> figure_of(const CaptionBlock& caption, std::span<const CaptionBlock> captions) {
    for (const Box& search : {above(caption.box, captions), below(caption.box, captions),
                              beside(caption.box, -1), beside(caption.box, +1)}) {
      const cv::Rect found = drawn_in(search);
      if (found.width < kLeastFigureSide || found.height < kLeastFigureSide) continue;
      take(found);
      return points(found);
    }
    return std::nullopt;
  }

  std::vector<Box> figures_without_caption(std::span<const EmbeddedPicture> pictures) {
    std::vector<Box> found;
    for (const cv::Rect& piece : pieces_of(ink_, 9)) {
      if (std::min(piece.width, piece.height) < kLeastPictureSide) continue;
      const bool shown = std::ranges::any_of(pictures, [&](const EmbeddedPicture& p) {
        return std::min(p.width, p.height) >= 64 &&
               std::abs(p.shown_width() - piece.width) < 0.15 * piece.width &&
               std::abs(p.shown_height() - piece.height) < 0.15 * piece.height;
      });
      if (shown) found.push_back(points(piece));
    }
    return found;
  }

 private:
  void block_off(const Box& box) {
    blockers_.push_back(box);
    ink_(pixels(box, 1) & cv::Rect(0, 0, ink_.cols, ink_.rows)).setTo(0);
  }
  void take(const cv::Rect& figure) {
    blockers_.push_back(points(figure));
    ink_(figure).setTo(0);
  }
  cv::Rect drawn_in(const Box& search) const {
    const cv::Rect box = pixels(search) & cv::Rect(0, 0, ink_.cols, ink_.rows);
    if (box.width <= 0 || box.height <= 0) return {};
    const cv::Rect drawn = trimmed(ink_, box);
    return cv::countNonZero(ink_(drawn.empty() ? cv::Rect(0, 0, 1, 1) : drawn)) < 60 ? cv::Rect() : drawn;
  }

  // As wide as nothing stands in the way beside it; captions of the same row share the width.
  Box widened(double top, double low, const Box& caption, std::span<const CaptionBlock> captions) const {
    double from = 0, to = page_.width;
    const Box strip{0, top, page_.width, low - top};
    for (const Box& blocker : blockers_) {
      if (shared_height(blocker, strip) < 6) continue;
      if (right(blocker) <= caption.x + 6) from = std::max(from, right(blocker));
      if (blocker.x >= right(caption) - 6) to = std::min(to, blocker.x);
    }
    for (const CaptionBlock& other : captions) {
      if (shared_height(other.box, caption) < 4) continue;
      if (right(other.box) <= caption.x) from = std::max(from, (right(other.box) + caption.x) / 2);
      if (other.box.x >= right(caption)) to = std::min(to, (other.box.x + right(caption)) / 2);
    }
    return {from, top, std::max(0.0, to - from), std::max(0.0, low - top)};
  }
  Box above(const Box& caption, std::span<const CaptionBlock> captions) const {
    double top = 0;
    for (const Box& blocker : blockers_) {
      if (shared_width(blocker, caption) > 10 && bottom(blocker) <= caption.y + 2)
        top = std::max(top, bottom(blocker));
    }
    return widened(top, caption.y, caption, captions);
  }
  Box below(const Box& caption, std::span<const CaptionBlock> captions) const {
    double low = page_.height;
    for (const Box& blocker : blockers_) {
      if (shared_width(blocker, caption) > 10 && blocker.y >= bottom(caption) - 2)
        low = std::min(low, blocker.y);
    }
    return widened(bottom(caption), low, caption, captions);
  }
  Box beside(const Box& caption, int side) const {
    const double reach = std::max(caption.height, 0.3 * page_.height);
    const double middle = caption.y + caption.height / 2;
    Box strip = side < 0 ? Box{0, middle - reach / 2, caption.x, reach}
                         : Box{right(caption), middle - reach / 2, page_.width - right(caption), reach};
    for (const Box& blocker : blockers_) {
      if (shared_height(blocker, caption) < 6) continue;
      if (side < 0 && right(blocker) <= caption.x && right(blocker) > strip.x) {
        strip.width -= right(blocker) - strip.x;
        strip.x = right(blocker);
      } else if (side > 0 && blocker.x >= right(caption) && blocker.x < right(strip)) {
        strip.width = blocker.x - strip.x;
      }
    }
    return strip;
  }

  const PdfPage& page_;
  cv::Mat ink_;  // what is drawn and not yet accounted for
  std::vector<Box> blockers_;
  std::vector<double> lefts_;
};

}  // namespace

bool is_running_text(const TextBlock& block, const PdfPage& page) {
  if (block.lines.empty()) return false;
  double width = 0;
  std::size_t words = 0;
  for (const TextLine& line : block.lines) {
    width += line.box.width;
    words += words_in(line.text);
  }
  width /= static_cast<double>(block.lines.size());
  const double per_line = static_cast<double>(words) / static_cast<double>(block.lines.size());
  if (block.lines.size() >= 3) return per_line >= 4.5 && width >= 0.2 * page.width;
  return per_line >= 7 && width >= 0.3 * page.width;
}

std::vector<FigureRegion> find_figures(const PdfPage& page, const imaging::Image& picture,
                                       std::span<const CaptionBlock> captions,
                                       std::span<const EmbeddedPicture> pictures) {
  PageOfFigures sheet(page, picture, captions);
  std::vector<FigureRegion> figures;
  for (const CaptionBlock& caption : captions) {
    FigureRegion figure{.label = caption.label,
                        .number = caption.number,
                        .caption = caption.text,
                        .caption_box = caption.box};
    if (const auto box = sheet.figure_of(caption, captions)) {
      figure.box = *box;
      figures.push_back(std::move(figure));
    }
  }
  for (const Box& box : sheet.figures_without_caption(pictures)) figures.push_back({.box = box});
  std::ranges::stable_sort(figures, {}, [](const FigureRegion& f) { return f.box.y; });
  return figures;
}

}  // namespace awry::input
