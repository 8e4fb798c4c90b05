// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/forensics/grain.h"

#include <algorithm>
#include <opencv2/imgproc.hpp>

#include "awry/inspectors/forensics/mask_shapes.h"
#include "awry/inspectors/forensics/shift_search.h"

namespace awry::inspectors::forensics {
namespace {

cv::Mat window_mean(const cv::Mat& values) {
  cv::Mat result;
  cv::boxFilter(values, result, CV_32F, {2 * kGrainRadius + 1, 2 * kGrainRadius + 1}, {-1, -1}, true,
                cv::BORDER_REFLECT);
  return result;
}

}  // namespace

Grain::Grain(const CopySubject& subject)
    : detail_(whitened_detail(subject.grey, kGrainFineSigma, kGrainCoarseSigma)),
      recorded_(subject.recorded) {
  detail_.setTo(0, ~recorded_);
  strength_ = window_mean(detail_.mul(detail_));
}

cv::Mat Grain::correlation(const Motion& motion, cv::Mat* covered) const {
  const cv::Mat moved = warp_to_first(detail_, motion, detail_.size(), covered);
  const cv::Mat common = window_mean(detail_.mul(moved)), other = window_mean(moved.mul(moved));
  cv::Mat scale;
  cv::sqrt(strength_.mul(other), scale);
  return common / cv::max(scale, 0.05f);
}

Grain::Promise Grain::promise(const Motion& motion, double min_area) const {
  constexpr double exact = 0.75;  // short of the 0.9 that check_copy wants, for windows across an outline
  cv::Mat covered;
  const cv::Mat correlation = this->correlation(motion, &covered);
  const cv::Mat usable = covered & recorded_ & moved_far_enough(motion, detail_.size());
  cv::Mat where = (correlation >= 0.8 * kGrainAgrees) & usable;
  cv::morphologyEx(where, where, cv::MORPH_OPEN, ellipse(kGrainRadius));
  if (cv::countNonZero(where) < min_area) return {};
  const bool may_be_exact = cv::countNonZero(where & (correlation >= exact)) >= min_area / 2;
  return {.where = where, .may_be_exact = may_be_exact};
}

Grain::Rivals Grain::rivals(const cv::Mat& places, const Motion& motion, double strong) const {
  constexpr int apart = 8;
  const cv::Rect box = cv::boundingRect(places);
  cv::Mat weight, score;
  places(box).convertTo(weight, CV_32F, 1 / 255.0);
  cv::matchTemplate(detail_, detail_(box).mul(weight), score, cv::TM_CCORR);
  const cv::Mat squares = detail_.mul(detail_);
  cv::Mat energy;
  cv::matchTemplate(squares, weight, energy, cv::TM_CCORR);
  const double own = cv::sum(squares(box).mul(weight))[0];
  cv::sqrt(cv::max(energy, 0.05 * own) * own, energy);
  score /= energy;
  const cv::Point2d centre(box.x + box.width / 2.0, box.y + box.height / 2.0);
  const cv::Point2d away = apply(motion, centre.x, centre.y) - centre;
  const cv::Point target(cvRound(box.x + away.x), cvRound(box.y + away.y));
  for (const cv::Point& place : {box.tl(), target}) {
    const cv::Rect around(place.x - apart, place.y - apart, 2 * apart + 1, 2 * apart + 1);
    const cv::Rect inside = around & cv::Rect(0, 0, score.cols, score.rows);
    if (!inside.empty()) score(inside).setTo(0);
  }
  constexpr int enough = 8;
  Rivals result;
  while (result.count < enough) {
    double height;
    cv::Point at;
    cv::minMaxLoc(score, nullptr, &height, nullptr, &at);
    result.best = std::max(result.best, height);
    if (height < strong) break;
    ++result.count;
    cv::rectangle(score, at - cv::Point(apart, apart), at + cv::Point(apart, apart), cv::Scalar(0),
                  cv::FILLED);
  }
  return result;
}

}  // namespace awry::inspectors::forensics
