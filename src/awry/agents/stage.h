// SPDX-License-Identifier: Apache-2.0
// The stages of the annotator, in the order in which an image passes through them:
//
//   [verdict] -> perceive x T -> [same] -> for each object: analyse (observe, verify)
//             -> relate (observe, verify) -> integrate (merge, state) -> format, once for the image
//
// Objects do not wait for one another until the formatter, and images never do.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

namespace awry::agents {

enum class Stage {
  kVerdict,  // only when asked for: generated or real
  kPerceive,
  kSame,  // only when asked for: are two objects one?
  kAnalyseObserve,
  kAnalyseVerify,
  kRelateObserve,
  kRelateVerify,
  kIntegrateMerge,
  kIntegrateState,
  kFormat,
};

// What a reply has to look like: which form the prompt asks for, and which reader takes it.
enum class ReplyForm { kVerdict, kObjects, kSame, kText, kFlaws, kMerged, kFinal };

struct StageTraits {
  Stage stage;
  std::string_view name;  // "analyse.verify": in ids, records, reports, and of the prompt file
  bool shows_image;       // the others work on the words of earlier stages alone
  ReplyForm form;
  long long reply_tokens;              // typical, for estimates
  long long input_tokens;              // typical of what the gaps are filled with, likewise
  std::vector<std::string_view> gaps;  // that its prompt may have
};

const std::vector<StageTraits>& all_stages();  // in order
const StageTraits& traits_of(Stage stage);
inline std::string_view name_of(Stage stage) {
  return traits_of(stage).name;
}
std::optional<Stage> stage_named(std::string_view name);

}  // namespace awry::agents
