// SPDX-License-Identifier: Apache-2.0
// A PDF through poppler's programs, each run in a limited process: words with their places, embedded
// pictures, rendered pages. What a hostile file does to them stays with them.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "awry/base/result.h"
#include "awry/imaging/image.h"
#include "awry/records/region.h"

namespace awry::input {

struct TextLine {
  Box box;
  std::string text;  // words with one space between them
};

// What the layout analysis takes for one paragraph, heading or label.
struct TextBlock {
  Box box;
  std::vector<TextLine> lines;
};

// Everything in points (1/72 inch) from the top left corner.
struct PdfPage {
  int number = 1;
  double width = 0, height = 0;
  std::vector<TextBlock> blocks;  // in reading order
  std::vector<Box> furniture;     // places of running heads and page numbers, which are in no block
  bool scanned = false;           // the words were read from the picture of the page
};

struct EmbeddedPicture {
  int page = 1;
  int index = 0;  // among those of the page
  int width = 0, height = 0;
  double x_ppi = 0, y_ppi = 0;  // as shown on the page
  double shown_width() const { return x_ppi > 0 ? 72.0 * width / x_ppi : 0; }
  double shown_height() const { return y_ppi > 0 ? 72.0 * height / y_ppi : 0; }
};

struct PdfLimits {
  int max_pages = 400;         // later pages are not looked at
  int max_render_side = 5000;  // pixels
};

class PdfDocument {
 public:
  // Errors say what is wrong with the file: no PDF, damaged, needs a password, poppler not installed.
  static Result<PdfDocument> open(const std::filesystem::path& file, const PdfLimits& limits = {});
  ~PdfDocument();
  PdfDocument(PdfDocument&&) noexcept;

  const std::vector<PdfPage>& pages() const { return pages_; }
  std::vector<PdfPage>& pages() { return pages_; }
  const std::vector<EmbeddedPicture>& pictures() const { return pictures_; }
  int page_count() const { return page_count_; }  // of the file; pages() has fewer when it is long
  // The first thing poppler found wrong with a file that it read nevertheless; empty for sound ones.
  const std::string& complaint() const;

  // `part` in points; the resolution is reduced where the result would be too large, and reported.
  struct Rendered {
    imaging::Image image;
    double dpi = 72;
  };
  Result<Rendered> render(int page, double dpi, const std::optional<Box>& part = std::nullopt) const;
  // As stored in the file, without scaling.
  Result<imaging::Image> picture(const EmbeddedPicture& picture) const;

 private:
  struct Home;
  PdfDocument();
  Result<std::string> run(const std::string& program, std::vector<std::string> arguments) const;
  Result<void> read_facts();
  Result<void> read_text();
  Result<void> read_pictures();

  std::filesystem::path given_, file_;  // as errors name it; as programs in other folders find it
  PdfLimits limits_;
  std::unique_ptr<Home> home_;
  std::vector<PdfPage> pages_;
  std::vector<EmbeddedPicture> pictures_;
  int page_count_ = 0;
};

// The pages in the output of `pdftotext -bbox-layout`. Unknown tags are passed over.
std::vector<PdfPage> pages_of_bbox_layout(std::string_view xhtml);

}  // namespace awry::input
