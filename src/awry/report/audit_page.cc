// SPDX-License-Identifier: Apache-2.0
#include "awry/report/audit_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

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

// Over the whole scale, so that generators can be compared by eye.
std::string severities(const std::vector<double>& values) {
  if (values.empty()) return "";
  constexpr std::size_t kBins = 20;
  constexpr double kWidth = 100.0 / kBins;
  std::vector<Bin> bins(kBins);
  for (std::size_t i = 0; i < kBins; ++i) {
    bins[i] = {kWidth * static_cast<double>(i), kWidth * static_cast<double>(i + 1), 0};
  }
  for (const double value : values) {
    ++bins[std::min(kBins - 1, static_cast<std::size_t>(std::max(0.0, value) / kWidth))].count;
  }
  const std::string title = "How severe the anomalies are";
  return captioned(title, svg_histogram({.title = title,
                                         .bins = std::move(bins),
                                         .axis = "score: 0 impossible, 100 realistic (height: anomalies)"}));
}

// A bar for each number of anomalies, also for those that no image has; what is beyond the last is one.
std::string numbers(const std::vector<double>& anomalies_of_images) {
  if (anomalies_of_images.empty()) return "";
  constexpr std::size_t kLast = 20;
  std::vector<std::size_t> images(1);
  for (const double anomalies : anomalies_of_images) {
    const std::size_t number = std::min(kLast, static_cast<std::size_t>(std::max(0.0, anomalies)));
    images.resize(std::max(images.size(), number + 1));
    ++images[number];
  }
  BarChart chart{.title = "How many images have so many anomalies", .counts = true};
  for (std::size_t number = 0; number < images.size(); ++number) {
    chart.bars.push_back({fmt::format("{}{}", number, number == kLast ? " and more" : ""),
                          static_cast<double>(images[number])});
  }
  return captioned(chart.title, svg_bar_chart(chart));
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
    html += severities(generator.severities);
    html += numbers(generator.anomalies_images);
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
