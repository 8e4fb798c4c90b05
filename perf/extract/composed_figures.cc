// SPDX-License-Identifier: Apache-2.0
#include "composed_figures.h"

#include <algorithm>
#include <cstdlib>
#include <opencv2/imgproc.hpp>
#include <string>

#include "awry/forge/paint.h"
#include "awry/imaging/opencv.h"

namespace awry::perf {
namespace {

using forge::PanelKind;

constexpr std::array kPictures = {PanelKind::kMicrograph, PanelKind::kStainedMicrograph,
                                  PanelKind::kMedicalScan, PanelKind::kPhysicalObject};
constexpr std::array kAnything = {
    PanelKind::kMicrograph, PanelKind::kStainedMicrograph, PanelKind::kMedicalScan, PanelKind::kChart,
    PanelKind::kBlot,       PanelKind::kDiagram,           PanelKind::kChart};

imaging::Image painted(PanelKind kind, int width, int height, RandomStream random) {
  return value_or_throw(forge::paint_panel(kind, width, height, random)).image;
}

void place(imaging::Image& sheet, const imaging::Image& panel, int x, int y) {
  for (int row = 0; row < panel.height; ++row) {
    std::copy_n(panel.at(0, row), static_cast<std::size_t>(panel.width) * 3, sheet.at(x, y + row));
  }
}

void write(imaging::Image& sheet, char letter, int x, int y, const cv::Scalar& colour) {
  cv::putText(imaging::as_mat(sheet), std::string(1, letter), {x, y}, cv::FONT_HERSHEY_DUPLEX, 0.95, colour,
              2, cv::LINE_AA);
}

// As authors do: white on dark ground, black on light ground, with a thin edge of the other colour where the
// ground is neither.
void write_readably(imaging::Image& sheet, char letter, int x, int y, const cv::Rect& ground) {
  cv::Mat canvas = imaging::as_mat(sheet);
  const cv::Scalar mean = cv::mean(canvas(ground));
  const double grey = (mean[0] + mean[1] + mean[2]) / 3;
  const cv::Scalar black(0, 0, 0), white(255, 255, 255);
  const bool dark = grey < 128;
  if (grey > 70 && grey < 190) {
    cv::putText(canvas, std::string(1, letter), {x, y}, cv::FONT_HERSHEY_DUPLEX, 0.95, dark ? black : white,
                6, cv::LINE_AA);
  }
  write(sheet, letter, x, y, dark ? white : black);
}

struct Cell {
  int x, y, width, height;
};

struct Plan {
  int width = 0, height = 0;
  std::vector<Cell> cells;
};

// Rows of cells; `columns[r]` of them in row r, all rows equally wide.
Plan plan_rows(std::span<const int> columns, std::span<const int> heights, int width, int gap, int margin,
               int head) {
  Plan plan{.width = width + 2 * margin};
  int y = margin;
  for (std::size_t r = 0; r < columns.size(); ++r) {
    y += head;
    const int usable = width - gap * (columns[r] - 1);
    for (int c = 0; c < columns[r]; ++c) {
      const int left = usable * c / columns[r], right = usable * (c + 1) / columns[r];
      plan.cells.push_back({margin + left + gap * c, y, right - left, heights[r]});
    }
    y += heights[r] + gap;
  }
  plan.height = y - gap + margin;
  return plan;
}

Plan plan_of(Composition composition, RandomStream& random) {
  const int width = random.integer(900, 1600);
  if (composition == Composition::kSingle) {
    const int one[] = {1}, height[] = {random.integer(500, 900)};
    return plan_rows(one, height, width, 0, 12, 0);
  }
  const int rows = random.integer(1, 3);
  const bool tight = composition == Composition::kNarrowGutters || composition == Composition::kTouching;
  const int gap = composition == Composition::kTouching ? 0
                  : tight                               ? random.integer(2, 4)
                                                        : random.integer(18, 46);
  std::vector<int> columns, heights;
  const int per_row = random.integer(rows == 1 ? 2 : 1, 4);
  for (int r = 0; r < rows; ++r) {
    const bool uneven = composition == Composition::kUnevenGrid;
    columns.push_back(uneven ? random.integer(1, 4) : per_row);
    heights.push_back(uneven ? random.integer(220, 480) : std::clamp(width / per_row, 240, 420));
  }
  if (composition == Composition::kUnevenGrid && rows == 1) columns[0] = std::max(2, columns[0]);
  const bool letters_above = composition == Composition::kGrid || composition == Composition::kUnevenGrid;
  return plan_rows(columns, heights, width, gap, 14, letters_above ? 34 : 0);
}

}  // namespace

std::string_view name_of(Composition composition) {
  switch (composition) {
    case Composition::kGrid:
      return "grid";
    case Composition::kUnevenGrid:
      return "uneven grid";
    case Composition::kNarrowGutters:
      return "narrow gutters";
    case Composition::kTouching:
      return "touching";
    case Composition::kLettersInside:
      return "letters inside";
    case Composition::kSingle:
      return "single";
  }
  std::abort();
}

ComposedFigure compose_figure(Composition composition, RandomStream random) {
  const Plan plan = plan_of(composition, random);
  ComposedFigure figure{.image = imaging::Image(plan.width, plan.height, 3, 255)};
  const bool tight = composition == Composition::kNarrowGutters || composition == Composition::kTouching;
  for (std::size_t i = 0; i < plan.cells.size(); ++i) {
    const Cell& cell = plan.cells[i];
    const bool pictures = tight || composition == Composition::kLettersInside;
    const PanelKind kind = pictures ? random.pick(kPictures) : random.pick(kAnything);
    place(figure.image, painted(kind, cell.width, cell.height, random.fork("panel").fork(i)), cell.x, cell.y);
    Box box{double(cell.x), double(cell.y), double(cell.width), double(cell.height)};
    const char letter = static_cast<char>('A' + static_cast<int>(i));
    if (composition == Composition::kGrid || composition == Composition::kUnevenGrid) {
      write(figure.image, letter, cell.x + 2, cell.y - 8, {0, 0, 0});
      box.y -= 32;
      box.height += 32;
      figure.letters.push_back(letter);
    } else if (composition == Composition::kLettersInside) {
      const cv::Rect ground(cell.x + 8, cell.y + 10, 26, 28);
      write_readably(figure.image, letter, cell.x + 10, cell.y + 34, ground);
      figure.letters.push_back(letter);
    }
    figure.panels.push_back(box);
  }
  return figure;
}

}  // namespace awry::perf
