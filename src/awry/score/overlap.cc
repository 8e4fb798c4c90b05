// SPDX-License-Identifier: Apache-2.0
#include "awry/score/overlap.h"

#include <fmt/format.h>

#include <algorithm>

#include "awry/score/sets.h"

namespace awry::score {
namespace {

double iou_from_counts(double first, double second, double both) {
  const double either = first + second - both;
  return either > 0 ? both / either : 1.0;
}

// Reads a mask as a sequence of (length, is set) stretches that covers every pixel exactly once.
class RunReader {
 public:
  explicit RunReader(const Mask& mask)
      : runs_(mask.runs),
        unread_(static_cast<std::uint64_t>(mask.width) * static_cast<std::uint64_t>(mask.height)) {
    refill();
  }

  bool at_end() const { return left_ == 0; }
  bool is_set() const { return set_; }
  std::uint64_t left() const { return left_; }
  void skip(std::uint64_t pixels) {
    left_ -= pixels;
    if (left_ == 0) refill();
  }

 private:
  void refill() {
    while (left_ == 0 && unread_ > 0) {
      // Runs that stop early leave the rest of the image unset.
      const bool exhausted = next_ == runs_.size();
      left_ = exhausted ? unread_ : std::min<std::uint64_t>(runs_[next_], unread_);
      set_ = !exhausted && next_ % 2 == 1;
      if (!exhausted) ++next_;
      unread_ -= left_;
    }
  }

  std::span<const std::uint32_t> runs_;
  std::uint64_t unread_, left_ = 0;
  std::size_t next_ = 0;
  bool set_ = false;
};

double area(const Box& box) {
  return std::max(0.0, box.width) * std::max(0.0, box.height);
}

}  // namespace

double block_iou(std::span<const int> a, std::span<const int> b) {
  const auto counts = count_common(distinct(a), distinct(b));
  return iou_from_counts(static_cast<double>(counts.predicted), static_cast<double>(counts.truth),
                         static_cast<double>(counts.correct));
}

Result<PixelCounts> count_overlap(const Mask& first, const Mask& second) {
  if (first.width < 0 || first.height < 0 || first.width != second.width || first.height != second.height) {
    return fail({.what = "cannot compare masks",
                 .why = fmt::format("one is {}x{}, the other {}x{}", first.width, first.height, second.width,
                                    second.height),
                 .hint = "Bring both to the size of the image first."});
  }
  PixelCounts counts;
  RunReader a(first), b(second);
  while (!a.at_end() && !b.at_end()) {
    const std::uint64_t stretch = std::min(a.left(), b.left());
    if (a.is_set()) counts.first += stretch;
    if (b.is_set()) counts.second += stretch;
    if (a.is_set() && b.is_set()) counts.both += stretch;
    a.skip(stretch);
    b.skip(stretch);
  }
  return counts;
}

Result<double> mask_iou(const Mask& first, const Mask& second) {
  AWRY_TRY_ASSIGN(const PixelCounts counts, count_overlap(first, second));
  return iou_from_counts(static_cast<double>(counts.first), static_cast<double>(counts.second),
                         static_cast<double>(counts.both));
}

double box_iou(const Box& a, const Box& b) {
  const double width = std::min(a.x + a.width, b.x + b.width) - std::max(a.x, b.x);
  const double height = std::min(a.y + a.height, b.y + b.height) - std::max(a.y, b.y);
  return iou_from_counts(area(a), area(b), std::max(0.0, width) * std::max(0.0, height));
}

Result<double> coverage_ratio(const Box& predicted, const Box& truth) {
  if (!(area(truth) > 0)) {
    return fail({.what = "cannot compute a coverage ratio",
                 .why = fmt::format("the true box is empty ({} x {})", truth.width, truth.height)});
  }
  return area(predicted) / area(truth);
}

}  // namespace awry::score
