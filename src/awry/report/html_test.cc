// SPDX-License-Identifier: Apache-2.0
#include "awry/report/html.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "awry/base/files.h"
#include "awry/base/text.h"
#include "awry/imaging/encode.h"

namespace awry::report {
namespace {

std::string render(const ReportInput& input, const HtmlOptions& options = {}) {
  return render_html(input, options).value();
}

bool has(const std::string& html, std::string_view part) {
  return html.find(part) != std::string::npos;
}

std::size_t times(const std::string& html, std::string_view part) {
  std::size_t count = 0;
  for (auto at = html.find(part); at != std::string::npos; at = html.find(part, at + 1)) ++count;
  return count;
}

Item item_named(const std::string& id) {
  Item item;
  item.sample = {.id = id, .has_truth = true};
  item.questions = {{.id = id + "/ad", .sample_id = id, .kind = "ad", .prompt = "What is wrong?"}};
  item.replies = {{.question_id = id + "/ad", .text = "raw words of " + id}};
  item.answers = {{.question_id = id + "/ad"}};
  return item;
}

TEST(Html, EmptyRunIsACompletePage) {
  const std::string html = render({});
  EXPECT_TRUE(html.starts_with("<!doctype html>"));
  EXPECT_TRUE(html.ends_with("</html>\n"));
  EXPECT_TRUE(has(html, "no metrics"));
  EXPECT_TRUE(has(html, "no samples"));
  for (const Outcome outcome : kAllOutcomes) {
    EXPECT_TRUE(has(html, "<dt>" + replace_all(name_of(outcome), "_", " ") + "</dt><dd>0</dd>"));
  }
}

TEST(Html, ShowsEveryMetricScoreNoteAndSample) {
  ReportInput input;
  input.summary.metrics = {{.key = "acc",
                            .group = "splicing",
                            .label = "Accuracy",
                            .value = 0.5,
                            .interval = Interval{.low = 0.25, .high = 0.75},
                            .missing = Interval{.low = 0.125, .high = 0.875},
                            .count = 4,
                            .signature = "p|acc|v:1"},
                           {.key = "acc", .group = "other", .value = 0.75, .count = 7},
                           {.key = "perplexity", .value = 1234.5}};
  input.summary.scores = {{.sample_id = "one", .metric = "p/acc", .value = 1}};
  input.summary.notes = {"two files were left out"};
  input.items = {item_named("one"), item_named("two")};
  const std::string html = render(input);
  for (const auto* part : {"Accuracy", "splicing", "0.250", "0.875", "p|acc|v:1", "perplexity", "1234.5",
                           "p/acc", "two files were left out", "<h3>one</h3>", "<h3>two</h3>",
                           "raw words of two", "Only in the table, for want of a common scale: 1 metric."}) {
    EXPECT_TRUE(has(html, part)) << part;
  }
  EXPECT_EQ(times(html, "class=\"whisker\""), 3u);  // one interval: a line and two caps
}

TEST(Html, CommandLineIsQuotedForTheShell) {
  ReportInput input;
  input.run.command = {"awry", "run", "it's", "a b", ""};
  EXPECT_TRUE(has(render(input), "awry run &#39;it&#39;\\&#39;&#39;s&#39; &#39;a b&#39; &#39;&#39;"));
}

TEST(Html, SaysWhoJudgedAndAsWhatTheyAnswered) {
  ReportInput input;
  EXPECT_FALSE(has(render(input), "<dt>Judge</dt>"));
  input.run.settings = {{"judge", "openai:eye"}, {"judged_by", "eye-2026 (fp_1)"}};
  EXPECT_TRUE(has(render(input), "<dt>Judge</dt><dd>openai:eye, answered as eye-2026 (fp_1)</dd>"));
}

TEST(Html, CountsAreWholeNumbersAndNoBars) {
  ReportInput input;
  input.summary.metrics = {
      {.key = "tp", .group = "ad", .value = 0, .count = 4, .signature = "p|metric:count|v:1"}};
  const std::string html = render(input);
  EXPECT_TRUE(has(html, "data-tsv=\"0\">0</td>"));
  EXPECT_FALSE(has(html, "<svg"));
}

TEST(Html, UnfinishedRunsSaySo) {
  ReportInput input;
  input.run.status = RunStatus::kInterrupted;
  EXPECT_TRUE(has(render(input), "was interrupted"));
  input.run.status = RunStatus::kFinished;
  EXPECT_FALSE(has(render(input), "not final"));
}

TEST(Html, HostileTextIsInertEverywhere) {
  const std::string evil = "</script></style><script>alert(1)</script>\" onload='x' <img src=x>\x01\xff";
  ReportInput input;
  input.run = {.id = evil,
               .name = evil,
               .protocol = evil,
               .model = evil,
               .command = {evil},
               .settings = {{evil, evil}},
               .awry_version = evil,
               .started = evil};
  input.summary.metrics = {{.key = evil, .group = evil, .label = evil, .signature = evil},
                           {.key = evil, .group = evil}};
  input.summary.scores = {{.sample_id = evil, .metric = evil}};
  input.summary.notes = {evil};
  const Finding finding{.id = evil,
                        .where = TextSpan{evil, evil},
                        .type = evil,
                        .name = evil,
                        .phenomenon = evil,
                        .reasoning = evil,
                        .evidence = {{evil, evil, 1.0}},
                        .by = {.name = evil, .version = evil}};
  const Finding pair{.where = Pair{.operations = {evil}}};
  Item item;
  item.sample = {.id = evil,
                 .images = {{.path = evil}},
                 .passages = {{evil, evil}},
                 .attributes = {{evil, evil}},
                 .has_truth = true,
                 .truth = {finding, pair}};
  item.questions = {{.id = evil, .kind = evil, .prompt = evil}};
  item.replies = {
      {.text = evil, .model = evil, .returned_model = evil + "2", .finish_reason = evil, .error = evil}};
  item.answers = {
      {.complaint = evil, .choices = {evil}, .findings = {finding}, .values = {{evil, 1.0}}, .text = evil}};
  input.items = {item, item};
  const std::string html = render(input, {.max_cards = 1});
  EXPECT_EQ(times(html, "<script"), 1u);  // ours
  EXPECT_EQ(times(html, "</script"), 1u);
  EXPECT_EQ(times(html, "</style"), 1u);
  EXPECT_FALSE(has(html, "<img"));
  EXPECT_FALSE(has(html, "onload='"));
  EXPECT_FALSE(has(html, "\x01"));
  EXPECT_FALSE(has(html, "\xff"));
}

TEST(Html, NumbersThatAreNotFiniteAreNamedAndNotDrawn) {
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  ReportInput input;
  for (const double value : {nan, infinity, -infinity, 1e308, -1e308}) {
    input.summary.metrics.push_back(
        {.key = "m", .group = "g", .value = value, .interval = Interval{.low = nan, .high = infinity}});
    input.summary.scores.push_back({.sample_id = "s", .metric = "m", .value = value});
  }
  input.items = {item_named("s")};
  const std::string html = render(input);
  EXPECT_TRUE(has(html, "n/a"));
  for (const auto* attribute : {"x=\"nan", "x=\"-nan", "x=\"inf", "width=\"nan", "x1=\"nan", "x2=\"inf"}) {
    EXPECT_FALSE(has(html, attribute)) << attribute;
  }
  EXPECT_TRUE(has(html, "no finite values"));
}

TEST(Html, ImagesAreEmbeddedWithFoundBesideTruth) {
  const TemporaryFolder folder;
  const auto path = (folder.path() / "a.png").string();
  ASSERT_TRUE(imaging::write_image(path, imaging::Image(64, 48, 3, 200)));
  Item item = item_named("pictured");
  item.sample.images = {{.path = path}};
  item.sample.truth = {{.where = Mask{64, 48, {100, 50, 64 * 48 - 150}}, .type = "splice"}};
  item.answers[0].findings = {
      {.where = Box{4, 4, 20, 20}, .type = "splice"},
      {.where = Box{-1e9, std::nan(""), 1e12, -5}, .type = "nonsense"},
      {.image = 7, .where = Box{1, 1, 2, 2}},
      {.where = Mask{5, 5, {25}}, .type = "wrong size"},
      {.where = BlockSet{4, 4, {1, 16}}, .type = "blocks"},
      {.where = Pair{.first_image = 0, .second_image = 0, .in_first = Mask{64, 48, {0, 64 * 48}}}}};
  ReportInput input;
  input.items = {item};
  const std::string html = render(input);
  EXPECT_EQ(times(html, "src=\"data:image/jpeg;base64,"), 2u);
  EXPECT_TRUE(has(html, "class=\"picture found\""));
  EXPECT_TRUE(has(html, "class=\"picture truth\""));
  EXPECT_TRUE(has(html, "mask of 50 pixels"));
  EXPECT_TRUE(has(html, "blocks 1, 16 of a 4 x 4 grid"));
  EXPECT_TRUE(has(html, "class=\"problem\""));  // the mask of another size
  EXPECT_EQ(html, render(input));
}

TEST(Html, MissingAndBrokenImagesShowTheirError) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder.path() / "broken.png", "\x89PNG\r\n\x1a\nnot really"));
  Item item = item_named("blind");
  item.sample.images = {{.path = (folder.path() / "absent.png").string()},
                        {.path = (folder.path() / "broken.png").string()}};
  ReportInput input;
  input.items = {item};
  const std::string html = render(input);
  EXPECT_EQ(times(html, "class=\"problem\""), 2u);
  EXPECT_TRUE(has(html, "absent.png"));
  EXPECT_TRUE(has(html, "<h3>blind</h3>"));
}

TEST(Html, SamplesBeyondTheLimitAreListedByName) {
  ReportInput input;
  for (int i = 0; i < 5; ++i) input.items.push_back(item_named("sample-" + std::to_string(i)));
  const std::string html = render(input, {.max_cards = 2});
  EXPECT_EQ(times(html, "<article"), 2u);
  EXPECT_TRUE(has(html, "3 more samples"));
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(has(html, "sample-" + std::to_string(i)));
}

TEST(Html, InterruptedItemsShowWhatWasNotAsked) {
  Item item = item_named("half");
  item.replies.clear(), item.answers.clear();
  ReportInput input;
  input.items = {item};
  EXPECT_TRUE(has(render(input), "not asked"));
}

TEST(Html, PagesAboutFindingsAloneSayNothingOfScoresAndListWhatHoldsNothing) {
  ReportInput input{.lead = "1 of 2 images <shows> something."};
  input.items = {item_named("found"), item_named("quiet")};
  for (Item& item : input.items) item.sample.has_truth = false;
  input.items[0].answers[0].findings = {
      {.type = "copy_move",
       .evidence = {{"windows", "independent windows that agree", 12}, {"peak", "9 deviations above", 9}}}};
  const std::string html = render(input);
  EXPECT_TRUE(has(html, "1 of 2 images &lt;shows&gt; something."));
  EXPECT_TRUE(has(html, "independent windows that agree: 12"));
  EXPECT_TRUE(has(html, ">9 deviations above<"));
  EXPECT_TRUE(has(html, "1 more, in which nothing was found"));
  EXPECT_TRUE(has(html, "id=\"card-1\"") && !has(html, "id=\"card-2\""));
  for (const auto* part : {"no metrics", "Truth", "Prompt", "judge failed</dt>"})
    EXPECT_FALSE(has(html, part)) << part;
}

TEST(Html, SenselessOptionsAreRefused) {
  EXPECT_FALSE(render_html({}, {.thumbnail_edge = 0}));
  EXPECT_FALSE(render_html({}, {.max_cards = -1}));
}

TEST(Html, NothingPointsOutsideTheFile) {
  const std::string html = render({});
  EXPECT_TRUE(has(html,
                  "content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src "
                  "'unsafe-inline'\""));
  for (const auto* part : {"src=\"http", "href=\"http", "url(", "@import"})
    EXPECT_FALSE(has(html, part)) << part;
}

TEST(Html, ManyNotesAreFoldedUp) {
  Summary summary;
  for (int i = 0; i < 8; ++i) summary.notes.push_back(fmt::format("note {}", i));
  const Result<std::string> few = render_html({{.name = "run"}, summary, {}});
  summary.notes.push_back("note 8");
  const Result<std::string> many = render_html({{.name = "run"}, summary, {}});
  ASSERT_TRUE(few && many);
  EXPECT_EQ(few->find(" notes</summary>"), std::string::npos);
  const std::size_t folded = many->find("<details><summary>9 notes</summary>");
  ASSERT_NE(folded, std::string::npos);
  EXPECT_GT(many->find("<li>note 8</li>"), folded) << "all of them are there";
}

}  // namespace
}  // namespace awry::report
