// SPDX-License-Identifier: Apache-2.0
#include "awry/cli/ratings_sheet.h"

#include <gtest/gtest.h>

#include <cmath>

#include "awry/base/files.h"
#include "awry/cli/rater_agreement.h"

namespace awry::cli {
namespace {

RowFile rows(std::string_view text, char separator = ',') {
  auto file = parse_delimited_rows(text, "votes.csv", separator);
  if (!file) ADD_FAILURE() << file.error().message();
  return file.value_or(RowFile{});
}
std::string row_complaint(std::string_view text) {
  const auto file = parse_delimited_rows(text, "votes.csv", ',');
  return file ? "" : file.error().message();
}

TEST(DelimitedRows, ReadsQuotesLineBreaksAndMarks) {
  const RowFile file =
      rows("\xEF\xBB\xBFid, a ,b\r\n\r\n\"x, \"\"y\"\"\",1,\r\n\"two\nlines\", 2 ,図\r\nlast,3,4");
  EXPECT_EQ(file.columns, (std::vector<std::string>{"id", "a", "b"}));
  ASSERT_EQ(file.rows.size(), 3u);
  EXPECT_EQ(file.rows[0].fields, (std::vector<std::string>{"x, \"y\"", "1", ""}));
  EXPECT_EQ(file.rows[0].line, 3u);
  EXPECT_EQ(file.rows[1].fields, (std::vector<std::string>{"two\nlines", "2", "図"}));
  EXPECT_EQ(file.rows[2].line, 6u);
}

TEST(DelimitedRows, NamesTheLineThatIsWrong) {
  EXPECT_EQ(
      row_complaint("a,b\n1,2\n1,2,3\n"),
      "cannot read rows 'votes.csv:3': 3 fields, but the header names 2. A field with a separator in it "
      "needs quotes.");
  EXPECT_EQ(row_complaint("a,b\n1,2\n\"1,2\n3,4\n"),
            "cannot read rows 'votes.csv:3': a quote is opened here and never closed");
  EXPECT_EQ(row_complaint("a,b\n\"1\"2,3\n"),
            "cannot read rows 'votes.csv:2': '2' follows a closing quote. Inside a quoted field a quote is "
            "written twice.");
  EXPECT_EQ(row_complaint("a,,b\n"),
            "cannot read rows 'votes.csv:1': column 2 has no name in the header. The first line must name "
            "every column once.");
  EXPECT_EQ(
      row_complaint("a,b,a\n"),
      "cannot read rows 'votes.csv:1': two columns are named 'a'. The first line must name every column "
      "once.");
}

TEST(JsonRows, AListIsAsGoodAsLines) {
  const auto file = parse_json_rows(R"([{"id": "x", "a": 1}, {"id": "y", "a": null}])", "v.json");
  ASSERT_TRUE(file) << file.error().message();
  EXPECT_EQ(file->rows[1].fields, (std::vector<std::string>{"y", ""}));
  EXPECT_EQ(file->rows[1].line, 2u);
  EXPECT_FALSE(parse_json_rows("[3]", "v.json"));
}

TEST(RatingsOfPrograms, MayMarkWhatIsMissing) {
  const auto sheet = read_ratings(rows("unit,a,b\n1,1,NA\n2,nan,2\n3,*,null\n4,3,3\n"), {});
  ASSERT_TRUE(sheet) << sheet.error().message();
  EXPECT_EQ(sheet->given(), 4u);
  // Among words these may be answers.
  EXPECT_EQ(read_ratings(rows("unit,a,b\n1,yes,none\n2,none,yes\n3,yes,yes\n"), {})->given(), 6u);
}

TEST(RatingsOfPrograms, AFirstLineOfNumbersIsNoHeader) {
  const auto sheet = read_ratings(rows("1,2,3\n2,2,2\n3,3,3\n"), {});
  ASSERT_FALSE(sheet);
  EXPECT_NE(sheet.error().message().find("holds numbers where names of raters are wanted"),
            std::string::npos);
  EXPECT_TRUE(read_ratings(rows("unit,1,2\nx,2,2\ny,3,3\n"), {}));  // numbered raters
}

TEST(RatingsOfPrograms, MayNameTheirColumnsOtherwise) {
  const auto sheet = read_ratings(rows("item,annotator,label\nx,a,1\nx,b,2\ny,a,2\ny,b,2\n"), {});
  ASSERT_TRUE(sheet) << sheet.error().message();
  EXPECT_EQ(sheet->form, RatingsSheet::Form::kLong);
  EXPECT_EQ(sheet->raters, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(read_ratings(rows("item,human,judge\nx,1,1\ny,2,2\n"), {})->form, RatingsSheet::Form::kWide);
}

TEST(JsonRows, TakesNamesAsTheyComeAndNullAsEmpty) {
  const auto file =
      parse_json_rows("{\"id\":\"x\",\"a\":1}\n\n{\"b\":2.5,\"id\":\"y\",\"a\":null}\n", "v.jsonl");
  ASSERT_TRUE(file) << file.error().message();
  EXPECT_EQ(file->columns, (std::vector<std::string>{"id", "a", "b"}));
  EXPECT_EQ(file->rows[0].fields, (std::vector<std::string>{"x", "1", ""}));
  EXPECT_EQ(file->rows[1].fields, (std::vector<std::string>{"y", "", "2.5"}));
  EXPECT_EQ(file->rows[1].line, 3u);
}

TEST(JsonRows, NamesTheLineThatIsWrong) {
  const auto message = [](std::string_view text) {
    return parse_json_rows(text, "v.jsonl").error().message();
  };
  EXPECT_NE(message("{\"a\":1}\n{\"a\":\n").find("v.jsonl:2"), std::string::npos);
  EXPECT_EQ(message("[1]\n"), "cannot read rows 'v.jsonl:1': every line must be one JSON object");
  EXPECT_EQ(message("{\"a\":[1]}\n"),
            "cannot read rows 'v.jsonl:1': 'a' holds a JSON array; text or a number is wanted");
}

TEST(RowFile, FindsTheFormatByEndingOrFirstLine) {
  const TemporaryFolder folder;
  const auto columns = [&](const char* name, std::string_view text) {
    EXPECT_TRUE(write_file(folder.path() / name, text));
    const auto file = read_row_file(folder.path() / name);
    return file ? file->columns : std::vector<std::string>{file.error().why};
  };
  const std::vector<std::string> expected = {"a", "b"};
  EXPECT_EQ(columns("x.csv", "a;b\n1;2\n"), expected);
  EXPECT_EQ(columns("x.txt", "a\tb\n1\t2\n"), expected);
  EXPECT_EQ(columns("x.tsv", "a\tb\n1,5\t2\n"), expected);
  EXPECT_EQ(columns("x", "{\"a\":1,\"b\":2}"), expected);
  EXPECT_EQ(columns("x.jsonl", "{\"a\":1,\"b\":2}"), expected);
  EXPECT_EQ(columns("empty.csv", " \n"), (std::vector<std::string>{"it is empty"}));
  EXPECT_EQ(columns("latin1.csv", "a,b\nna\xEFve,1\n"), (std::vector<std::string>{"it is not UTF-8 text"}));
}

std::string sheet_complaint(std::string_view text, RatingsColumns columns = {}) {
  const auto sheet = read_ratings(rows(text), columns);
  return sheet ? "" : sheet.error().message();
}

TEST(RatingsSheet, ReadsBothFormsAlike) {
  const auto wide = read_ratings(rows("unit,ann,bob\nx,1,2\ny,,3\n"));
  const auto tall = read_ratings(rows("rating,rater,unit\n1,ann,x\n2,bob,x\n3,bob,y\n"));
  ASSERT_TRUE(wide && tall);
  EXPECT_EQ(wide->form, RatingsSheet::Form::kWide);
  EXPECT_EQ(tall->form, RatingsSheet::Form::kLong);
  for (const RatingsSheet& sheet : {*wide, *tall}) {
    EXPECT_EQ(sheet.units, (std::vector<std::string>{"x", "y"}));
    EXPECT_EQ(sheet.raters, (std::vector<std::string>{"ann", "bob"}));
    EXPECT_EQ(sheet.given(), 3u);
    EXPECT_EQ(sheet.entries[2].text, "");
    EXPECT_EQ(sheet.entries[3].text, "3");
  }
}

TEST(RatingsSheet, TakesOtherColumnNamesWhenTold) {
  const auto sheet = read_ratings(rows("picture,who,mark\nx,ann,1\nx,bob,2\n"),
                                  {.unit = "picture", .rater = "who", .rating = "mark"});
  ASSERT_TRUE(sheet) << sheet.error().message();
  EXPECT_EQ(sheet->form, RatingsSheet::Form::kLong);
}

TEST(RatingsSheet, SaysWhatIsWrongWithTheRows) {
  EXPECT_EQ(sheet_complaint("unit,rater,rating\nx,ann,1\nx,ann,2\n"),
            "cannot read ratings 'votes.csv:3': 'ann' rated 'x' before, in line 2. Keep one of the two.");
  EXPECT_EQ(sheet_complaint("unit,ann,bob\nx,1,2\nx,1,2\n"),
            "cannot read ratings 'votes.csv:3': unit 'x' was there before, in line 2");
  EXPECT_EQ(sheet_complaint("unit,rater,rating\n,ann,1\n"),
            "cannot read ratings 'votes.csv:2': column 'unit' is empty");
  EXPECT_EQ(
      sheet_complaint("unit,ann\nx,1\n"),
      "cannot read ratings 'votes.csv': there is only one rater. Agreement needs two ratings of a unit.");
  EXPECT_EQ(sheet_complaint("unit,ann,bob\nx,,\n"),
            "cannot read ratings 'votes.csv': nothing is rated. Agreement needs two ratings of a unit.");
  EXPECT_EQ(
      sheet_complaint("unit,rater,stars\nx,ann,1\n"),
      "cannot read ratings 'votes.csv': the columns are unit, rater, stars; with one rating per row, unit, "
      "rater and rating are wanted. Name them with --unit, --rater and --rating.");
  EXPECT_EQ(
      sheet_complaint("unit,ann,bob\nx,1,2\n", {.unit = "units"}),
      "cannot read ratings 'votes.csv': there is no column 'units'; there are unit, ann, bob. Did you mean "
      "'unit'?");
}

TEST(RatingsSheet, DoesNotTakeFileNamesForARater) {
  EXPECT_EQ(
      sheet_complaint("picture,ann,bob\na.png,1,1\nb.png,2,2\nc.png,1,2\n"),
      "cannot read ratings 'votes.csv': column 'picture' has another text in every row, so it is no rater. "
      "If it names what was rated, pass --unit picture.");
}

NumberedRatings numbered(std::string_view text, const RatingsOptions& options = {}) {
  const auto sheet = read_ratings(rows(text));
  const auto result = number_ratings(*sheet, options);
  if (!result) ADD_FAILURE() << result.error().message();
  return result.value_or(NumberedRatings{});
}
std::string number_complaint(std::string_view text, const RatingsOptions& options = {}) {
  const auto result = number_ratings(*read_ratings(rows(text)), options);
  return result ? "" : result.error().message();
}

TEST(NumberRatings, KnowsNumbersFromNames) {
  EXPECT_EQ(numbered("unit,a,b\nx,1,2\n").kind, RatingsKind::kNumbers);
  EXPECT_EQ(numbered("unit,a,b\nx,yes,no\n").kind, RatingsKind::kNames);
  EXPECT_EQ(numbered("unit,a,b\nx,1,2\n", {.nominal = true}).kind, RatingsKind::kNames);
  const NumberedRatings ordered = numbered("unit,a,b\nx,good,poor\n", {.scale = {"poor", "fair", "good"}});
  EXPECT_EQ(ordered.kind, RatingsKind::kOrdered);
  EXPECT_EQ(ordered.ratings.values, (std::vector<double>{2, 0}));
  EXPECT_EQ(numbered("unit,a,b\nx,1,2\n", {.scale = {"1", "2", "3"}}).categories.size(), 3u);
}

TEST(NumberRatings, ShowsTheRatingThatDoesNotFit) {
  EXPECT_EQ(
      number_complaint("unit,ann,bob\nx,1,2\ny,4,4o\n"),
      "cannot read ratings 'votes.csv:3': the rating '4o' of bob is not a number, though others are. Leave "
      "missing ratings empty, or pass --nominal for names without order.");
  EXPECT_EQ(
      number_complaint("unit,ann,bob\nx,1,9\n", {.scale = {"1", "2"}}),
      "cannot read ratings 'votes.csv:2': the rating '9' of bob is not on the scale. Correct it or extend "
      "--scale.");
  EXPECT_EQ(number_complaint("unit,ann,bob\nx,yes,maybe\n", {.scale = {"yes", "no"}}),
            "cannot read ratings 'votes.csv:2': the rating 'maybe' of bob is not on the scale. Correct it or "
            "extend --scale.");
}

// Krippendorff's own example (Computing Krippendorff's alpha-reliability, 2011, data C): four observers,
// twelve units, missing data; published alphas 0.743 nominal, 0.815 ordinal, 0.849 interval.
constexpr auto kKrippendorff =
    "unit,A,B,C,D\n1,1,1,,1\n2,2,2,3,2\n3,3,3,3,3\n4,3,3,3,3\n5,2,2,2,2\n6,1,2,3,4\n7,4,4,4,4\n8,1,1,2,1\n"
    "9,2,2,2,2\n10,,5,5,5\n11,,,1,1\n12,,,3,\n";

const Coefficient* find(const std::vector<Coefficient>& coefficients, std::string_view key) {
  for (const Coefficient& each : coefficients) {
    if (each.key == key) return &each;
  }
  return nullptr;
}

TEST(RaterAgreement, GivesThePublishedAlphas) {
  const auto found = agreement_coefficients(numbered(kKrippendorff), {.resamples = 200});
  EXPECT_NEAR(find(found, "alpha_nominal")->agreement->value, 0.743, 5e-4);
  EXPECT_NEAR(find(found, "alpha_ordinal")->agreement->value, 0.815, 5e-4);
  EXPECT_NEAR(find(found, "alpha_interval")->agreement->value, 0.849, 5e-4);
  EXPECT_EQ(find(found, "cohen_kappa"), nullptr);  // four raters
  for (const Coefficient& each : found) {
    ASSERT_TRUE(each.agreement && each.interval) << each.key;
    EXPECT_LE(each.interval->low, each.agreement->value) << each.key;
    EXPECT_GE(each.interval->high, each.agreement->value) << each.key;
    EXPECT_FALSE(each.signature.empty());
  }
}

TEST(RaterAgreement, OffersNamesOnlyNominalCoefficients) {
  const auto found =
      agreement_coefficients(numbered("unit,a,b\nx,cat,cat\ny,dog,cat\nz,dog,dog\n"), {.resamples = 0});
  for (const Coefficient& each : found) {
    EXPECT_EQ(each.level, "nominal");
    EXPECT_FALSE(each.interval);
  }
  // a: cat dog dog; b: cat cat dog. Observed 2/3; by chance 1/3*2/3 + 2/3*1/3 = 4/9; kappa (2/3-4/9)/(5/9).
  EXPECT_NEAR(find(found, "cohen_kappa")->agreement->value, 0.4, 1e-12);
}

TEST(RaterAgreement, SaysWhyACoefficientIsUndefined) {
  const auto found = agreement_coefficients(numbered("unit,a,b\nx,1,1\ny,1,1\n"), {.resamples = 10});
  EXPECT_FALSE(find(found, "alpha_nominal")->agreement);
  EXPECT_FALSE(find(found, "alpha_nominal")->undefined.empty());
}

TEST(RaterAgreement, ComparesEveryPairOnWhatBothRated) {
  const auto pairs =
      pairwise_agreement(numbered("unit,a,b,c\nx,1,2,3\ny,2,4,2\nz,3,6,1\nw,4,,\n"), {.resamples = 50});
  ASSERT_EQ(pairs.size(), 3u);
  EXPECT_EQ(pairs[0].units, 3u);
  EXPECT_NEAR(*pairs[0].pearson, 1, 1e-12);
  EXPECT_NEAR(*pairs[1].spearman, -1, 1e-12);
  EXPECT_TRUE(pairs[0].pearson_interval);
}

TEST(RaterAgreement, RepeatsItselfWithTheSameSeed) {
  const NumberedRatings ratings = numbered(kKrippendorff);
  const auto interval = [&](std::uint64_t seed) {
    return *find(agreement_coefficients(ratings, {.resamples = 100, .seed = seed}), "ac1")->interval;
  };
  EXPECT_EQ(interval(1), interval(1));
  EXPECT_NE(interval(1), interval(2));
}

}  // namespace
}  // namespace awry::cli
