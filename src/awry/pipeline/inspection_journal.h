// SPDX-License-Identifier: Apache-2.0
// What was already inspected, in a file that survives being killed: one JSON line per inspection, appended.
//
// Lines are found by content: the hash of the image bytes, the words around it and the version of the
// inspector. An image that was edited, or a newer inspector, is looked at again; a line cut off by a crash is
// skipped.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>

#include "awry/base/result.h"
#include "awry/inspectors/inspection.h"

namespace awry::pipeline {

class InspectionJournal {
 public:
  // Keeps nothing.
  InspectionJournal() = default;
  // Reads what is there; a file that does not exist yet is an empty journal.
  static Result<std::unique_ptr<InspectionJournal>> open(const std::filesystem::path& file);

  std::optional<inspectors::Inspection> find(const std::string& key) const;
  // Thread-safe. Without a file nothing happens.
  Result<void> append(const std::string& key, const inspectors::Inspection& inspection);

  std::size_t size() const { return known_.size(); }

 private:
  std::filesystem::path file_;
  std::map<std::string, inspectors::Inspection> known_;
  std::mutex writing_;
};

// Empty when a file cannot be read: such an inspection is not kept.
std::string journal_key(const inspectors::Inspector& inspector, const Sample& sample,
                        std::span<const int> images);

}  // namespace awry::pipeline
