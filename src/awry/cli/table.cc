// SPDX-License-Identifier: Apache-2.0
#include "awry/cli/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "awry/base/files.h"
#include "awry/base/json.h"
#include "awry/base/text.h"

namespace awry::cli {

namespace {

const Cell& cell_at(const std::vector<Cell>& row, std::size_t column) {
  static const Cell kUnknown;
  return column < row.size() ? row[column] : kUnknown;
}

std::string header_of(const Column& column) {
  return printable(column.header.empty() ? column.key : column.header);
}

std::string for_people(const Cell& cell, const Column& column) {
  struct Visitor {
    const Column& column;
    std::string operator()(std::monostate) const { return "-"; }
    std::string operator()(const std::string& text) const {
      const std::string safe = printable(text);
      return column.max_width > 0 ? shorten(safe, column.max_width) : safe;
    }
    std::string operator()(long long number) const { return fmt::format("{}", number); }
    std::string operator()(double number) const {
      if (!std::isfinite(number)) return "-";
      const std::string text = fmt::format("{:.{}f}", number, column.decimals);
      const bool minus_nothing = text.starts_with('-') && text.find_first_not_of("-0.") == std::string::npos;
      return minus_nothing ? text.substr(1) : text;
    }
    std::string operator()(bool truth) const { return truth ? "yes" : "no"; }
  };
  return std::visit(Visitor{column}, cell.value);
}

Json as_json(const Cell& cell) {
  struct Visitor {
    Json operator()(std::monostate) const { return nullptr; }
    Json operator()(const std::string& text) const { return text; }
    Json operator()(long long number) const { return number; }
    Json operator()(double number) const { return std::isfinite(number) ? Json(number) : Json(nullptr); }
    Json operator()(bool truth) const { return truth; }
  };
  return std::visit(Visitor{}, cell.value);
}

std::string as_csv(const Cell& cell) {
  struct Visitor {
    std::string operator()(std::monostate) const { return ""; }
    std::string operator()(const std::string& text) const {
      if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
      return fmt::format("\"{}\"", replace_all(text, "\"", "\"\""));
    }
    std::string operator()(long long number) const { return fmt::format("{}", number); }
    std::string operator()(double number) const {
      return std::isfinite(number) ? fmt::format("{}", number) : "";
    }
    std::string operator()(bool truth) const { return truth ? "true" : "false"; }
  };
  return std::visit(Visitor{}, cell.value);
}

bool holds_only_numbers(const Table& table, std::size_t column) {
  bool any = false;
  for (const auto& row : table.rows) {
    const auto& value = cell_at(row, column).value;
    if (std::holds_alternative<std::monostate>(value)) continue;
    if (!std::holds_alternative<long long>(value) && !std::holds_alternative<double>(value)) return false;
    any = true;
  }
  return any;
}

bool aligns_right(const Table& table, std::size_t column) {
  const Align align = table.columns[column].align;
  return align == Align::kRight || (align == Align::kAuto && holds_only_numbers(table, column));
}

std::string text_table(const Table& table, bool colour) {
  struct Piece {
    std::string text;
    Tone tone;
  };
  std::vector<std::vector<Piece>> lines(1);
  for (const Column& column : table.columns) lines[0].push_back({header_of(column), Tone::kStrong});
  for (const auto& row : table.rows) {
    auto& line = lines.emplace_back();
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      line.push_back({for_people(cell_at(row, i), table.columns[i]), cell_at(row, i).tone});
    }
  }
  std::vector<int> widths(table.columns.size());
  for (const auto& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      widths[i] = std::max(widths[i], display_width(line[i].text));
    }
  }
  std::string result;
  for (const auto& line : lines) {
    std::string pending;  // spaces that are only written when something follows them
    for (std::size_t i = 0; i < line.size(); ++i) {
      const std::string padding(static_cast<std::size_t>(widths[i] - display_width(line[i].text)), ' ');
      const bool right = aligns_right(table, i);
      if (right) pending += padding;
      if (!line[i].text.empty()) {
        result += pending + painted(line[i].tone, line[i].text, colour);
        pending.clear();
      }
      if (!right) pending += padding;
      pending += "  ";
    }
    result += '\n';
  }
  return result;
}

std::string markdown_table(const Table& table) {
  const auto escaped = [](std::string_view text) { return replace_all(text, "|", "\\|"); };
  std::string header = "|", rule = "|", body;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    header += fmt::format(" {} |", escaped(header_of(table.columns[i])));
    rule += aligns_right(table, i) ? " ---: |" : " --- |";
  }
  for (const auto& row : table.rows) {
    body += '|';
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      body += fmt::format(" {} |", escaped(for_people(cell_at(row, i), table.columns[i])));
    }
    body += '\n';
  }
  return header + "\n" + rule + "\n" + body;
}

std::string csv_table(const Table& table) {
  std::string result;
  const auto add_line = [&](auto cell_text) {
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      if (i > 0) result += ',';
      result += cell_text(i);
    }
    result += '\n';
  };
  add_line([&](std::size_t i) { return as_csv(Cell(table.columns[i].key)); });
  for (const auto& row : table.rows) {
    add_line([&](std::size_t i) { return as_csv(cell_at(row, i)); });
  }
  return result;
}

Json row_as_json(const Table& table, const std::vector<Cell>& row) {
  Json object = Json::object();
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    object[table.columns[i].key] = as_json(cell_at(row, i));
  }
  return object;
}

std::string json_table(const Table& table) {
  Json rows = Json::array();
  for (const auto& row : table.rows) rows.push_back(row_as_json(table, row));
  return dump_json_pretty(rows);
}

std::string json_lines_table(const Table& table) {
  std::string result;
  for (const auto& row : table.rows) result += dump_json(row_as_json(table, row)) + "\n";
  return result;
}

}  // namespace

Result<TableFormat> table_format_for(const std::filesystem::path& path) {
  const std::string ending = to_lower_ascii(path.extension().string());
  if (ending == ".txt") return TableFormat::kText;
  if (ending == ".md") return TableFormat::kMarkdown;
  if (ending == ".csv") return TableFormat::kCsv;
  if (ending == ".json") return TableFormat::kJson;
  if (ending == ".jsonl") return TableFormat::kJsonLines;
  return fail({.kind = ErrorKind::kUsage,
               .what = "cannot tell the format of",
               .input = path.string(),
               .why = ending.empty() ? "it has no file ending" : fmt::format("'{}' is not known", ending),
               .hint = "Use .json, .jsonl, .csv, .md or .txt."});
}

std::string format_table(const Table& table, TableFormat format, bool colour) {
  switch (format) {
    case TableFormat::kText:
      return text_table(table, colour);
    case TableFormat::kMarkdown:
      return markdown_table(table);
    case TableFormat::kCsv:
      return csv_table(table);
    case TableFormat::kJson:
      return json_table(table);
    case TableFormat::kJsonLines:
      return json_lines_table(table);
  }
  return "";
}

Result<void> write_table(Writer& out, const Table& table, const TableDestination& destination) {
  if (destination.file.empty() || destination.file == "-") {
    out.write(format_table(table, destination.json ? TableFormat::kJson : TableFormat::kText, out.colour()));
    return {};
  }
  AWRY_TRY_ASSIGN(const TableFormat format, table_format_for(destination.file));
  return write_file(destination.file, format_table(table, format));
}

Result<void> write_result(Writer& out, const Table& table, std::string_view json,
                          const TableDestination& destination) {
  const bool to_stdout = destination.file.empty() || destination.file == "-";
  if (to_stdout && destination.json) {
    out.write(json);
    return {};
  }
  if (!to_stdout) {
    AWRY_TRY_ASSIGN(const TableFormat format, table_format_for(destination.file));
    if (format == TableFormat::kJson) return write_file(destination.file, json);
  }
  return write_table(out, table, destination);
}

}  // namespace awry::cli
