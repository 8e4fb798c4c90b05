// SPDX-License-Identifier: Apache-2.0
#include "awry/forge/themis_json.h"

#include <fmt/format.h>

#include "awry/forge/duplicate.h"

namespace awry::forge {
namespace {

bool is_authentic(const ThemisItem& item) {
  return !item.truth;
}

std::string_view released_name(const ThemisItem& item, char letter) {
  if (is_about_pairs(item.plan.category)) return released_name_of(letter);
  if (is_about_text(item.plan.category)) return letter == 'A' ? "numerical" : "trend";
  return letter == 'A' ? "splicing" : letter == 'B' ? "copy-move" : "ai_generated";
}

// Readers find rows and columns by the words "-row" and "-column".
std::string grid_caption(const imaging::BlockGrid& grid) {
  return fmt::format(
      "The panel is laid out in a {}-row by {}-column grid of {} equal blocks, counted from 1 at the top "
      "left "
      "along each row and then down.",
      grid.rows, grid.columns, grid.rows * grid.columns);
}

Json operations_json(const std::vector<Operation>& operations) {
  Json list = Json::array();
  for (const Operation& operation : operations) {
    Json json{{"name", operation.name}};
    for (const auto& [name, value] : operation.settings) json["settings"][name] = value;
    list.push_back(std::move(json));
  }
  return list;
}

Json source_json(const ItemSource& source) {
  Json facts = Json::array();
  for (const Fact& fact : source.facts)
    facts.push_back({{"name", fact.name}, {"value", fact.value}, {"unit", fact.unit}});
  Json json{{"role", source.role}};
  if (!source.path.empty()) {
    json.update({{"path", source.path}, {"width", source.width}, {"height", source.height}});
    json["sha256"] = source.sha256;
    return json;
  }
  json.update({{"stream", source.seed.text()},
               {"style", source.style.text()},
               {"kind", name_of(source.kind)},
               {"width", source.width},
               {"height", source.height},
               {"caption", source.caption},
               {"sentences", source.sentences},
               {"facts", std::move(facts)},
               {"sha256_of_pixels", source.sha256}});
  return json;
}

// The release publishes other fields for texts than for panels.
Json text_question_json(const ThemisItem& item) {
  const TextTruth& text = *item.text;
  Json tampered = Json::array(), golden = Json::array(), sub_issues = Json::array();
  for (const TextEdit& edit : text.edits)
    tampered.push_back(edit.clause_after), golden.push_back(edit.clause_before);
  if (!is_authentic(item)) sub_issues.push_back(released_name(item, item.letters.front()));
  return {{"question_id", item.question_id},
          {"issue", "text_image_inconsistency"},
          {"sub_issues", std::move(sub_issues)},
          {"has_issue", !is_authentic(item)},
          {"ground_truth", Json::array({item.letters})},
          {"paper_ids", Json::array({fmt::format("forged_{}", item.plan.seed.seed)})},
          {"figure_id", Json::array({item.panels.front().id})},
          {"figure_path", Json::array({item.panels.front().path})},
          {"figure_caption", text.caption},
          {"figure_related_sentences", text.related},
          {"inconsistent_part", text.part},
          {"tampered_sentences", std::move(tampered)},
          {"golden_sentences", std::move(golden)},
          {"scenario", item.scenario}};
}

}  // namespace

Json question_json(const ThemisItem& item) {
  if (item.text) return text_question_json(item);
  const bool pairs = is_about_pairs(item.plan.category);
  Json sub_issues = Json::array(), letters = Json::array(), ids = Json::array(), paths = Json::array();
  for (const char letter : item.letters) {
    letters.push_back(std::string(1, letter));
    if (!is_authentic(item)) sub_issues.push_back(released_name(item, letter));
  }
  if (item.plan.category == ThemisCategory::kResynthesis) sub_issues.push_back("resynthesis");
  for (const ItemPanel& panel : item.panels) ids.push_back(panel.id), paths.push_back(panel.path);
  const std::string mask_path = pairs || item.masks.empty() ? "" : item.masks.front().path;
  return {{"question_id", item.question_id},
          {"issue", question_file_of(item.plan.category)},
          {"sub_issues", std::move(sub_issues)},
          {"has_issue", !is_authentic(item)},
          {"ground_truth", std::move(letters)},
          {"paper_ids", Json::array({fmt::format("forged_{}", item.plan.seed.seed)})},
          {"panel_ids", std::move(ids)},
          {"panel_paths", std::move(paths)},
          {"mask_indices", item.blocks},
          {"mask_path", mask_path},
          {"mask_caption", item.grid ? grid_caption(*item.grid) : ""},
          {"num_blocks", item.grid ? item.grid->rows * item.grid->columns : 0},
          {"scenario", item.scenario}};
}

Json metadata_json(const ThemisItem& item, const std::map<std::string, std::string>& hashes) {
  Json json{{"question_id", item.question_id},
            {"category", folder_of(item.plan.category)},
            {"stream", item.recipe.seed.text()},
            {"operations", operations_json(item.recipe.operations)}};
  // Of pictures from a folder only the scenario is known; the kind is what would have been painted.
  if (item.plan.pool == nullptr) json["kind"] = name_of(item.plan.kind);
  json["scenario"] = item.scenario;
  if (item.transform) json["transform"] = *item.transform;
  if (item.duplication_ratio) json["duplication_ratio"] = *item.duplication_ratio;
  if (item.grid) json["grid"] = {{"rows", item.grid->rows}, {"columns", item.grid->columns}};
  if (item.truth) json["type"] = item.truth->type;
  for (const ItemMask& mask : item.masks) json["masks"][mask.role] = mask.path;
  json["sources"] = Json::array();
  for (const ItemSource& source : item.sources) json["sources"].push_back(source_json(source));
  if (!item.generated.empty()) json["generated"] = {{"prompt", item.prompt}, {"replies", item.generated}};
  if (item.text) {
    json["text_edits"] = Json::array();
    for (const TextEdit& edit : item.text->edits) {
      json["text_edits"].push_back({{"part", item.text->part},
                                    {"offset", edit.offset},
                                    {"original", edit.original},
                                    {"replacement", edit.replacement}});
    }
  }
  json["rejected"] = item.rejected;
  if (!item.tally.empty()) json["rejected_by_reason"] = item.tally;
  json["files"] = Json::object();
  for (const auto& [path, hash] : hashes) json["files"][path] = hash;
  return json;
}

}  // namespace awry::forge
