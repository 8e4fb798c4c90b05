// SPDX-License-Identifier: Apache-2.0
// Pairs of opposites that can stand in each other's place: verb forms for verb forms, comparatives for
// comparatives. Where one word has several opposites, the pair listed first counts.
#include <array>
#include <utility>

#include "awry/base/text.h"
#include "awry/forge/text_edit.h"

namespace awry::forge {
namespace {

constexpr std::pair<std::string_view, std::string_view> kOpposites[] = {
    {"increase", "decrease"},
    {"increases", "decreases"},
    {"increased", "decreased"},
    {"increasing", "decreasing"},
    {"increasingly", "decreasingly"},
    {"rise", "fall"},
    {"rises", "falls"},
    {"rose", "fell"},
    {"risen", "fallen"},
    {"rising", "falling"},
    {"higher", "lower"},
    {"highest", "lowest"},
    {"larger", "smaller"},
    {"largest", "smallest"},
    {"longer", "shorter"},
    {"longest", "shortest"},
    {"stronger", "weaker"},
    {"strongest", "weakest"},
    {"faster", "slower"},
    {"upward", "downward"},
    {"upwards", "downwards"},
    {"upregulated", "downregulated"},
    {"upregulation", "downregulation"},
    {"elevated", "reduced"},
    {"elevation", "reduction"},
    {"enhanced", "diminished"},
    {"enhances", "diminishes"},
    {"improved", "worsened"},
    {"improves", "worsens"},
    {"improvement", "deterioration"},
    {"promoted", "inhibited"},
    {"promotes", "inhibits"},
    {"promotion", "inhibition"},
    {"accelerated", "slowed"},
    {"accelerates", "slows"},
    {"above", "below"},
    {"growth", "decline"},
    {"grew", "declined"},
    {"maximum", "minimum"},
    {"positively", "negatively"},
    {"positive", "negative"},
    {"gain", "loss"},
};
constexpr std::pair<std::string_view, std::string_view> kOneWay[] = {
    {"greater", "smaller"},     {"greatest", "smallest"}, {"raised", "lowered"}, {"attenuated", "enhanced"},
    {"suppressed", "promoted"}, {"thicker", "thinner"},   {"heavier", "lighter"}};

std::string_view opposite_of(std::string_view word) {
  for (const auto& [up, down] : kOpposites) {
    if (word == up) return down;
    if (word == down) return up;
  }
  for (const auto& [from, to] : kOneWay) {
    if (word == from) return to;
  }
  return "";
}

}  // namespace

std::string opposite_trend(std::string_view word) {
  if (word.empty()) return "";
  std::string lower(word);
  const bool capital = word[0] >= 'A' && word[0] <= 'Z';
  if (capital) lower[0] = static_cast<char>(lower[0] - 'A' + 'a');
  std::string opposite(opposite_of(lower));
  if (capital && !opposite.empty()) opposite[0] = static_cast<char>(opposite[0] - 'a' + 'A');
  return opposite;
}

}  // namespace awry::forge
