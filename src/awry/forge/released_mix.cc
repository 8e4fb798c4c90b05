// SPDX-License-Identifier: Apache-2.0
#include "awry/forge/released_mix.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "awry/forge/apportion.h"

namespace awry::forge {
namespace {

template <class Value>
struct Weighted {
  Value value;
  double weight;
};

// `count` values in the proportions of their weights, shuffled.
template <class Value>
std::vector<Value> dealt(std::span<const Weighted<Value>> deck, int count, RandomStream random) {
  std::vector<double> weights;
  for (const Weighted<Value>& card : deck) weights.push_back(card.weight);
  const std::vector<int> shares = apportion(count, weights);
  std::vector<Value> hand;
  for (std::size_t i = 0; i < deck.size(); ++i)
    hand.insert(hand.end(), static_cast<std::size_t>(shares[i]), deck[i].value);
  random.shuffle(std::span(hand));
  return hand;
}

// Questions of the release by their letters: A direct, B scaling, C rotated, D flipped, E retouched.
constexpr Weighted<std::string_view> kGlobalLetters[] = {{"A", 104}, {"C", 64},   {"CE", 150},
                                                         {"D", 125}, {"DE", 259}, {"E", 215}};
constexpr Weighted<std::string_view> kLocalLetters[] = {{"A", 103},  {"B", 14},   {"BC", 10},  {"BCE", 35},
                                                        {"BD", 24},  {"BDE", 48}, {"BE", 37},  {"C", 69},
                                                        {"CE", 130}, {"D", 134},  {"DE", 245}, {"E", 213}};

struct Turns {
  Turn first = Turn::kNone, second = Turn::kNone;
};
using enum Turn;

// Found by solving for the rows of Table 6 under the letters above. Two turns look like the third one.
constexpr Weighted<Turns> kGlobalRotations[] = {{{kHalfTurn, kNone}, 104},
                                                {{kHorizontalFlip, kVerticalFlip}, 110}};
constexpr Weighted<Turns> kGlobalFlips[] = {{{kHorizontalFlip, kNone}, 89},
                                            {{kVerticalFlip, kNone}, 116},
                                            {{kHorizontalFlip, kHalfTurn}, 90},
                                            {{kVerticalFlip, kHalfTurn}, 89}};
constexpr Weighted<Turns> kLocalRotations[] = {{{kHalfTurn, kNone}, 108},
                                               {{kHorizontalFlip, kVerticalFlip}, 136}};
constexpr Weighted<Turns> kLocalFlips[] = {{{kHorizontalFlip, kNone}, 118},
                                           {{kVerticalFlip, kNone}, 105},
                                           {{kHorizontalFlip, kHalfTurn}, 114},
                                           {{kVerticalFlip, kHalfTurn}, 114}};

constexpr Weighted<Adjustment> kGlobalRetouches[] = {{Adjustment::kBrightness, 184},
                                                     {Adjustment::kContrast, 185},
                                                     {Adjustment::kSaturation, 203},
                                                     {Adjustment::kHue, 190},
                                                     {Adjustment::kColourTemperature, 171}};
constexpr Weighted<Adjustment> kLocalRetouches[] = {
    {Adjustment::kBrightness, 358}, {Adjustment::kContrast, 364}, {Adjustment::kSaturation, 342}};

struct Recipes {
  std::span<const Weighted<std::string_view>> letters;
  std::span<const Weighted<Turns>> rotations, flips;
  std::span<const Weighted<Adjustment>> retouches;
  double retouched_panels;  // of the release; the retouches add up to about one and a half times as many
};

double total_weight(std::span<const Weighted<Adjustment>> deck) {
  double total = 0;
  for (const auto& card : deck) total += card.weight;
  return total;
}

// One or two retouches for each of `panels`, no panel with the same one twice, all in proportion.
std::vector<std::vector<Adjustment>> deal_retouches(const Recipes& recipes, int panels, RandomStream random) {
  const double per_panel = total_weight(recipes.retouches) / recipes.retouched_panels;
  const int total = static_cast<int>(panels * per_panel + 0.5);
  std::vector<double> weights;
  for (const auto& card : recipes.retouches) weights.push_back(card.weight);
  std::vector<int> left = apportion(total, weights);
  std::vector<int> sizes(static_cast<std::size_t>(panels), 1);
  std::fill_n(sizes.begin(), total - panels, 2);
  random.shuffle(std::span(sizes));
  // Whoever needs two goes first and takes the most plentiful two, so that none is left with a pair of twins.
  std::vector<std::vector<Adjustment>> dealt_to(sizes.size());
  for (const int size : {2, 1}) {
    for (std::size_t panel = 0; panel < sizes.size(); ++panel) {
      if (sizes[panel] != size) continue;
      std::vector<std::size_t> order = random.sample(left.size(), left.size());
      std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t i) { return left[i]; });
      for (int k = 0; k < size; ++k) {
        const std::size_t chosen = order[static_cast<std::size_t>(k)];
        --left[chosen];
        dealt_to[panel].push_back(recipes.retouches[chosen].value);
      }
    }
  }
  return dealt_to;
}

std::vector<DuplicationPlan> deal_plans(const Recipes& recipes, int count, RandomStream random) {
  const auto letters = dealt(recipes.letters, count, random.fork("letters"));
  const auto having = [&](char letter) {
    return static_cast<int>(std::ranges::count_if(
        letters, [&](std::string_view word) { return word.find(letter) != std::string_view::npos; }));
  };
  auto rotations = dealt(recipes.rotations, having('C'), random.fork("rotations"));
  auto flips = dealt(recipes.flips, having('D'), random.fork("flips"));
  auto retouches = deal_retouches(recipes, having('E'), random.fork("retouches"));
  const auto take = [](auto& hand) {
    auto card = hand.back();
    hand.pop_back();
    return card;
  };
  std::vector<DuplicationPlan> plans;
  for (std::size_t i = 0; i < letters.size(); ++i) {
    RandomStream own = random.fork("plan").fork(i);
    DuplicationPlan plan{.crop = static_cast<CropMode>(own.integer(0, 2)), .shared = own.uniform(0.42, 0.75)};
    for (const char letter : letters[i]) {
      if (letter == 'B') plan.scale = random_scale(own);
      if (letter == 'C' || letter == 'D') {
        const Turns turns = take(letter == 'C' ? rotations : flips);
        plan.turn = turns.first, plan.second_turn = turns.second;
      }
      if (letter != 'E') continue;
      for (const Adjustment adjustment : take(retouches))
        plan.retouches.push_back({adjustment, random_amount(adjustment, own)});
    }
    plans.push_back(std::move(plan));
  }
  return plans;
}

}  // namespace

std::vector<CategoryCount> released_counts(int total, WithTexts texts, WithAi ai) {
  using enum ThemisCategory;
  const double text = texts == WithTexts::kYes ? 1 : 0, generated = ai == WithAi::kYes ? 1 : 0;
  const Weighted<ThemisCategory> released[] = {{kSplicing, 534},
                                               {kCopyMove, 92},
                                               {kAuthentic, 273},
                                               {kGlobalDuplicate, 917},
                                               {kLocalDuplicate, 1062},
                                               {kUnrelatedPair, 100},
                                               {kNumericalText, 60 * text},
                                               {kTrendText, 90 * text},
                                               {kConsistentText, 150 * text},
                                               {kAiWhole, 74 * generated},
                                               {kAiRegion, 550 * generated}};
  std::vector<double> weights;
  for (const auto& card : released) weights.push_back(card.weight);
  const std::vector<int> shares = apportion(total, weights);
  std::vector<CategoryCount> counts;
  for (std::size_t i = 0; i < shares.size(); ++i) counts.push_back({released[i].value, shares[i]});
  return counts;
}

std::vector<DuplicationPlan> released_global_plans(int count, RandomStream random) {
  return deal_plans({kGlobalLetters, kGlobalRotations, kGlobalFlips, kGlobalRetouches, 624}, count, random);
}

std::vector<DuplicationPlan> released_local_plans(int count, RandomStream random) {
  return deal_plans({kLocalLetters, kLocalRotations, kLocalFlips, kLocalRetouches, 708}, count, random);
}

std::vector<PanelKind> released_kinds(ThemisCategory category, int count, RandomStream random) {
  using enum PanelKind;
  using Deck = std::vector<Weighted<PanelKind>>;
  const auto deck_of = [&]() -> Deck {
    switch (category) {
      case ThemisCategory::kSplicing:
        // No tables: between their letters there is nothing to splice.
        return {{kChart, 366},      {kScatterPlot, 72},    {kBlot, 20},
                {kScreenshot, 10},  {kDiagram, 18},        {kStainedMicrograph, 17},
                {kMedicalScan, 16}, {kPhysicalObject, 11}, {kMicrograph, 4}};
      case ThemisCategory::kCopyMove:
        return {{kStainedMicrograph, 50}, {kMicrograph, 41}, {kMedicalScan, 1}};
      case ThemisCategory::kAuthentic:
        return {{kChart, 173},        {kScatterPlot, 34}, {kDiagram, 32}, {kStainedMicrograph, 17},
                {kPhysicalObject, 9}, {kMedicalScan, 7},  {kTable, 1}};
      case ThemisCategory::kLocalDuplicate:
        return {{kStainedMicrograph, 1}};
      case ThemisCategory::kGlobalDuplicate:
      case ThemisCategory::kUnrelatedPair:
        return {{kMicrograph, 381}, {kChart, 229}, {kScatterPlot, 46}, {kStainedMicrograph, 120},
                {kBlot, 120},       {kTable, 17},  {kScreenshot, 16},  {kPhysicalObject, 52},
                {kMedicalScan, 47}, {kDiagram, 45}};
      case ThemisCategory::kNumericalText:
      case ThemisCategory::kTrendText:
      case ThemisCategory::kConsistentText:
        return {{kChart, 1}};
      case ThemisCategory::kAiWhole:
        return {{kChart, 24}, {kDiagram, 18}, {kMedicalScan, 14}, {kPhysicalObject, 11}, {kMicrograph, 7}};
      case ThemisCategory::kAiRegion:
        return {{kChart, 174},         {kDiagram, 126},   {kMedicalScan, 84}, {kStainedMicrograph, 80},
                {kPhysicalObject, 54}, {kMicrograph, 23}, {kBlot, 9}};
      case ThemisCategory::kResynthesis:  // nothing drawn: without grain, a filling is only a blot
        return {{kMedicalScan, 98},
                {kStainedMicrograph, 80},
                {kPhysicalObject, 65},
                {kMicrograph, 30},
                {kBlot, 9}};
    }
    return {{kMicrograph, 1}};
  };
  const Deck deck = deck_of();
  return dealt(std::span<const Weighted<PanelKind>>(deck), count, random);
}

}  // namespace awry::forge
