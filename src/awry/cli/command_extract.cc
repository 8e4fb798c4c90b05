// SPDX-License-Identifier: Apache-2.0
// awry extract PDF...: figures, captions, sentences about them, and panels.
#include <optional>
#include <set>

#include "awry/base/files.h"
#include "awry/base/json.h"
#include "awry/cli/command.h"
#include "awry/cli/table.h"
#include "awry/input/extraction.h"
#include "awry/input/pdf_files.h"
#include "awry/pipeline/parallel.h"
#include "awry/reading/lettering.h"

namespace awry::cli {
namespace {

struct ExtractOptions {
  std::vector<std::string> papers;
  std::filesystem::path output = "extracted";
  int pages = 400;
  int dpi = 300;
  bool no_ocr = false;
  int jobs = 0;
};

void declare(ExtractOptions& options, OptionSet& set) {
  set.describe(
      "Takes the figures out of PDFs: the picture, the caption, the sentences that mention it, and its "
      "panels, "
      "as files in folders by paper, page and figure. index.html shows everything at a glance, so that a "
      "person "
      "can check the cuts. The folder can be inspected, or used as sources of forgeries. PDFs are read by "
      "poppler's programs in processes with limits: a damaged or hostile file is reported and does not stop "
      "the rest.");
  set.positionals(options.papers, "pdf", {.help = "PDF files, or folders of them.", .required = true});
  set.value(options.output, "output", {.letter = 'o', .placeholder = "DIR", .help = "Where the figures go."});
  set.value(
      options.pages, "pages",
      {.placeholder = "N", .help = "Look at the first N pages of each.", .minimum = 1, .maximum = 100000});
  set.value(options.dpi, "dpi",
            {.placeholder = "N",
             .help = "Render figures at most this finely; embedded pictures keep their own pixels.",
             .minimum = 72,
             .maximum = 1200});
  set.flag(options.no_ocr, "no-ocr", {.help = "Read neither panel letters nor scanned pages."});
  declare_jobs(set, options.jobs);
  set.example("awry extract paper.pdf -o figures", "one paper");
  set.example("awry extract papers/*.pdf -o figures", "several; then: awry inspect figures");
}

// One folder a paper, also for papers of the same name.
std::vector<std::filesystem::path> folders_for(std::span<const std::filesystem::path> pdfs,
                                               const std::filesystem::path& root) {
  std::set<std::string> taken;
  std::vector<std::filesystem::path> folders;
  for (const std::filesystem::path& pdf : pdfs) {
    std::string name = pdf.stem().string();
    if (name.empty() || name == "." || name == "..") name = "paper";
    for (int again = 2; !taken.insert(name).second; ++again)
      name = fmt::format("{}-{}", pdf.stem().string(), again);
    folders.push_back(root / name);
  }
  return folders;
}

Table table_of(std::span<const std::filesystem::path> pdfs,
               std::span<const std::optional<Result<input::ExtractedPaper>>> papers) {
  Table table{.columns = {{.key = "pdf"},
                          {.key = "pages", .align = Align::kRight},
                          {.key = "figures", .align = Align::kRight},
                          {.key = "panels", .align = Align::kRight},
                          {.key = "note", .max_width = 90}}};
  for (std::size_t i = 0; i < pdfs.size(); ++i) {
    if (!papers[i]) continue;
    if (!*papers[i]) {
      table.rows.push_back({pdfs[i].string(), {}, {}, {}, Cell(papers[i]->error().why, Tone::kBad)});
      continue;
    }
    const input::ExtractedPaper& paper = **papers[i];
    std::size_t panels = 0;
    for (const input::ExtractedFigure& figure : paper.figures) panels += figure.panels.size();
    std::string note = paper.notes.empty() ? "" : paper.notes.front();
    if (paper.notes.size() > 1) note += fmt::format(" (and {} more notes)", paper.notes.size() - 1);
    table.rows.push_back({pdfs[i].string(), paper.page_count, paper.figures.size(), panels, note});
  }
  return table;
}

Result<int> run(const ExtractOptions& options, Context& context) {
  AWRY_TRY_ASSIGN(const std::vector<std::filesystem::path> pdfs, input::pdf_files(options.papers));
  AWRY_TRY(make_folder(options.output));
  if (!options.no_ocr && !reading::can_read_lettering()) {
    context.say(
        "awry: tesseract is not installed, so panel letters and scanned pages are not read. Install it: "
        "apt-get install tesseract-ocr tesseract-ocr-eng.");
  }
  const std::vector<std::filesystem::path> folders = folders_for(pdfs, options.output);
  std::vector<std::optional<Result<input::ExtractedPaper>>> papers(pdfs.size());
  Progress progress("extracting", pdfs.size(), context.progress());
  pipeline::for_each_index(
      pdfs.size(), {.threads = job_count(options.jobs), .progress = &progress, .cancel = &context.cancel},
      [&](std::size_t i) {
        papers[i] = input::extract_paper(pdfs[i], folders[i],
                                         {.max_pages = options.pages,
                                          .max_dpi = static_cast<double>(options.dpi),
                                          .lettering = !options.no_ocr,
                                          .cancel = &context.cancel});
      });
  progress.finish();

  std::vector<input::ExtractedPaper> done;
  std::size_t failed = 0;
  for (const auto& paper : papers) {
    if (!paper || !*paper) {
      ++failed;
      if (paper) context.say("{} {}", context.err.paint(Tone::kBad, "awry:"), paper->error().message());
    } else {
      done.push_back(**paper);
    }
  }
  AWRY_TRY(write_file(options.output / "index.html", input::extraction_check_page(done, options.output)));
  AWRY_TRY(write_table(context.out, table_of(pdfs, papers), {}));
  if (!done.empty()) context.say("Check the cuts: {}", (options.output / "index.html").string());
  return failed > 0 ? kExitPartial : kExitDone;
}

}  // namespace

std::unique_ptr<CommandInstance> make_extract() {
  return make_command<ExtractOptions>(declare, run);
}

}  // namespace awry::cli
