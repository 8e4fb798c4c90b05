// SPDX-License-Identifier: Apache-2.0
#include "awry/agents/stage.h"

namespace awry::agents {

const std::vector<StageTraits>& all_stages() {
  using enum Stage;
  // The figures are what a vision model with about eight objects an image takes, rounded.
  static const std::vector<StageTraits> kStages = {
      {kVerdict, "verdict", true, ReplyForm::kVerdict, 10, 0, {"form"}},
      {kPerceive, "perceive", true, ReplyForm::kObjects, 500, 0, {"form"}},
      {kSame, "same", false, ReplyForm::kSame, 30, 300, {"pairs"}},
      {kAnalyseObserve, "analyse.observe", true, ReplyForm::kText, 400, 60, {"object", "description"}},
      {kAnalyseVerify,
       "analyse.verify",
       true,
       ReplyForm::kFlaws,
       250,
       400,
       {"object", "observation", "form"}},
      {kRelateObserve,
       "relate.observe",
       true,
       ReplyForm::kText,
       450,
       700,
       {"object", "description", "attributes", "others", "names"}},
      {kRelateVerify,
       "relate.verify",
       true,
       ReplyForm::kFlaws,
       300,
       500,
       {"object", "names", "observation", "form"}},
      {kIntegrateMerge,
       "integrate.merge",
       false,
       ReplyForm::kMerged,
       350,
       550,
       {"object", "names", "candidates", "form"}},
      {kIntegrateState,
       "integrate.state",
       false,
       ReplyForm::kMerged,
       350,
       350,
       {"object", "candidates", "form"}},
      {kFormat, "format", true, ReplyForm::kFinal, 1200, 2200, {"candidates", "contradictions", "form"}},
  };
  return kStages;
}

const StageTraits& traits_of(Stage stage) {
  return all_stages()[static_cast<std::size_t>(stage)];
}

std::optional<Stage> stage_named(std::string_view name) {
  for (const StageTraits& traits : all_stages()) {
    if (traits.name == name) return traits.stage;
  }
  return std::nullopt;
}

}  // namespace awry::agents
