// SPDX-License-Identifier: Apache-2.0
// Whose folder is it? A set is written only into a folder that is empty or was begun with the same options,
// and metadata.json, written first and again at the end, says which.
#pragma once

#include <filesystem>

#include "awry/base/json.h"
#include "awry/base/result.h"

namespace awry::forge {

// Which program made a set. The version rises when painters or forgers change what the same options give: old
// sets are then recognised as other.
struct Maker {
  const char* name;  // "awry forge themis"
  int version;
};
inline constexpr Maker kThemisMaker{"awry forge themis", 5}, kPanelMaker{"awry forge panel-ad", 3},
    kPartsMaker{"awry forge parts", 3};

struct FolderClaim {
  bool finished = false;
  Json metadata;  // an object; of a finished set only
};

// Creates the folder if need be. Errors: it holds other files, a set of other options, or a finished set in
// which a file has been changed since. A finished set that lacks a file counts as unfinished.
Result<FolderClaim> claim_folder(const std::filesystem::path& folder, const Json& options,
                                 const Maker& maker = kThemisMaker);

// `files` maps paths below the folder to their hashes. True when every file is there; an error when one is
// there but is not what was written.
Result<bool> files_are_intact(const std::filesystem::path& folder, const Json& files);

// Replaces metadata.json. `content` joins the options and the digest.
Result<void> finish_folder(const std::filesystem::path& folder, const Json& options, const Json& content,
                           const Maker& maker = kThemisMaker);

}  // namespace awry::forge
