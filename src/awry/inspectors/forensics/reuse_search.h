// SPDX-License-Identifier: Apache-2.0
// Which panels of a large collection may share content? Proposes pairs for the pair detector to confirm.
//
//   panel -> a few hundred keypoints -> short hashes of their descriptors -> keypoints that fall together
//         -> pairs of panels in which they agree on one motion
// Hashes grow with the collection, so that a keypoint meets about as many strangers in a large collection as
// in a small one, and the time grows in proportion to the panels rather than to the pairs.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "awry/imaging/image.h"

namespace awry::inspectors::forensics {

struct ReuseOptions {
  int keypoints_per_panel = 400;
  int max_partners = 6;  // of one panel; the best supported are kept
  // Expected number of pairs as well supported among random matches, per pair of panels: generous, because
  // every proposal is confirmed pixel by pixel.
  double max_log10_false_alarms = -1;
};

struct ReuseCandidate {
  std::size_t first = 0, second = 0;  // first < second
  int agreeing_keypoints = 0;
  double log10_false_alarms = 0;
  bool operator==(const ReuseCandidate&) const = default;
};

class ReuseSearch {
 public:
  explicit ReuseSearch(std::size_t panels, const ReuseOptions& options = {});
  ~ReuseSearch();

  // Takes down what is needed of panel `index`; the pixels are not kept. Different panels may be added from
  // different threads.
  void add(std::size_t index, const imaging::Image& panel);

  // Best supported first; the same whatever order the panels came in. Panels never added have no partners.
  std::vector<ReuseCandidate> candidates() const;

 private:
  struct Sketch;
  ReuseOptions options_;
  std::vector<Sketch> sketches_;
};

}  // namespace awry::inspectors::forensics
