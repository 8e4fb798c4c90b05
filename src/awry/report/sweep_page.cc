// SPDX-License-Identifier: Apache-2.0
#include "awry/report/sweep_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "awry/report/html.h"
#include "awry/report/markup.h"

namespace awry::report {
namespace {

const Metric* find(const Summary& summary, const std::string& group, const std::string& key) {
  for (const Metric& metric : summary.metrics) {
    if (metric.group == group && metric.key == key) return &metric;
  }
  return nullptr;
}

// In the order in which the clean run's summary has them.
std::vector<std::string> keys_of(const Summary& summary) {
  std::vector<std::string> keys;
  for (const Metric& metric : summary.metrics) {
    if (!is_breakdown(metric) && std::ranges::find(keys, metric.key) == keys.end())
      keys.push_back(metric.key);
  }
  return keys;
}

std::string label_of(const Metric& metric) {
  return metric.group.empty() ? (metric.label.empty() ? metric.key : metric.label) : metric.group;
}

// Words that a column of levels can bear: "blur:2" under the heading blur is 2.
std::string short_name(const std::string& damage, const std::string& level) {
  return level.starts_with(damage + ":") ? level.substr(damage.size() + 1) : level;
}

std::string numbers_of(const LineChart& chart) {
  std::string head = "<th>Task</th>", rows;
  for (const std::string& level : chart.levels) head += fmt::format("<th>{}</th>", safe(level));
  for (const Curve& curve : chart.curves) {
    rows += fmt::format("<tr><td>{}</td>", safe(curve.label));
    for (const auto& value : curve.values) {
      rows += fmt::format("<td class=\"number\">{}</td>", value ? shown_number(*value) : "&ndash;");
    }
    rows += "</tr>\n";
  }
  return folded("Numbers", "<table class=\"copyable\"><thead><tr>" + head + "</tr></thead><tbody>\n" + rows +
                               "</tbody></table>");
}

std::string runs_table(const SweepInput& input) {
  std::string rows;
  for (const auto& [damage, levels] : input.damages) {
    for (const SweepLevel& level : levels) {
      if (&level == &levels.front() && damage != input.damages.front().first) continue;  // clean: once
      rows += fmt::format("<tr><td>{}</td><td>{}</td><td class=\"number\">{} of {}</td></tr>\n",
                          safe(level.name), safe(level.run_id), level.summary.outcomes.of(Outcome::kAnswered),
                          level.summary.outcomes.total());
    }
  }
  return "<section>\n<h2>Runs</h2>\n<table class=\"copyable\"><thead><tr><th>Images</th><th>Run</th>"
         "<th>Answered</th></tr></thead><tbody>\n" +
         rows + "</tbody></table>\n</section>\n";
}

}  // namespace

std::vector<LineChart> sweep_charts(const SweepInput& input) {
  std::vector<LineChart> charts;
  for (const auto& [damage, levels] : input.damages) {
    if (levels.empty()) continue;
    const Summary& clean = levels.front().summary;
    for (const std::string& key : keys_of(clean)) {
      LineChart chart{.title = fmt::format("{} by {}", key, damage)};
      for (const SweepLevel& level : levels) chart.levels.push_back(short_name(damage, level.name));
      for (const Metric& metric : clean.metrics) {
        if (metric.key != key || is_breakdown(metric)) continue;
        Curve curve{.label = label_of(metric)};
        for (const SweepLevel& level : levels) {
          const Metric* there = find(level.summary, metric.group, metric.key);
          curve.values.push_back(there == nullptr ? std::nullopt : std::optional(there->value));
        }
        chart.curves.push_back(std::move(curve));
      }
      charts.push_back(std::move(chart));
    }
  }
  return charts;
}

std::string render_sweep(const SweepInput& input) {
  std::string html = page_head(input.run.name + " – damaged images") + "<main>\n" +
                     fmt::format(
                         "<header class=\"run\">\n<h1>{}: damaged images</h1>\n<p class=\"quiet\">{} on "
                         "{}. Each curve is a task, from clean images to the most damaged.</p>\n"
                         "</header>\n",
                         safe(input.run.name), safe(input.run.model), safe(input.run.protocol));
  html += "<section>\n<h2>Curves</h2>\n<div class=\"charts\">\n";
  for (const LineChart& chart : sweep_charts(input)) {
    html += "<figure>\n" + svg_line_chart(chart) + numbers_of(chart) + "</figure>\n";
  }
  return html + "</div>\n</section>\n" + runs_table(input) + "</main>\n</body>\n</html>\n";
}

}  // namespace awry::report
