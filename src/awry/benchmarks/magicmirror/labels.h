// SPDX-License-Identifier: Apache-2.0
// The taxonomy of MagicMirror, and a set of its labels in 32 bits.
//
// L1 is normal or artifact; L2 names the kind of artifact, L3 refines four of the six kinds.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "awry/base/result.h"
#include "awry/records/finding.h"

namespace awry::benchmarks::magicmirror {

enum class Level2 : std::uint8_t { kAttributes, kInteraction, kHuman, kAnimal, kObject, kOther };

struct Level2Label {
  std::string_view name, key;  // as the dataset writes it; as awry's JSON does
  bool has_level3;
};
inline constexpr std::array kLevel2 = {
    Level2Label{"L2: Irrational Element Attributes", "attributes", true},
    Level2Label{"L2: Irrational Element Interaction", "interaction", true},
    Level2Label{"L2: Abnormal Human Anatomy", "human", true},
    Level2Label{"L2: Abnormal Animal Anatomy", "animal", true},
    Level2Label{"L2: Abnormal Object Morphology", "object", false},
    Level2Label{"L2: Other Irrationalities", "other", false},
};
// The paper scores these four; the other two are under 1% of the data.
inline constexpr std::array kScoredLevel2 = {Level2::kInteraction, Level2::kHuman, Level2::kAnimal,
                                             Level2::kObject};

struct Level3Label {
  Level2 parent;
  std::string_view name, key;
};
inline constexpr std::array kLevel3 = {
    Level3Label{Level2::kAttributes, "L3: Abnormal Material Texture", "material_texture"},
    Level3Label{Level2::kAttributes, "L3: Abnormal Detail Drawing", "detail_drawing"},
    Level3Label{Level2::kAttributes, "L3: Abnormal Element Proportion", "element_proportion"},
    Level3Label{Level2::kAttributes, "L3: Abnormal Color Combination", "color_combination"},
    Level3Label{Level2::kInteraction, "L3: Abnormal Light and Shadow Effect", "light_and_shadow"},
    Level3Label{Level2::kInteraction, "L3: Abnormal Element Overlap", "element_overlap"},
    Level3Label{Level2::kInteraction, "L3: Abnormal Spatial Position", "spatial_position"},
    Level3Label{Level2::kHuman, "L3: Limb Structure Deformity", "human_limbs"},
    Level3Label{Level2::kHuman, "L3: Trunk Structure Deformity", "human_trunk"},
    Level3Label{Level2::kHuman, "L3: Hand Structure Deformity", "human_hands"},
    Level3Label{Level2::kHuman, "L3: Foot Structure Deformity", "human_feet"},
    Level3Label{Level2::kHuman, "L3: Facial Structure Deformity", "human_face"},
    Level3Label{Level2::kHuman, "L3: Abnormal Human Anatomy", "human_several"},
    Level3Label{Level2::kHuman, "L3: Abnormal and Uncoordinated Posture", "human_posture"},
    Level3Label{Level2::kAnimal, "L3: Abnormal Limb Structure", "animal_limbs"},
    Level3Label{Level2::kAnimal, "L3: Abnormal Posture Presentation", "animal_posture"},
    Level3Label{Level2::kAnimal, "L3: Abnormal Head Structure", "animal_head"},
};

constexpr const Level2Label& label_of(Level2 level2) {
  return kLevel2[static_cast<std::size_t>(level2)];
}

std::optional<Level2> level2_named(std::string_view name);       // exactly as the dataset writes it
std::optional<std::size_t> level3_named(std::string_view name);  // index into kLevel3

// What is wrong with an image. A label brings the levels above it along: an L3 its L2, an L2 the artifact.
class LabelSet {
 public:
  static constexpr int kBits = 24;  // one for L1, six for L2, seventeen for L3

  constexpr LabelSet() = default;  // a normal image
  static constexpr LabelSet from_bits(std::uint32_t bits) {
    LabelSet set;
    set.bits_ = bits;
    return set;
  }
  static constexpr LabelSet artifact() { return from_bits(1); }  // without saying which

  constexpr LabelSet& add(Level2 level2) {
    bits_ |= 1U | bit_of(level2);
    return *this;
  }
  constexpr LabelSet& add_level3(std::size_t level3) {
    bits_ |= 1U << (7 + level3);
    return add(kLevel3[level3].parent);
  }

  constexpr bool is_normal() const { return bits_ == 0; }
  constexpr bool is_artifact() const { return bits_ != 0; }
  constexpr bool has(Level2 level2) const { return (bits_ & bit_of(level2)) != 0; }
  constexpr bool has_level3(std::size_t level3) const { return (bits_ >> (7 + level3) & 1U) != 0; }
  constexpr bool has_bit(int bit) const { return (bits_ >> bit & 1U) != 0; }

  constexpr LabelSet level2() const { return from_bits(bits_ & kLevel2Mask); }
  constexpr LabelSet level3() const { return from_bits(bits_ & kLevel3Mask); }
  constexpr LabelSet level3_of(Level2 level2) const {
    LabelSet kept;
    for (std::size_t i = 0; i < kLevel3.size(); ++i) {
      if (kLevel3[i].parent == level2 && has_level3(i)) kept.bits_ |= 1U << (7 + i);
    }
    return kept;
  }
  constexpr int size() const { return std::popcount(bits_); }
  constexpr std::uint32_t bits() const { return bits_; }

  friend constexpr LabelSet operator&(LabelSet a, LabelSet b) { return from_bits(a.bits_ & b.bits_); }
  friend constexpr LabelSet operator|(LabelSet a, LabelSet b) { return from_bits(a.bits_ | b.bits_); }
  constexpr LabelSet without(LabelSet other) const { return from_bits(bits_ & ~other.bits_); }
  constexpr bool operator==(const LabelSet&) const = default;

 private:
  static constexpr std::uint32_t kLevel2Mask = 0x7EU, kLevel3Mask = 0xFFFF80U;
  static constexpr std::uint32_t bit_of(Level2 level2) { return 1U << (1 + static_cast<int>(level2)); }

  std::uint32_t bits_ = 0;
};

// Type of a finding that says "artifact" and no more.
inline constexpr std::string_view kArtifactType = "artifact";

// One finding per most specific label.
std::vector<Finding> findings_of(LabelSet labels, std::string_view id_prefix, const Author& by);
// An error names the type that the taxonomy does not know.
Result<LabelSet> labels_of(std::span<const Finding> findings);

// {"Whether Normal": false, "Type of Deformity": {...}}: the form that the released checker accepts.
std::string verdict_json(LabelSet labels);

}  // namespace awry::benchmarks::magicmirror
