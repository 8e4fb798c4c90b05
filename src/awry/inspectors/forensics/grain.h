// SPDX-License-Identifier: Apache-2.0
// The grain of one image: its fine detail at even strength, and how windows of it correlate with themselves
// under a motion. Compression, blur and scaling leave some of it.
#pragma once

#include "awry/inspectors/forensics/copy_subject.h"

namespace awry::inspectors::forensics {

inline constexpr int kGrainRadius = 10;  // of the windows that are correlated
inline constexpr double kGrainWindowArea = (2.0 * kGrainRadius + 1) * (2 * kGrainRadius + 1);
inline constexpr double kGrainAgrees = 0.25;  // chance reaches 0.06, grain after JPEG at quality 70 about 0.4
inline constexpr double kGrainFineSigma = 0.6, kGrainCoarseSigma = 2.5;

class Grain {
 public:
  explicit Grain(const CopySubject& subject);

  // CV_32F, -1..1, of the window around each pixel with the one the motion takes it to.
  cv::Mat correlation(const Motion& motion, cv::Mat* covered = nullptr) const;

  // Where that correlation makes a copy worth a closer look.
  struct Promise {
    cv::Mat where;              // CV_8U; empty when in less than `min_area` pixels
    bool may_be_exact = false;  // nothing was done to the copy afterwards
  };
  Promise promise(const Motion& motion, double min_area) const;

  // At how many other places the grain of `places` is found about as well as where the motion takes it, and
  // how well at the best of them: rulers and weaves repeat themselves many times, while a copy has few
  // clones.
  struct Rivals {
    int count = 0;
    double best = 0;
  };
  Rivals rivals(const cv::Mat& places, const Motion& motion, double strong) const;

  const cv::Mat& recorded() const { return recorded_; }

 private:
  cv::Mat detail_, recorded_, strength_;
};

}  // namespace awry::inspectors::forensics
