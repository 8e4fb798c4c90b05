// SPDX-License-Identifier: Apache-2.0
// One table, five faces: text for the terminal, Markdown, CSV, JSON and JSON lines.
//
//   Table table{.columns = {{"sample"}, {"score", "SemF1"}}};
//   table.rows.push_back({"cat.png", 0.8125});
//   AWRY_TRY(write_table(context.out, table, {.json = options.json, .file = options.output}));
#pragma once

#include <concepts>
#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "awry/base/result.h"
#include "awry/cli/writer.h"

namespace awry::cli {

struct Cell {
  std::variant<std::monostate, std::string, long long, double, bool> value;  // monostate: not known
  Tone tone = Tone::kPlain;                                                  // on the terminal only

  Cell() = default;
  Cell(std::string text, Tone tone_ = Tone::kPlain) : value(std::move(text)), tone(tone_) {}
  Cell(std::string_view text, Tone tone_ = Tone::kPlain) : value(std::string(text)), tone(tone_) {}
  Cell(const char* text, Tone tone_ = Tone::kPlain) : value(std::string(text)), tone(tone_) {}
  Cell(bool truth) : value(truth) {}
  template <std::integral Integer>
  requires(!std::same_as<Integer, bool>) Cell(Integer number, Tone tone_ = Tone::kPlain)
      : value(static_cast<long long>(number)), tone(tone_) {}
  Cell(double number, Tone tone_ = Tone::kPlain) : value(number), tone(tone_) {}
};

enum class Align { kAuto, kLeft, kRight };  // kAuto: columns of numbers to the right

struct Column {
  std::string key;     // the field's name in JSON and CSV
  std::string header;  // for people; default: the key
  int decimals = 3;    // of fractions, for people; CSV and JSON keep all digits
  Align align = Align::kAuto;
  int max_width = 0;  // longer text is cut for people; 0: never
};

struct Table {
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;  // short rows are filled with unknown cells
};

enum class TableFormat { kText, kMarkdown, kCsv, kJson, kJsonLines };

// By file ending; an unknown one is an error that lists those known.
Result<TableFormat> table_format_for(const std::filesystem::path& path);

// Unknown is "-" in text and Markdown, empty in CSV, null in JSON; so is a number that is not finite.
// Control characters in text never reach the terminal. Text lines have no trailing spaces.
std::string format_table(const Table& table, TableFormat format, bool colour = false);

struct TableDestination {
  bool json = false;           // on stdout
  std::filesystem::path file;  // empty or "-": stdout
};
Result<void> write_table(Writer& out, const Table& table, const TableDestination& destination);
// The same, for results of which the table is only a part: --json and .json files get `json` instead.
Result<void> write_result(Writer& out, const Table& table, std::string_view json,
                          const TableDestination& destination);

}  // namespace awry::cli
