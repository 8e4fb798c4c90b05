// SPDX-License-Identifier: Apache-2.0
#include "awry/report/html.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "awry/base/text.h"
#include "awry/report/cards.h"
#include "awry/report/filters.h"
#include "awry/report/markup.h"
#include "awry/report/summary_table.h"

namespace awry::report {

std::optional<std::string_view> embedded_file(std::string_view path);  // written by cmake/embed.cmake

namespace {

// Nothing may be fetched, whatever gets past the escaping.
constexpr std::string_view kPolicy =
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'";

std::string shell_quoted(const std::string& word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,+@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  return "'" + replace_all(word, "'", "'\\''") + "'";
}

std::string command_line(const Run& run) {
  std::vector<std::string> words;
  std::transform(run.command.begin(), run.command.end(), std::back_inserter(words), shell_quoted);
  return join(words, " ");
}

std::string fact(std::string_view name, std::string_view value) {
  if (value.empty()) return "";
  return fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", name, safe(value));
}

// "openai:eye, answered as scripted-2026 (fp_1)": an alias may stand for another model tomorrow.
std::string judge_of(const Run& run) {
  const auto judge = run.settings.find("judge"), replied = run.settings.find("judged_by");
  if (judge == run.settings.end()) return "";
  return replied == run.settings.end() ? judge->second
                                       : fmt::format("{}, answered as {}", judge->second, replied->second);
}

std::string render_header(const Run& run) {
  std::string html = fmt::format(
      "<header class=\"run\">\n<button type=\"button\" id=\"theme\" hidden>Dark</button>\n<h1>{}</h1>\n",
      safe(run.name.empty() ? run.id : run.name));
  if (run.status != RunStatus::kFinished) {
    html +=
        fmt::format("<p class=\"warning\" role=\"note\">This run {}: the numbers below are not final.</p>\n",
                    run.status == RunStatus::kInterrupted ? "was interrupted" : "has not finished");
  }
  html += "<dl class=\"run-facts\">\n" + fact("Model", run.model) + fact("Judge", judge_of(run)) +
          fact("Protocol", run.protocol) +
          fact("Seed", run.protocol.empty() ? "" : fmt::format("{}", run.seed)) +
          fact("awry", run.awry_version) + fact("Started", run.started) + fact("Finished", run.finished) +
          fact("Run", run.id) + "</dl>\n";
  if (!run.command.empty()) html += "<h2>Repeat it</h2>\n" + preformatted(command_line(run)) + "\n";
  std::string settings;
  for (const auto& [name, value] : run.settings) {
    settings += fmt::format("<tr><td>{}</td><td>{}</td></tr>\n", safe(name), safe(value));
  }
  if (!settings.empty()) {
    html += folded("Settings",
                   "<table class=\"copyable\"><thead><tr><th>Name</th><th>Value</th></tr></thead>"
                   "<tbody>" +
                       settings + "</tbody></table>");
  }
  return html + "</header>\n";
}

// More than a few would push everything else out of sight.
std::string notes_of(const std::vector<std::string>& notes) {
  constexpr std::size_t kShownAtOnce = 8;
  if (notes.empty()) return "";
  std::string items;
  for (const std::string& note : notes) items += fmt::format("<li>{}</li>\n", safe(note));
  const std::string list = "<ul class=\"notes\">\n" + items + "</ul>\n";
  if (notes.size() <= kShownAtOnce) return "<h3>Notes</h3>\n" + list;
  return fmt::format("<details><summary>{} notes</summary>\n{}</details>\n", notes.size(), list);
}

std::string render_numbers(const Summary& summary) {
  std::string html = "<section id=\"numbers\">\n<h2>Outcomes and scores</h2>\n" +
                     outcome_counts(summary.outcomes) + metric_table(summary);
  html += notes_of(summary.notes) + "</section>\n";
  if (const std::string plots = metric_plots(summary); !plots.empty()) {
    html +=
        "<section id=\"plots\">\n<h2>Metrics</h2>\n<p class=\"quiet\">Whiskers: confidence intervals from "
        "the table.</p>\n<div class=\"charts\">\n" +
        plots + "</div>\n</section>\n";
  }
  if (const std::string plots = score_plots(summary); !plots.empty()) {
    html += "<section id=\"scores\">\n<h2>Scores of the samples</h2>\n<div class=\"charts\">\n" + plots +
            "</div>\n</section>\n";
  }
  return html;
}

// A paragraph for each line.
std::string told(const std::string& lead) {
  return "<section id=\"lead\">\n<p>" + replace_all(safe(lead), "\n", "</p>\n<p>") + "</p>\n</section>\n";
}

// Hidden until the script that serves it runs.
std::string filter_bar(const Groups& groups, bool only_findings) {
  std::string outcomes, labels;
  for (const Outcome outcome : kAllOutcomes) {
    outcomes += fmt::format("<option value=\"{}\">{}</option>", name_of(outcome),
                            replace_all(name_of(outcome), "_", " "));
  }
  for (std::size_t i = 0; i < groups.labels.size(); ++i) {
    labels += fmt::format("<option value=\"{}\">{}</option>", i, safe(groups.labels[i]));
  }
  return fmt::format(
      "<form id=\"filters\" role=\"search\" hidden>\n"
      "<label{2}>Outcome <select name=\"outcome\"><option value=\"\">all</option>{0}</select></label>\n"
      "<label{2}>Score <select name=\"mark\"><option value=\"\">all</option><option value=\"right\">right "
      "(all "
      "at "
      "least 0.5)</option><option value=\"wrong\">wrong (any below 0.5)</option><option value=\"unscored\">"
      "without score</option></select></label>\n"
      "<label{2}>Group <select name=\"group\"><option value=\"\">all</option>{1}</select></label>\n"
      "<label>Search <input name=\"text\" type=\"search\" autocomplete=\"off\" "
      "spellcheck=\"false\"></label>\n"
      "<output id=\"shown\" aria-live=\"polite\"></output>\n"
      "<p class=\"quiet keys\"><kbd>/</kbd> search, <kbd>j</kbd> <kbd>k</kbd> next and previous sample, "
      "<kbd>Esc</kbd> clear</p>\n</form>\n",
      outcomes, labels, only_findings ? " hidden" : "");
}

bool holds_nothing(const Item& item) {
  return std::ranges::all_of(item.answers, [](const Answer& answer) {
    return answer.outcome == Outcome::kAnswered && answer.findings.empty();
  });
}

std::string render_samples(const ReportInput& input, const HtmlOptions& options) {
  const Groups groups = collect_groups(input.items);
  const auto scores = scores_by_sample(input.summary);
  std::string html = fmt::format("<section id=\"samples\">\n<h2>{} <span class=\"quiet\">{}</span></h2>\n",
                                 input.lead.empty() ? "Samples" : "Looked at",
                                 with_thousands(static_cast<long long>(input.items.size())));
  if (input.items.empty()) return html + "<p class=\"quiet\">This run has no samples.</p>\n</section>\n";

  html += filter_bar(groups, !input.lead.empty());
  std::size_t cards = std::min(input.items.size(), static_cast<std::size_t>(options.max_cards));
  while (!input.lead.empty() && cards > 0 && holds_nothing(input.items[cards - 1])) --cards;
  for (std::size_t i = 0; i < cards; ++i) {
    const Item& item = input.items[i];
    const auto found = scores.find(item.sample.id);
    html += render_card(item,
                        {.number = i + 1,
                         .scores = found == scores.end() ? SampleScores{} : found->second,
                         .groups = groups_of(item, groups),
                         .only_findings = !input.lead.empty()},
                        options);
  }
  std::string rest;
  for (std::size_t i = cards; i < input.items.size(); ++i) {
    std::vector<std::string> outcomes;
    for (const Outcome outcome : outcomes_of(input.items[i])) outcomes.emplace_back(name_of(outcome));
    rest += fmt::format("<li>{} <span class=\"quiet\">{}</span></li>\n", safe(input.items[i].sample.id),
                        join(outcomes, ", "));
  }
  if (!rest.empty()) {
    const std::size_t listed = input.items.size() - cards;
    html += folded(input.lead.empty() ? fmt::format("{} more samples, without cards", listed)
                                      : fmt::format("{} more, in which nothing was found", listed),
                   "<ul>\n" + rest + "</ul>\n");
  }
  return html + "</section>\n";
}

}  // namespace

std::string page_head(std::string_view title) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n"
      "<title>{} – awry</title>\n<style>\n{}</style>\n</head>\n<body>\n",
      kPolicy, safe(title), embedded_file("report.css").value_or(""));
}

Result<std::string> render_html(const ReportInput& input, const HtmlOptions& options) {
  if (options.thumbnail_edge < 1 || options.max_cards < 0) {
    return fail({.kind = ErrorKind::kUsage,
                 .what = "cannot write the report",
                 .input = input.run.id,
                 .why = fmt::format("thumbnails of {} pixels and {} cards were asked for",
                                    options.thumbnail_edge, options.max_cards),
                 .hint = "Thumbnails need at least 1 pixel, and the number of cards cannot be negative."});
  }
  const std::string_view script = embedded_file("report.js").value_or("");
  return page_head(input.run.name.empty() ? input.run.id : input.run.name) + "<main>\n" +
         render_header(input.run) + (input.lead.empty() ? render_numbers(input.summary) : told(input.lead)) +
         render_samples(input, options) +
         fmt::format("</main>\n<script>\n{}</script>\n</body>\n</html>\n", script);
}

}  // namespace awry::report
