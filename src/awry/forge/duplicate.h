// SPDX-License-Identifier: Apache-2.0
// Duplication: two panels that show the same thing. Globally, the second is the first, turned or retouched;
// locally, both were cut from one larger picture with a shared part, and the second was turned, scaled or
// retouched.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "awry/base/result.h"
#include "awry/forge/adjust.h"
#include "awry/forge/recipe.h"
#include "awry/imaging/image.h"
#include "awry/imaging/mask.h"
#include "awry/records/finding.h"

namespace awry::forge {

enum class Turn { kNone, kHorizontalFlip, kVerticalFlip, kHalfTurn };
inline constexpr std::array kAllTurns = {Turn::kNone, Turn::kHorizontalFlip, Turn::kVerticalFlip,
                                         Turn::kHalfTurn};
std::string_view name_of(Turn turn);  // "rotation_180"

struct Retouch {
  Adjustment adjustment = Adjustment::kBrightness;
  double amount = 0;
  bool operator==(const Retouch&) const = default;
};

enum class CropMode { kDiagonal, kVertical, kHorizontal };  // how the second window lies from the first

// What happens to the second panel, decided before a pixel moves, so that sets can be planned to proportion.
struct DuplicationPlan {
  Turn turn = Turn::kNone;
  Turn second_turn = Turn::kNone;  // done after the first; two different turns look like the third
  std::vector<Retouch> retouches;  // at most two
  // local only
  CropMode crop = CropMode::kDiagonal;
  double scale = 1;     // of the second panel's content; 1 = not scaled
  double shared = 0.5;  // intended share of the first panel that the second repeats

  bool operator==(const DuplicationPlan&) const = default;
};
DuplicationPlan plan_global_duplication(RandomStream random);
DuplicationPlan plan_local_duplication(RandomStream random);
double random_scale(RandomStream& random);  // visibly smaller or larger

struct DuplicatePair {
  imaging::Image first, second;
  imaging::Bitmap shared_in_first, shared_in_second;
  // In continuous coordinates (pixel (0,0) covers the square from 0 to 1): a horizontal flip is x -> width -
  // x.
  Transform second_from_first = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  double duplication_ratio = 1;  // shared pixels of the first panel over all its pixels
  std::vector<std::string>
      operations;       // "horizontal_flip", "scaling", "brightness"; "direct" when nothing else
  std::string letters;  // THEMIS: A direct, B scaling, C rotated, D flipped, E parameter-modified
  Finding truth;        // a Pair of images 0 and 1
  Recipe recipe;
};

// Retouches that cannot show on this panel (hue on a grey one) are replaced by a change of brightness; the
// operations returned are those performed. `panel` must be RGB.
Result<DuplicatePair> duplicate_globally(const imaging::Image& panel, const DuplicationPlan& plan,
                                         const SeedPath& seed);

// Two windows of width x height out of `picture`. The second window is 1 / scale as large, so that after
// scaling both panels have the same size. An error when the picture is too small for that.
Result<DuplicatePair> duplicate_locally(const imaging::Image& picture, int width, int height,
                                        const DuplicationPlan& plan, const SeedPath& seed);

// The same pair told from the other side: panels, masks and transform change places.
DuplicatePair exchanged(DuplicatePair pair);

std::string_view released_name_of(char letter);  // 'E' -> "parameter-modified", as THEMIS's sub_issues say

}  // namespace awry::forge
