// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/forensics/text_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "awry/base/text.h"
#include "awry/inspectors/forensics/text_figure_chart.h"
#include "awry/inspectors/forensics/text_figure_claims.h"
#include "awry/reading/figure_mentions.h"

namespace awry::inspectors::forensics {
namespace {

constexpr const char* kNumerical = "numerical_inconsistency";
constexpr const char* kTrend = "trend_inconsistency";
// A height is read to about a pixel; bars and numbers that differ by less than this share of the axis may
// agree.
constexpr double kChartTolerance = 0.035;

class Check {
 public:
  Check(std::span<const Passage> passages, std::optional<ReadChart> chart)
      : passages_(passages), chart_(std::move(chart)), claims_(claims_of(passages)) {}

  Inspection finish() && {
    courses();
    lonely_listings();
    counted_conditions();
    shares();
    panel_letters();
    panel_values();
    // Nothing could be compared with anything: silence is not agreement.
    if (confirmed_ == 0 || doubtful_) {
      if (!has(kNumerical)) found_.undecided.emplace_back(kNumerical);
      if (!has(kTrend)) found_.undecided.emplace_back(kTrend);
    }
    std::ranges::stable_sort(found_.findings, std::greater{},
                             [](const Finding& f) { return f.probability.value_or(0); });
    return std::move(found_);
  }

  void scale_bars(std::span<const reading::Word> lettering);

 private:
  bool has(std::string_view type) const {
    return std::ranges::any_of(found_.findings, [&](const Finding& f) { return f.type == type; });
  }

  void report(const char* type, const ClauseAt& where, std::string seen, std::vector<Evidence> evidence,
              double probability) {
    for (const Finding& known : found_.findings) {
      const auto* span = std::get_if<TextSpan>(&known.where);
      if (span != nullptr && known.type == type && span->sentence == where.text) return;
    }
    found_.findings.push_back(
        {.id = fmt::format("words/{}", found_.findings.size() + 1),
         .where = TextSpan{where.part, where.text},
         .type = type,
         .phenomenon = std::move(seen),
         .reasoning =
             "Innocent causes: a slip while editing the text, rounding, a figure of an earlier version, or "
             "a quantity that only looks like the same one.",
         .probability = probability,
         .evidence = std::move(evidence),
         .by = {.kind = AuthorKind::kDetector, .name = "forensics/text_figure"}});
  }

  // The chart's series that the words name; a name that OCR garbled matches no series.
  const ReadSeries* series_named(std::string_view words) const {
    const ReadSeries* found = nullptr;
    if (!chart_) return nullptr;
    for (const ReadSeries& series : chart_->series) {
      if (!says_word(words, series.name)) continue;
      if (found != nullptr) return nullptr;  // two series in one sentence: which number is whose?
      found = &series;
    }
    return found;
  }
  const Listing* listing_named(std::string_view words) const {
    const Listing* found = nullptr;
    for (const Listing& listing : claims_.listings) {
      if (listing.values.size() < 2 || !says_word(words, listing.name)) continue;
      if (found != nullptr && found->name != listing.name) return nullptr;
      found = &listing;
    }
    return found;
  }
  std::optional<double> charted(const ReadSeries* series, bool last) const {
    if (series == nullptr || series->values.empty()) return std::nullopt;
    return last ? series->values.back() : series->values.front();
  }
  double tolerance() const { return chart_ ? kChartTolerance * chart_->axis_range : 0; }
  bool fits(double value, double measured) const { return std::abs(value - measured) <= tolerance(); }

  // Told twice: in the caption and in a sentence. Returns what the number must have been, if that is known.
  std::optional<double> compare(const Listing::Value& listed, const Quantity& told, const Course& course,
                                const std::optional<double>& measured) {
    if (listed.quantity.value == told.value) {
      ++confirmed_;
      return told.value;
    }
    const bool listed_fits = measured && fits(listed.quantity.value, *measured);
    const bool told_fits = measured && fits(told.value, *measured);
    const std::string seen =
        fmt::format("The caption says {}, the text says {}.", listed.quantity.text, told.text);
    std::vector<Evidence> evidence = {{.kind = "told_twice", .note = seen}};
    if (measured) {
      evidence.push_back({.kind = "chart",
                          .note = fmt::format("the chart shows about {:.3g}", *measured),
                          .value = *measured});
    }
    if (listed_fits != told_fits) {
      report(kNumerical, listed_fits ? course.numbers : listed.where, seen, evidence, 0.98);
      return listed_fits ? listed.quantity.value : told.value;
    }
    report(kNumerical, course.numbers, seen, evidence, 0.92);
    report(kNumerical, listed.where, seen, evidence, 0.92);
    return std::nullopt;
  }

  // Told once: only the chart can contradict it, and only by a margin that reading errors do not reach.
  std::optional<double> compare(const Quantity& told, const ClauseAt& where,
                                const std::optional<double>& measured) {
    if (!measured) return told.value;
    if (fits(told.value, *measured)) {
      ++confirmed_;
      return told.value;
    }
    if (std::abs(told.value - *measured) <= 2 * tolerance()) {
      doubtful_ = true;
      return std::nullopt;
    }
    report(kNumerical, where,
           fmt::format("The text says {}, the chart shows about {:.3g}.", told.text, *measured),
           {{.kind = "chart", .note = fmt::format("measured {:.4g}", *measured), .value = *measured}}, 0.95);
    return *measured;
  }

  void courses() {
    for (const Course& course : claims_.courses) {
      const ReadSeries* series = series_named(course.sentence);
      const Listing* listing = listing_named(course.sentence);
      const auto first = charted(series, false), last = charted(series, true);
      const auto from = listing != nullptr ? compare(listing->values.front(), course.from, course, first)
                                           : compare(course.from, course.numbers, first);
      const auto to = listing != nullptr ? compare(listing->values.back(), course.to, course, last)
                                         : compare(course.to, course.numbers, last);
      if (!from || !to || course.direction == 0 || *from == *to) continue;
      if ((*to > *from) == (course.direction > 0)) {
        ++confirmed_;
        continue;
      }
      std::vector<Evidence> evidence = {
          {.kind = "course",
           .note = fmt::format("\"{}\" from {:.4g} to {:.4g}", course.trend_word, *from, *to)}};
      if (first && last) {
        evidence.push_back(
            {.kind = "chart",
             .note = fmt::format("the chart goes from about {:.3g} to {:.3g}", *first, *last)});
      }
      report(kTrend, course.words,
             fmt::format("The text says \"{}\", but the numbers go from {:.4g} to {:.4g}.", course.trend_word,
                         *from, *to),
             std::move(evidence), first && last ? 0.98 : 0.95);
    }
  }

  // Values of the caption that no sentence repeats.
  void lonely_listings() {
    for (const Listing& listing : claims_.listings) {
      const ReadSeries* series = series_named(listing.name);
      const bool repeated = std::ranges::any_of(
          claims_.courses, [&](const Course& course) { return says_word(course.sentence, listing.name); });
      if (series == nullptr || repeated || listing.values.size() != 2) continue;
      compare(listing.values.front().quantity, listing.values.front().where, charted(series, false));
      compare(listing.values.back().quantity, listing.values.back().where, charted(series, true));
    }
  }

  // "at 5 conditions" of a chart with five ticks.
  void counted_conditions() {
    if (!chart_ || chart_->series.empty()) return;
    for (const Passage& passage : passages_) {
      for (const Quantity& quantity : quantities_of(passage.text)) {
        const bool counts =
            quantity.unit == "conditions" || quantity.unit == "timepoints" || quantity.unit == "doses";
        if (!counts || quantity.value == static_cast<double>(chart_->categories)) continue;
        report(kNumerical, clause_around(passage, quantity.begin),
               fmt::format("The text speaks of {} {}, the chart has {}.", quantity.text, quantity.unit,
                           chart_->categories),
               {{.kind = "axis_ticks", .note = fmt::format("{} ticks", chart_->categories)}}, 0.95);
      }
    }
  }

  // "12 of 48 (25%)"
  void shares() {
    for (const Passage& passage : passages_) {
      const std::vector<Quantity> q = quantities_of(passage.text);
      for (std::size_t i = 0; i + 2 < q.size(); ++i) {
        const auto between = [&](std::size_t a) {
          return trim(std::string_view(passage.text).substr(q[a].end, q[a + 1].begin - q[a].end));
        };
        const bool of = between(i) == "of" || between(i) == "out of" || between(i) == "of the";
        if (!of || !between(i + 1).ends_with("(") || between(i + 1).size() > 24 || q[i + 2].unit != "%")
          continue;
        const double part = q[i].value, whole = q[i + 1].value, told = q[i + 2].value;
        if (whole <= 0 || part > whole) continue;
        const std::size_t point = q[i + 2].text.find('.');
        const double step =
            point == std::string::npos ? 1 : std::pow(10, -double(q[i + 2].text.size() - point - 1));
        const double true_share = 100 * part / whole;
        if (std::abs(true_share - told) <= 1.01 * step) {
          ++confirmed_;
          continue;
        }
        report(
            kNumerical, clause_around(passage, q[i].begin),
            fmt::format("{} of {} is {:.4g}%, not {}%.", q[i].text, q[i + 1].text, true_share, q[i + 2].text),
            {{.kind = "arithmetic", .note = fmt::format("{:.4g}%", true_share), .value = true_share}}, 0.97);
      }
    }
  }

  // The number of this figure: the caption's, or the only one that the sentences speak of.
  std::string own_number() const {
    std::set<std::string> numbers;
    for (const Passage& passage : passages_) {
      if (passage.part == "caption") {
        if (const auto start = reading::caption_start(passage.text)) return start->number;
      } else {
        for (const auto& mention : reading::figure_mentions(passage.text)) numbers.insert(mention.number);
      }
    }
    return numbers.size() == 1 ? *numbers.begin() : "";
  }
  std::string_view caption() const {
    for (const Passage& passage : passages_) {
      if (passage.part == "caption") return passage.text;
    }
    return "";
  }

  void panel_letters() {
    const std::string letters = reading::caption_letters(caption()), number = own_number();
    if (letters.empty() || number.empty()) return;
    for (const Passage& passage : passages_) {
      if (passage.part == "caption") continue;
      for (const reading::FigureMention& mention : reading::figure_mentions(passage.text)) {
        if (mention.number != number) continue;
        for (const char letter : mention.letters) {
          if (letters.find(letter) != std::string::npos) continue;
          report(
              "missing_panel", clause_around(passage, mention.begin),
              fmt::format("The text speaks of panel {} of figure {}; the caption describes panels {} to {}.",
                          letter, number, letters.front(), letters.back()),
              {{.kind = "panel_letters", .note = fmt::format("the caption names {}", letters)}}, 0.9);
        }
      }
    }
  }

  // "(a) 1.0 wt %, (b) 1.5 wt %" against "1.5 wt % (Figure 8a)".
  void panel_values() {
    const std::string_view words = caption();
    const std::string letters = reading::caption_letters(words), number = own_number();
    if (letters.size() < 2 || number.empty()) return;
    std::map<char, std::vector<Quantity>> told;
    for (std::size_t i = 0; i < letters.size(); ++i) {
      const auto place = [&](char letter) {
        const std::size_t small = words.find(fmt::format("({})", letter));
        return small != std::string_view::npos
                   ? small
                   : words.find(fmt::format("({})", static_cast<char>(letter - 'a' + 'A')));
      };
      const std::size_t begin = place(letters[i]);
      const std::size_t end = i + 1 < letters.size() ? place(letters[i + 1]) : words.size();
      if (begin == std::string_view::npos || end == std::string_view::npos || end < begin) return;
      told[letters[i]] = quantities_of(words.substr(begin, end - begin));
    }
    const auto holds = [&](char letter, const Quantity& q) {
      return std::ranges::any_of(told[letter],
                                 [&](const Quantity& t) { return t.value == q.value && t.unit == q.unit; });
    };
    for (const Passage& passage : passages_) {
      if (passage.part == "caption") continue;
      for (const reading::FigureMention& mention : reading::figure_mentions(passage.text)) {
        if (mention.number != number || mention.letters.size() != 1) continue;
        const char letter = mention.letters[0];
        const ClauseAt clause = clause_around(passage, mention.begin);
        if (reading::figure_mentions(clause.text).size() != 1) continue;
        for (const Quantity& q : quantities_of(clause.text)) {
          // One number of this unit a panel, and all panels have one: the words tell the panels apart by it.
          bool enumerated = !q.unit.empty();
          std::set<double> values;
          for (const char other : letters) {
            const auto count = std::ranges::count(told[other], q.unit, &Quantity::unit);
            enumerated &= count == 1;
            for (const Quantity& t : told[other]) {
              if (t.unit == q.unit) values.insert(t.value);
            }
          }
          if (!enumerated || values.size() != letters.size()) continue;
          if (holds(letter, q)) {
            ++confirmed_;
          } else if (values.contains(q.value)) {
            report(
                kNumerical, clause,
                fmt::format("The text ties {} {} to panel {}; the caption gives that value to another panel.",
                            q.text, q.unit, letter),
                {{.kind = "panel_values", .note = "values of the caption, panel by panel"}}, 0.93);
          }
        }
      }
    }
  }

  std::span<const Passage> passages_;
  std::optional<ReadChart> chart_;
  Claims claims_;
  Inspection found_;
  int confirmed_ = 0;
  bool doubtful_ = false;
};

bool is_length_unit(std::string_view unit) {
  return unit == "um" || unit == "\xC2\xB5m" || unit == "\xCE\xBCm" || unit == "nm" || unit == "mm" ||
         unit == "cm";
}
std::string plain_unit(std::string_view unit) {
  return unit == "\xC2\xB5m" || unit == "\xCE\xBCm" ? "um" : std::string(unit);
}

// One scale in the caption, one in the picture, in the same unit.
void Check::scale_bars(std::span<const reading::Word> lettering) {
  std::string in_picture;
  for (const reading::Word& word : lettering) {
    if (word.confidence >= 60) in_picture += (in_picture.empty() ? "" : " ") + word.text;
  }
  std::set<std::pair<double, std::string>> shown, told;
  for (const Quantity& q : quantities_of(in_picture)) {
    if (is_length_unit(q.unit)) shown.insert({q.value, plain_unit(q.unit)});
  }
  const Passage* source = nullptr;
  std::size_t at = 0;
  for (const Passage& passage : passages_) {
    const std::string lower = to_lower_ascii(passage.text);
    for (std::size_t bar = lower.find("scale bar"); bar != std::string::npos;
         bar = lower.find("scale bar", bar + 1)) {
      for (const Quantity& q : quantities_of(passage.text)) {
        if (q.begin < bar || q.begin > bar + 24 || !is_length_unit(q.unit)) continue;
        told.insert({q.value, plain_unit(q.unit)});
        source = &passage;
        at = bar;
      }
    }
  }
  if (told.size() != 1 || shown.size() != 1 || told.begin()->second != shown.begin()->second) return;
  if (*told.begin() == *shown.begin()) {
    ++confirmed_;
    return;
  }
  report(kNumerical, clause_around(*source, at),
         fmt::format("The caption gives the scale bar {:g} {}, the picture says {:g} {}.",
                     told.begin()->first, told.begin()->second, shown.begin()->first, shown.begin()->second),
         {{.kind = "lettering", .note = "read in the picture"}}, 0.9);
}

}  // namespace

Inspection check_words(const imaging::Image& figure, std::span<const reading::Word> lettering,
                       std::span<const Passage> passages) {
  Check check(passages, read_chart(figure, lettering));
  check.scale_bars(lettering);
  return std::move(check).finish();
}

}  // namespace awry::inspectors::forensics
