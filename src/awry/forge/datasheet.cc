// SPDX-License-Identifier: Apache-2.0
#include "awry/forge/datasheet.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "awry/base/text.h"

namespace awry::forge {
namespace {

constexpr std::size_t kExamples = 6;  // of each category

std::string text_of(const Json& json, const char* field) {
  const auto found = json.find(field);
  return found != json.end() && found->is_string() ? found->get<std::string>() : "";
}

// What the panels of an item show: the kind painted, or what is known of pictures from a folder.
std::string subject_of(const Json& item) {
  const std::string kind = text_of(item, "kind");
  return kind.empty() ? text_of(item, "scenario") : kind;
}

using Counts = std::map<std::string, int>;

std::string bars(std::string_view title, const Counts& counts) {
  if (counts.empty()) return "";
  int most = 1;
  for (const auto& [name, count] : counts) most = std::max(most, count);
  std::string html = fmt::format("<section><h2>{}</h2><table>", escape_html(title));
  for (const auto& [name, count] : counts) {
    html +=
        fmt::format("<tr><th>{}</th><td>{}</td><td class=\"bar\"><i style=\"width:{:.1f}%\"></i></td></tr>",
                    escape_html(name), count, 100.0 * count / most);
  }
  return html + "</table></section>";
}

bool is_mask(std::string_view path) {
  return path.find("/mask/") != path.npos || path.find("/ground_truth/") != path.npos ||
         path.starts_with("category_masks/");
}

// What a reader wants to see: the panels, then the mask that the question is about. Where a panel was used
// whole there is nothing to see in a mask.
std::vector<std::string> pictures_of(const Json& item) {
  const Json files = item.value("files", Json::object());
  const Json masks = item.value("masks", Json::object());
  std::vector<std::string> panels, shown;
  for (const auto& [path, hash] : files.items()) {
    const bool asked_about = masks.value("forged", path) == path;
    if (!is_mask(path)) {
      if (!path.starts_with("generated/")) panels.push_back(path);
    } else if (asked_about && !text_of(item, "category").ends_with("/global")) {
      shown.push_back(path);
    }
  }
  panels.insert(panels.end(), shown.begin(), shown.end());
  return panels;
}

std::string figure(const Json& item) {
  std::string html = "<figure>";
  for (const std::string& path : pictures_of(item)) {
    html += fmt::format("<img loading=\"lazy\" src=\"{}\" alt=\"{}\">", escape_html(path),
                        is_mask(path) ? "mask" : "panel");
  }
  std::string steps;
  for (const Json& operation : item.value("operations", Json::array()))
    steps += (steps.empty() ? "" : ", ") + text_of(operation, "name");
  html += fmt::format("<figcaption><b>{}</b> {} {}", escape_html(text_of(item, "question_id")),
                      escape_html(subject_of(item)), escape_html(steps));
  for (const Json& edit : item.value("text_edits", Json::array()))
    html += fmt::format("<br>{} &rarr; {}", escape_html(text_of(edit, "original")),
                        escape_html(text_of(edit, "replacement")));
  return html + "</figcaption></figure>";
}

struct Distributions {
  Counts categories, kinds, operations, ratios, verdicts;
  std::vector<std::pair<std::string, std::vector<const Json*>>> examples;  // by category, in order
};

Distributions gather(const Json& items) {
  Distributions all;
  for (const Json& item : items) {
    const std::string category = text_of(item, "category");
    ++all.categories[category];
    ++all.kinds[subject_of(item)];
    for (const Json& operation : item.value("operations", Json::array()))
      ++all.operations[text_of(operation, "name")];
    if (const auto found = item.find("inspector_found"); found != item.end() && item.contains("type")) {
      const Json& last = found->back();
      ++all.verdicts[last.is_null() ? "not asked" : last.get<bool>() ? "found" : "missed"];
    }
    if (const auto ratio = item.find("duplication_ratio"); ratio != item.end() && ratio->is_number()) {
      const int tenth = std::min(9, static_cast<int>(ratio->get<double>() * 10));
      ++all.ratios[fmt::format("{:.1f} to {:.1f}", tenth / 10.0, (tenth + 1) / 10.0)];
    }
    auto group =
        std::ranges::find(all.examples, category, &std::pair<std::string, std::vector<const Json*>>::first);
    if (group == all.examples.end()) group = all.examples.insert(all.examples.end(), {category, {}});
    if (group->second.size() < kExamples) group->second.push_back(&item);
  }
  return all;
}

constexpr std::string_view kStyle =
    "body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem;color:#222;"
    "background:#fff}h1{font-size:1.6rem}h2{font-size:1.1rem;"
    "margin:2rem 0 "
    ".5rem}table{border-collapse:collapse}"
    "th{text-align:left;font-weight:400;padding-right:1rem}td{text-align:right;padding-right:.6rem}"
    ".options td{text-align:left;overflow-wrap:anywhere}.options th{vertical-align:top}.bar{width:16rem}.bar "
    "i{display:block;height:.8rem;background:#3b6ea5}.sheet{display:flex;flex-wrap:wrap;"
    "gap:1rem}figure{margin:0;max-width:24rem}figure img{max-height:9rem;max-width:11rem;margin-right:4px;"
    "border:1px solid "
    "#ccc}figcaption{font-size:.8rem;color:#555}.columns{display:flex;flex-wrap:wrap;gap:3rem}"
    "@media(prefers-color-scheme:dark){body{background:#16181b;color:#ddd}figcaption{color:#aaa}}";

// One row an option, long lists and all.
std::string options_table(const Json& options) {
  std::string html = "<table class=\"options\">";
  for (const auto& [name, value] : options.items()) {
    html += fmt::format("<tr><th>{}</th><td>{}</td></tr>", escape_html(name),
                        escape_html(value.is_string() ? value.get<std::string>() : dump_json(value)));
  }
  return html + "</table>";
}

std::string sources_sentence(const Json& metadata) {
  if (!metadata.contains("sources")) return "All panels and all truths are synthetic.";
  std::set<int> groups;
  for (const Json& source : metadata["sources"]) groups.insert(source.value("group", -1));
  return fmt::format(
      "The panels are {} pictures from a folder, in {} groups of near-duplicates; what is wrong with them "
      "was "
      "forged. Whether they may be passed on is for their owners to say.",
      metadata["sources"].size(), groups.size());
}

// Questions that no source allowed, by category.
Counts unforgeable(const Json& metadata) {
  Counts counts;
  const Json absent = metadata.value("left_out", Json::array());
  for (const Json& question : absent) {
    if (!question.contains("inspector_found")) ++counts[text_of(question, "category")];
  }
  return counts;
}

// Who chose among the candidates, and what came of it; empty for sets that took them as they came.
std::string selection_section(const Json& metadata, const Distributions& all) {
  const Json options = metadata.value("options", Json::object());
  const auto selection = options.find("selection");
  if (selection == options.end()) return "";
  Counts left_out;
  const Json absent = metadata.value("left_out", Json::array());
  for (const Json& question : absent) {
    if (question.contains("inspector_found")) ++left_out[text_of(question, "category")];
  }
  return fmt::format("<p>Selected with the inspector <b>{}</b>: of the forgeries, <b>{}</b> are kept.</p>",
                     escape_html(text_of(*selection, "inspector")),
                     escape_html(text_of(*selection, "keep"))) +
         "<div class=\"columns\">" + bars("Forgeries, by what the inspector says", all.verdicts) +
         bars("Left out: no candidate was suitable", left_out) + "</div>";
}

}  // namespace

std::string datasheet_html(const Json& metadata) {
  const Json items = metadata.value("items", Json::array());
  const Distributions all = gather(items);
  Counts rejected;
  const Json reasons = metadata.value("rejected_by_reason", Json::object());  // items() needs it to live on
  for (const auto& [reason, count] : reasons.items()) rejected[reason] = count.get<int>();
  std::string html = fmt::format(
      "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Datasheet of a forged set</title>"
      "<meta name=\"viewport\" content=\"width=device-width\"><style>{}</style>"
      "<h1>Datasheet of a forged set</h1><p>{} items, made by <code>{}</code>. {} "
      "<code>metadata.json</code> says how each came about, and <code>awry forge --replay</code> "
      "makes "
      "the same bytes again. Nobody has looked at the items yet: the examples below are there to be looked "
      "at.</p><h2>Options</h2>{}<div class=\"columns\">",
      kStyle, items.size(), escape_html(text_of(metadata, "made_by")), sources_sentence(metadata),
      options_table(metadata.value("options", Json::object())));
  html += bars("Categories", all.categories) + bars("What panels show", all.kinds) +
          bars("Operations", all.operations) + bars("Share of a panel that is reused", all.ratios) +
          bars("Turned away, by reason", rejected) +
          bars("Left out: no source allowed it", unforgeable(metadata)) + "</div>" +
          selection_section(metadata, all);
  for (const auto& [category, examples] : all.examples) {
    html += fmt::format("<h2>{}</h2><div class=\"sheet\">", escape_html(category));
    for (const Json* item : examples) html += figure(*item);
    html += "</div>";
  }
  return html + "</html>\n";
}

}  // namespace awry::forge
