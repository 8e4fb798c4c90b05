// SPDX-License-Identifier: Apache-2.0
#include "awry/parse/anomalies.h"

#include "awry/base/text.h"
#include "awry/parse/support_test.h"

namespace awry::parse {
namespace {

Finding anomaly(std::string name, std::string phenomenon, std::string reasoning,
                std::optional<double> severity) {
  return {.name = std::move(name),
          .phenomenon = std::move(phenomenon),
          .reasoning = std::move(reasoning),
          .severity = severity,
          .by = {.kind = AuthorKind::kModel}};
}

const std::vector<Finding> kTwo = {
    anomaly("Extra hand", "A second left hand grows from the elbow.", "People have one left hand.", 5),
    anomaly("Floating chair", "A chair hovers above the floor.", "Nothing holds it up.", 10)};

TEST(ReadAnomalies, ReadsEveryForm) {
  for (std::string_view reply : {
           // as taught
           "@1. Name: Extra hand\nObserved Phenomenon: A second left hand grows from the elbow.\n"
           "Reasoning: People have one left hand.\nSeverity Score: 5/100\n\n"
           "@2. Name: Floating chair\nObserved Phenomenon: A chair hovers above the floor.\n"
           "Reasoning: Nothing holds it up.\nSeverity Score: 10/100",
           // as the formatter is asked to
           "@1. **Name**: Extra hand\n- **Observed Phenomenon**:\n  - A second left hand grows from the "
           "elbow.\n"
           "- **Reasoning**:\n  - People have one left hand.\n- **Severity Score**: 5/100 (highly "
           "unrealistic)\n\n"
           "@2. **Name**: Floating chair\n- **Observed Phenomenon**:\n  - A chair hovers above the floor.\n"
           "- **Reasoning**:\n  - Nothing holds it up.\n- **Severity Score**: 10/100 (extremely unnatural)",
           // wrapped lines, no dot, short field names
           "@1 Name: Extra hand\n\nPhenomenon: A second left hand\ngrows from the elbow.\n\n"
           "Reasoning: People have\none left hand.\n\nSeverity Score: 5\n\n"
           "@2 Name: Floating chair\n\nPhenomenon: A chair hovers\nabove the floor.\n\n"
           "Reasoning: Nothing holds it up.\n\nSeverity Score: 10.",
           // an introduction and closing words
           "Here is the list.\n\n1. Name: Extra hand\n   Observed Phenomenon: A second left hand grows from "
           "the "
           "elbow.\n   Reasoning: People have one left hand.\n   Severity Score: 5/100 (highly unrealistic)\n"
           "2. Name: Floating chair\n   Observed Phenomenon: A chair hovers above the floor.\n"
           "   Reasoning: Nothing holds it up.\n   Severity Score: 10/100\n\nLet me know if 3 more would "
           "help.",
           // all in one line
           "@1. **Name**: Extra hand **Observed Phenomenon**: A second left hand grows from the elbow. "
           "**Reasoning**: People have one left hand. **Severity Score**: 5/100 @2. **Name**: Floating chair "
           "**Observed Phenomenon**: A chair hovers above the floor. **Reasoning**: Nothing holds it up. "
           "**Severity Score**: 10/100",
           "- @1. Name: Extra hand - Phenomenon: A second left hand grows from the elbow. - Reasoning: "
           "People have "
           "one left hand. - Severity Score: 5\n- @2. Name: Floating chair - Phenomenon: A chair hovers "
           "above the "
           "floor. - Reasoning: Nothing holds it up. - Severity Score: 10",
           // a title in place of the name
           "### 1. Extra hand\n- **Observed Phenomenon:** A second left hand grows from the elbow.\n"
           "- **Reasoning:** People have one left hand.\n- **Severity Score (0-100):** 5\n\n"
           "### 2. Floating chair\n- **Observed Phenomenon:** A chair hovers above the floor.\n"
           "- **Reasoning:** Nothing holds it up.\n- **Severity Score (0-100):** 10",
           // the integrator's words
           "1. Object Name: Extra hand\nPhenomenon: A second left hand grows from the elbow.\n"
           "Explanation: People have one left hand.\nSeverity: 5\n\n2. Object Name: Floating chair\n"
           "Phenomenon: A chair hovers above the floor.\nExplanation: Nothing holds it up.\nSeverity: 10",
           // JSON in both spellings
           R"json([{"Name": "Extra hand", "Observed Phenomenon": "A second left hand grows from the elbow.",
               "Reasoning": "People have one left hand.", "Severity Score": "5/100 (highly unrealistic)"},
              {"Name": "Floating chair", "Observed Phenomenon": "A chair hovers above the floor.",
               "Reasoning": "Nothing holds it up.", "Severity Score": 10}])json",
           R"({"anomalies": [{"name": "Extra hand", "phenomenon": "A second left hand grows from the elbow.",
               "reasoning": "People have one left hand.", "severity": 5},
              {"name": "Floating chair", "phenomenon": "A chair hovers above the floor.",
               "reasoning": "Nothing holds it up.", "severity": 10}]})",
           "```json\n{'name': 'Extra hand', 'phenomenon': 'A second left hand grows from the elbow.', "
           "'reasoning': 'People have one left hand.', 'severity_score': 5}\n"
           "{'name': 'Floating chair', 'phenomenon': 'A chair hovers above the floor.', "
           "'reasoning': 'Nothing holds it up.', 'severity_score': 10}\n```",
       }) {
    const auto read = read_anomalies(reply);
    ASSERT_TRUE(read) << reply << ": " << read.error().message();
    EXPECT_EQ(read->value.size(), 2u) << reply;
    EXPECT_EQ(read->value, kTwo) << reply << "\n" << print_anomalies(read->value);
  }
}

TEST(ReadAnomalies, LeavesFieldWordsInsideSentencesAlone) {
  const auto read = read_anomalies(
      "Name: Sign\nPhenomenon: The sign gives his name: Bob, and his reasoning: none.\nReasoning: By name: "
      "odd.\n"
      "Severity Score: 40");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->value,
            (std::vector{anomaly("Sign", "The sign gives his name: Bob, and his reasoning: none.",
                                 "By name: odd.", 40)}));
}

TEST(ReadAnomalies, KnowsTheWaysToSayNothing) {
  for (std::string_view reply :
       {"null", "[]", "{}", "None.", "No anomalies.", "There are no visible anomalies in this image.",
        "No anomalies detected", "I see no semantic anomalies.", "```json\n[]\n```", "{\"anomalies\": []}",
        ""}) {
    const auto read = read_anomalies(reply);
    ASSERT_TRUE(read) << reply << ": " << read.error().message();
    EXPECT_TRUE(read->value.empty()) << reply;
  }
}

TEST(ReadAnomalies, RefusesToGuess) {
  struct {
    std::string_view reply, why;
  } const cases[] = {
      {"The chair floats.", "it has neither fields such as 'Reasoning:' nor JSON"},
      {"No, anomalies are present in this image.", "it has neither fields such as 'Reasoning:' nor JSON"},
      {"Anomalies are present.", "it has neither fields such as 'Reasoning:' nor JSON"},
      {"No anomalies except the hand.", "it has neither fields such as 'Reasoning:' nor JSON"},
      {"[1, 2]", "its JSON holds something other than anomalies"},
      {"{\"answer\": \"fine\"}", "its JSON holds something other than anomalies"},
      {"[{\"Name\": \"Hand\", \"Severity Score\": 5}]", "no item has a phenomenon or a reasoning"},
      {"[{\"Name\": \"Hand\", \"Reasoning\": \"cut o", "it ends half-way"},
  };
  for (const auto& c : cases) EXPECT_EQ(why(read_anomalies(c.reply)), c.why) << c.reply;
}

TEST(ReadAnomalies, KeepsAnItemWithoutASeverityAndSaysSo) {
  const auto read = read_anomalies(
      "@1. Name: Hand\nPhenomenon: Six fingers.\nReasoning: Five are usual.\nSeverity Score: 20-30\n\n"
      "@2. Name: Sky\nPhenomenon: Two suns.\nReasoning: One is usual.\n\n"
      "@3. Name: Cup\nReasoning: It leaks up.\nSeverity Score: 3/10");
  ASSERT_TRUE(read);
  ASSERT_EQ(read->value.size(), 3u);
  EXPECT_FALSE(read->value[0].severity);
  EXPECT_FALSE(read->value[1].severity);
  EXPECT_EQ(read->value[2].severity, 30);
  EXPECT_TRUE(mentions(read->tolerated, "anomaly 1: cannot read severity '20-30': it is a range"));
  EXPECT_TRUE(mentions(read->tolerated, "anomaly 2 has no severity"));
  EXPECT_TRUE(mentions(read->tolerated, "anomaly 3 has no phenomenon"));
  EXPECT_TRUE(mentions(read->tolerated, "anomaly 3: a severity out of 10 instead of 100"));
}

TEST(PrintAnomalies, IsReadBack) {
  EXPECT_EQ(read_anomalies(print_anomalies(kTwo))->value, kTwo);
  EXPECT_EQ(print_anomalies({}), "No anomalies.");
  EXPECT_TRUE(read_anomalies(print_anomalies({}))->value.empty());
  const std::vector odd = {anomaly("", "a", "", 1e-7),
                           anomaly("#x#", "", "\u00e9 \u2013 \"q\" (25/100)", 99.5),
                           anomaly("n", "p", "r", std::nullopt)};
  EXPECT_EQ(read_anomalies(print_anomalies(odd))->value, odd);
}

TEST(PrintAnomalies, DoesNotLetTextPassForAField) {
  const std::vector tricky = {
      anomaly("A", "Wrong. Reasoning: none. **Severity Score**: 99", "x\n@2. Name: B", 7)};
  const auto read = read_anomalies(print_anomalies(tricky));
  ASSERT_TRUE(read);
  EXPECT_EQ(
      read->value,
      (std::vector{anomaly("A", "Wrong. Reasoning, none. **Severity Score**, 99", "x @2. Name, B", 7)}));
}

TEST(ReadAnomalies, SurvivesInvalidText) {
  const auto read =
      read_anomalies("Name: \xff\xfe\nPhenomenon: caf\xe9\nReasoning: \xf0\x9f\nSeverity Score: \xff");
  ASSERT_TRUE(read);
  EXPECT_TRUE(is_valid_utf8(read->value[0].name + read->value[0].phenomenon + read->value[0].reasoning));
  EXPECT_TRUE(is_valid_utf8(complaint_of(read->tolerated)));
}

TEST(ReadAnomalies, StaysLinearOnFloods) {
  for (std::string_view piece :
       {"Name: a\n", "Reasoning: a\n", "Reasoning:", "Severity Score: x\nReasoning: y\n", "**", "name ",
        "- - ", "@1. ", "1. x\nReasoning: ", "{\"Name\":", "{\"Reasoning\": 1}", "[", " ", "_name", "Name (",
        "\xef\xbc\x9a"}) {
    const std::string flood = repeated(piece, 1 << 20);
    EXPECT_LT(seconds([&] { (void)read_anomalies(flood); }), 2.0) << piece;
    EXPECT_LT(seconds([&] { (void)read_anomalies("Reasoning: a\n" + flood); }), 2.0) << piece;
  }
  const std::vector injected = {anomaly("", repeated(". Reasoning: ", 1 << 18), "", 1)};
  EXPECT_LT(seconds([&] { print_anomalies(injected); }), 2.0);
}

TEST(ReadAnomalies, TheShortKeysOfTheDeepfakeTurnAreKnown) {
  for (const char* text :
       {R"([{"Name": "hand", "Observed": "six fingers", "Reasoning": "five", "Severity": 10}])",
        "@1. Name: hand\nObserved: six fingers\nReasoning: five\nSeverity: 10"}) {
    const auto read = read_anomalies(text);
    ASSERT_TRUE(read) << text;
    ASSERT_EQ(read->value.size(), 1u);
    EXPECT_EQ(read->value[0].phenomenon, "six fingers");
    EXPECT_EQ(read->value[0].severity, 10);
  }
}

}  // namespace
}  // namespace awry::parse
