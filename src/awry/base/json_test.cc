// SPDX-License-Identifier: Apache-2.0
#include "awry/base/json.h"

#include <gmock/gmock.h>

#include "awry/base/files.h"

namespace awry {
namespace {

using testing::HasSubstr;

std::string complaint(std::string_view text) {
  const Result<Json> json = parse_json(text, "answers.json");
  return json ? "" : json.error().message();
}

TEST(ParseJson, KeepsTheOrderOfFields) {
  const auto json = parse_json(R"({"z":1,"a":[true,null]})", "x");
  ASSERT_TRUE(json);
  EXPECT_EQ(dump_json(*json), R"({"z":1,"a":[true,null]})");
}

TEST(ParseJson, NamesTheSourceAndTheLineOfAMistake) {
  EXPECT_THAT(complaint("{\n  \"a\": 1,\n  oops\n}"),
              testing::AllOf(HasSubstr("answers.json"), HasSubstr("line 3")));
}

TEST(ParseJson, TellsATruncatedFileFromAWrongOne) {
  EXPECT_THAT(complaint("{\"a\": [1, 2"), HasSubstr("truncated"));
  EXPECT_THAT(complaint("{\"a\": 1]"), HasSubstr("syntax error"));
  EXPECT_THAT(complaint(" \n"), HasSubstr("empty"));
}

TEST(ParseJson, RefusesToNestWithoutEnd) {
  const std::string bomb(100'000, '[');
  const auto json = parse_json(bomb, "bomb");
  ASSERT_FALSE(json);
  EXPECT_EQ(json.error().kind, ErrorKind::kLimit);
  EXPECT_TRUE(parse_json(std::string("\"") + std::string(1000, '[') + "\"", "x"))
      << "brackets in text are text";
}

TEST(ParseJson, AcceptsAByteOrderMark) {
  EXPECT_TRUE(parse_json("\xEF\xBB\xBF{}", "x"));
}

TEST(DumpJson, NeverThrowsOnInvalidUtf8) {
  EXPECT_EQ(dump_json(Json("a\xFF")), "\"a\xEF\xBF\xBD\"");
}

TEST(JsonFiles, RoundTrip) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "ünï.json";
  ASSERT_TRUE(write_json_file(path, Json{{"k", 1.5}}));
  EXPECT_EQ((*read_json_file(path))["k"], 1.5);
}

}  // namespace
}  // namespace awry
