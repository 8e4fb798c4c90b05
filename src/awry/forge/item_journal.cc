// SPDX-License-Identifier: Apache-2.0
#include "awry/forge/item_journal.h"

#include <fstream>

#include "awry/base/files.h"
#include "awry/base/text.h"
#include "awry/forge/set_folder.h"

namespace awry::forge {

namespace fs = std::filesystem;

Result<ItemJournal> ItemJournal::open(const fs::path& set_folder) {
  ItemJournal journal;
  journal.folder_ = set_folder;
  std::error_code error;
  if (!fs::exists(set_folder / kItemJournal, error)) return journal;
  AWRY_TRY_ASSIGN(const std::string text, read_file(set_folder / kItemJournal));
  std::string whole;
  for (const std::string_view line : split_lines(text)) {
    auto entry = parse_json(line, kItemJournal);
    if (!entry || !entry->is_object() || !entry->contains("index") || !entry->contains("item")) continue;
    try {
      Json& item = entry->at("item");
      AWRY_TRY_ASSIGN(const bool intact, files_are_intact(set_folder, item.at("files")));
      if (!intact) continue;
      journal.known_[entry->at("index").get<std::size_t>()] = std::move(item);
      whole.append(line).append("\n");
    } catch (const Json::exception&) {  // not a line of ours: the question is simply forged again
      continue;
    }
  }
  // So that the next line does not follow a half one.
  AWRY_TRY(write_file(set_folder / kItemJournal, whole));
  return journal;
}

const Json* ItemJournal::find(std::size_t index) const {
  const auto found = known_.find(index);
  return found == known_.end() ? nullptr : &found->second;
}

Result<void> ItemJournal::append(std::size_t index, const Json& item) {
  const std::string line = dump_json({{"index", index}, {"item", item}}) + "\n";
  const std::lock_guard lock(*mutex_);
  std::ofstream file(folder_ / kItemJournal, std::ios::app | std::ios::binary);
  file << line << std::flush;
  if (file) return {};
  return fail({.kind = ErrorKind::kIo,
               .what = "cannot write",
               .input = (folder_ / kItemJournal).string(),
               .why = "the disk may be full"});
}

}  // namespace awry::forge
