// SPDX-License-Identifier: Apache-2.0
// What the paper prints, recomputed and judged by our functions.
#include "awry/benchmarks/tgad/tgad.h"

#include <gmock/gmock.h>

#include <map>

#include "awry/base/json.h"
#include "awry/benchmarks/embedded_files.h"
#include "awry/benchmarks/tgad/component_tags.h"
#include "awry/benchmarks/tgad/diagnostics.h"
#include "awry/benchmarks/tgad/support_test.h"

namespace awry::benchmarks::tgad {
namespace {

using ::testing::HasSubstr;

const Json& published() {
  static const Json json = parse_json(embedded_file("tgad/published.json").value_or(""), "published").value();
  return json;
}
const Json& rows_of(const char* table) {
  return published().at(table).at("rows");
}

PixelAndImageScores scores_of(const Json& row, const std::string& prefix = "") {
  return {.i_auroc = row.at(prefix + "i_auroc").get<double>() / 100,
          .p_auroc = row.at(prefix + "p_auroc").get<double>() / 100,
          .au_pro = row.at(prefix + "au_pro").get<double>() / 100};
}

// Only the column |A| and the number of good images go in; every other column must come out.
TEST(TgadTable6, FollowsFromItsFirstColumnInAll42Rows) {
  std::map<std::string, std::vector<TagSet>> images;  // the tags of each image, per class
  for (const Json& row : rows_of("subclasses")) {
    const TagSet tags = row.at("tags").get<TagSet>();
    auto& of_class = images[row.at("class")];
    of_class.insert(of_class.end(), row.at("anomalous").get<std::size_t>(), tags);
  }
  for (const Json& row : rows_of("classes")) {
    auto& of_class = images[row.at("class")];
    const std::size_t defective = of_class.size(), good = row.at("good").get<std::size_t>();
    // The printed total is the number of defective images, except once, where it is that of all.
    EXPECT_EQ(row.at("total").get<std::size_t>(),
              row.at("class") == "transistor" ? defective + good : defective);
    of_class.insert(of_class.end(), good, TagSet{});
  }
  std::map<std::size_t, int> by_parts;
  for (const Json& row : rows_of("subclasses")) {
    const TagSet tags = row.at("tags").get<TagSet>();
    const std::string name = row.at("class");
    ++by_parts[tags.size()];
    const PartCounts counts = count_roles(images[name], tags);
    EXPECT_EQ(counts.anomalous, row.at("anomalous")) << name_of(tags);
    EXPECT_EQ(counts.irrelevant, row.at("irrelevant")) << name_of(tags);
    EXPECT_EQ(counts.excluded, row.at("excluded")) << name_of(tags);
    const auto subclasses = subclasses_of(images[name]);
    EXPECT_NE(std::ranges::find(subclasses, tags), subclasses.end());
  }
  EXPECT_EQ(by_parts, (std::map<std::size_t, int>{{1, 24}, {2, 16}, {3, 2}}));
  std::size_t subclasses = 0;
  for (const auto& [name, of_class] : images) subclasses += subclasses_of(of_class).size();
  EXPECT_EQ(subclasses, 42U);
}

TEST(TgadTable8, SumsToItsTotals) {
  int images = 0, with_another = 0;
  for (const Json& row : rows_of("panel_defects")) {
    images += row.at("images").get<int>();
    with_another += row.at("with_another").get<int>();
  }
  EXPECT_EQ(images, 69);
  EXPECT_EQ(with_another, 29);
}

TEST(TgadTable3, IsTheBestOfTables10And11) {
  for (const Json& best : rows_of("panel")) {
    if (best.at("variant") != "Standard") continue;
    double highest = 0;
    for (const char* table : {"panel_resized", "panel_padded"}) {
      for (const Json& row : rows_of(table)) {
        const bool same = row.at("model").get<std::string>().starts_with(best.at("model").get<std::string>());
        if (same) highest = std::max(highest, row.at("i_auroc").get<double>());
      }
    }
    EXPECT_DOUBLE_EQ(highest, best.at("i_auroc")) << best.at("model");
  }
}

TEST(Drop, IsWhatThePaperReportsForOnePart) {
  const PixelAndImageScores drop = drop_between({.i_auroc = 0.976, .p_auroc = 0.987, .au_pro = 0.955},
                                                {.i_auroc = 0.730, .p_auroc = 0.977, .au_pro = 0.922});
  EXPECT_NEAR(drop.i_auroc, 0.246, 1e-12);
  EXPECT_NEAR(drop.p_auroc, 0.010, 1e-12);
  EXPECT_NEAR(drop.au_pro, 0.033, 1e-12);
}

// Its text sees the dissociation everywhere in Table 2 but for AA-CLIP at three parts, where the drop
// "almost vanishes" at 1.6 points.
TEST(Dissociation, JudgesTable2AsThePaperDoes) {
  for (const Json& row : rows_of("parts")) {
    const Dissociation found =
        localization_decision_dissociation(scores_of(row, "ev1_"), scores_of(row, "ev2_"));
    const bool vanishes = row.at("model") == "AA-CLIP (0-shot)" && row.at("parts") == 3;
    EXPECT_EQ(found.present, !vanishes) << row.at("model") << " " << row.at("parts");
  }
}

// From MVTec AD to the Assembled Panel localisation breaks down as well, except for AA-CLIP.
TEST(Dissociation, SurvivesOnThePanelForOneModelOnly) {
  const auto panel = [](std::string_view model) {
    for (const Json& row : rows_of("panel")) {
      if (row.at("model") == model && row.at("variant") == "Per-Error") return scores_of(row);
    }
    return PixelAndImageScores{};
  };
  const auto prompts = [](std::string_view model) {
    for (const Json& row : rows_of("prompts")) {
      if (row.at("model") == model) return scores_of(row);
    }
    return PixelAndImageScores{};
  };
  const auto present = [&](std::string_view on_mvtec, std::string_view on_panel) {
    return localization_decision_dissociation(prompts(on_mvtec), panel(on_panel)).present;
  };
  EXPECT_FALSE(present("AnomalyGPT (0-shot)", "AnomalyGPT"));
  EXPECT_FALSE(present("LogSAD (full-shot)", "LogSAD"));
  EXPECT_TRUE(present("AA-CLIP (0-shot)", "AA-CLIP"));
}

TEST(Dissociation, NeedsADecisionThatFalls) {
  const PixelAndImageScores before{.i_auroc = 0.9, .p_auroc = 0.9, .au_pro = 0.8};
  EXPECT_FALSE(localization_decision_dissociation(before, before).present);
  EXPECT_FALSE(localization_decision_dissociation(before, {.i_auroc = 0.95, .au_pro = 0.7}).present);
  EXPECT_TRUE(localization_decision_dissociation(before, {.i_auroc = 0.7, .au_pro = 0.85}).present);
  EXPECT_THAT(describe(localization_decision_dissociation(before, {.i_auroc = 0.7, .au_pro = 0.85})),
              HasSubstr("loses 20.0 points, AUPRO -5.0"));
}

TEST(AnchorCollapse, IsFoundInZeroShotAnomalyGptAlone) {
  std::map<std::string, std::vector<double>> with_noun;
  std::map<std::string, double> without_noun;
  for (const Json& row : rows_of("prompts")) {
    const double i_auroc = row.at("i_auroc").get<double>() / 100;
    if (row.at("names_object").get<bool>()) {
      with_noun[row.at("model")].push_back(i_auroc);
    } else {
      without_noun[row.at("model")] = i_auroc;
    }
  }
  ASSERT_EQ(with_noun.size(), 5U);
  for (const auto& [model, variants] : with_noun) {
    const AnchorCollapse found = object_anchor_collapse(variants, without_noun.at(model));
    EXPECT_EQ(found.present, model == "AnomalyGPT (0-shot)") << model << ": " << describe(found);
  }
}

TEST(AnchorCollapse, IsNoneWhereWordingMattersToo) {
  EXPECT_FALSE(object_anchor_collapse(std::vector{0.97, 0.90}, 0.80).present);
  EXPECT_FALSE(object_anchor_collapse({}, 0.80).present);
}

Summary run_scores(std::string group, double i_auroc) {
  Summary summary;
  summary.metrics.push_back({.key = "i_auroc", .group = group, .value = i_auroc});
  summary.metrics.push_back({.key = "au_pro", .group = std::move(group), .value = 0.5});
  return summary;
}

TEST(TgadLeaderboard, PlacesRunsByDecision) {
  const std::vector<ScoredRun> runs = {{"mine", run_scores("", 0.95)},
                                       {"parts only", run_scores("1_part/ev2", 0.7)}};
  const auto board = leaderboard(runs, {});
  ASSERT_TRUE(board) << message_of(board);
  ASSERT_EQ(board->rows.size(), 17U);  // 16 published
  EXPECT_EQ(board->rows[0].model, "LogSAD (full-shot), Class name");
  EXPECT_EQ(board->rows[7].model, "mine");  // below three of LogSAD and four of AnomalyGPT
  EXPECT_EQ(board->rows[7].group, "yours");
  EXPECT_THAT(board->notes, ::testing::Contains(HasSubstr("parts only has no scores")));

  const auto parts = leaderboard(runs, {{"table", "parts"}});
  ASSERT_TRUE(parts) << message_of(parts);
  EXPECT_EQ(parts->rows.size(), 13U);
  EXPECT_EQ(parts->columns.front(), "ev2_i_auroc");
  EXPECT_THAT(parts->notes, ::testing::Contains(HasSubstr("mine has no EV1")));
  EXPECT_FALSE(leaderboard({}, {{"table", "chairs"}}));
  EXPECT_FALSE(leaderboard({}, {{"tabel", "parts"}}));
}

TEST(TgadProtocol, SaysThatMapsAreScoredFromFiles) {
  EXPECT_THAT(message_of(kProtocol.read_samples("x", {})), HasSubstr("awry score maps"));
  EXPECT_THAT(message_of(kProtocol.ask({}, {})), HasSubstr("awry score maps"));
  EXPECT_THAT(message_of(kProtocol.score({}, {})), HasSubstr("awry score maps"));
  EXPECT_THAT(kProtocol.parse({}, {}, {}).complaint, HasSubstr("awry score maps"));
}

}  // namespace
}  // namespace awry::benchmarks::tgad
