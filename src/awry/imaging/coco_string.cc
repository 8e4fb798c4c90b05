// SPDX-License-Identifier: Apache-2.0
// COCO's compressed counts. From the fourth run on each number is the difference to the run two before it
// (masks of solid things have columns of similar length); numbers are cut into groups of 5 bits, lowest
// first, bit 5 says that another group follows, bit 4 of the last group is the sign, and every group is
// shifted by 48 into printable ASCII.
#include <fmt/format.h>

#include "awry/imaging/mask.h"

namespace awry::imaging {
namespace {

constexpr char kFirstLetter = 48;
constexpr int kMaxGroups = 7;  // 35 bits hold any difference of 32-bit runs

tl::unexpected<Error> bad_string(std::size_t position, std::string_view why) {
  return fail({.what = "cannot read COCO run lengths",
               .why = fmt::format("{} at character {}", why, position + 1),
               .hint = "Export the mask again."});
}

}  // namespace

std::string coco_string_from_mask(const Mask& mask) {
  std::string text;
  for (std::size_t i = 0; i < mask.runs.size(); ++i) {
    std::int64_t number = mask.runs[i];
    if (i > 2) number -= mask.runs[i - 2];
    bool more = true;
    while (more) {
      std::int64_t group = number & 31;
      number >>= 5;
      more = (group & 16) != 0 ? number != -1 : number != 0;
      if (more) group |= 32;
      text.push_back(static_cast<char>(group + kFirstLetter));
    }
  }
  return text;
}

Result<Mask> mask_from_coco_string(std::string_view counts, int width, int height) {
  Mask mask{.width = width, .height = height};
  for (std::size_t position = 0; position < counts.size();) {
    std::int64_t number = 0;
    for (int groups = 0;; ++groups) {
      if (position == counts.size()) return bad_string(position - 1, "the string ends inside a number");
      const int group = counts[position] - kFirstLetter;
      if (group < 0 || group > 63) return bad_string(position, "there is a letter that cannot stand");
      if (groups == kMaxGroups) return bad_string(position, "there is a number too large for any run");
      number |= static_cast<std::int64_t>(group & 31) << (5 * groups);
      ++position;
      if ((group & 32) != 0) continue;
      if ((group & 16) != 0) number -= std::int64_t{1} << (5 * (groups + 1));
      break;
    }
    if (mask.runs.size() > 2) number += mask.runs[mask.runs.size() - 2];
    if (number < 0 || number > 0xffffffffLL)
      return bad_string(position - 1, "a run has an impossible length");
    mask.runs.push_back(static_cast<std::uint32_t>(number));
  }
  AWRY_TRY(check_mask(mask));
  return mask;
}

}  // namespace awry::imaging
