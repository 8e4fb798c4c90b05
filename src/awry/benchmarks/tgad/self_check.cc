// SPDX-License-Identifier: Apache-2.0
#include "awry/score/self_check.h"

#include <array>
#include <cmath>
#include <limits>

#include "awry/benchmarks/tgad/map_scoring.h"

namespace awry::benchmarks::tgad {
namespace {

constexpr int kSide = 8;
using Mask = std::array<std::uint8_t, kSide * kSide>;

// Three images: two defects that touch at a corner, one alone, and a good image.
std::array<Mask, 3> tiny_masks() {
  std::array<Mask, 3> masks{};
  masks[0][1 * kSide + 1] = masks[0][2 * kSide + 2] = masks[0][6 * kSide + 6] = 1;
  for (int x = 2; x < 6; ++x) masks[1][4 * kSide + x] = 1;
  return masks;
}

enum class Prediction { kPerfect, kConstant, kPermuted };

class TinyMaps : public score::MapSource {
 public:
  explicit TinyMaps(Prediction prediction) : prediction_(prediction) {}
  std::size_t size() const override { return masks_.size(); }
  Result<score::ScoredMap> read(std::size_t index) override {
    const Mask& mask =
        prediction_ == Prediction::kPermuted ? masks_[masks_.size() - 1 - index] : masks_[index];
    for (std::size_t i = 0; i < mask.size(); ++i) {
      scores_[i] = prediction_ == Prediction::kConstant ? 0.5F : static_cast<float>(mask[i]);
    }
    return score::ScoredMap{.name = "self-check",
                            .width = kSide,
                            .height = kSide,
                            .scores = scores_,
                            .mask_width = kSide,
                            .mask_height = kSide,
                            .mask = mask};
  }

 private:
  Prediction prediction_;
  std::array<Mask, 3> masks_ = tiny_masks();
  std::array<float, kSide * kSide> scores_{};
};

}  // namespace

Result<void> check_map_metrics_first(const MapScoringOptions& options) {
  const auto scored = [&](Prediction prediction) {
    TinyMaps maps(prediction);
    return score_maps(maps, {.pro_limit = options.pro_limit});
  };
  AWRY_TRY_ASSIGN(const score::MapScores perfect, scored(Prediction::kPerfect));
  AWRY_TRY_ASSIGN(const score::MapScores constant, scored(Prediction::kConstant));
  AWRY_TRY_ASSIGN(const score::MapScores permuted, scored(Prediction::kPermuted));
  const auto check = [&](std::string name, std::optional<double> score::MapScores::*value,
                         double of_constant) {
    const auto number = [value](const score::MapScores& scores) {
      return (scores.*value).value_or(std::numeric_limits<double>::quiet_NaN());
    };
    return score::check_metric({.metric = std::move(name),
                                .perfect = [&] { return number(perfect); },
                                .empty = [&] { return number(constant); },
                                .permuted = [&] { return number(permuted); },
                                .worst = of_constant});
  };
  // A map that says the same everywhere ranks nothing: chance, and the triangle below the diagonal.
  AWRY_TRY(check("tgad/i_auroc", &score::MapScores::i_auroc, 0.5));
  AWRY_TRY(check("tgad/p_auroc", &score::MapScores::p_auroc, 0.5));
  return check("tgad/au_pro", &score::MapScores::au_pro, options.pro_limit / 2);
}

}  // namespace awry::benchmarks::tgad
