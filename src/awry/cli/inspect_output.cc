// SPDX-License-Identifier: Apache-2.0
#include "awry/cli/inspect_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "awry/base/json.h"
#include "awry/records/json.h"

namespace awry::cli {
namespace {

using pipeline::InspectedImage;

std::string extent(const Mask& mask) {
  std::size_t marked = 0;
  for (std::size_t i = 1; i < mask.runs.size(); i += 2) marked += mask.runs[i];
  const double all = std::max(1.0, static_cast<double>(mask.width) * mask.height);
  return fmt::format("{:.0f}%", 100 * static_cast<double>(marked) / all);
}

void add_rows(Table& table, const InspectedImage& image, Fold faint) {
  if (image.error) {
    table.rows.push_back({image.sample.id, Cell("unreadable", Tone::kBad), {}, {}, {}, image.error->why});
    return;
  }
  bool shown = false;
  for (const Finding& finding : image.inspection.findings) {
    const Band band = band_of(finding);
    if (band == Band::kFaint && faint == Fold::kYes) continue;
    shown = true;
    table.rows.push_back(
        {image.sample.id, Cell(finding.type, Tone::kWarning),
         Cell(std::string(name_of(band)), band == Band::kStrong ? Tone::kBad : Tone::kWarning),
         describe_where(finding),
         finding.false_alarms ? Cell(fmt::format("{:.0e}", *finding.false_alarms)) : Cell(),
         describe_evidence(finding)});
  }
  if (shown) return;
  const std::vector<std::string>& open = image.inspection.undecided;
  if (open.empty())
    table.rows.push_back({image.sample.id, Cell("nothing", Tone::kDim)});
  else
    table.rows.push_back(
        {image.sample.id, Cell(fmt::format("left open: {}", fmt::join(open, ", ")), Tone::kDim)});
}

Json json_of(const InspectedImage& image) {
  Json json = Json::object();
  if (image.sample.images.size() == 2) {
    json["images"] = {attribute(image.sample, "first"), attribute(image.sample, "second")};
  } else {
    json["image"] = image.sample.id;
  }
  for (const char* name : {"paper", "page", "figure", "panel"}) {
    if (const std::string value = attribute(image.sample, name); !value.empty()) json[name] = value;
  }
  if (image.error) {
    json["error"] = image.error->message();
    return json;
  }
  json["findings"] = Json::array();
  for (const Finding& finding : image.inspection.findings) {
    Json one = to_json(finding);
    one["band"] = name_of(band_of(finding));
    json["findings"].push_back(std::move(one));
  }
  json["undecided"] = image.inspection.undecided;
  return json;
}

}  // namespace

std::string attribute(const Sample& sample, const std::string& name) {
  const auto found = sample.attributes.find(name);
  return found == sample.attributes.end() ? std::string() : found->second;
}

std::string describe_where(const Finding& finding) {
  if (const auto* pair = std::get_if<Pair>(&finding.where)) {
    if (!pair->in_first || !pair->in_second) return "two places";
    if (pair->first_image == pair->second_image) return extent(*pair->in_second) + " of the image";
    return fmt::format("{} of the first, {} of the second", extent(*pair->in_first),
                       extent(*pair->in_second));
  }
  if (const auto* mask = std::get_if<Mask>(&finding.where)) return extent(*mask) + " of the image";
  if (const auto* box = std::get_if<Box>(&finding.where)) {
    return fmt::format("{:.0f}x{:.0f} at {:.0f},{:.0f}", box->width, box->height, box->x, box->y);
  }
  if (const auto* span = std::get_if<TextSpan>(&finding.where)) return fmt::format("\"{}\"", span->sentence);
  return "whole image";
}

std::string describe_evidence(const Finding& finding) {
  std::string text;
  for (const Evidence& evidence : finding.evidence) {
    if (!text.empty()) text += "; ";
    text += evidence.note;
  }
  return text;
}

Table inspection_table(const InspectionResults& results, Fold faint) {
  Table table{.columns = {{.key = "image"},
                          {.key = "finding"},
                          {.key = "band"},
                          {.key = "where", .max_width = 60},
                          {.key = "false_alarms", .header = "false alarms"},
                          {.key = "evidence", .max_width = 80}}};
  for (const InspectedImage& pair : results.pairs) add_rows(table, pair, faint);
  for (const InspectedImage& image : results.images) add_rows(table, image, faint);
  return table;
}

std::string inspection_json(const InspectionResults& results) {
  Json images = Json::array(), pairs = Json::array();
  for (const InspectedImage& image : results.images) images.push_back(json_of(image));
  for (const InspectedImage& pair : results.pairs) pairs.push_back(json_of(pair));
  return dump_json_pretty({{"images", std::move(images)}, {"reused", std::move(pairs)}});
}

std::string inspection_json_lines(const InspectionResults& results) {
  std::string lines;
  for (const InspectedImage& image : results.images) lines += dump_json(json_of(image)) + "\n";
  for (const InspectedImage& pair : results.pairs) lines += dump_json(json_of(pair)) + "\n";
  return lines;
}

}  // namespace awry::cli
