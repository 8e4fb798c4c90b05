// SPDX-License-Identifier: Apache-2.0
#include "awry/input/extraction.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "awry/base/files.h"
#include "awry/base/hash.h"
#include "awry/base/json.h"
#include "awry/base/text.h"
#include "awry/imaging/encode.h"
#include "awry/imaging/resize.h"
#include "awry/input/figure_regions.h"
#include "awry/input/page_furniture.h"
#include "awry/input/panel_cutting.h"
#include "awry/input/panel_letters.h"
#include "awry/input/scanned_page.h"
#include "awry/reading/figure_mentions.h"

namespace awry::input {
namespace {

namespace fs = std::filesystem;

constexpr int kLeastPanelSide = 24;  // pixels: less is a stray mark
constexpr std::size_t kMostSentences = 40;

Json json_of(const Box& box) {
  const auto rounded = [](double v) { return std::round(v * 100) / 100; };
  return {{"x", rounded(box.x)},
          {"y", rounded(box.y)},
          {"width", rounded(box.width)},
          {"height", rounded(box.height)}};
}

Json json_of(const ExtractedFigure& figure) {
  Json panels = Json::array();
  for (const ExtractedPanel& panel : figure.panels) {
    panels.push_back({{"name", panel.name},
                      {"letter", panel.letter},
                      {"file", panel.file},
                      {"box_in_figure", json_of(panel.in_figure)},
                      {"box_on_page", json_of(panel.on_page)}});
  }
  return {{"name", figure.name},
          {"number", figure.number},
          {"page", figure.page},
          {"file", figure.file},
          {"width", figure.width},
          {"height", figure.height},
          {"source", name_of(figure.source)},
          {"dpi", std::round(figure.dpi * 10) / 10},
          {"box_on_page", json_of(figure.on_page)},
          {"caption_box_on_page", json_of(figure.caption_box)},
          {"caption", figure.caption},
          {"sentences", figure.sentences},
          {"panels", std::move(panels)}};
}

Json json_of(const ExtractedPaper& paper) {
  Json figures = Json::array();
  for (const ExtractedFigure& figure : paper.figures) figures.push_back(json_of(figure));
  return {{"schema", "awry-extraction-1"},
          {"paper", paper.name},
          {"pdf", paper.pdf.filename().string()},
          {"sha256", paper.sha256},
          {"pages", paper.page_count},
          {"scanned_pages", paper.scanned_pages},
          {"units", "boxes on pages in points from the top left, boxes in figures in pixels"},
          {"figures", std::move(figures)},
          {"notes", paper.notes}};
}

imaging::Image crop(const imaging::Image& image, const Box& box) {
  const int x = static_cast<int>(box.x), y = static_cast<int>(box.y);
  const int width = std::min(static_cast<int>(box.width), image.width - x);
  const int height = std::min(static_cast<int>(box.height), image.height - y);
  imaging::Image part(width, height, image.channels);
  for (int row = 0; row < height; ++row) {
    std::copy_n(image.at(x, y + row), static_cast<std::size_t>(width) * image.channels, part.at(0, row));
  }
  return part;
}

// Of two pictures brought to one small size: 1 for the same, about 0 for strangers.
double likeness(const imaging::Image& a, const imaging::Image& b) {
  const imaging::Image first = imaging::resize_direct(imaging::to_grey(a), 48, 48).image;
  const imaging::Image second = imaging::resize_direct(imaging::to_grey(b), 48, 48).image;
  double sa = 0, sb = 0, saa = 0, sbb = 0, sab = 0;
  const double n = static_cast<double>(first.pixels.size());
  for (std::size_t i = 0; i < first.pixels.size(); ++i) {
    const double x = first.pixels[i], y = second.pixels[i];
    sa += x, sb += y, saa += x * x, sbb += y * y, sab += x * y;
  }
  const double spread = (saa - sa * sa / n) * (sbb - sb * sb / n);
  return spread <= 0 ? 0 : (sab - sa * sb / n) / std::sqrt(spread);
}

std::string slug(std::string_view name) {
  std::string result;
  for (const char c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.';
    result += plain ? c : '-';
  }
  return to_lower_ascii(result);
}

class Extractor {
 public:
  Extractor(PdfDocument document, ExtractedPaper& paper, const ExtractOptions& options)
      : document_(std::move(document)), paper_(paper), options_(options) {}

  Result<void> extract() {
    note_scans();
    set_furniture_aside(document_.pages());
    std::vector<std::vector<CaptionBlock>> captions;
    std::set<std::string> sure;  // numbers with a caption that is punctuated as one and says something
    for (const PdfPage& page : document_.pages()) {
      captions.push_back(captions_of(page));
      for (const CaptionBlock& caption : captions.back()) {
        if (caption.punctuated && !caption.bare) sure.insert(caption.number);
      }
    }
    for (std::size_t i = 0; i < captions.size(); ++i) {
      if (options_.cancel != nullptr && options_.cancel->requested()) {
        return fail(
            {.kind = ErrorKind::kCancelled, .what = "stopped extracting", .input = paper_.pdf.string()});
      }
      std::erase_if(captions[i], [&](const CaptionBlock& c) {
        return (!c.punctuated || c.bare) && sure.contains(c.number);
      });
      const PdfPage& page = document_.pages()[i];
      if (!has_believable_size(page)) continue;
      const std::vector<EmbeddedPicture> pictures = pictures_on(page.number);
      if (captions[i].empty() && pictures.empty()) continue;
      if (const auto done = extract_page(page, captions[i], pictures); !done) {
        paper_.notes.push_back(fmt::format("page {} was left out: {}", page.number, done.error().why));
      }
    }
    note_unbelievable_pages();
    if (paper_.figures.empty()) note_that_nothing_was_found();
    add_sentences(captions);
    return write_hierarchy();
  }

 private:
  // 14,400 points, 200 inches, are the most that viewers show; a page without a size could not be read.
  static bool has_believable_size(const PdfPage& page) {
    return std::min(page.width, page.height) > 0 && std::max(page.width, page.height) <= 14'400;
  }

  void note_unbelievable_pages() {
    const auto odd = std::ranges::find_if_not(document_.pages(), has_believable_size);
    if (odd == document_.pages().end()) return;
    const auto count = std::ranges::count_if(document_.pages(),
                                             [](const PdfPage& page) { return !has_believable_size(page); });
    paper_.notes.push_back(fmt::format("{} left out, page {}{} measures {:.0f} x {:.0f} points",
                                       count == 1 ? "a page was" : fmt::format("{} pages were", count),
                                       odd->number, count == 1 ? "" : " for one", odd->width, odd->height));
  }

  // So that nobody takes a file that could not be understood for a paper without figures.
  void note_that_nothing_was_found() {
    const std::size_t pictures = document_.pictures().size();
    const bool words =
        std::ranges::any_of(document_.pages(), [](const PdfPage& page) { return !page.blocks.empty(); });
    std::string note = pictures == 1  ? "no figures: the only picture does not show as one"
                       : pictures > 1 ? fmt::format("no figures: none of {} pictures shows as one", pictures)
                       : words        ? "no figures: neither pictures nor drawings with a caption"
                                      : "no figures: neither pictures nor words can be seen";
    if (!document_.complaint().empty()) note += fmt::format("; poppler says: {}", document_.complaint());
    paper_.notes.push_back(std::move(note));
  }

  void note_scans() {
    for (PdfPage& page : document_.pages()) {
      if (!options_.lettering || !looks_scanned(page, document_.pictures())) continue;
      if (const auto read = read_scanned_page(document_, page); !read) {
        paper_.notes.push_back(
            fmt::format("page {} is a scan whose words were not read: {}", page.number, read.error().why));
      } else {
        paper_.scanned_pages.push_back(page.number);
      }
    }
  }

  std::vector<EmbeddedPicture> pictures_on(int page) const {
    std::vector<EmbeddedPicture> here;
    for (const EmbeddedPicture& picture : document_.pictures()) {
      if (picture.page == page) here.push_back(picture);
    }
    return here;
  }

  Result<void> extract_page(const PdfPage& page, std::span<const CaptionBlock> captions,
                            std::span<const EmbeddedPicture> pictures) {
    AWRY_TRY_ASSIGN(const PdfDocument::Rendered survey, document_.render(page.number, 72));
    if (survey.dpi < 71.9) {
      return fail({.why = fmt::format("it measures {:.0f} x {:.0f} points", page.width, page.height)});
    }
    // What is rendered has the rotation of the page applied, and so do the places of the words.
    PdfPage upright = page;
    upright.width = survey.image.width;
    upright.height = survey.image.height;
    // A scan is one picture of everything; it is no figure of its own.
    const auto figures = find_figures(upright, survey.image, captions,
                                      page.scanned ? std::span<const EmbeddedPicture>() : pictures);
    for (const FigureRegion& region : figures) AWRY_TRY(extract_figure(page, region, pictures));
    return {};
  }

  Result<imaging::Image> pixels_of(const PdfPage& page, const FigureRegion& region,
                                   std::span<const EmbeddedPicture> pictures, ExtractedFigure& figure) {
    double dpi = options_.vector_dpi;
    for (const EmbeddedPicture& picture : pictures) {
      if (std::min(picture.width, picture.height) >= 64) dpi = std::max({dpi, picture.x_ppi, picture.y_ppi});
    }
    dpi = std::min(dpi, options_.max_dpi);
    for (const EmbeddedPicture& picture : pictures) {
      if (std::abs(picture.shown_width() - region.box.width) > 4 + 0.02 * region.box.width) continue;
      if (std::abs(picture.shown_height() - region.box.height) > 4 + 0.02 * region.box.height) continue;
      auto stored = document_.picture(picture);
      if (!stored || stored->empty()) continue;
      AWRY_TRY_ASSIGN(const PdfDocument::Rendered shown, document_.render(page.number, dpi, region.box));
      if (likeness(*stored, shown.image) < 0.97) continue;
      figure.source = FigureSource::kEmbedded;
      figure.dpi = picture.x_ppi;
      return std::move(*stored);
    }
    // Found at one pixel a point, so the outermost lines may lie a little outside.
    constexpr double kPadding = 1;
    figure.on_page = {std::max(0.0, region.box.x - kPadding), std::max(0.0, region.box.y - kPadding), 0, 0};
    figure.on_page.width = region.box.x + region.box.width + kPadding - figure.on_page.x;
    figure.on_page.height = region.box.y + region.box.height + kPadding - figure.on_page.y;
    AWRY_TRY_ASSIGN(PdfDocument::Rendered rendered, document_.render(page.number, dpi, figure.on_page));
    figure.dpi = rendered.dpi;
    return std::move(rendered.image);
  }

  Result<void> extract_figure(const PdfPage& page, const FigureRegion& region,
                              std::span<const EmbeddedPicture> pictures) {
    ExtractedFigure figure{
        .name = region.label.empty() ? fmt::format("picture {}", ++unnamed_) : region.label,
        .number = region.number,
        .page = page.number,
        .on_page = region.box,
        .caption_box = region.caption_box,
        .caption = region.caption};
    AWRY_TRY_ASSIGN(const imaging::Image image, pixels_of(page, region, pictures, figure));
    if (image.empty()) return {};
    continue_earlier(figure);
    figure.width = image.width;
    figure.height = image.height;
    std::string folder =
        fmt::format("page-{:03d}/{}", page.number,
                    region.number.empty() ? slug(figure.name) : "figure-" + slug(region.number));
    for (int again = 2; !folders_.insert(folder).second; ++again) {
      folder = fmt::format("page-{:03d}/figure-{}-{}", page.number, slug(region.number), again);
    }
    AWRY_TRY(make_folder(paper_.folder / folder));
    figure.file = folder + "/figure.png";
    AWRY_TRY(write_file(paper_.folder / figure.file, imaging::encode_png(image)));
    AWRY_TRY(cut(image, folder, figure));
    paper_.figures.push_back(std::move(figure));
    return {};
  }

  // "Figure 2 (continued)" on the next page is described where Figure 2 began.
  void continue_earlier(ExtractedFigure& figure) const {
    const std::string start = to_lower_ascii(figure.caption.substr(0, 60));
    if (start.find("continued") == std::string::npos && start.find("cont.") == std::string::npos) return;
    const auto first = std::ranges::find(paper_.figures, figure.number, &ExtractedFigure::number);
    if (figure.number.empty() || first == paper_.figures.end()) return;
    figure.name += " (continued)";
    figure.caption = first->caption + " " + figure.caption;
  }

  Result<void> cut(const imaging::Image& image, const std::string& folder, ExtractedFigure& figure) {
    std::vector<Panel> panels = cut_panels(image);
    if (panels.size() > 1 && options_.lettering && reading::can_read_lettering()) {
      if (const auto words = words_for_naming(image, panels)) name_panels(image, *words, panels);
    }
    std::erase_if(panels,
                  [](const Panel& p) { return std::min(p.box.width, p.box.height) < kLeastPanelSide; });
    if (panels.empty()) panels.push_back({.box = {0, 0, double(image.width), double(image.height)}});
    const double x_scale = figure.on_page.width / image.width, y_scale = figure.on_page.height / image.height;
    for (std::size_t i = 0; i < panels.size(); ++i) {
      const auto& [box, letter] = panels[i];
      ExtractedPanel panel{.name = letter.empty() ? fmt::format("panel {}", i + 1)
                                                  : fmt::format("panel {} ({})", i + 1, letter),
                           .letter = letter,
                           .in_figure = box,
                           .on_page = {figure.on_page.x + box.x * x_scale, figure.on_page.y + box.y * y_scale,
                                       box.width * x_scale, box.height * y_scale},
                           .file = fmt::format("{}/panel-{}.png", folder, i + 1)};
      AWRY_TRY(write_file(paper_.folder / panel.file, imaging::encode_png(crop(image, box))));
      figure.panels.push_back(std::move(panel));
    }
    return {};
  }

  void add_sentences(std::span<const std::vector<CaptionBlock>> captions) {
    std::string text;
    for (std::size_t i = 0; i < document_.pages().size(); ++i) {
      const PdfPage& page = document_.pages()[i];
      for (std::size_t b = 0; b < page.blocks.size(); ++b) {
        const bool caption =
            std::ranges::any_of(captions[i], [&](const CaptionBlock& c) { return c.covers(b); });
        if (caption || !is_running_text(page.blocks[b], page)) continue;
        const std::string paragraph = joined_lines(page.blocks[b].lines);
        if (text.ends_with('-') && !paragraph.empty() && paragraph[0] >= 'a' && paragraph[0] <= 'z') {
          text.pop_back();
        } else if (!text.empty()) {
          text += ' ';
        }
        text += paragraph;
      }
    }
    std::map<std::string, std::vector<std::string>> by_number;
    for (const std::string& sentence : reading::sentences_of(text)) {
      std::set<std::string> numbers;
      for (const reading::FigureMention& mention : reading::figure_mentions(sentence))
        numbers.insert(mention.number);
      for (const std::string& number : numbers) {
        if (by_number[number].size() < kMostSentences) by_number[number].push_back(sentence);
      }
    }
    for (ExtractedFigure& figure : paper_.figures) {
      if (!figure.number.empty()) figure.sentences = by_number[figure.number];
    }
  }

  Result<void> write_hierarchy() {
    for (const ExtractedFigure& figure : paper_.figures) {
      const fs::path folder = (paper_.folder / figure.file).parent_path();
      AWRY_TRY(write_json_file(folder / "figure.json", json_of(figure)));
    }
    return write_json_file(paper_.folder / "paper.json", json_of(paper_));
  }

  PdfDocument document_;
  ExtractedPaper& paper_;
  const ExtractOptions& options_;
  std::set<std::string> folders_;
  int unnamed_ = 0;
};

std::string words_about(const ExtractedFigure& figure) {
  std::string text;
  for (const std::string& sentence : figure.sentences) text += (text.empty() ? "" : " ") + sentence;
  return text;
}

}  // namespace

std::string_view name_of(FigureSource source) {
  return source == FigureSource::kEmbedded ? "embedded" : "rendered";
}

Result<ExtractedPaper> extract_paper(const fs::path& pdf, const fs::path& folder,
                                     const ExtractOptions& options) {
  ExtractedPaper paper{.name = pdf.stem().string(), .pdf = pdf, .folder = folder};
  AWRY_TRY_ASSIGN(PdfDocument document, PdfDocument::open(pdf, {.max_pages = options.max_pages}));
  AWRY_TRY_ASSIGN(paper.sha256, sha256_hex_of_file(pdf));
  paper.page_count = document.page_count();
  if (document.page_count() > static_cast<int>(document.pages().size())) {
    paper.notes.push_back(fmt::format("only the first {} of {} pages were looked at", document.pages().size(),
                                      document.page_count()));
  }
  AWRY_TRY(make_folder(folder));
  AWRY_TRY(Extractor(std::move(document), paper, options).extract());
  return paper;
}

std::vector<Sample> panel_samples(const ExtractedPaper& paper) {
  std::vector<Sample> samples;
  const std::string pdf = paper.pdf.string();
  for (const ExtractedFigure& figure : paper.figures) {
    for (const ExtractedPanel& panel : figure.panels) {
      const std::string part = figure.panels.size() > 1 ? ", " + panel.name : "";
      samples.push_back({.id = fmt::format("{}, page {}, {}{}", pdf, figure.page, figure.name, part),
                         .images = {{.path = (paper.folder / panel.file).string()}},
                         .attributes = {{"paper", pdf},
                                        {"page", std::to_string(figure.page)},
                                        {"figure", figure.name},
                                        {"panel", panel.name}}});
    }
  }
  return samples;
}

std::vector<Sample> figure_samples(const ExtractedPaper& paper) {
  std::vector<Sample> samples;
  const std::string pdf = paper.pdf.string();
  for (const ExtractedFigure& figure : paper.figures) {
    if (figure.caption.empty()) continue;
    Sample sample{
        .id = fmt::format("{}, page {}, {}", pdf, figure.page, figure.name),
        .images = {{.path = (paper.folder / figure.file).string()}},
        .passages = {{"caption", figure.caption}},
        .attributes = {{"paper", pdf}, {"page", std::to_string(figure.page)}, {"figure", figure.name}}};
    if (!figure.sentences.empty()) sample.passages.push_back({"related_sentences", words_about(figure)});
    samples.push_back(std::move(sample));
  }
  return samples;
}

}  // namespace awry::input
