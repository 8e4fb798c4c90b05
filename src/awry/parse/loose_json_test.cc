// SPDX-License-Identifier: Apache-2.0
#include "awry/parse/loose_json.h"

#include <set>

#include "awry/parse/support_test.h"

namespace awry::parse {
namespace {

struct Case {
  std::string_view text;
  std::string_view json;  // strict
  std::string_view note;  // part of what is tolerated; empty: nothing is
};

TEST(ReadLooseJson, ReadsStrictJsonWithoutRemark) {
  for (std::string_view text :
       {"{}", "[]", "null", "true", "-12.5e-3", R"("a\"b\\c\n\u00e9\ud83d\ude00")",
        R"({"Whether Normal": false, "Type of Deformity": {"L2: Abnormal Human Anatomy": ["L3: Hand"]}})",
        R"([[1, 2], {"a": {"b": [null]}}, "", 9007199254740993])", " \n{\t\"a\" :\r\n1 } "}) {
    const auto read = read_loose_json(text);
    ASSERT_TRUE(read) << text << ": " << read.error().message();
    EXPECT_EQ(read->value.json, *parse_json(text, "test")) << text;
    EXPECT_EQ(complaint_of(read->tolerated), "") << text;
    EXPECT_FALSE(read->value.truncated);
  }
}

TEST(ReadLooseJson, ReadsWhatModelsWriteInstead) {
  const Case cases[] = {
      {"{'a': True, 'b': None}", R"({"a": true, "b": null})", "Python"},
      {"{'a': \"it's\"}", R"({"a": "it's"})", "single"},
      {"{'a': 'the man's hand'}", R"({"a": "the man's hand"})", "unescaped"},
      {"{\u201ca\u201d: \u201cb\u201d}", R"({"a": "b"})", "typographic"},
      {R"({"a": "he said "no" twice"})", R"({"a": "he said \"no\" twice"})", "unescaped"},
      {R"({"a": 1,})", R"({"a": 1})", "trailing comma"},
      {"[1, 2, ]", "[1, 2]", "trailing comma"},
      {"{\"a\": \"x\"\n\"b\": \"y\"}", R"({"a": "x", "b": "y"})", "missing comma"},
      {R"([{"a": 1} {"a": 2}])", R"([{"a": 1}, {"a": 2}])", "missing comma"},
      {"{a: 1, box width: 2}", R"({"a": 1, "box width": 2})", "without quotes"},
      {"{a = 1}", R"({"a": 1})", "'='"},
      {"(1, 2)", "[1, 2]", "tuple"},
      {R"({"a", "b"})", R"(["a", "b"])", "set"},
      {R"({"box": ["x1": 1, "y1": 2]})", R"({"box": {"x1": 1, "y1": 2}})", "keys inside"},
      {R"({"box": [x1: 1, y1: 2]})", R"({"box": {"x1": 1, "y1": 2}})", "keys inside"},
      {R"({{"a": 1}})", R"({"a": 1})", "doubled"},
      {"{\"a\": 1} // done", R"({"a": 1})", "comment"},
      {"{/* which */ \"a\": 1}", R"({"a": 1})", "comment"},
      {"{\"a\": 1, # one\n \"b\": 2}", R"({"a": 1, "b": 2})", "comment"},
      {"[NaN, -Infinity, inf]", "[null, null, null]", "NaN or infinity"},
      {"[+1, .5, 3., 007]", "[1, 0.5, 3, 7]", "form that JSON does not know"},
      {R"({"path": "C:\data\x"})", R"({"path": "C:\\data\\x"})", "unknown escapes"},
      {R"(["\ud800"])", "[\"\ufffd\"]", "unknown escapes"},
      {"[\"a\nb\"]", R"(["a\nb"])", "control characters"},
      {R"({"a": """say "hi" now"""})", R"({"a": "say \"hi\" now"})", "quotes"},
      {R"({"a": 1, "a": 1})", R"({"a": 1})", "given twice"},
      {"[\"\xff\"]", "[\"\ufffd\"]", ""},
      {"{\u00a0\"a\": 1}", R"({"a": 1})", ""},
      {"[18446744073709551616]", "[18446744073709551616]", ""},
      {"[1e-999]", "[0.0]", ""},
  };
  for (const Case& c : cases) {
    const auto read = read_loose_json(c.text);
    ASSERT_TRUE(read) << c.text << ": " << read.error().message();
    EXPECT_EQ(read->value.json, *parse_json(c.json, "test"))
        << c.text << " gave " << dump_json(read->value.json);
    EXPECT_TRUE(c.note.empty() ? read->tolerated.empty() : mentions(read->tolerated, c.note))
        << c.text << ": " << complaint_of(read->tolerated);
  }
}

TEST(ReadLooseJson, SaysWhyItRefuses) {
  struct {
    std::string_view text, why;
  } const cases[] = {
      {"", "there is no value"},
      {"  \n", "there is no value"},
      {"[1] and more", "text follows at byte 4"},
      {"{\"a\": 1", "it ends half-way"},
      {"[1, 2", "it ends half-way"},
      {"[1e999]", "a number is too large at byte 6"},
      {"{\"a\": 12px}", "a number runs into a word at byte 8"},
      {"{\"a\": yes}", "text without quotes at byte 6"},
      {"{\"a\"\n\"b\"}", "a ':' is missing behind a key at byte 5"},
      {"{\"a\": 1, \"a\": 2}", "a key is given twice with different values at byte 15"},
      {"[1 2]", "neither ',' nor ']' follows at byte 3"},
      {"[-true]", "no value begins at byte 1"},
      {"{{\"a\": 1}, 2}", "doubled braces that are not closed twice at byte 9"},
  };
  for (const auto& c : cases) EXPECT_EQ(why(read_loose_json(c.text)), c.why) << c.text;
}

TEST(ReadLooseJson, NumbersRepeatedKeysWhenAsked) {
  const auto read =
      read_loose_json(R"({"a": 1, "a": 2, "a#2": 3, "a": 4})", {.repeated_keys = RepeatedKeys::kNumber});
  ASSERT_TRUE(read);
  std::vector<int> values;
  std::set<std::string> keys;
  for (const auto& [key, value] : read->value.json.items()) {
    keys.insert(key);
    values.push_back(value.get<int>());
  }
  EXPECT_EQ(values, (std::vector<int>{1, 2, 3, 4}));
  EXPECT_EQ(keys.size(), 4u);
}

TEST(ReadLooseJson, ClosesWhatWasCutOff) {
  const Case cases[] = {
      {R"({"a": 1, "b": "half a sen)", R"({"a": 1, "b": "half a sen"})", ""},
      {R"({"a": 1, "b": 12)", R"({"a": 1})", ""},
      {R"({"a": 1, "b": 1e)", R"({"a": 1})", ""},
      {R"({"a": 1, "b": 1.5e-)", R"({"a": 1})", ""},
      {R"({"a": 1, "b": tr)", R"({"a": 1})", ""},
      {R"({"a": 1, "b":)", R"({"a": 1})", ""},
      {R"({"a": 1, "b)", R"({"a": 1})", ""},
      {R"({"a": 1,)", R"({"a": 1})", ""},
      {R"({"a": [{"b": [1, )", R"({"a": [{"b": [1]}]})", ""},
      {R"(["one", "two)", R"(["one", "two"])", ""},
      {R"(["tail \)", R"(["tail "])", ""},
      {"{", "{}", ""},
      {"[[[", "[[[]]]", ""},
  };
  for (const Case& c : cases) {
    const auto read = read_loose_json(c.text, {.allow_truncated = true});
    ASSERT_TRUE(read) << c.text << ": " << read.error().message();
    EXPECT_EQ(read->value.json, *parse_json(c.json, "test")) << c.text;
    EXPECT_TRUE(read->value.truncated) << c.text;
    EXPECT_EQ(why(read_loose_json(c.text)), "it ends half-way") << c.text;
  }
}

TEST(ReadLooseJson, EveryBeginningOfADocumentCanBeClosed) {
  const std::string document =
      R"([{"Name": "caf\u00e9 \"x\"", "n": [-1.25e-3, 40, true, null]}, {"k": {"deep": ["a\\", {}]}}, []])";
  ASSERT_TRUE(parse_json(document, "test"));
  for (std::size_t length = 1; length < document.size(); ++length) {
    const auto read = read_loose_json(document.substr(0, length), {.allow_truncated = true});
    ASSERT_TRUE(read) << document.substr(0, length) << ": " << read.error().message();
    EXPECT_TRUE(read->value.truncated) << document.substr(0, length);
  }
}

TEST(ReadLooseJson, LimitsDepth) {
  const std::string deep = std::string(64, '[') + std::string(64, ']');
  EXPECT_TRUE(read_loose_json(deep));
  const auto deeper = read_loose_json("[" + deep + "]");
  ASSERT_FALSE(deeper);
  EXPECT_EQ(deeper.error().kind, ErrorKind::kLimit);
  EXPECT_EQ(deeper.error().why, "nested more than 64 levels deep at byte 64");
  EXPECT_FALSE(read_loose_json(repeated("{\"a\":", 1 << 20)));
}

TEST(FindJson, FindsTheAnswerInAReply) {
  const Case cases[] = {
      // MagicMirror's own checkpoints, and what other models make of its prompt
      {"<think>fine</think> \\boxed{{\"Whether Normal\": true}}", R"({"Whether Normal": true})", ""},
      {"\\boxed{{\u201cWhether Normal\u201d: False, \u201cType of Abnormality\u201d: "
       "{\u201cL2: Abnormal Object Morphology\u201d: True}}}",
       R"({"Whether Normal": false, "Type of Abnormality": {"L2: Abnormal Object Morphology": true}})",
       "Python"},
      {"<boxed>{{\"Whether Normal\": false, \"Type of Deformity\": {\"L2: X\": true}}}",
       R"({"Whether Normal": false, "Type of Deformity": {"L2: X": true}})", "<boxed>"},
      {"\\boxed{answer: {\"Whether Normal\": True}}", R"({"Whether Normal": true})", "label"},
      {"\\boxed{{\"Whether Normal\": True}}}", R"({"Whether Normal": true})", ""},
      {"\\boxed{{\"Whether Normal\": false, \"Type of Deformity\": {\"L2: X\": [\"L3: Y\"]}}",
       R"({"Whether Normal": false, "Type of Deformity": {"L2: X": ["L3: Y"]}})", "not closed"},
      {"\\boxed{{\"Whether Normal\": false, \"T\": [\"L2: X\": [\"L3: Y\"]]\n }}}",
       R"({"Whether Normal": false, "T": {"L2: X": ["L3: Y"]}})", "keys inside"},
      {"\\boxed{\"Whether Normal\": true}", R"({"Whether Normal": true})", "own braces"},
      {"$\\boxed{\\{\"Whether Normal\": true\\}}$", R"({"Whether Normal": true})", "LaTeX"},
      {"\\boxed{\n```json\n{\"Whether Normal\": true}\n```\n}", R"({"Whether Normal": true})", "fence"},
      {"first \\boxed{{\"a\": 1}}, but no: \\boxed{{\"a\": 2}}", R"({"a": 2})", ""},
      {"\\json{\n \"Whether Normal\": false\n }", R"({"Whether Normal": false})", ""},
      // CAVE
      {"Sure!\n```json\n{\"anomaly_description_1\": \"A boot in the sink.\"}\n```\nAnything else?",
       R"({"anomaly_description_1": "A boot in the sink."})", ""},
      {"```\n{}\n```", "{}", ""},
      {"{ }", "{}", ""},
      {"{\"severity\": 4}\n\nA high concern.", R"({"severity": 4})", ""},
      {"```json\n{\"a\": 1}", R"({"a": 1})", ""},
      // prose that is no JSON beside the answer
      {"As [1] says, {x} is odd: {\"a\": 1} [2]", R"({"a": 1})", ""},
      {"{\"a\": 1}\nLet me correct that.\n{\"a\": 2}", R"({"a": 2})", "2 JSON values"},
  };
  for (const Case& c : cases) {
    const auto read = find_json(c.text);
    ASSERT_TRUE(read) << c.text << ": " << read.error().message();
    EXPECT_EQ(read->value.json, *parse_json(c.json, "test"))
        << c.text << " gave " << dump_json(read->value.json);
    EXPECT_TRUE(c.note.empty() || mentions(read->tolerated, c.note))
        << c.text << ": " << complaint_of(read->tolerated);
  }
}

TEST(FindJson, RefusesToGuess) {
  struct {
    std::string_view text, why;
  } const cases[] = {
      {"", "the reply holds none"},
      {"All normal here.", "the reply holds none"},
      {"\\boxed{answer}", "what is boxed is not JSON"},
      {"\\boxed{False, Type of Abnormality: {\"L2: A\", \"L2: B\"}}", "what is boxed is not JSON"},
      {"{\"a\": 1} and \\boxed{normal}", "what is boxed is not JSON"},
      {"{\"a\": 1, \"b\": [2", "it ends half-way"},
      // the last value is the answer; that it is broken does not make the draft one
      {"{\"a\": 1} then {\"a\": maybe}", "text without quotes at byte 20"},
  };
  for (const auto& c : cases) EXPECT_EQ(why(find_json(c.text)), c.why) << c.text;
  EXPECT_EQ(find_json("no").error().kind, ErrorKind::kNotFound);
}

TEST(FindJson, KeepsToTheKindThatIsWanted) {
  EXPECT_EQ(find_json("[{\"a\": 1}]", {.wanted = JsonWanted::kObject})->value.json, (Json{{"a", 1}}));
  EXPECT_EQ(why(find_json("[1, 2]", {.wanted = JsonWanted::kObject})), "it holds a list, not an object");
  EXPECT_EQ(why(find_json("{\"a\": 1}", {.wanted = JsonWanted::kArray})), "it holds an object, not a list");
  EXPECT_EQ(find_json("{\"a\": 1} [7]", {.wanted = JsonWanted::kArray})->value.json, Json::array({7}));
}

TEST(FindAllJson, FindsObjectsSideBySide) {
  const auto found = find_all_json("1) {\"a\": 1}\n2) {\"a\": 2} [see 3]");
  ASSERT_TRUE(found);
  ASSERT_EQ(found->value.size(), 2u);
  EXPECT_EQ(found->value[1].json, (Json{{"a", 2}}));
  EXPECT_FALSE(find_all_json("{\"a\": 1} {\"a\": oops}"));
}

TEST(LooseJson, StaysLinearOnFloods) {
  for (std::string_view piece :
       {"[",   "{",   "{{", "(",         "[{",      "{\"a\":",      "\"",    "'",        "[\"",
        "[1,", "[1 ", "{a", "[[1],",     "\\",      "[\"\\",        "``` [", "\\boxed{", "{\"a\":x} ",
        "[a",  "/*",  "#",  "{\"a\":1,", "[\" \" ", "\xe2\x80\x9c", "\xff",  "1e9"}) {
    const std::string flood = repeated(piece, 1 << 20);
    EXPECT_LT(seconds([&] { (void)find_json(flood, {.allow_truncated = true}); }), 2.0) << piece;
    // Failures, and then blanks that each of them could look through.
    const std::string trailing = repeated(piece, 1 << 16) + std::string(1 << 19, ' ');
    EXPECT_LT(seconds([&] { (void)find_all_json(trailing); }), 2.0) << piece;
  }
}

TEST(LooseJson, StaysLinearInTheNumberOfKeys) {
  std::string many = "{";
  for (int i = 0; i < 60'000; ++i) many += "\"k" + std::to_string(i) + "\": 1, ";
  many += "\"last\": 2}";
  EXPECT_LT(seconds([&] { EXPECT_EQ(read_loose_json(many)->value.json.size(), 60'001u); }), 2.0);
  const std::string same = "{" + repeated("\"a\": 1, ", 1 << 20) + "\"b\": 2}";
  EXPECT_LT(seconds([&] { EXPECT_TRUE(read_loose_json(same, {.repeated_keys = RepeatedKeys::kNumber})); }),
            2.0);
}

}  // namespace
}  // namespace awry::parse
