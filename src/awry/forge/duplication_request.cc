// SPDX-License-Identifier: Apache-2.0
#include "awry/forge/duplication_request.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "awry/base/text.h"

namespace awry::forge {
namespace {

tl::unexpected<Error> refuse(std::string_view text, std::string why) {
  return fail({.kind = ErrorKind::kUsage,
               .what = "cannot duplicate by",
               .input = std::string(text),
               .why = std::move(why),
               .hint = fmt::format("Join with '+' what is behind one of the colons: {}.",
                                   fmt::join(duplication_requests(), ", "))});
}

bool add_turn(DuplicationPlan& plan, std::string_view name) {
  const auto turn = std::ranges::find(kAllTurns, name, [](Turn known) { return name_of(known); });
  if (turn == kAllTurns.end() || *turn == Turn::kNone || plan.second_turn != Turn::kNone) return false;
  (plan.turn == Turn::kNone ? plan.turn : plan.second_turn) = *turn;
  return true;
}

bool add_retouch(std::vector<Adjustment>& retouches, std::string_view name) {
  const auto retouch =
      std::ranges::find(kAllAdjustments, name, [](Adjustment known) { return name_of(known); });
  if (retouch == kAllAdjustments.end() || retouches.size() == 2 ||
      std::ranges::find(retouches, *retouch) != retouches.end())
    return false;
  retouches.push_back(*retouch);
  return true;
}

}  // namespace

std::vector<std::string> duplication_requests() {
  std::vector<std::string> names = {"global:direct"};
  for (const std::string_view where : {"global", "local"}) {
    for (const Turn turn : kAllTurns) {
      if (turn != Turn::kNone) names.push_back(fmt::format("{}:{}", where, name_of(turn)));
    }
    for (const Adjustment retouch : kAllAdjustments) {
      // The release retouched parts in three ways only.
      const bool released =
          where == "global" || (retouch != Adjustment::kHue && retouch != Adjustment::kColourTemperature);
      if (released) names.push_back(fmt::format("{}:{}", where, name_of(retouch)));
    }
  }
  names.emplace_back("local:scaling");
  return names;
}

Result<DuplicationRequest> duplication_request(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view where = text.substr(0, colon);
  if (colon == std::string_view::npos || (where != "global" && where != "local"))
    return refuse(text, "it starts with neither 'global:' nor 'local:'");
  DuplicationRequest request{.local = where == "local"};
  const std::string_view names = text.substr(colon + 1);
  if (names == "direct") return request;
  for (const std::string_view name : split(names, '+')) {
    if (name == "scaling" && request.local && !request.scaled) {
      request.scaled = true;
    } else if (!add_turn(request.turns, name) && !add_retouch(request.retouches, name)) {
      return refuse(text, fmt::format("'{}' is no operation, or one too many", name));
    }
  }
  return request;
}

DuplicationPlan plan_for(const DuplicationRequest& request, RandomStream random) {
  DuplicationPlan plan = plan_local_duplication(random.fork("windows"));  // global ones have no use for it
  plan.turn = request.turns.turn, plan.second_turn = request.turns.second_turn;
  plan.scale = request.scaled ? random_scale(random) : 1;
  plan.retouches.clear();
  for (const Adjustment adjustment : request.retouches)
    plan.retouches.push_back({adjustment, random_amount(adjustment, random)});
  return plan;
}

}  // namespace awry::forge
