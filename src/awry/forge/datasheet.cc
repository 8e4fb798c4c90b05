// SPDX-License-Identifier: Apache-2.0
#include "awry/forge/datasheet.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

namespace awry::forge {
namespace {

constexpr std::size_t kExamples = 6;  // of each category

std::string escaped(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c == '<')
      safe += "&lt;";
    else if (c == '>')
      safe += "&gt;";
    else if (c == '&')
      safe += "&amp;";
    else if (c == '"')
      safe += "&quot;";
    else
      safe += c;
  }
  return safe;
}

std::string text_of(const Json& json, const char* field) {
  const auto found = json.find(field);
  return found != json.end() && found->is_string() ? found->get<std::string>() : "";
}

using Counts = std::map<std::string, int>;

std::string bars(std::string_view title, const Counts& counts) {
  if (counts.empty()) return "";
  int most = 1;
  for (const auto& [name, count] : counts) most = std::max(most, count);
  std::string html = fmt::format("<section><h2>{}</h2><table>", escaped(title));
  for (const auto& [name, count] : counts) {
    html +=
        fmt::format("<tr><th>{}</th><td>{}</td><td class=\"bar\"><i style=\"width:{:.1f}%\"></i></td></tr>",
                    escaped(name), count, 100.0 * count / most);
  }
  return html + "</table></section>";
}

std::string figure(const Json& item) {
  std::string html = "<figure>";
  const Json files = item.value("files", Json::object());
  for (const auto& [path, hash] : files.items())
    html += fmt::format("<img loading=\"lazy\" src=\"{}\" alt=\"\">", escaped(path));
  std::string steps;
  for (const Json& operation : item.value("operations", Json::array()))
    steps += (steps.empty() ? "" : ", ") + text_of(operation, "name");
  html += fmt::format("<figcaption><b>{}</b> {} {}", escaped(text_of(item, "question_id")),
                      escaped(text_of(item, "kind")), escaped(steps));
  for (const Json& edit : item.value("text_edits", Json::array()))
    html += fmt::format("<br>{} &rarr; {}", escaped(text_of(edit, "original")),
                        escaped(text_of(edit, "replacement")));
  return html + "</figcaption></figure>";
}

struct Distributions {
  Counts categories, kinds, operations, rejected, ratios;
  std::vector<std::pair<std::string, std::vector<const Json*>>> examples;  // by category, in order
};

Distributions gather(const Json& items) {
  Distributions all;
  for (const Json& item : items) {
    const std::string category = text_of(item, "category");
    ++all.categories[category];
    ++all.kinds[text_of(item, "kind")];
    for (const Json& operation : item.value("operations", Json::array()))
      ++all.operations[text_of(operation, "name")];
    const Json rejected = item.value("rejected_by_reason", Json::object());  // items() needs it to live on
    for (const auto& [reason, count] : rejected.items()) all.rejected[reason] += count.get<int>();
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
    "background:#fff}h1{font-size:1.6rem}h2{font-size:1.1rem;margin:2rem 0 "
    ".5rem}table{border-collapse:collapse}"
    "th{text-align:left;font-weight:400;padding-right:1rem}td{text-align:right;padding-right:.6rem}"
    ".bar{width:16rem}.bar "
    "i{display:block;height:.8rem;background:#3b6ea5}.sheet{display:flex;flex-wrap:wrap;"
    "gap:1rem}figure{margin:0;max-width:24rem}figure img{max-height:9rem;max-width:11rem;margin-right:4px;"
    "border:1px solid "
    "#ccc}figcaption{font-size:.8rem;color:#555}.columns{display:flex;flex-wrap:wrap;gap:3rem}"
    "@media(prefers-color-scheme:dark){body{background:#16181b;color:#ddd}figcaption{color:#aaa}}";

}  // namespace

std::string datasheet_html(const Json& metadata) {
  const Json items = metadata.value("items", Json::array());
  const Distributions all = gather(items);
  std::string html = fmt::format(
      "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Datasheet of a forged set</title>"
      "<meta name=\"viewport\" content=\"width=device-width\"><style>{}</style>"
      "<h1>Datasheet of a forged set</h1><p>{} questions, made by <code>{}</code>. All panels and all truths "
      "are "
      "synthetic; <code>metadata.json</code> says how each came about, and <code>awry forge --replay</code> "
      "makes "
      "the same bytes again.</p><h2>Options</h2><pre>{}</pre><div class=\"columns\">",
      kStyle, items.size(), escaped(text_of(metadata, "made_by")),
      escaped(dump_json(metadata.value("options", Json::object()))));
  html += bars("Categories", all.categories) + bars("What panels show", all.kinds) +
          bars("Operations", all.operations) + bars("Share of a panel that is reused", all.ratios) +
          bars("Turned away, by reason", all.rejected) + "</div>";
  for (const auto& [category, examples] : all.examples) {
    html += fmt::format("<h2>{}</h2><div class=\"sheet\">", escaped(category));
    for (const Json* item : examples) html += figure(*item);
    html += "</div>";
  }
  return html + "</html>\n";
}

}  // namespace awry::forge
