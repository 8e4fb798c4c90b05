// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/magicmirror/labels.h"

#include <fmt/format.h>

namespace awry::benchmarks::magicmirror {

std::optional<Level2> level2_named(std::string_view name) {
  for (std::size_t i = 0; i < kLevel2.size(); ++i) {
    if (kLevel2[i].name == name) return static_cast<Level2>(i);
  }
  return std::nullopt;
}

std::optional<std::size_t> level3_named(std::string_view name) {
  for (std::size_t i = 0; i < kLevel3.size(); ++i) {
    if (kLevel3[i].name == name) return i;
  }
  return std::nullopt;
}

std::vector<Finding> findings_of(LabelSet labels, std::string_view id_prefix, const Author& by) {
  std::vector<Finding> findings;
  const auto add = [&](std::string_view type) {
    findings.push_back(
        {.id = fmt::format("{}/{}", id_prefix, findings.size() + 1), .type = std::string(type), .by = by});
  };
  for (std::size_t i = 0; i < kLevel2.size(); ++i) {
    const auto level2 = static_cast<Level2>(i);
    if (!labels.has(level2)) continue;
    if (labels.level3_of(level2).is_normal()) add(kLevel2[i].name);
    for (std::size_t j = 0; j < kLevel3.size(); ++j) {
      if (kLevel3[j].parent == level2 && labels.has_level3(j)) add(kLevel3[j].name);
    }
  }
  if (labels.is_artifact() && findings.empty()) add(kArtifactType);
  return findings;
}

Result<LabelSet> labels_of(std::span<const Finding> findings) {
  LabelSet labels;
  for (const Finding& finding : findings) {
    if (const auto level3 = level3_named(finding.type)) {
      labels.add_level3(*level3);
    } else if (const auto level2 = level2_named(finding.type)) {
      labels.add(*level2);
    } else if (finding.type == kArtifactType) {
      labels = labels | LabelSet::artifact();
    } else {
      return fail({.what = "cannot score a finding",
                   .input = finding.type,
                   .why = "it is not a label of MagicMirror's taxonomy"});
    }
  }
  return labels;
}

std::string verdict_json(LabelSet labels) {
  if (labels.is_normal()) return R"({"Whether Normal": true})";
  std::string types;
  for (std::size_t i = 0; i < kLevel2.size(); ++i) {
    const auto level2 = static_cast<Level2>(i);
    if (!labels.has(level2)) continue;
    std::string value = "true";
    if (kLevel2[i].has_level3) {
      value.clear();
      for (std::size_t j = 0; j < kLevel3.size(); ++j) {
        if (kLevel3[j].parent != level2 || !labels.has_level3(j)) continue;
        value += fmt::format("{}\"{}\"", value.empty() ? "" : ", ", kLevel3[j].name);
      }
      value = "[" + value + "]";
    }
    types += fmt::format("{}\"{}\": {}", types.empty() ? "" : ", ", kLevel2[i].name, value);
  }
  return fmt::format(R"({{"Whether Normal": false, "Type of Deformity": {{{}}}}})", types);
}

}  // namespace awry::benchmarks::magicmirror
