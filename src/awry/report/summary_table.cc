// SPDX-License-Identifier: Apache-2.0
#include "awry/report/summary_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "awry/base/text.h"
#include "awry/report/markup.h"
#include "awry/report/plots.h"

namespace awry::report {
namespace {

std::string label_of(const Metric& metric) {
  return metric.label.empty() ? metric.key : metric.label;
}

std::string number_cell(double value) {
  return fmt::format("<td class=\"number\" data-tsv=\"{}\">{}</td>", exact_number(value),
                     shown_number(value));
}

// How many of something: a whole number, and no share of anything.
bool is_count(const Metric& metric) {
  return metric.signature.find("|metric:count") != std::string::npos;
}

std::string value_cell(const Metric& metric) {
  if (!is_count(metric) || metric.value != std::floor(metric.value)) return number_cell(metric.value);
  return fmt::format("<td class=\"number\" data-tsv=\"{0:.0f}\">{0:.0f}</td>", metric.value);
}

std::string interval_cell(const std::optional<Interval>& interval, bool name_level) {
  if (!interval) return "<td class=\"number\" data-tsv=\"\">&ndash;</td>";
  std::string shown = shown_number(interval->low) + "&thinsp;&ndash;&thinsp;" + shown_number(interval->high);
  if (name_level && interval->level != 0.95) shown += fmt::format(" ({:g}%)", interval->level * 100);
  return fmt::format("<td class=\"number\" data-tsv=\"{} to {}\">{}</td>", exact_number(interval->low),
                     exact_number(interval->high), shown);
}

std::string bar_data(const std::vector<Bar>& bars) {
  std::string rows;
  for (const Bar& bar : bars) {
    rows += fmt::format("<tr><td>{}</td>{}{}</tr>\n", safe(bar.label), number_cell(bar.value),
                        interval_cell(bar.interval, true));
  }
  return folded("Data",
                "<table class=\"copyable\"><thead><tr><th>Name</th><th class=\"number\">Value</th>"
                "<th class=\"number\">95% interval</th></tr></thead>\n<tbody>" +
                    rows + "</tbody></table>");
}

std::string bin_data(const std::vector<Bin>& bins) {
  std::string rows;
  for (const Bin& bin : bins) {
    rows += fmt::format("<tr>{}{}<td class=\"number\">{}</td></tr>\n", number_cell(bin.low),
                        number_cell(bin.high), bin.count);
  }
  return folded("Data",
                "<table class=\"copyable\"><thead><tr><th class=\"number\">From</th>"
                "<th class=\"number\">To</th><th class=\"number\">Samples</th></tr></thead>\n<tbody>" +
                    rows + "</tbody></table>");
}

std::string figure(std::string_view title, std::string_view svg, std::string_view data) {
  return fmt::format("<figure class=\"chart\"><figcaption>{}</figcaption>\n{}{}</figure>\n", safe(title), svg,
                     data);
}

std::string bar_figure(const std::string& title, const std::vector<Bar>& bars, bool counts = false) {
  return figure(title, svg_bar_chart({.title = title, .bars = bars, .counts = counts}), bar_data(bars));
}

}  // namespace

std::string outcome_counts(const OutcomeCounts& outcomes) {
  std::string cells;
  for (const Outcome outcome : kAllOutcomes) {
    const std::size_t count = outcomes.of(outcome);
    const std::string_view state = count == 0 ? "none" : outcome == Outcome::kAnswered ? "good" : "bad";
    cells +=
        fmt::format("<div class=\"count {}\"><dt>{}</dt><dd>{}</dd></div>\n", state,
                    replace_all(name_of(outcome), "_", " "), with_thousands(static_cast<long long>(count)));
  }
  return fmt::format(
      "<dl class=\"counts\" aria-label=\"Outcomes of everything asked\">\n{}"
      "<div class=\"count total\"><dt>asked</dt><dd>{}</dd></div>\n</dl>\n",
      cells, with_thousands(static_cast<long long>(outcomes.total())));
}

std::string metric_table(const Summary& summary) {
  if (summary.metrics.empty()) return "<p class=\"quiet\">This run has no metrics.</p>\n";
  std::string rows, parts;
  for (const Metric& metric : summary.metrics) {
    (is_breakdown(metric) ? parts : rows) += fmt::format(
        "<tr><td>{}</td><td title=\"{}\">{}</td>{}{}{}<td class=\"number\">{}</td>"
        "<td class=\"signature\" data-tsv=\"{}\">{}</td></tr>\n",
        safe(metric.group), safe(metric.key), safe(label_of(metric)), value_cell(metric),
        interval_cell(metric.interval, true), interval_cell(metric.missing, false), metric.count,
        safe(metric.signature), folded("show", safe(metric.signature)));
  }
  const auto table = [](std::string_view id, const std::string& body) {
    return fmt::format(
        "<div class=\"scroll\"><table class=\"copyable\" id=\"{}\">\n<thead><tr><th>Group</th>"
        "<th>Metric</th><th class=\"number\">Value</th><th class=\"number\">95% interval</th>"
        "<th class=\"number\" title=\"The value if everything left unanswered were wrong, and if it were "
        "right\">Missing range</th><th class=\"number\">Count</th><th>Signature</th></tr></thead>\n<tbody>\n"
        "{}</tbody></table></div>\n",
        id, body);
  };
  std::string html = table("metrics", rows);
  if (!parts.empty()) html += folded("Broken down", table("breakdowns", parts));
  return html;
}

std::string metric_plots(const Summary& summary) {
  std::vector<std::string> order;  // keys as first seen: the protocol's own order
  std::map<std::string, std::vector<const Metric*>> by_key;
  for (const Metric& metric : summary.metrics) {
    if (is_breakdown(metric)) continue;
    auto& same = by_key[metric.key];
    if (same.empty()) order.push_back(metric.key);
    same.push_back(&metric);
  }
  std::string html;
  std::vector<Bar> shares;
  std::size_t left_out = 0;
  for (const std::string& key : order) {
    const auto& same = by_key[key];
    if (same.size() == 1) {
      const Metric& only = *same.front();
      // Different scales on one axis would make every bar but the largest vanish.
      if (only.value >= 0 && only.value <= 1 && !is_count(only)) {
        const std::string prefix = only.group.empty() ? "" : only.group + ": ";
        shares.push_back({prefix + label_of(only), only.value, only.interval});
      } else {
        ++left_out;
      }
      continue;
    }
    std::vector<Bar> bars;
    for (const Metric* metric : same) {
      bars.push_back({metric->group.empty() ? "all" : metric->group, metric->value, metric->interval});
    }
    const bool counts = std::ranges::all_of(same, [](const Metric* metric) { return is_count(*metric); });
    html += bar_figure(label_of(*same.front()), bars, counts);
  }
  if (!shares.empty()) html += bar_figure(html.empty() ? "Metrics" : "Other metrics", shares);
  if (left_out > 0) {
    html +=
        fmt::format("<p class=\"quiet\">Only in the table, for want of a common scale: {} metric{}.</p>\n",
                    left_out, left_out == 1 ? "" : "s");
  }
  return html;
}

std::string score_plots(const Summary& summary) {
  std::map<std::string, std::vector<double>> by_metric;
  for (const Score& score : summary.scores) by_metric[score.metric].push_back(score.value);
  std::string html;
  for (const auto& [metric, values] : by_metric) {
    const std::vector<Bin> bins = bin_values(values);
    std::size_t binned = 0;
    for (const Bin& bin : bins) binned += bin.count;
    std::string title = fmt::format("{} ({} sample{}", metric, values.size(), values.size() == 1 ? "" : "s");
    title += binned < values.size() ? fmt::format(", {} without a number)", values.size() - binned) : ")";
    html += figure(title, svg_histogram({.title = title, .bins = bins}), bin_data(bins));
  }
  return html;
}

}  // namespace awry::report
