// SPDX-License-Identifier: Apache-2.0
// A PDF -> a folder with its figures and panels, and what the paper says about them.
//
//   <folder>/paper.json                        the whole hierarchy: paper, pages, figures, panels
//   <folder>/page-003/figure-2/figure.png      as shown on the page
//   <folder>/page-003/figure-2/figure.json     its part of the hierarchy
//   <folder>/page-003/figure-2/panel-1.png ... in reading order
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "awry/base/cancel.h"
#include "awry/base/result.h"
#include "awry/records/region.h"
#include "awry/records/sample.h"

namespace awry::input {

struct ExtractedPanel {
  std::string name;    // "panel 1 (a)"
  std::string letter;  // "a"; empty when none was read
  Box in_figure;       // pixels
  Box on_page;         // points
  std::string file;    // relative to the paper's folder, as all files here
};

enum class FigureSource {
  kEmbedded,  // the pixels stored in the PDF
  kRendered,  // drawn by the renderer: vector graphics, composed figures, scans
};
std::string_view name_of(FigureSource source);

struct ExtractedFigure {
  std::string name;    // "Figure 2"; "picture 1" without a caption
  std::string number;  // "2"; empty without a caption
  int page = 1;
  Box on_page, caption_box;  // points
  std::string caption;
  std::vector<std::string> sentences;  // of the running text that mention it
  FigureSource source = FigureSource::kRendered;
  double dpi = 0;             // of the file, as shown on the page
  int width = 0, height = 0;  // pixels
  std::string file;
  std::vector<ExtractedPanel> panels;
};

struct ExtractedPaper {
  std::string name;  // of the file, without its ending
  std::filesystem::path pdf, folder;
  std::string sha256;
  int page_count = 0;
  std::vector<int> scanned_pages;
  std::vector<ExtractedFigure> figures;
  std::vector<std::string> notes;  // what was left out, and why
};

struct ExtractOptions {
  int max_pages = 400;
  double max_dpi = 300;
  double vector_dpi = 200;  // where nothing tells how fine the figure is
  bool lettering = true;    // read panel letters and scanned pages with tesseract, if it is there
  const CancelToken* cancel = nullptr;
};

// Writes into `folder`, which is made. A page that fails is noted and left out; an error means that nothing
// of the file could be read.
Result<ExtractedPaper> extract_paper(const std::filesystem::path& pdf, const std::filesystem::path& folder,
                                     const ExtractOptions& options = {});

// What inspectors are asked about: every panel by itself, and every figure with its words.
// Attributes: paper, page, figure, panel.
std::vector<Sample> panel_samples(const ExtractedPaper& paper);
std::vector<Sample> figure_samples(const ExtractedPaper& paper);  // only those with words

// One page on which a person sees at a glance what was cut, and how.
std::string extraction_check_page(const std::vector<ExtractedPaper>& papers,
                                  const std::filesystem::path& root);

}  // namespace awry::input
