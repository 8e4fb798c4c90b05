// SPDX-License-Identifier: Apache-2.0
// Downloads a model when, and only when, the user asks for it.
//
// A file arrives as NAME.part and is continued where it stopped. It gets its name once its size and its hash
// are those that the server lists: sha256 for large files, git's blob hash for small ones.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "awry/base/result.h"
#include "awry/inspectors/networks/model_folders.h"

namespace awry::inspectors::networks {

struct FetchOptions {
  std::string base_url = "https://huggingface.co";
  std::string revision = "main";
  std::filesystem::path folder;  // where the files go
  std::function<void(std::string_view file, std::uint64_t done, std::uint64_t total)> progress;
  std::function<bool()> cancelled;
};

struct FetchedFile {
  std::string name;
  std::uint64_t bytes = 0, downloaded = 0;  // downloaded now; the rest was there
};

// Of the files that the model needs, those that the server has. config.json, weights and what the tokenizer
// cannot do without must be among them.
Result<std::vector<FetchedFile>> fetch_model(const KnownModel& model, const FetchOptions& options);

// What git calls a file with this content.
std::string git_blob_hash(std::string_view content);

}  // namespace awry::inspectors::networks
