// SPDX-License-Identifier: Apache-2.0
#include "awry/pipeline/stored_items.h"

#include <fmt/format.h>

#include <utility>

#include "awry/base/files.h"
#include "awry/base/text.h"
#include "awry/pipeline/recording.h"
#include "awry/records/json.h"

namespace awry::pipeline {
namespace {

Result<StoredItem> read_item(const Json& line, const std::string& source) {
  const auto complain = [&](std::string why) {
    return fail({.what = "cannot read the samples of a run", .input = source, .why = std::move(why)});
  };
  if (!line.is_object() || !line.contains("sample") || !line.contains("asked") || !line["asked"].is_array()) {
    return complain("'sample' or 'asked' is missing");
  }
  StoredItem item;
  AWRY_TRY_ASSIGN(item.sample, from_json<Sample>(line["sample"], source));
  for (const Json& asked : line["asked"]) {
    if (!asked.is_object() || !asked.contains("question") || !asked.contains("reply")) {
      return complain("something asked has no question or no reply");
    }
    AWRY_TRY_ASSIGN(Question question, from_json<Question>(asked["question"], source));
    AWRY_TRY_ASSIGN(Reply reply, from_json<Reply>(asked["reply"], source));
    item.questions.push_back(std::move(question));
    item.replies.push_back(std::move(reply));
  }
  return item;
}

}  // namespace

Result<StoredItems> read_stored_items(const std::filesystem::path& run_folder) {
  StoredItems stored;
  AWRY_TRY_ASSIGN(Recording recording, read_recording(run_folder));
  stored.run = std::move(recording.run);
  stored.identity = std::move(recording.identity);
  const std::filesystem::path path = run_folder / "samples.jsonl";
  AWRY_TRY_ASSIGN(const std::string content, read_file(path));
  std::size_t number = 0;
  for (const std::string_view line : split_lines(content)) {
    ++number;
    if (trim(line).empty()) continue;
    const std::string source = fmt::format("{}:{}", path.string(), number);
    AWRY_TRY_ASSIGN(const Json json, parse_json(line, source));
    AWRY_TRY_ASSIGN(StoredItem item, read_item(json, source));
    stored.items.push_back(std::move(item));
  }
  return stored;
}

}  // namespace awry::pipeline
