// SPDX-License-Identifier: Apache-2.0
#include "awry/cli/table.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "awry/base/files.h"
#include "awry/base/text.h"

namespace awry::cli {
namespace {

std::string text(const Table& table) {
  return format_table(table, TableFormat::kText);
}

TEST(TextTable, AlignsNumbersRightAndWordsLeft) {
  const Table table{.columns = {{"sample"}, {"n", "", 3}, {"score", "SemF1", 2}},
                    .rows = {{"cat.png", 7, 0.5}, {"a", 1234, 0.125}}};
  EXPECT_EQ(text(table),
            "sample      n  SemF1\n"
            "cat.png     7   0.50\n"
            "a        1234   0.12\n");
}

TEST(TextTable, CountsColumnsOfTheTerminalNotBytes) {
  // 図表 takes four columns, the e with a combining acute accent one, and so does ä.
  const Table table{.columns = {{"name"}, {"n"}}, .rows = {{"図表", 1}, {"e\u0301te\u0301", 2}, {"ä", 3}}};
  EXPECT_EQ(text(table),
            "name  n\n"
            "図表  1\n"
            "e\u0301te\u0301   2\n"
            "ä     3\n");
}

TEST(TextTable, CutsWideTextWithoutSplittingACharacter) {
  const Table table{.columns = {{"name", "", 3, Align::kLeft, 5}, {"n"}}, .rows = {{"図図図図", 1}}};
  EXPECT_EQ(text(table), "name   n\n図図…  1\n");
}

TEST(TextTable, ShowsWhatIsNotKnownAndNothingThatIsNotThere) {
  const double nan = std::nan("");
  const Table table{.columns = {{"a"}, {"b"}, {"c"}}, .rows = {{Cell(), nan}, {"", -0.0001, true}}};
  EXPECT_EQ(text(table),
            "a      b  c\n"
            "-      -  -\n"
            "   0.000  yes\n");
}

TEST(TextTable, LeavesNoSpacesAtLineEnds) {
  const Table table{.columns = {{"a"}, {"long header"}}, .rows = {{"x", ""}, {"", "y"}}};
  for (const std::string_view line : split_lines(text(table))) EXPECT_FALSE(line.ends_with(' ')) << line;
}

TEST(TextTable, NeverObeysAFileName) {
  const Table table{.columns = {{"name"}},
                    .rows = {{"a\x1b[31mred\nline"}, {"c1 \u009b[2J"}, {"gpj\u202egnp"}, {"\xff\xfe"}}};
  const std::string shown = text(table);
  EXPECT_EQ(std::count(shown.begin(), shown.end(), '\n'), 5);
  EXPECT_EQ(shown.find('\x1b'), std::string::npos);
  EXPECT_EQ(shown.find("\u009b"), std::string::npos);
  EXPECT_EQ(shown.find("\u202e"), std::string::npos);
  EXPECT_TRUE(is_valid_utf8(shown));
}

TEST(TextTable, ColoursWithoutMovingColumns) {
  const Table table{.columns = {{"state"}, {"n"}}, .rows = {{Cell("ok", Tone::kGood), 1}, {"bad", 2}}};
  std::string coloured = format_table(table, TableFormat::kText, true);
  EXPECT_NE(coloured.find("\x1b[32mok\x1b[0m"), std::string::npos);
  for (const char* code : {"\x1b[32m", "\x1b[1m", "\x1b[0m"}) coloured = replace_all(coloured, code, "");
  EXPECT_EQ(coloured, text(table));
}

TEST(MarkdownTable, EscapesBars) {
  const Table table{.columns = {{"a|b"}, {"n"}}, .rows = {{"x|y\nz", 1}}};
  EXPECT_EQ(format_table(table, TableFormat::kMarkdown), "| a\\|b | n |\n| --- | ---: |\n| x\\|y z | 1 |\n");
}

TEST(CsvTable, QuotesAndKeepsAllDigits) {
  const Table table{.columns = {{"key", "Header"}, {"value"}},
                    .rows = {{"a \"b\", c", 1.0 / 3}, {Cell(), 2}}};
  EXPECT_EQ(format_table(table, TableFormat::kCsv), "key,value\n\"a \"\"b\"\", c\",0.3333333333333333\n,2\n");
}

TEST(JsonTable, KeepsTypesAndSaysNullForUnknown) {
  const Table table{.columns = {{"a"}, {"b"}, {"c"}, {"d"}}, .rows = {{"図", 1.5, 2, true}, {INFINITY}}};
  EXPECT_EQ(format_table(table, TableFormat::kJsonLines),
            "{\"a\":\"図\",\"b\":1.5,\"c\":2,\"d\":true}\n"
            "{\"a\":null,\"b\":null,\"c\":null,\"d\":null}\n");
}

TEST(TableFormatFor, GoesByTheFileEnding) {
  EXPECT_EQ(*table_format_for("x/y.CSV"), TableFormat::kCsv);
  EXPECT_EQ(*table_format_for("y.tar.jsonl"), TableFormat::kJsonLines);
  EXPECT_EQ(
      table_format_for("report").error().message(),
      "cannot tell the format of 'report': it has no file ending. Use .json, .jsonl, .csv, .md or .txt.");
}

TEST(WriteResult, PutsTheDocumentIntoJsonAndTheTableElsewhere) {
  const TemporaryFolder folder;
  const Table table{.columns = {{"a"}}, .rows = {{1}}};
  const auto written = [&](TableDestination destination) {
    std::string out;
    Writer writer(out);
    EXPECT_TRUE(write_result(writer, table, "{}\n", destination));
    if (destination.file.empty()) return out;
    EXPECT_EQ(out, "");
    return read_file(destination.file).value_or("nothing");
  };
  EXPECT_EQ(written({}), "a\n1\n");
  EXPECT_EQ(written({.json = true}), "{}\n");
  EXPECT_EQ(written({.file = folder.path() / "x.json"}), "{}\n");
  EXPECT_EQ(written({.file = folder.path() / "x.csv"}), "a\n1\n");
}

TEST(Writer, RemembersThatTheDiskWasFull) {
  std::FILE* full = std::fopen("/dev/full", "w");
  if (full == nullptr) GTEST_SKIP() << "this system has no /dev/full";
  Writer writer(full, false);
  writer.write("lost");
  const auto finished = writer.finish();
  ASSERT_FALSE(finished);
  EXPECT_EQ(finished.error().kind, ErrorKind::kIo);
  EXPECT_EQ(finished.error().message(), "cannot write the output: No space left on device");
  std::fclose(full);
}

TEST(Writer, PaintsOnlyWhenAsked) {
  std::string out;
  Writer plain(out), coloured(out, true);
  EXPECT_EQ(plain.paint(Tone::kBad, "x"), "x");
  EXPECT_EQ(coloured.paint(Tone::kBad, "x"), "\x1b[31mx\x1b[0m");
  EXPECT_EQ(coloured.paint(Tone::kPlain, "x"), "x");
}

}  // namespace
}  // namespace awry::cli
