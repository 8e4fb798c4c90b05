// SPDX-License-Identifier: Apache-2.0
#include "awry/forge/set_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "awry/base/files.h"
#include "awry/base/hash.h"

namespace awry::forge {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMetadata = "metadata.json";

std::string digest_of(const Json& options, const Maker& maker) {
  return FieldHasher()
      .add(maker.name)
      .add(static_cast<std::uint64_t>(maker.version))
      .add(dump_json(options))
      .hex();
}

Json header(const Json& options, const Maker& maker, bool finished) {
  return {{"made_by", maker.name},
          {"version", maker.version},
          {"options", options},
          {"options_digest", digest_of(options, maker)},
          {"finished", finished}};
}

tl::unexpected<Error> refuse(const fs::path& folder, std::string why) {
  return fail({.kind = ErrorKind::kUsage,
               .what = "cannot forge a set into",
               .input = folder.string(),
               .why = std::move(why),
               .hint = "Choose another folder, or remove this one."});
}

// A process killed while it wrote leaves the unfinished copy of a file: "metadata.json.a8Xk2Q"
// (base/files.h).
bool is_left_over(const fs::path& path) {
  constexpr std::string_view kOurs[] = {".json", ".jsonl", ".html", ".png", ".jpg", ".webp", ".tiff", ".bmp"};
  return path.extension().string().size() == 7 &&
         std::ranges::find(kOurs, path.stem().extension().string()) != std::end(kOurs);
}

void remove_left_overs(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code ignored;
  for (fs::recursive_directory_iterator entry(folder, ignored), end; !ignored && entry != end;
       entry.increment(ignored)) {
    if (entry->is_regular_file(ignored) && is_left_over(entry->path())) found.push_back(entry->path());
  }
  for (const fs::path& path : found) fs::remove(path, ignored);
}

Result<bool> holds_other_files(const fs::path& folder) {
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    if (!is_left_over(entry->path())) return true;
  }
  if (error)
    return fail({.kind = ErrorKind::kIo,
                 .what = "cannot read folder",
                 .input = folder.string(),
                 .why = error.message()});
  return false;
}

std::string text_of(const Json& json, const char* field) {
  const auto found = json.find(field);
  return found != json.end() && found->is_string() ? found->get<std::string>() : "";
}

std::string first_difference(const Json& wanted, const Json& there) {
  for (const auto& [name, value] : wanted.items()) {
    const auto found = there.find(name);
    if (found == there.end() || *found != value) {
      return fmt::format("its option {} is {}, not {}", name,
                         found == there.end() ? "absent" : dump_json(*found), dump_json(value));
    }
  }
  return "another version of awry made it";
}

Result<bool> is_finished(const fs::path& folder, const Json& metadata) {
  try {
    if (!metadata.at("finished").get<bool>()) return false;
    AWRY_TRY_ASSIGN(bool complete, files_are_intact(folder, metadata.at("files")));
    for (const Json& item : metadata.at("items")) {
      AWRY_TRY_ASSIGN(const bool item_is_complete, files_are_intact(folder, item.at("files")));
      complete = complete && item_is_complete;
    }
    return complete;
  } catch (const Json::exception&) {  // a field is missing or of the wrong type
    return refuse(folder, fmt::format("its {} is damaged", kMetadata));
  }
}

}  // namespace

Result<bool> files_are_intact(const fs::path& folder, const Json& files) {
  bool complete = true;
  for (const auto& [name, hash] : files.items()) {
    const std::string written = hash.get<std::string>();
    std::error_code error;
    if (!fs::exists(folder / name, error)) {
      complete = false;
      continue;
    }
    AWRY_TRY_ASSIGN(const std::string found, sha256_hex_of_file(folder / name));
    if (written != found) return refuse(folder, fmt::format("its file '{}' has been changed since", name));
  }
  return complete;
}

Result<FolderClaim> claim_folder(const fs::path& folder, const Json& options, const Maker& maker) {
  AWRY_TRY(make_folder(folder));
  FolderClaim claim;
  std::error_code error;
  if (!fs::exists(folder / kMetadata, error)) {
    AWRY_TRY_ASSIGN(const bool occupied, holds_other_files(folder));
    if (occupied) return refuse(folder, "it holds files that are not part of a forged set");
    AWRY_TRY(write_json_file(folder / kMetadata, header(options, maker, false)));
    return claim;
  }

  auto there = read_json_file(folder / kMetadata);
  if (!there || !there->is_object() || text_of(*there, "made_by") != maker.name)
    return refuse(folder, fmt::format("its {} does not describe a forged set", kMetadata));
  if (text_of(*there, "options_digest") != digest_of(options, maker)) {
    const Json theirs = there->value("options", Json::object());
    return refuse(folder,
                  fmt::format("it holds another set: {}",
                              first_difference(options, theirs.is_object() ? theirs : Json::object())));
  }
  AWRY_TRY_ASSIGN(claim.finished, is_finished(folder, *there));
  if (claim.finished) {
    claim.metadata = std::move(*there);
  } else {
    remove_left_overs(folder);
  }
  return claim;
}

Result<void> finish_folder(const fs::path& folder, const Json& options, const Json& content,
                           const Maker& maker) {
  Json metadata = header(options, maker, true);
  metadata.update(content);
  return write_json_file(folder / kMetadata, metadata);
}

}  // namespace awry::forge
