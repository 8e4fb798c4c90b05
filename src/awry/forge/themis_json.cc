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
  return letter == 'A' ? "splicing" : "copy-move";
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
  return {{"role", source.role},          {"stream", source.seed.text()},  {"style", source.style.text()},
          {"kind", name_of(source.kind)}, {"width", source.width},         {"height", source.height},
          {"caption", source.caption},    {"sentences", source.sentences}, {"facts", std::move(facts)}};
}

}  // namespace

Json question_json(const ThemisItem& item) {
  const bool pairs = is_about_pairs(item.plan.category);
  Json sub_issues = Json::array(), letters = Json::array(), ids = Json::array(), paths = Json::array();
  for (const char letter : item.letters) {
    letters.push_back(std::string(1, letter));
    if (!is_authentic(item)) sub_issues.push_back(released_name(item, letter));
  }
  for (const ItemPanel& panel : item.panels) ids.push_back(panel.id), paths.push_back(panel.path);
  const std::string mask_path = pairs || item.masks.empty() ? "" : item.masks.front().path;
  return {{"question_id", item.question_id},
          {"issue", pairs ? "duplication" : "forgery"},
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
          {"scenario", scenario_of(item.plan.kind)}};
}

Json metadata_json(const ThemisItem& item, const std::map<std::string, std::string>& hashes) {
  Json json{{"question_id", item.question_id},
            {"category", folder_of(item.plan.category)},
            {"kind", name_of(item.plan.kind)},
            {"stream", item.recipe.seed.text()},
            {"operations", operations_json(item.recipe.operations)}};
  if (item.transform) json["transform"] = *item.transform;
  if (item.duplication_ratio) json["duplication_ratio"] = *item.duplication_ratio;
  if (item.grid) json["grid"] = {{"rows", item.grid->rows}, {"columns", item.grid->columns}};
  if (item.truth) json["type"] = item.truth->type;
  for (const ItemMask& mask : item.masks) json["masks"][mask.role] = mask.path;
  json["sources"] = Json::array();
  for (const ItemSource& source : item.sources) json["sources"].push_back(source_json(source));
  json["rejected"] = item.rejected;
  json["files"] = Json::object();
  for (const auto& [path, hash] : hashes) json["files"][path] = hash;
  return json;
}

}  // namespace awry::forge
