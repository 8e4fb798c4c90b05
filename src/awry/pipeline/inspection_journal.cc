// SPDX-License-Identifier: Apache-2.0
#include "awry/pipeline/inspection_journal.h"

#include <fmt/format.h>

#include <fstream>
#include <memory>
#include <string_view>

#include "awry/base/files.h"
#include "awry/base/hash.h"
#include "awry/base/json.h"
#include "awry/records/json.h"

namespace awry::pipeline {
namespace {

std::optional<inspectors::Inspection> inspection_from(const Json& json) {
  if (!json.is_object() || !json.contains("findings") || !json["findings"].is_array()) return std::nullopt;
  inspectors::Inspection inspection;
  for (const Json& finding : json["findings"]) {
    auto read = from_json<Finding>(finding, "journal");
    if (!read) return std::nullopt;
    inspection.findings.push_back(std::move(*read));
  }
  if (json.contains("undecided") && json["undecided"].is_array()) {
    for (const Json& type : json["undecided"]) {
      if (type.is_string()) inspection.undecided.push_back(type.get<std::string>());
    }
  }
  return inspection;
}

}  // namespace

Result<std::unique_ptr<InspectionJournal>> InspectionJournal::open(const std::filesystem::path& file) {
  auto journal = std::make_unique<InspectionJournal>();
  journal->file_ = file;
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) return journal;
  AWRY_TRY_ASSIGN(const std::string text, read_file(file));
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const std::string_view line(text.data() + start, end - start);
    start = end + 1;
    const auto json = parse_json(line, file.string());
    if (!json || !json->is_object() || !json->contains("key") || !(*json)["key"].is_string()) continue;
    if (auto inspection = inspection_from(*json))
      journal->known_[(*json)["key"].get<std::string>()] = std::move(*inspection);
  }
  return journal;
}

std::optional<inspectors::Inspection> InspectionJournal::find(const std::string& key) const {
  const auto found = known_.find(key);
  return found == known_.end() ? std::nullopt : std::optional(found->second);
}

Result<void> InspectionJournal::append(const std::string& key, const inspectors::Inspection& inspection) {
  if (file_.empty() || key.empty()) return {};
  Json json = {{"key", key}, {"findings", Json::array()}, {"undecided", inspection.undecided}};
  for (const Finding& finding : inspection.findings) json["findings"].push_back(to_json(finding));
  // On a line of its own even after a line that a crash cut off.
  const std::string line = fmt::format("\n{}\n", dump_json(json));
  const std::lock_guard lock(writing_);
  std::ofstream out(file_, std::ios::app | std::ios::binary);
  out << line << std::flush;
  if (!out) {
    return fail({.kind = ErrorKind::kIo,
                 .what = "cannot write journal",
                 .input = file_.string(),
                 .hint = "Check the folder and the room on the disk, or leave out --journal."});
  }
  return {};
}

std::string journal_key(const inspectors::Inspector& inspector, const Sample& sample,
                        std::span<const int> images) {
  FieldHasher hasher;
  hasher.add("inspection-v1").add(inspector.name()).add(inspector.version());
  for (const int index : images) {
    const auto hash = sha256_hex_of_file(sample.images[static_cast<std::size_t>(index)].path);
    if (!hash) return {};
    hasher.add(*hash);
  }
  for (const Passage& passage : sample.passages) hasher.add(passage.part).add(passage.text);
  return hasher.hex();
}

}  // namespace awry::pipeline
