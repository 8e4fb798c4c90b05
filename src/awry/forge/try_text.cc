// SPDX-License-Identifier: Apache-2.0
// Texts beside a figure: true of it, or with one to three tokens changed.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "awry/forge/item_sources.h"
#include "awry/forge/text_edit.h"
#include "awry/forge/themis_tries.h"

namespace awry::forge {
namespace {

std::string joined(const std::vector<std::string>& sentences) {
  std::string text;
  for (const std::string& sentence : sentences) text += (text.empty() ? "" : " ") + sentence;
  return text;
}

// As in the release: half of the tampered texts have one edit, a third two; four fifths are in the sentences.
int random_edit_count(RandomStream& random) {
  const double chance = random.uniform();
  return chance < 0.50 ? 1 : chance < 0.85 ? 2 : 3;
}

Result<Painted> source_with_words(ThemisItem& item, const SeedPath& seed) {
  constexpr int kReadable = 1200;  // pixels: figures have many panels, and their labels are to be read
  if (item.plan.pool != nullptr) return load_figure(item, std::max(item.plan.panel_side, kReadable));
  const PanelSize size = random_shape(item.plan.panel_side, seed.child("shape").stream());
  return paint_source(item, "panel", size, seed.child("panel"), seed.child("style"));
}

}  // namespace

Result<Rejection> try_text(ThemisItem& item, const SeedPath& seed) {
  AWRY_TRY_ASSIGN(Painted panel, source_with_words(item, seed));
  item.recipe.seed = seed;
  TextTruth text{.caption = panel.caption, .related = joined(panel.sentences)};
  RandomStream random = seed.child("text").stream();
  if (item.plan.category == ThemisCategory::kConsistentText) {
    item.letters = "C";
  } else {
    const bool numerical = item.plan.category == ThemisCategory::kNumericalText;
    const TextEditOptions options{.kind = numerical ? TextEditKind::kNumerical : TextEditKind::kTrend,
                                  .edits = random_edit_count(random),
                                  .words_in_picture = panel.lettering};
    bool in_caption = random.chance(0.18);
    auto edited = edit_text(in_caption ? text.caption : text.related, options, random.fork("edits"));
    // What papers say of a figure may hold no number at all.
    if (!edited && item.plan.pool != nullptr) {
      in_caption = !in_caption;
      edited = edit_text(in_caption ? text.caption : text.related, options, random.fork("edits"));
    }
    if (!edited) {
      ++item.tally["no_token_to_edit"];
      return Rejection(edited.error().message());
    }
    item.letters = numerical ? "A" : "B";
    text.part = in_caption ? "caption" : "related_sentences";
    (in_caption ? text.caption : text.related) = edited->text;
    text.edits = std::move(edited->edits);
    for (const TextEdit& edit : text.edits) {
      item.recipe.operations.push_back(
          {numerical ? "replace_number" : "reverse_trend", {{"offset", static_cast<double>(edit.offset)}}});
    }
    item.truth = Finding{.where = TextSpan{text.part, text.edits.front().clause_after},
                         .type = numerical ? "numerical" : "trend",
                         .by = {.kind = AuthorKind::kForger, .name = "forge/text_edit", .version = "1"}};
  }
  item.text = std::move(text);
  std::string path = fmt::format("{}/figure/{}.png", folder_of(item.plan.category), item.question_id);
  item.panels.push_back({item.question_id, std::move(path), std::move(panel.image)});
  return Rejection();
}

}  // namespace awry::forge
