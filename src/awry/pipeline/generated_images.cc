// SPDX-License-Identifier: Apache-2.0
#include "awry/pipeline/generated_images.h"

#include <fmt/format.h>

#include <fstream>

#include "awry/base/clock.h"
#include "awry/base/files.h"
#include "awry/base/hash.h"
#include "awry/base/text.h"
#include "awry/imaging/decode.h"
#include "awry/records/json.h"

namespace awry::pipeline {
namespace {

namespace fs = std::filesystem;

constexpr const char* kJournal = "generated.jsonl";

std::string_view ending_of(std::string_view bytes) {
  if (bytes.starts_with("\x89PNG")) return ".png";
  if (bytes.starts_with("\xff\xd8")) return ".jpg";
  if (bytes.starts_with("RIFF")) return ".webp";
  return ".img";
}

}  // namespace

Result<GeneratedImages> GeneratedImages::open(const fs::path& folder) {
  GeneratedImages images;
  images.folder_ = folder;
  AWRY_TRY(make_folder(folder / "images"));
  std::error_code ignored;
  if (!fs::exists(folder / kJournal, ignored)) return images;
  AWRY_TRY_ASSIGN(const std::string text, read_file(folder / kJournal));
  for (const std::string_view line : split_lines(text)) {
    const Result<Json> json = parse_json(line, kJournal);
    // The last line may have been cut off by a crash; its picture is asked for again.
    if (!json || !json->is_object() || !json->contains("key") || !json->contains("reply")) continue;
    const Result<Reply> reply = from_json<Reply>((*json)["reply"], kJournal);
    if (!reply || !(*json)["key"].is_string() || !json->contains("file") || !(*json)["file"].is_string())
      continue;
    const std::string file = (*json)["file"].get<std::string>();
    ++images.spent_.calls;
    images.spent_.input_tokens += reply->usage.input_tokens;
    images.spent_.output_tokens += reply->usage.output_tokens;
    images.spent_.cost_usd += reply->usage.cost_usd.value_or(0);
    if (fs::exists(folder / file, ignored)) images.files_[(*json)["key"].get<std::string>()] = file;
  }
  return images;
}

std::optional<std::string> GeneratedImages::find(const std::string& key) const {
  const std::lock_guard lock(*writing_);
  const auto found = files_.find(key);
  return found == files_.end() ? std::nullopt : std::optional(found->second);
}

Result<void> GeneratedImages::keep(const std::string& key, const std::string& prompt,
                                   const inspectors::vlm::Generated& picture, const Reply& reply) {
  AWRY_TRY_ASSIGN(const imaging::ImageInfo info,
                  imaging::probe_image_bytes(picture.bytes, "what the endpoint sent"));
  const std::string file = fmt::format("images/{}{}", key.substr(0, 24), ending_of(picture.bytes));
  AWRY_TRY(write_file(folder_ / file, picture.bytes));
  Reply kept = reply;
  kept.key = key;
  kept.text.clear();  // the picture is in its file
  kept.created = utc_timestamp();
  const Json line = {{"key", key},
                     {"file", file},
                     {"sha256", sha256_hex(picture.bytes)},
                     {"width", info.width},
                     {"height", info.height},
                     {"prompt", prompt},
                     {"revised_prompt", picture.revised_prompt},
                     {"reply", to_json(kept)}};
  const std::lock_guard lock(*writing_);
  std::ofstream out(folder_ / kJournal, std::ios::app | std::ios::binary);
  // On a line of its own even after a line that a crash cut off.
  out << '\n' << dump_json(line) << '\n' << std::flush;
  if (!out)
    return fail({.kind = ErrorKind::kIo, .what = "cannot write", .input = (folder_ / kJournal).string()});
  files_[key] = file;
  return {};
}

}  // namespace awry::pipeline
