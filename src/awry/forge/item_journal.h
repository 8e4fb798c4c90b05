// SPDX-License-Identifier: Apache-2.0
// What an unfinished set has already: one line for each question whose files are written, in
// unfinished.jsonl. Going on reads it; a finished set has none.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>

#include "awry/base/json.h"
#include "awry/base/result.h"

namespace awry::forge {

inline constexpr const char* kItemJournal = "unfinished.jsonl";

class ItemJournal {
 public:
  // A last line cut off by a crash is forgotten, and so are items that lack a file. An error when a file of
  // an item has been changed since.
  static Result<ItemJournal> open(const std::filesystem::path& set_folder);

  // Before any thread begins to append.
  const Json* find(std::size_t index) const;
  // Any thread. `files` of the item name its files and their hashes.
  Result<void> append(std::size_t index, const Json& item);

 private:
  std::filesystem::path folder_;
  std::map<std::size_t, Json> known_;
  std::unique_ptr<std::mutex> mutex_ = std::make_unique<std::mutex>();
};

}  // namespace awry::forge
