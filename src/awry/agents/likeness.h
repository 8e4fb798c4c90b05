// SPDX-License-Identifier: Apache-2.0
// Do two descriptions speak of the same? Words only: no model, so merging is free, repeatable and testable.
#pragma once

#include <string_view>

namespace awry::agents {

// 2 |A n B| / (|A| + |B|) over multisets of content words (vocabulary.h); 0 where one has none.
double shared_words(std::string_view a, std::string_view b);

enum class Relation {
  kDifferent,
  kSame,
  kContradicting,  // about the same thing, but they cannot both hold: six fingers and four fingers
};

struct Claim {
  std::string_view name, phenomenon, reasoning;
};

// `threshold`: share of words from which two claims are taken for the same. Claims about the left and the
// right of something differ however alike they sound.
Relation relate_claims(const Claim& a, const Claim& b, double threshold = 0.6);
double likeness_of(const Claim& a, const Claim& b);

}  // namespace awry::agents
