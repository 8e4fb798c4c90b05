// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/forensics/dense_check.h"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "awry/inspectors/forensics/working_image.h"

namespace awry::inspectors::forensics {
namespace {

cv::Mat box_mean(const cv::Mat& values, int radius) {
  cv::Mat result;
  cv::boxFilter(values, result, CV_32F, {2 * radius + 1, 2 * radius + 1}, {-1, -1}, true, cv::BORDER_REFLECT);
  return result;
}

cv::Matx23d upper(const Motion& m) { return {m(0, 0), m(0, 1), m(0, 2), m(1, 0), m(1, 1), m(1, 2)}; }

bool is_whole_shift(const Motion& m) {
  return m(0, 0) == 1 && m(1, 1) == 1 && m(0, 1) == 0 && m(1, 0) == 0 && m(0, 2) == std::round(m(0, 2)) &&
         m(1, 2) == std::round(m(1, 2));
}

}  // namespace

cv::Mat warp_to_first(const cv::Mat& second, const Motion& second_from_first, cv::Size first, cv::Mat* covered) {
  cv::Mat warped;
  const int flags = cv::WARP_INVERSE_MAP | (is_whole_shift(second_from_first) ? cv::INTER_NEAREST : cv::INTER_CUBIC);
  cv::Mat source = second;
  const double scale = parts_of(second_from_first).scale;
  // Seen smaller, the second image must lose the detail that the first cannot show.
  if (scale > 1.15) cv::GaussianBlur(second, source, {}, 0.45 * std::sqrt(scale * scale - 1), 0, cv::BORDER_REFLECT);
  cv::warpAffine(source, warped, upper(second_from_first), first, flags, cv::BORDER_REFLECT);
  if (covered) {
    // Where a pixel falls, computed rather than interpolated: no fringe of half-covered pixels.
    covered->create(first, CV_8U);
    for (int y = 0; y < first.height; ++y) {
      std::uint8_t* row = covered->ptr(y);
      const cv::Point2d left = apply(second_from_first, 0, y);
      for (int x = 0; x < first.width; ++x) {
        const cv::Point2d p(left.x + x * second_from_first(0, 0), left.y + x * second_from_first(1, 0));
        row[x] = p.x >= -0.01 && p.y >= -0.01 && p.x <= second.cols - 0.99 && p.y <= second.rows - 0.99 ? 255 : 0;
      }
    }
  }
  return warped;
}

DenseAgreement compare_densely(const cv::Mat& first, const cv::Mat& second, const Motion& second_from_first,
                               const DenseOptions& options) {
  DenseAgreement result;
  const double scale = parts_of(second_from_first).scale;
  cv::Mat warped = warp_to_first(second, second_from_first, first.size(), &result.covered);
  // The first image must in turn lose what an enlarged second one cannot have.
  const double fine = std::max(options.band.fine_sigma, scale < 0.87 ? 0.6 / scale : 0.0);
  const cv::Mat a = band_pass(first, fine, options.band.coarse_sigma * std::max(1.0, fine));
  const cv::Mat b = band_pass(warped, fine, options.band.coarse_sigma * std::max(1.0, fine));

  const int r = options.radius;
  cv::Mat weight;
  result.covered.convertTo(weight, CV_32F, 1 / 255.0);
  const cv::Mat wa = a.mul(weight), wb = b.mul(weight);
  const cv::Mat n = box_mean(weight, r), sa = box_mean(wa, r), sb = box_mean(wb, r);
  const cv::Mat saa = box_mean(wa.mul(wa), r), sbb = box_mean(wb.mul(wb), r), sab = box_mean(wa.mul(wb), r);

  cv::Mat gx, gy;
  cv::Sobel(a, gx, CV_32F, 1, 0, 1);
  cv::Sobel(a, gy, CV_32F, 0, 1, 1);
  const cv::Mat sxx = box_mean(gx.mul(gx), r), syy = box_mean(gy.mul(gy), r), sxy = box_mean(gx.mul(gy), r);

  result.correlation = cv::Mat::zeros(first.size(), CV_32F);
  result.comparable = cv::Mat::zeros(first.size(), CV_8U);
  const double floor = options.min_detail * options.min_detail;
  double sum = 0, count = 0, agreeing = 0;
  for (int y = 0; y < first.rows; ++y) {
    for (int x = 0; x < first.cols; ++x) {
      const float covered = n.at<float>(y, x);
      if (covered < 0.5f || !result.covered.at<std::uint8_t>(y, x)) continue;
      const double ma = sa.at<float>(y, x) / covered, mb = sb.at<float>(y, x) / covered;
      const double va = saa.at<float>(y, x) / covered - ma * ma, vb = sbb.at<float>(y, x) / covered - mb * mb;
      // A copy may be darker: its detail counts from half the level on.
      if (std::max(va, vb) < floor || std::min(va, vb) < floor / 4) continue;
      const double xx = sxx.at<float>(y, x), yy = syy.at<float>(y, x), xy = sxy.at<float>(y, x);
      const double root = std::hypot(xx - yy, 2 * xy);
      if (xx + yy - root < options.min_isotropy * (xx + yy + root)) continue;
      const double c = (sab.at<float>(y, x) / covered - ma * mb) / std::sqrt(va * vb);
      result.correlation.at<float>(y, x) = static_cast<float>(c);
      result.comparable.at<std::uint8_t>(y, x) = 255;
      sum += c;
      ++count;
      agreeing += c >= options.min_correlation;
    }
  }
  if (count > 0) result.mean = sum / count, result.share = agreeing / count;
  result.windows = count / ((2.0 * r + 1) * (2 * r + 1));
  return result;
}

Motion refine_motion(const cv::Mat& first, const cv::Mat& second, const Motion& start, Freedom freedom) {
  constexpr int iterations = 6, enough_px = 300;
  if (std::min({first.cols, first.rows, second.cols, second.rows}) > enough_px) {
    // A twentieth of a pixel at half size is a tenth at full size, for a quarter of the work.
    cv::Mat half_first, half_second;
    cv::resize(first, half_first, {first.cols / 2, first.rows / 2}, 0, 0, cv::INTER_AREA);
    cv::resize(second, half_second, {second.cols / 2, second.rows / 2}, 0, 0, cv::INTER_AREA);
    const Motion halve(0.5, 0, -0.25, 0, 0.5, -0.25, 0, 0, 1);
    return halve.inv() * refine_motion(half_first, half_second, halve * start * halve.inv(), freedom) * halve;
  }
  Motion motion = start;
  const cv::Mat a = band_pass(first, 1.5, 8);
  const cv::Mat blurred_second = band_pass(second, 1.5 * std::max(1.0, parts_of(start).scale), 8 * std::max(1.0, parts_of(start).scale));
  const double cx = first.cols / 2.0, cy = first.rows / 2.0, unit = std::max(cx, cy);
  for (int iteration = 0; iteration < iterations; ++iteration) {
    cv::Mat covered, gx, gy;
    const cv::Mat b = warp_to_first(blurred_second, motion, first.size(), &covered);
    cv::erode(covered, covered, cv::Mat::ones(9, 9, CV_8U), {-1, -1}, 1, cv::BORDER_CONSTANT, cv::Scalar(0));
    cv::Scalar mean_a, dev_a, mean_b, dev_b;
    cv::meanStdDev(a, mean_a, dev_a, covered);
    cv::meanStdDev(b, mean_b, dev_b, covered);
    if (dev_a[0] < 1e-3 || dev_b[0] < 1e-3) return motion;
    const double gain = dev_a[0] / dev_b[0];
    cv::Sobel(b, gx, CV_32F, 1, 0, 1, 0.5 * gain);
    cv::Sobel(b, gy, CV_32F, 0, 1, 1, 0.5 * gain);
    cv::Matx44d normal = cv::Matx44d::zeros();
    cv::Vec4d right(0, 0, 0, 0);
    for (int y = 0; y < first.rows; y += 2) {
      for (int x = y / 2 % 2; x < first.cols; x += 2) {
        if (!covered.at<std::uint8_t>(y, x)) continue;
        double error = a.at<float>(y, x) - mean_a[0] - gain * (b.at<float>(y, x) - mean_b[0]);
        // What differs wildly is not shared content; it must not pull.
        const double weight = 1 / (1 + error * error / (dev_a[0] * dev_a[0]));
        const double u = (x - cx) / unit, v = (y - cy) / unit;
        const double ix = gx.at<float>(y, x), iy = gy.at<float>(y, x);
        const bool turns = freedom == Freedom::kShiftScaleRotation;
        const cv::Vec4d j(turns ? ix * u + iy * v : 0, turns ? iy * u - ix * v : 0, ix, iy);
        for (int r = 0; r < 4; ++r) {
          right[r] += weight * j[r] * error;
          for (int c = 0; c < 4; ++c) normal(r, c) += weight * j[r] * j[c];
        }
      }
    }
    for (int r = 0; r < 4; ++r) normal(r, r) += 1e-6 * (normal(2, 2) + normal(3, 3)) + 1e-9;
    cv::Vec4d step;
    if (!cv::solve(normal, right, step, cv::DECOMP_CHOLESKY)) return motion;
    if (std::abs(step[2]) > 20 || std::abs(step[3]) > 20 || std::abs(step[0]) > 0.3 * unit) return start;
    const double p = step[0] / unit, q = step[1] / unit;
    const Motion delta(1 + p, -q, step[2] - p * cx + q * cy, q, 1 + p, step[3] - q * cx - p * cy, 0, 0, 1);
    motion = motion * delta;
    if (std::abs(step[0]) + std::abs(step[1]) + std::abs(step[2]) + std::abs(step[3]) < 0.02) break;
  }
  return motion;
}

}  // namespace awry::inspectors::forensics
