// SPDX-License-Identifier: Apache-2.0
// The check page: every figure with its panels drawn over it, beside the words that were found for it.
#include <fmt/format.h>

#include "awry/base/text.h"
#include "awry/input/extraction.h"

namespace awry::input {
namespace {

constexpr std::string_view kHead = R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src 'self' file: data:; style-src 'unsafe-inline'">
<title>Extracted figures</title><style>
:root{color-scheme:light dark;--rule:#8884;--quiet:#777;--mark:#d9480f}
body{font:15px/1.5 system-ui,sans-serif;max-width:1180px;margin:2rem auto;padding:0 1.2rem}
h1{font-size:1.5rem}h2{font-size:1.15rem;margin:2.4rem 0 .4rem;border-top:1px solid var(--rule);padding-top:1.4rem}
h3{font-size:1rem;margin:1.6rem 0 .5rem}.quiet{color:var(--quiet);font-weight:400}
.figure{display:grid;grid-template-columns:minmax(280px,3fr) minmax(240px,2fr);gap:1.4rem;align-items:start}
.figure img,.figure svg{width:100%;height:auto;display:block;background:#fff}.shown{position:relative;border:1px solid var(--rule)}
.shown svg{position:absolute;inset:0;background:none;height:100%}
rect{fill:none;stroke:var(--mark);vector-effect:non-scaling-stroke;stroke-width:2}
text{fill:#fff;font:600 13px system-ui;paint-order:stroke;stroke:#c92a2a;stroke-width:5px}
blockquote{margin:.6rem 0;padding-left:.8rem;border-left:3px solid var(--rule)}li{margin:.3rem 0}
@media(max-width:760px){.figure{grid-template-columns:1fr}}
</style></head><body>
)";

// Folder and file names as a link: whatever a browser would read otherwise is escaped.
std::string link_of(const std::filesystem::path& path) {
  std::string link;
  for (const char c : path.generic_string()) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("-_./").find(c) != std::string_view::npos;
    link += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return link;
}

std::string drawn_panels(const ExtractedFigure& figure) {
  // Letters of one size on the screen, whatever the figure's own size is.
  const double size = figure.width / 42.0;
  std::string svg =
      fmt::format("<svg viewBox=\"0 0 {} {}\" preserveAspectRatio=\"none\" aria-hidden=\"true\">",
                  figure.width, figure.height);
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    const ExtractedPanel& panel = figure.panels[i];
    svg += fmt::format("<rect x=\"{:.0f}\" y=\"{:.0f}\" width=\"{:.0f}\" height=\"{:.0f}\"/>",
                       panel.in_figure.x, panel.in_figure.y, panel.in_figure.width, panel.in_figure.height);
    svg += fmt::format("<text x=\"{:.0f}\" y=\"{:.0f}\" style=\"font-size:{:.0f}px\">{}{}</text>",
                       panel.in_figure.x + size * 0.3, panel.in_figure.y + size * 1.1, size, i + 1,
                       panel.letter.empty() ? "" : " " + escape_html(panel.letter));
  }
  return svg + "</svg>";
}

}  // namespace

std::string extraction_check_page(const std::vector<ExtractedPaper>& papers,
                                  const std::filesystem::path& root) {
  std::size_t figures = 0, panels = 0;
  for (const ExtractedPaper& paper : papers) {
    figures += paper.figures.size();
    for (const ExtractedFigure& figure : paper.figures) panels += figure.panels.size();
  }
  std::string html(kHead);
  html += fmt::format("<h1>Extracted figures <span class=\"quiet\">{} in {} papers, {} panels</span></h1>\n",
                      figures, papers.size(), panels);
  for (const ExtractedPaper& paper : papers) {
    html += fmt::format("<h2>{} <span class=\"quiet\">{} pages, {} figures</span></h2>\n",
                        escape_html(repair_utf8(paper.name)), paper.page_count, paper.figures.size());
    for (const std::string& note : paper.notes)
      html += fmt::format("<p class=\"quiet\">{}</p>\n", escape_html(note));
    for (const ExtractedFigure& figure : paper.figures) {
      html += fmt::format("<h3>{} <span class=\"quiet\">page {}, {} x {} pixels, {}, {} panels</span></h3>\n",
                          escape_html(figure.name), figure.page, figure.width, figure.height,
                          name_of(figure.source), figure.panels.size());
      html += fmt::format(
          "<div class=\"figure\"><div class=\"shown\"><img loading=\"lazy\" alt=\"{}\" "
          "src=\"{}\">{}</div><div>\n",
          escape_html(figure.name), link_of(std::filesystem::relative(paper.folder / figure.file, root)),
          drawn_panels(figure));
      html += figure.caption.empty()
                  ? "<p class=\"quiet\">No caption.</p>"
                  : fmt::format("<blockquote>{}</blockquote>", escape_html(figure.caption));
      if (!figure.sentences.empty()) html += "<p class=\"quiet\">Sentences that mention it</p><ul>";
      for (const std::string& sentence : figure.sentences)
        html += fmt::format("<li>{}</li>", escape_html(sentence));
      html += figure.sentences.empty() ? "</div></div>\n" : "</ul></div></div>\n";
    }
  }
  return html + "</body></html>\n";
}

}  // namespace awry::input
