// SPDX-License-Identifier: Apache-2.0
// measure_words [CHARTS [SEED]]: painted charts with true words, with numbers replaced and with trends
// reversed, each checked against its picture; one JSON object a kind.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "awry/forge/paint.h"
#include "awry/forge/text_edit.h"
#include "awry/inspectors/forensics/text_figure.h"

namespace {

using namespace awry;

struct Tally {
  int asked = 0, named = 0, placed = 0, unsure = 0, alarms = 0;
};

// The answer as the THEMIS protocol reads it: the type of the first finding.
void judge(const inspectors::Inspection& inspection, std::string_view truth, const forge::EditedText* edited,
           Tally& tally) {
  ++tally.asked;
  const auto& found = inspection.findings;
  if (found.empty()) tally.unsure += !inspection.undecided.empty();
  tally.alarms += !found.empty();
  if (truth.empty()) {
    tally.named += found.empty() && inspection.undecided.empty();
    return;
  }
  tally.named += !found.empty() && found.front().type == truth;
  const auto reported = [&](const forge::TextEdit& edit) {
    return std::ranges::any_of(found, [&](const Finding& finding) {
      const auto* span = std::get_if<TextSpan>(&finding.where);
      return span != nullptr && finding.type == truth && span->sentence == edit.clause_after;
    });
  };
  tally.placed += std::ranges::all_of(edited->edits, reported);
}

void print(std::string_view name, const Tally& tally) {
  fmt::print(
      "{{\"name\":\"{}\",\"asked\":{},\"right\":{},\"all_places\":{},\"not_sure\":{},\"alarms\":{}}}\n", name,
      tally.asked, tally.named, tally.placed, tally.unsure, tally.alarms);
}

}  // namespace

int main(int argc, char** argv) {
  const int charts = argc > 1 ? std::atoi(argv[1]) : 120;
  const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 47;  // 31 was developed on
  Tally genuine, numerical, trend;
  for (int i = 0; i < charts; ++i) {
    RandomStream random = RandomStream(seed).fork(static_cast<std::uint64_t>(i));
    const int width = random.integer(420, 800), height = random.integer(380, 620);
    const forge::Painted chart =
        value_or_throw(forge::paint_panel(forge::PanelKind::kChart, width, height, random.fork("chart")));
    const auto lettering = value_or_throw(reading::read_lettering(chart.image));
    std::string related;
    for (const std::string& sentence : chart.sentences) related += (related.empty() ? "" : " ") + sentence;
    const auto check = [&](const std::string& caption, const std::string& sentences) {
      const std::vector<Passage> passages = {{"caption", caption}, {"related_sentences", sentences}};
      return inspectors::forensics::check_words(chart.image, lettering, passages);
    };
    judge(check(chart.caption, related), "", nullptr, genuine);
    const forge::TextEditOptions numbers{.kind = forge::TextEditKind::kNumerical,
                                         .edits = random.integer(1, 3),
                                         .words_in_picture = chart.lettering};
    const bool in_caption = random.chance(0.5);
    if (const auto edited =
            forge::edit_text(in_caption ? chart.caption : related, numbers, random.fork("numbers"))) {
      judge(in_caption ? check(edited->text, related) : check(chart.caption, edited->text),
            "numerical_inconsistency", &*edited, numerical);
    }
    const forge::TextEditOptions trends{.kind = forge::TextEditKind::kTrend,
                                        .edits = random.integer(1, 3),
                                        .words_in_picture = chart.lettering};
    if (const auto edited = forge::edit_text(related, trends, random.fork("trends")))
      judge(check(chart.caption, edited->text), "trend_inconsistency", &*edited, trend);
  }
  print("true words", genuine);
  print("numbers", numerical);
  print("trends", trend);
}
