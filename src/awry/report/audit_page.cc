// SPDX-License-Identifier: Apache-2.0
#include "awry/report/audit_page.h"

#include <fmt/format.h>

#include <string_view>

#include "awry/base/text.h"
#include "awry/report/plots.h"

namespace awry::report {

std::optional<std::string_view> embedded_file(std::string_view path);

namespace {

using Value = double AuditedGenerator::*;
using Whisker = std::optional<Interval> AuditedGenerator::*;

std::string captioned(std::string_view caption, const std::string& plot) {
  return fmt::format("<figure class=\"chart\"><figcaption>{}</figcaption>\n{}</figure>\n",
                     escape_html(caption), plot);
}

std::string bars(const AuditSection& section, const char* title, Value value, Whisker interval) {
  BarChart chart{.title = title};
  for (const AuditedGenerator& generator : section.generators) {
    chart.bars.push_back({generator.name, generator.*value, generator.*interval});
  }
  return captioned(chart.title, svg_bar_chart(chart));
}

std::string histogram(const std::string& title, std::string axis, const std::vector<double>& values) {
  if (values.empty()) return "";
  return captioned(title,
                   svg_histogram({.title = title, .bins = bin_values(values), .axis = std::move(axis)}));
}

std::string section_of(const AuditSection& section) {
  std::string html = fmt::format("<section><h2>{}</h2>\n", escape_html(section.assessor));
  html += bars(section, "CAP = MAI x AF: how severe and how frequent; lower is better",
               &AuditedGenerator::cap, &AuditedGenerator::cap_interval);
  html += bars(section, "MAI: mean severity of an image, the sum of 1 - score/100 over its anomalies",
               &AuditedGenerator::mai, &AuditedGenerator::mai_interval);
  html += bars(section, "AF: mean number of anomalies of an image", &AuditedGenerator::af,
               &AuditedGenerator::af_interval);
  for (const AuditedGenerator& generator : section.generators) {
    html += fmt::format("<h3>{}, {} images</h3>\n", escape_html(generator.name), generator.images);
    html += histogram("How severe the anomalies are",
                      "score: 0 impossible, 100 realistic (height: anomalies)", generator.severities);
    html += histogram("How many anomalies an image has", "anomalies (height: images)",
                      generator.anomalies_images);
  }
  return html + "</section>\n";
}

}  // namespace

std::string render_audit_page(const AuditPage& page) {
  std::string html = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta "
      "charset=\"utf-8\"><title>{0}</title>\n<style>{1}</style>"
      "</head>\n<body><main><h1>{0}</h1>\n",
      escape_html(page.title), embedded_file("report.css").value_or(""));
  for (const AuditSection& section : page.sections) html += section_of(section);
  if (!page.notes.empty()) {
    html += "<h2>Notes</h2><ul>\n";
    for (const std::string& note : page.notes) html += fmt::format("<li>{}</li>\n", escape_html(note));
    html += "</ul>\n";
  }
  return html + "</main></body></html>\n";
}

}  // namespace awry::report
