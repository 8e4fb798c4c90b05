// SPDX-License-Identifier: Apache-2.0
#include "awry/forge/datasheet.h"

#include <gtest/gtest.h>

#include "awry/base/json.h"

namespace awry::forge {
namespace {

std::string page_of(const char* items) {
  return datasheet_html(
      {{"made_by", "awry forge themis"}, {"options", {{"seed", 7}}}, {"items", *parse_json(items, "items")}});
}

TEST(Datasheet, ShowsPanelsBeforeTheMaskThatTheQuestionIsAbout) {
  const std::string page = page_of(R"([{"question_id": "forgery_1", "category": "forgery/copy_move",
      "masks": {"forged": "c/mask/1_mask.png", "copied_from": "c/mask/1_from_mask.png"},
      "files": {"c/mask/1_from_mask.png": "0", "c/mask/1_mask.png": "1", "c/panel/1.png": "2",
                "generated/x.png": "3"}}])");
  const std::size_t panel = page.find("src=\"c/panel/1.png\""), mask = page.find("src=\"c/mask/1_mask.png\"");
  ASSERT_NE(panel, std::string::npos);
  ASSERT_NE(mask, std::string::npos);
  EXPECT_LT(panel, mask);
  EXPECT_EQ(page.find("1_from_mask"), std::string::npos);
  EXPECT_EQ(page.find("generated/x.png"), std::string::npos);
}

TEST(Datasheet, ShowsNoMasksOfPanelsThatWereUsedWhole) {
  const char* items =
      R"([{"question_id": "d", "category": "duplication/%", "masks": {"shared_in_first": "m/mask/a.png"},
                           "files": {"m/mask/a.png": "0", "m/panel/a.png": "1"}}])";
  const auto page_for = [&](const char* scope) {
    std::string text = items;
    return page_of(text.replace(text.find('%'), 1, scope).c_str());
  };
  EXPECT_EQ(page_for("global").find("m/mask/a.png"), std::string::npos);
  EXPECT_NE(page_for("partial").find("m/mask/a.png"), std::string::npos);
}

TEST(Datasheet, CountsWhatItIsToldAndSpellsOutMarkup) {
  const std::string page =
      page_of(R"([{"question_id": "<b>", "category": "a"}, {"category": "a"}, {"category": "b"}])");
  EXPECT_NE(page.find("3 items"), std::string::npos);
  EXPECT_NE(page.find("<th>a</th><td>2</td>"), std::string::npos);
  EXPECT_NE(page.find("&lt;b&gt;"), std::string::npos);
  EXPECT_NE(page.find("<th>seed</th><td>7</td>"), std::string::npos);
}

}  // namespace
}  // namespace awry::forge
