// SPDX-License-Identifier: Apache-2.0
#include "awry/input/pdf_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "awry/base/files.h"
#include "awry/base/text.h"
#include "awry/imaging/decode.h"
#include "awry/reading/limited_process.h"

namespace awry::input {
namespace {

namespace fs = std::filesystem;

tl::unexpected<Error> cannot_read(const fs::path& file, ErrorKind kind, std::string why,
                                  std::string hint = "") {
  return fail({.kind = kind,
               .what = "cannot read PDF",
               .input = file.string(),
               .why = std::move(why),
               .hint = std::move(hint)});
}

// poppler prefixes what it says with its own kind of message; the last one is the one that stopped it.
std::string last_complaint(std::string_view err) {
  std::string_view last;
  for (const std::string_view line : split_lines(err)) {
    if (!trim(line).empty()) last = trim(line);
  }
  // "Syntax Error (289): " names the place.
  if (const std::size_t colon = last.find("): "); last.starts_with("Syntax ") && colon < 32)
    last.remove_prefix(colon + 3);
  for (const std::string_view prefix : {"Syntax Error: ", "Command Line Error: ", "Syntax Warning: "}) {
    if (last.starts_with(prefix)) last.remove_prefix(prefix.size());
  }
  return repair_utf8(last.substr(0, 200));
}

// Fonts that do not say which letters their codes stand for: what the two usual encodings of TeX have at
// control characters, and joined letters as such.
std::string letters_of_codes(std::string text) {
  constexpr std::pair<std::string_view, std::string_view> kLetters[] = {
      {"\x0b", "ff"},         {"\x0c", "fi"},          {"\x0d", "fl"},         {"\x0e", "ffi"},
      {"\x0f", "ffl"},        {"\x1b", "ff"},          {"\x1c", "fi"},         {"\x1d", "fl"},
      {"\x1e", "ffi"},        {"\x1f", "ffl"},         {"\x15", "\u2013"},     {"\x16", "\u2014"},
      {"\x10", "\u201c"},     {"\x11", "\u201d"},      {"\xef\xac\x80", "ff"}, {"\xef\xac\x81", "fi"},
      {"\xef\xac\x82", "fl"}, {"\xef\xac\x83", "ffi"}, {"\xef\xac\x84", "ffl"}};
  for (const auto& [code, letters] : kLetters) {
    if (text.find(code) != std::string::npos) text = replace_all(text, code, letters);
  }
  std::erase_if(text, [](char c) { return c >= 0 && c < ' '; });
  return text;
}

std::string unescaped(std::string_view text) {
  std::string plain = replace_all(text, "&lt;", "<");
  plain = replace_all(plain, "&gt;", ">");
  plain = replace_all(plain, "&quot;", "\"");
  plain = replace_all(plain, "&apos;", "'");
  return letters_of_codes(repair_utf8(replace_all(plain, "&amp;", "&")));
}

// The number in `name="12.5"`.
double attribute(std::string_view tag, std::string_view name) {
  const std::string wanted = fmt::format(" {}=\"", name);
  const std::size_t at = tag.find(wanted);
  if (at == std::string_view::npos) return 0;
  const std::string_view value = tag.substr(at + wanted.size());
  const double number = parse_double(value.substr(0, value.find('"'))).value_or(0);
  return std::isfinite(number) ? std::clamp(number, -1e6, 1e6) : 0;
}

Box box_of(std::string_view tag) {
  const double x = attribute(tag, "xMin"), y = attribute(tag, "yMin");
  return {x, y, std::max(0.0, attribute(tag, "xMax") - x), std::max(0.0, attribute(tag, "yMax") - y)};
}

}  // namespace

struct PdfDocument::Home {
  TemporaryFolder folder;
  std::string complaint;
};

PdfDocument::PdfDocument() : home_(std::make_unique<Home>()) {}
PdfDocument::~PdfDocument() = default;
PdfDocument::PdfDocument(PdfDocument&&) noexcept = default;

std::vector<PdfPage> pages_of_bbox_layout(std::string_view xhtml) {
  std::vector<PdfPage> pages;
  for (std::size_t open = xhtml.find('<'); open != std::string_view::npos; open = xhtml.find('<', open + 1)) {
    const std::size_t close = xhtml.find('>', open);
    if (close == std::string_view::npos) break;
    const std::string_view tag = xhtml.substr(open + 1, close - open - 1);
    if (tag.starts_with("page ")) {
      pages.push_back({.number = static_cast<int>(pages.size()) + 1,
                       .width = attribute(tag, "width"),
                       .height = attribute(tag, "height")});
    } else if (pages.empty()) {
      continue;
    } else if (tag.starts_with("block ")) {
      pages.back().blocks.push_back({.box = box_of(tag)});
    } else if (pages.back().blocks.empty()) {
      continue;
    } else if (tag.starts_with("line ")) {
      pages.back().blocks.back().lines.push_back({.box = box_of(tag)});
    } else if (tag.starts_with("word ") && !pages.back().blocks.back().lines.empty()) {
      const std::size_t end = xhtml.find('<', close);
      const std::string word = unescaped(xhtml.substr(close + 1, std::min(end, xhtml.size()) - close - 1));
      std::string& text = pages.back().blocks.back().lines.back().text;
      text += (text.empty() ? "" : " ") + word;
    }
  }
  return pages;
}

Result<std::string> PdfDocument::run(const std::string& program, std::vector<std::string> arguments) const {
  auto output = reading::run_limited({.program = program,
                                      .arguments = std::move(arguments),
                                      .folder = home_->folder.path(),
                                      .package = "poppler-utils"});
  if (!output) {
    return cannot_read(given_, output.error().kind, fmt::format("{}: {}", program, output.error().why),
                       output.error().hint);
  }
  if (output->exit_code != 0) {
    if (contains_ignoring_case(output->err, "incorrect password")) {
      return cannot_read(given_, ErrorKind::kUnsupported, "it is encrypted and needs a password to be opened",
                         "Save a copy without one: qpdf --decrypt --password=WORD locked.pdf open.pdf.");
    }
    if (contains_ignoring_case(output->err, "wrong page range")) {  // "first page (1) after last page (0)"
      return cannot_read(given_, ErrorKind::kInvalid, "it has no pages",
                         "The file is damaged; get it again.");
    }
    const std::string complaint = last_complaint(output->err);
    return cannot_read(given_, ErrorKind::kInvalid,
                       complaint.empty() ? fmt::format("{} gave up", program) : complaint,
                       "The file is damaged or no PDF; get it again.");
  }
  if (home_->complaint.empty()) home_->complaint = last_complaint(output->err);
  return std::move(output->out);
}

const std::string& PdfDocument::complaint() const {
  return home_->complaint;
}

Result<void> PdfDocument::read_facts() {
  AWRY_TRY_ASSIGN(const std::string facts, run("pdfinfo", {file_.string()}));
  for (const std::string_view line : split_lines(facts)) {
    if (line.starts_with("Pages:"))
      page_count_ = static_cast<int>(parse_integer(trim(line.substr(6))).value_or(0));
  }
  if (page_count_ <= 0) return cannot_read(given_, ErrorKind::kInvalid, "it has no pages");
  return {};
}

Result<void> PdfDocument::read_text() {
  const fs::path xhtml = home_->folder.path() / "layout.xhtml";
  const std::string last = fmt::format("{}", std::min(page_count_, limits_.max_pages));
  AWRY_TRY(run("pdftotext", {"-bbox-layout", "-f", "1", "-l", last, file_.string(), xhtml.string()}));
  AWRY_TRY_ASSIGN(const std::string text, read_file(xhtml));
  pages_ = pages_of_bbox_layout(text);
  if (pages_.empty()) return cannot_read(given_, ErrorKind::kInvalid, "no page could be read");
  return {};
}

Result<void> PdfDocument::read_pictures() {
  const std::string last = fmt::format("{}", pages_.size());
  AWRY_TRY_ASSIGN(const std::string table,
                  run("pdfimages", {"-list", "-f", "1", "-l", last, file_.string()}));
  int page = 0, index = 0;
  for (const std::string_view row : split_lines(table)) {
    std::vector<std::string_view> cells;
    for (const std::string_view cell : split(row, ' ')) {
      if (!cell.empty()) cells.push_back(cell);
    }
    // page num type width height color comp bpc enc interp object ID x-ppi y-ppi size ratio; inline pictures
    // have one cell less, so the last ones are counted from the end.
    if (cells.size() < 15 || !parse_integer(cells[0])) continue;
    const int here = static_cast<int>(*parse_integer(cells[0]));
    index = here == page ? index + 1 : 0;
    page = here;
    if (cells[2] != "image") continue;
    const auto number = [&](std::size_t i) { return parse_double(cells[i]).value_or(0); };
    pictures_.push_back({.page = page,
                         .index = index,
                         .width = static_cast<int>(number(3)),
                         .height = static_cast<int>(number(4)),
                         .x_ppi = number(cells.size() - 4),
                         .y_ppi = number(cells.size() - 3)});
  }
  return {};
}

Result<PdfDocument> PdfDocument::open(const fs::path& file, const PdfLimits& limits) {
  std::error_code error;
  PdfDocument document;
  document.given_ = file;
  document.file_ = fs::absolute(file, error);
  document.limits_ = limits;
  if (!fs::is_regular_file(document.file_, error)) {
    return cannot_read(file, ErrorKind::kNotFound, "there is no such file");
  }
  AWRY_TRY(document.read_facts());
  AWRY_TRY(document.read_text());
  AWRY_TRY(document.read_pictures());
  return document;
}

Result<PdfDocument::Rendered> PdfDocument::render(int page, double dpi,
                                                  const std::optional<Box>& part) const {
  const PdfPage& sheet = pages_.at(static_cast<std::size_t>(page - 1));
  const double side = std::max({1.0, part ? part->width : sheet.width, part ? part->height : sheet.height,
                                part ? 0 : std::max(sheet.width, sheet.height)});
  Rendered rendered{.dpi = std::max(10.0, std::min(dpi, limits_.max_render_side * 72.0 / side))};
  const std::string number = fmt::format("{}", page);
  std::vector<std::string> arguments = {"-png", "-singlefile", "-f", number,
                                        "-l",   number,        "-r", fmt::format("{:.3f}", rendered.dpi)};
  if (part) {
    const double scale = rendered.dpi / 72;
    const auto pixels = [&](double points) { return fmt::format("{}", std::lround(points * scale)); };
    arguments.insert(arguments.end(), {"-x", pixels(part->x), "-y", pixels(part->y), "-W",
                                       pixels(part->width), "-H", pixels(part->height)});
  }
  arguments.insert(arguments.end(), {file_.string(), (home_->folder.path() / "page").string()});
  AWRY_TRY(run("pdftoppm", std::move(arguments)));
  AWRY_TRY_ASSIGN(rendered.image, imaging::read_image(home_->folder.path() / "page.png"));
  return rendered;
}

Result<imaging::Image> PdfDocument::picture(const EmbeddedPicture& picture) const {
  const std::string page = fmt::format("{}", picture.page);
  const fs::path folder = home_->folder.path() / "pictures";
  AWRY_TRY(make_folder(folder));
  AWRY_TRY(run("pdfimages", {"-png", "-f", page, "-l", page, file_.string(), (folder / "p").string()}));
  auto image = imaging::read_image(folder / fmt::format("p-{:03d}.png", picture.index));
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  return image;
}

}  // namespace awry::input
