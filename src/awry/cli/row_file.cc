// SPDX-License-Identifier: Apache-2.0
#include "awry/cli/row_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>

#include "awry/base/files.h"
#include "awry/base/json.h"
#include "awry/base/text.h"

namespace awry::cli {

namespace {

constexpr auto kWhat = "cannot read rows";

std::string place_of(std::string_view source, std::size_t line) {
  return fmt::format("{}:{}", source, line);
}

// Splits text into rows of raw fields: "a ""quoted"" field" may hold separators and line breaks.
class DelimitedReader {
 public:
  DelimitedReader(std::string_view text, std::string_view source, char separator)
      : text_(text), source_(source), separator_(separator) {}

  bool at_end() const { return position_ >= text_.size(); }

  Result<Row> next() {
    Row row{.line = line_};
    for (;;) {
      AWRY_TRY_ASSIGN(std::string field, take_field());
      row.fields.push_back(std::move(field));
      if (at_end()) return row;
      const char end = text_[position_++];
      if (end == separator_) continue;
      if (end == '\r' && !at_end() && text_[position_] == '\n') ++position_;
      ++line_;
      return row;
    }
  }

 private:
  Result<std::string> take_field() {
    const std::size_t start = std::min(text_.find_first_not_of(' ', position_), text_.size());
    if (start < text_.size() && text_[start] == '"') {
      position_ = start;
      return take_quoted();
    }
    const char ends[] = {separator_, '\n', '\r'};
    const std::size_t end = std::min(text_.find_first_of({ends, 3}, position_), text_.size());
    const std::string_view field = text_.substr(position_, end - position_);
    position_ = end;
    return std::string(trim(field));
  }

  Result<std::string> take_quoted() {
    const std::size_t opened = line_;
    std::string field;
    for (++position_; !at_end(); ++position_) {
      const char c = text_[position_];
      if (c == '\n') ++line_;
      if (c != '"') {
        field += c;
      } else if (position_ + 1 < text_.size() && text_[position_ + 1] == '"') {
        field += text_[++position_];
      } else {
        return after_quote(field);
      }
    }
    return fail({.what = kWhat,
                 .input = place_of(source_, opened),
                 .why = "a quote is opened here and never closed"});
  }

  Result<std::string> after_quote(const std::string& field) {
    ++position_;
    while (!at_end() && text_[position_] == ' ') ++position_;
    if (at_end() || text_[position_] == separator_ || text_[position_] == '\n' || text_[position_] == '\r') {
      return std::string(trim(field));
    }
    return fail({.what = kWhat,
                 .input = place_of(source_, line_),
                 .why = fmt::format("'{}' follows a closing quote", text_.substr(position_, 1)),
                 .hint = "Inside a quoted field a quote is written twice."});
  }

  std::string_view text_, source_;
  char separator_;
  std::size_t position_ = 0, line_ = 1;
};

bool is_blank(const Row& row) {
  return row.fields.size() == 1 && row.fields.front().empty();
}

Result<void> check_columns(const RowFile& file, std::size_t line) {
  for (std::size_t i = 0; i < file.columns.size(); ++i) {
    const std::string& name = file.columns[i];
    const auto before = file.columns.begin() + static_cast<std::ptrdiff_t>(i);
    if (!name.empty() && std::find(file.columns.begin(), before, name) == before) continue;
    return fail({.what = kWhat,
                 .input = place_of(file.source, line),
                 .why = name.empty() ? fmt::format("column {} has no name in the header", i + 1)
                                     : fmt::format("two columns are named '{}'", name),
                 .hint = "The first line must name every column once."});
  }
  return {};
}

Result<std::string> as_field(const Json& value, std::string_view name, const std::string& place) {
  if (value.is_null()) return "";
  if (value.is_string()) return std::string(trim(value.get_ref<const std::string&>()));
  if (value.is_primitive()) return dump_json(value);
  return fail(
      {.what = kWhat,
       .input = place,
       .why = fmt::format("'{}' holds a JSON {}; text or a number is wanted", name, value.type_name())});
}

Result<std::string> read_all(const std::filesystem::path& path) {
  if (path != "-") return read_file(path);
  std::string text;
  char buffer[65536];
  while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, stdin)) {
    text.append(buffer, count);
    if (text.size() > kDefaultReadLimit) {
      return fail({.kind = ErrorKind::kLimit, .what = kWhat, .input = "stdin", .why = "it is too large"});
    }
  }
  return text;
}

// The separator that the header has most of, outside quotes.
char separator_of(std::string_view header) {
  std::map<char, int> counts;
  bool quoted = false;
  for (const char c : header) {
    if (c == '\n') break;
    if (c == '"') quoted = !quoted;
    if (!quoted) ++counts[c];
  }
  char best = ',';
  for (const char candidate : {'\t', ';'}) {
    if (counts[candidate] > counts[best]) best = candidate;
  }
  return best;
}

}  // namespace

std::string RowFile::place(const Row& row) const {
  return place_of(source, row.line);
}

Result<RowFile> parse_delimited_rows(std::string_view text, std::string_view source, char separator) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  RowFile file{.source = std::string(source)};
  DelimitedReader reader(text, file.source, separator);
  while (!reader.at_end()) {
    AWRY_TRY_ASSIGN(Row row, reader.next());
    if (is_blank(row)) continue;
    if (file.columns.empty()) {
      file.columns = std::move(row.fields);
      AWRY_TRY(check_columns(file, row.line));
      continue;
    }
    if (row.fields.size() != file.columns.size()) {
      return fail(
          {.what = kWhat,
           .input = file.place(row),
           .why = fmt::format("{} fields, but the header names {}", row.fields.size(), file.columns.size()),
           .hint = "A field with a separator in it needs quotes."});
    }
    file.rows.push_back(std::move(row));
  }
  return file;
}

namespace {

// Objects become rows; a column is what any of them has a field for.
class ObjectRows {
 public:
  explicit ObjectRows(std::string_view source) { file_.source = source; }

  Result<void> add(const Json& object, std::size_t number) {
    Row row{.line = number};
    const std::string place = file_.place(row);
    if (!object.is_object()) {
      return fail({.what = kWhat, .input = place, .why = "every line must be one JSON object"});
    }
    for (const auto& [name, value] : object.items()) {
      const auto [column, is_new] = index_.emplace(name, file_.columns.size());
      if (is_new) file_.columns.push_back(name);
      if (row.fields.size() <= column->second) row.fields.resize(column->second + 1);
      AWRY_TRY_ASSIGN(row.fields[column->second], as_field(value, name, place));
    }
    file_.rows.push_back(std::move(row));
    return {};
  }

  RowFile take() {
    for (Row& row : file_.rows) row.fields.resize(file_.columns.size());
    return std::move(file_);
  }

 private:
  RowFile file_;
  std::map<std::string, std::size_t, std::less<>> index_;
};

}  // namespace

Result<RowFile> parse_json_rows(std::string_view text, std::string_view source) {
  ObjectRows rows(source);
  std::size_t number = 0;
  if (trim(text).starts_with('[')) {
    AWRY_TRY_ASSIGN(const Json list, parse_json(text, source));
    for (const Json& object : list) AWRY_TRY(rows.add(object, ++number));
    return rows.take();
  }
  for (const std::string_view line : split_lines(text)) {
    ++number;
    if (trim(line).empty()) continue;
    AWRY_TRY_ASSIGN(const Json object, parse_json(line, place_of(source, number)));
    AWRY_TRY(rows.add(object, number));
  }
  return rows.take();
}

Result<RowFile> read_row_file(const std::filesystem::path& path) {
  AWRY_TRY_ASSIGN(const std::string text, read_all(path));
  const std::string source = path == "-" ? "stdin" : path.string();
  if (!is_valid_utf8(text)) {
    return fail({.what = kWhat,
                 .input = source,
                 .why = "it is not UTF-8 text",
                 .hint = "Save it as UTF-8, for instance with: iconv -f latin1 -t utf8."});
  }
  if (trim(text).empty()) return fail({.what = kWhat, .input = source, .why = "it is empty"});
  const std::string ending = to_lower_ascii(path.extension().string());
  if (ending == ".jsonl" || ending == ".ndjson" || ending == ".json") return parse_json_rows(text, source);
  if (ending == ".tsv") return parse_delimited_rows(text, source, '\t');
  const char first = trim(text).front();
  if (ending != ".csv" && (first == '{' || first == '[')) return parse_json_rows(text, source);
  return parse_delimited_rows(text, source, separator_of(text));
}

}  // namespace awry::cli
