// SPDX-License-Identifier: Apache-2.0
// Rows under named columns, from CSV, TSV or JSON lines. Every row knows its line, so that whoever reads
// meaning into it can say where the meaning ended.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "awry/base/result.h"

namespace awry::cli {

struct Row {
  std::size_t line = 0;             // from 1; where the row begins
  std::vector<std::string> fields;  // as many as there are columns, without spaces around; empty: not given
};

struct RowFile {
  std::string source;  // for errors
  std::vector<std::string> columns;
  std::vector<Row> rows;

  std::string place(const Row& row) const;  // "votes.csv:5"
};

// By file ending (.csv, .tsv, .jsonl, .ndjson); anything else, and "-" for stdin, by its first line. Text
// with commas may as well have semicolons or tabs: the header tells. The header is required; an empty or
// repeated name in it is an error, and so is a row with more or fewer fields.
Result<RowFile> read_row_file(const std::filesystem::path& path);

Result<RowFile> parse_delimited_rows(std::string_view text, std::string_view source, char separator);
// One object each; its names are the columns, null and a name that is missing are empty fields.
Result<RowFile> parse_json_rows(std::string_view text, std::string_view source);

}  // namespace awry::cli
