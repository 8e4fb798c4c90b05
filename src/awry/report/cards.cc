// SPDX-License-Identifier: Apache-2.0
#include "awry/report/cards.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "awry/base/text.h"
#include "awry/imaging/mask.h"
#include "awry/report/bands.h"
#include "awry/report/markup.h"
#include "awry/report/pictures.h"

namespace awry::report {
namespace {

std::string describe_blocks(const BlockSet& set) {
  std::vector<std::string> numbers;
  for (const int block : set.blocks) numbers.push_back(fmt::format("{}", block));
  return fmt::format("{} {} of a {} x {} grid", numbers.size() == 1 ? "block" : "blocks",
                     numbers.empty() ? "(none)" : join(numbers, ", "), set.rows, set.columns);
}

std::string describe_pair(const Pair& pair) {
  std::string words = pair.first_image == pair.second_image
                          ? fmt::format("two places in image {}", pair.first_image + 1)
                          : fmt::format("images {} and {}", pair.first_image + 1, pair.second_image + 1);
  if (!pair.operations.empty()) words += " (" + join(pair.operations, ", ") + ")";
  return words;
}

// "key value" pairs, those with an empty value left out.
class Facts {
 public:
  Facts& add(std::string_view name, std::string_view value) {
    if (!value.empty()) html_ += fmt::format("<dt>{}</dt><dd>{}</dd>\n", safe(name), safe(value));
    return *this;
  }
  Facts& add(std::string_view name, const std::optional<double>& value) {
    return add(name, value ? shown_number(*value) : std::string());
  }
  std::string html() const { return html_.empty() ? html_ : "<dl class=\"facts\">\n" + html_ + "</dl>\n"; }

 private:
  std::string html_;
};

// Most notes say their number themselves.
std::string told(const Evidence& piece) {
  if (piece.note.find_first_of("0123456789") != std::string::npos) return piece.note;
  std::string text = piece.note.empty() ? piece.kind : piece.note;
  if (piece.value) text += ": " + shown_number(*piece.value);
  return text;
}

std::string render_evidence(const std::vector<Evidence>& evidence) {
  std::string items;
  for (const Evidence& piece : evidence) {
    items += fmt::format("<li title=\"{}\">{}</li>\n", safe(piece.kind), safe(told(piece)));
  }
  return items.empty() ? items : "<ul class=\"evidence\" aria-label=\"Evidence\">\n" + items + "</ul>\n";
}

std::string render_finding(const Finding& finding, std::size_t number) {
  std::string heading = finding.type.empty() ? "(no type)" : finding.type;
  if (!finding.name.empty()) heading += " – " + finding.name;
  return fmt::format(
      "<li value=\"{}\"><strong>{}</strong>{} <span class=\"quiet\">{}</span>\n{}{}</li>\n", number,
      safe(heading),
      has_band(finding) ? " " + badge(name_of(band_of(finding)), name_of(band_of(finding))) : "",
      safe(describe_where(finding)),
      Facts()
          .add("seen", finding.phenomenon)
          .add("reasoning", finding.reasoning)
          .add("severity", finding.severity)
          .add("probability", finding.probability)
          .add("false alarms", finding.false_alarms)
          .add("by", finding.by.name + (finding.by.version.empty() ? "" : " " + finding.by.version))
          .html(),
      render_evidence(finding.evidence));
}

// `first` continues the numbering across questions, so that numbers match those drawn on the image.
std::string render_findings(const std::vector<Finding>& findings, std::size_t first) {
  std::string clear, faint;
  std::size_t faint_count = 0;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    (is_faint(findings[i]) ? faint : clear) += render_finding(findings[i], first + i);
    faint_count += is_faint(findings[i]);
  }
  const auto list = [](const std::string& items) {
    return items.empty() ? items : fmt::format("<ol class=\"findings\">\n{}</ol>\n", items);
  };
  return list(clear) +
         folded(faint_count == 1 ? "1 faint trace" : fmt::format("{} faint traces", faint_count),
                list(faint));
}

std::string render_truth(const Sample& sample) {
  std::string body = render_findings(sample.truth, 1);
  if (body.empty()) {
    body = sample.has_truth ? "<p>Nothing is wrong here.</p>\n" : "<p class=\"quiet\">Not known.</p>\n";
  }
  return "<section class=\"truth\"><h4>Truth</h4>\n" + body + "</section>\n";
}

std::string render_answer(const Answer& answer, std::size_t first) {
  Facts facts;
  facts.add("chosen", join(answer.choices, ", ")).add("", std::string_view(answer.unsure ? "not sure" : ""));
  for (const auto& [name, value] : answer.values) facts.add(name, std::optional<double>(value));
  facts.add("text", answer.text).add("note", answer.complaint);
  const std::string html = facts.html() + render_findings(answer.findings, first);
  return html.empty() && answer.outcome == Outcome::kAnswered ? "<p>No findings.</p>\n" : html;
}

std::string render_reply(const Reply& reply) {
  Facts facts;
  facts.add("error", reply.error).add("model", reply.model);
  if (reply.returned_model != reply.model) facts.add("named itself", reply.returned_model);
  facts.add("finish reason", reply.finish_reason);
  if (reply.usage.input_tokens + reply.usage.output_tokens > 0) {
    facts.add("tokens", fmt::format("{} in, {} out", reply.usage.input_tokens, reply.usage.output_tokens));
  }
  if (reply.latency_ms > 0) facts.add("took", fmt::format("{:.0f} ms", reply.latency_ms));
  if (reply.attempt > 1) facts.add("attempt", fmt::format("{}", reply.attempt));
  return folded("Raw reply", preformatted(reply.text) + facts.html());
}

std::string render_asked(const Item& item, std::size_t i, std::size_t first_finding) {
  const std::vector<Outcome> outcomes = outcomes_of(item);
  const Question* question = i < item.questions.size() ? &item.questions[i] : nullptr;
  std::string html = "<section class=\"asked\"><h4>Answer";
  if (question && !question->kind.empty())
    html += " <span class=\"quiet\">" + safe(question->kind) + "</span>";
  if (question && question->repeat > 0)
    html += fmt::format(" <span class=\"quiet\">#{}</span>", question->repeat + 1);
  html += " ";
  html +=
      i < outcomes.size() ? badge(name_of(outcomes[i]), name_of(outcomes[i])) : badge("not asked", "pending");
  html += "</h4>\n";
  if (i < item.answers.size()) html += render_answer(item.answers[i], first_finding);
  if (i < item.replies.size()) html += render_reply(item.replies[i]);
  if (question) html += folded("Prompt", preformatted(question->prompt));
  return html + "</section>\n";
}

std::string render_scores(const SampleScores& scores) {
  std::string html;
  for (const Score* score : scores.scores) {
    html += fmt::format("<li>{} <b>{}</b></li>", safe(score->metric), shown_number(score->value));
  }
  return html.empty() ? html : "<ul class=\"scores\" aria-label=\"Scores\">" + html + "</ul>\n";
}

std::string_view name_of_mark(Mark mark) {
  return mark == Mark::kRight ? "right" : mark == Mark::kWrong ? "wrong" : "unscored";
}

std::string opening_tag(const Item& item, const CardFacts& facts) {
  std::set<std::string_view> outcomes;
  for (const Outcome outcome : outcomes_of(item)) outcomes.insert(name_of(outcome));
  return fmt::format(
      "<article class=\"card\" id=\"card-{}\" tabindex=\"-1\" data-outcomes=\"{}\" data-mark=\"{}\" "
      "data-groups=\"{}\">\n",
      facts.number, fmt::join(outcomes, " "), name_of_mark(facts.scores.mark), fmt::join(facts.groups, " "));
}

}  // namespace

std::string describe_where(const Finding& finding) {
  if (const auto* box = std::get_if<Box>(&finding.where)) {
    return fmt::format("box at {:.6g}, {:.6g}, {:.6g} wide and {:.6g} high", box->x, box->y, box->width,
                       box->height);
  }
  if (const auto* mask = std::get_if<Mask>(&finding.where)) {
    return fmt::format("mask of {} pixels", imaging::mask_area(*mask));
  }
  if (const auto* blocks = std::get_if<BlockSet>(&finding.where)) return describe_blocks(*blocks);
  if (const auto* pair = std::get_if<Pair>(&finding.where)) return describe_pair(*pair);
  if (const auto* span = std::get_if<TextSpan>(&finding.where)) {
    return fmt::format("{}: “{}”", span->part, span->sentence);
  }
  return "whole image";
}

std::string render_card(const Item& item, const CardFacts& facts, const HtmlOptions& options) {
  std::vector<const Finding*> found;
  std::string asked, findings;
  for (std::size_t i = 0; i < std::max({item.questions.size(), item.replies.size(), item.answers.size()});
       ++i) {
    asked += render_asked(item, i, found.size() + 1);
    if (i >= item.answers.size()) continue;
    findings += render_answer(item.answers[i], found.size() + 1);
    for (const Finding& finding : item.answers[i].findings) found.push_back(&finding);
  }
  if (asked.empty())
    asked = "<section class=\"asked\"><h4>Answer</h4><p class=\"quiet\">Nothing was asked.</p></section>\n";

  Facts passages, attributes;
  for (const Passage& passage : item.sample.passages) passages.add(passage.part, passage.text);
  for (const auto& [name, value] : item.sample.attributes) attributes.add(name, value);

  return opening_tag(item, facts) +
         fmt::format("<header><h3>{}</h3>{}</header>\n", safe(item.sample.id), render_scores(facts.scores)) +
         render_pictures(item.sample, found, options.thumbnail_edge) +
         folded("Text around the image", passages.html()) +
         (facts.only_findings
              ? findings
              : "<div class=\"columns\">\n" + asked + render_truth(item.sample) + "</div>\n") +
         folded("Attributes", attributes.html()) + "</article>\n";
}

}  // namespace awry::report
