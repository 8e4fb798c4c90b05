// SPDX-License-Identifier: Apache-2.0
#include "awry/cli/inspect_sarif.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <vector>

#include "awry/base/json.h"

namespace awry::cli {
namespace {

using pipeline::InspectedImage;

// SARIF wants references by the rules of URIs: spaces and letters beyond ASCII are written as bytes.
std::string uri_of(const std::string& file) {
  std::string uri = file.starts_with('/') ? "file://" : "";
  for (const char c : file) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_plain = byte < 0x80 && (std::isalnum(byte) != 0 || std::string_view("/-._~").contains(c));
    uri += is_plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return uri;
}

Json location(const std::string& file) {
  return {{"physicalLocation", {{"artifactLocation", {{"uri", uri_of(file)}}}}}};
}

// The files that a reader has: of a panel, the paper it was cut from.
std::vector<std::string> files_of(const Sample& sample) {
  std::vector<std::string> files;
  for (std::size_t i = 0; i < sample.images.size(); ++i) {
    const std::string which = sample.images.size() < 2 ? "paper" : i == 0 ? "first_paper" : "second_paper";
    const std::string paper = attribute(sample, which);
    files.push_back(paper.empty() ? sample.images[i].path : paper);
  }
  return files;
}

std::string_view level_of(Band band) {
  return band == Band::kFaint ? "note" : "warning";  // never "error": a finding is a reason to look again
}

std::string meaning_of(std::string_view type) {
  if (type == "duplication") return "Two panels show the same content";
  if (type == "copy_move") return "Two places of one image show the same content";
  if (type == "splicing") return "A seam surrounds a place of the image";
  if (type == "smoothing") return "A place lacks the noise of its surroundings";
  if (type == "stray_colour") return "A place of a grey image carries colour";
  return "Words and figure do not fit each other";
}

Json result_of(const InspectedImage& image, const Finding& finding) {
  const std::vector<std::string> files = files_of(image.sample);
  Json locations = Json::array();
  for (const std::string& file : files) locations.push_back(location(file));
  Json properties = {{"sample", image.sample.id},
                     {"band", name_of(band_of(finding))},
                     {"where", describe_where(finding)},
                     {"evidence", describe_evidence(finding)}};
  if (finding.false_alarms) properties["expectedFalseAlarms"] = *finding.false_alarms;
  if (finding.probability) properties["probability"] = *finding.probability;
  return {{"ruleId", finding.type},
          {"level", level_of(band_of(finding))},
          {"message", {{"text", finding.phenomenon + " " + finding.reasoning}}},
          {"locations", std::move(locations)},
          {"properties", std::move(properties)}};
}

Json unread(const InspectedImage& image) {
  const std::string file = image.sample.images.empty() ? image.sample.id : image.sample.images.front().path;
  return {{"level", "error"},
          {"message", {{"text", image.error->message()}}},
          {"locations", Json::array({location(file)})}};
}

}  // namespace

std::string inspection_sarif(const InspectionResults& results, std::string_view version) {
  Json found = Json::array(), notifications = Json::array(), rules = Json::array();
  std::set<std::string> types;
  for (const auto& inspected : {results.pairs, results.images}) {
    for (const InspectedImage& image : inspected) {
      if (image.error) notifications.push_back(unread(image));
      for (const Finding& finding : image.inspection.findings) {
        found.push_back(result_of(image, finding));
        types.insert(finding.type);
      }
    }
  }
  for (const std::string& type : types)
    rules.push_back({{"id", type}, {"shortDescription", {{"text", meaning_of(type)}}}});
  const Json driver = {{"name", "awry"}, {"version", version}, {"rules", std::move(rules)}};
  const Json invocation = {{"executionSuccessful", true},
                           {"toolExecutionNotifications", std::move(notifications)}};
  const Json run = {{"tool", {{"driver", driver}}},
                    {"invocations", Json::array({invocation})},
                    {"results", std::move(found)}};
  return dump_json_pretty({{"version", "2.1.0"},
                           {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                           {"runs", Json::array({run})}});
}

}  // namespace awry::cli
