// SPDX-License-Identifier: Apache-2.0
#include "awry/forge/duplication_request.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "awry/base/files.h"
#include "awry/base/json.h"
#include "awry/forge/compose.h"
#include "awry/forge/paint.h"
#include "awry/forge/themis_set.h"

namespace awry::forge {
namespace {

const imaging::Image& picture() {
  static const imaging::Image image =
      paint_panel(PanelKind::kStainedMicrograph, 288, 288, RandomStream(6))->image;
  return image;
}

Result<DuplicatePair> made(const DuplicationRequest& request, std::uint64_t seed) {
  const DuplicationPlan plan = plan_for(request, RandomStream(seed));
  return request.local ? duplicate_locally(picture(), 120, 120, plan, {.seed = seed})
                       : duplicate_globally(picture(), plan, {.seed = seed});
}

// The second panel brought back into the first's place by the recorded transform, between four pixels. Where
// that asks for pixels outside, nothing is compared.
double mean_error_undone(const imaging::Image& first, const DuplicatePair& pair) {
  const Transform& t = pair.second_from_first;
  double error = 0;
  std::size_t count = 0;
  for (int y = 0; y < first.height; ++y) {
    for (int x = 0; x < first.width; ++x) {
      const double u = t[0] * (x + 0.5) + t[1] * (y + 0.5) + t[2] - 0.5;
      const double v = t[3] * (x + 0.5) + t[4] * (y + 0.5) + t[5] - 0.5;
      const int left = static_cast<int>(std::floor(u + 1e-9)), top = static_cast<int>(std::floor(v + 1e-9));
      if (pair.shared_in_first.at(x, y) == 0 || left < 0 || top < 0 || left + 1 >= pair.second.width ||
          top + 1 >= pair.second.height)
        continue;
      const double a = u - left, b = v - top;
      for (int c = 0; c < 3; ++c) {
        const double there =
            (1 - b) * ((1 - a) * pair.second.at(left, top)[c] + a * pair.second.at(left + 1, top)[c]) +
            b * ((1 - a) * pair.second.at(left, top + 1)[c] + a * pair.second.at(left + 1, top + 1)[c]);
        error += std::abs(there - first.at(x, y)[c]);
        ++count;
      }
    }
  }
  EXPECT_GT(count, 1000);
  return error / static_cast<double>(std::max<std::size_t>(count, 1));
}

// Retouches happen after the transform, so the first panel with the same retouches is what must come back.
imaging::Image retouched(imaging::Image image, const DuplicatePair& pair) {
  for (const Operation& step : pair.recipe.operations) {
    for (const Adjustment adjustment : kAllAdjustments) {
      if (step.name == name_of(adjustment)) image = adjusted(image, adjustment, step.settings.at("amount"));
    }
  }
  return image;
}

TEST(DuplicationRequests, AreSixteenAndEachDoesWhatItSays) {
  const std::vector<std::string> requests = duplication_requests();
  EXPECT_EQ(std::set(requests.begin(), requests.end()).size(), 16);
  for (const std::string& text : requests) {
    SCOPED_TRACE(text);
    const auto request = duplication_request(text);
    ASSERT_TRUE(request) << request.error().message();
    const auto pair = made(*request, 3);
    ASSERT_TRUE(pair) << pair.error().message();
    EXPECT_EQ(pair->operations, std::vector{text.substr(text.find(':') + 1)});
    EXPECT_EQ(request->local, pair->duplication_ratio < 1);
  }
}

TEST(DuplicationRequests, AreUndoneByTheRecordedTransform) {
  std::vector<std::string> requests = duplication_requests();
  for (const char* stacked :
       {"global:rotation_180+horizontal_flip+brightness+hue", "local:scaling+vertical_flip+saturation",
        "local:scaling+rotation_180+horizontal_flip+hue+colour_temperature", "local:direct"})
    requests.emplace_back(stacked);
  for (const std::string& text : requests) {
    SCOPED_TRACE(text);
    for (std::uint64_t seed = 1; seed <= 2; ++seed) {
      const auto request = duplication_request(text);
      ASSERT_TRUE(request);
      const auto pair = made(*request, seed);
      ASSERT_TRUE(pair);
      // Turns move whole pixels. Retouches that look at the whole panel, contrast, see another mean grey in a
      // part than in the panel beside it. Scaling resamples twice, here and there.
      const bool whole_panel = pair->duplication_ratio == 1;
      const bool contrast = text.find("contrast") != std::string::npos;
      const bool scaled = text.find("scaling") != std::string::npos;
      const double error = mean_error_undone(retouched(pair->first, *pair), *pair);
      if (scaled) {
        // Half of what one pixel beside the right place would cost.
        DuplicatePair beside = *pair;
        beside.second_from_first[2] += 1.5, beside.second_from_first[5] += 1.5;
        beside.second = pair->second;
        EXPECT_LT(error, 0.6 * mean_error_undone(retouched(pair->first, *pair), beside));
      } else if (whole_panel || !contrast) {
        EXPECT_LT(error, 1e-6);
      } else {
        EXPECT_LT(error, 6);
      }
      const auto again = made(*request, seed);
      EXPECT_EQ(again->second, pair->second);
      EXPECT_EQ(again->recipe, pair->recipe);
    }
  }
}

TEST(DuplicationRequests, AreRefusedWithAListOfWhatThereIs) {
  for (const char* text :
       {"", "hue", "global", "global:", "global:scaling", "part:hue", "local:hue+hue", "local:blur",
        "local:direct+hue", "local:hue+contrast+brightness", "global:none", "local:scaling+scaling"}) {
    const auto request = duplication_request(text);
    ASSERT_FALSE(request) << text;
    EXPECT_NE(request.error().message().find("local:scaling"), std::string::npos);
  }
}

TEST(DuplicationRequests, DecideWhatASetHoldsAndAreReplayed) {
  const TemporaryFolder folder;
  ThemisSetOptions options{.seed = 3,
                           .splicing = 0,
                           .copy_move = 0,
                           .authentic = 0,
                           .global_duplicates = 3,
                           .local_duplicates = 2,
                           .unrelated_pairs = 0,
                           .panel_side = 128,
                           .kinds = {PanelKind::kStainedMicrograph},
                           .duplications = {"global:hue", "local:scaling", "global:vertical_flip"}};
  ASSERT_TRUE(forge_themis_set(folder.path() / "set", options));
  const Json metadata = *read_json_file(folder.path() / "set/metadata.json");
  const char* letters[] = {"E", "D", "E", "B", "B"};
  const Json questions = (*read_json_file(folder.path() / "set/duplication.json"))["question"];
  ASSERT_EQ(questions.size(), 5);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(questions[i]["ground_truth"], Json::array({letters[i]}));
  ASSERT_TRUE(replay_set(folder.path() / "set/metadata.json", folder.path() / "again"));
  options.duplications = {"hue"};
  EXPECT_FALSE(forge_themis_set(folder.path() / "other", options));
}

}  // namespace
}  // namespace awry::forge
