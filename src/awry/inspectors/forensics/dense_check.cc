// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/forensics/dense_check.h"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "awry/inspectors/forensics/coding_noise.h"
#include "awry/inspectors/forensics/working_image.h"

namespace awry::inspectors::forensics {
namespace {

cv::Mat box_mean(const cv::Mat& values, int radius) {
  cv::Mat result;
  cv::boxFilter(values, result, CV_32F, {2 * radius + 1, 2 * radius + 1}, {-1, -1}, true, cv::BORDER_REFLECT);
  return result;
}

cv::Matx23d upper(const Motion& m) {
  return {m(0, 0), m(0, 1), m(0, 2), m(1, 0), m(1, 1), m(1, 2)};
}

bool needs_no_interpolation(const Motion& m) {
  for (int i = 0; i < 6; ++i) {
    if (m.val[i] != std::round(m.val[i])) return false;
  }
  return true;
}

}  // namespace

cv::Mat warp_to_first(const cv::Mat& second, const Motion& second_from_first, cv::Size first,
                      cv::Mat* covered) {
  cv::Mat warped;
  const int flags = cv::WARP_INVERSE_MAP |
                    (needs_no_interpolation(second_from_first) ? cv::INTER_NEAREST : cv::INTER_CUBIC);
  cv::Mat source = second;
  const double scale = parts_of(second_from_first).scale;
  // Seen smaller, the second image must lose the detail that the first cannot show.
  if (scale > 1.15) {
    cv::Mat blurred;  // not into `source`, whose pixels are the caller's
    cv::GaussianBlur(second, blurred, {}, 0.45 * std::sqrt(scale * scale - 1), 0, cv::BORDER_REFLECT);
    source = blurred;
  }
  cv::warpAffine(source, warped, upper(second_from_first), first, flags, cv::BORDER_REFLECT);
  if (covered) {
    // Where a pixel falls, computed rather than interpolated: no fringe of half-covered pixels.
    covered->create(first, CV_8U);
    for (int y = 0; y < first.height; ++y) {
      std::uint8_t* row = covered->ptr(y);
      const cv::Point2d left = apply(second_from_first, 0, y);
      for (int x = 0; x < first.width; ++x) {
        const cv::Point2d p(left.x + x * second_from_first(0, 0), left.y + x * second_from_first(1, 0));
        row[x] =
            p.x >= -0.01 && p.y >= -0.01 && p.x <= second.cols - 0.99 && p.y <= second.rows - 0.99 ? 255 : 0;
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
  const double coarse = options.band.coarse_sigma * std::max(1.0, fine);
  const cv::Mat a = band_pass(first, fine, coarse), b = band_pass(warped, fine, coarse);

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
  const auto noise_of = [&](std::size_t which) {
    return options.qualities ? static_cast<float>(coding_noise((*options.qualities)[which], fine, coarse))
                             : 0.0f;
  };
  const float noise_a = noise_of(0), noise_b = noise_of(1);
  constexpr float least_to_expect = 0.5f;
  double sum = 0, expected = 0, count = 0, agreeing = 0;
  for (int y = 0; y < first.rows; ++y) {
    const float *pn = n.ptr<float>(y), *pa = sa.ptr<float>(y), *pb = sb.ptr<float>(y);
    const float *paa = saa.ptr<float>(y), *pbb = sbb.ptr<float>(y), *pab = sab.ptr<float>(y);
    const float *pxx = sxx.ptr<float>(y), *pyy = syy.ptr<float>(y), *pxy = sxy.ptr<float>(y);
    const std::uint8_t* in_both = result.covered.ptr(y);
    float* correlation = result.correlation.ptr<float>(y);
    std::uint8_t* comparable = result.comparable.ptr(y);
    for (int x = 0; x < first.cols; ++x) {
      if (pn[x] < 0.5f || !in_both[x]) continue;
      const float weight_sum = 1 / pn[x], ma = pa[x] * weight_sum, mb = pb[x] * weight_sum;
      const float va = paa[x] * weight_sum - ma * ma, vb = pbb[x] * weight_sum - mb * mb;
      // A copy may be darker: its detail counts from half the level on.
      if (std::max(va, vb) < floor || std::min(va, vb) < floor / 4) continue;
      const float difference = pxx[x] - pyy[x], trace = pxx[x] + pyy[x];
      const float root = std::sqrt(difference * difference + 4 * pxy[x] * pxy[x]);
      if (trace - root < options.min_isotropy * (trace + root)) continue;
      const float signal = std::max(0.0f, va - noise_a) * std::max(0.0f, vb - noise_b);
      const float to_expect = std::sqrt(signal / (va * vb));
      if (to_expect < least_to_expect) continue;
      const float c = (pab[x] * weight_sum - ma * mb) / std::sqrt(va * vb);
      correlation[x] = std::min(1.0f, c / to_expect);
      comparable[x] = 255;
      sum += c, expected += to_expect;
      ++count;
      agreeing += c >= options.min_correlation * to_expect;
    }
  }
  if (count > 0) result.mean = std::min(1.0, sum / expected), result.share = agreeing / count;
  result.windows = count / ((2.0 * r + 1) * (2 * r + 1));
  return result;
}

namespace {

// One level of Gauss-Newton. Returns the start when the steps run away.
Motion descend(const cv::Mat& first, const cv::Mat& second, const Motion& start, Freedom freedom,
               int iterations) {
  const double coarser = std::max(1.0, parts_of(start).scale);
  const cv::Mat a = band_pass(first, 1.2, 6), detail = band_pass(second, 1.2 * coarser, 6 * coarser);
  const double cx = first.cols / 2.0, cy = first.rows / 2.0, unit = std::max(cx, cy);
  const bool turns = freedom == Freedom::kShiftScaleRotation;
  Motion motion = start;
  for (int iteration = 0; iteration < iterations; ++iteration) {
    cv::Mat covered, gx, gy;
    const cv::Mat b = warp_to_first(detail, motion, first.size(), &covered);
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
        const double error = a.at<float>(y, x) - mean_a[0] - gain * (b.at<float>(y, x) - mean_b[0]);
        // What differs wildly is not shared content; it must not pull.
        const double weight = 1 / (1 + error * error / (dev_a[0] * dev_a[0]));
        const double u = (x - cx) / unit, v = (y - cy) / unit;
        const double ix = gx.at<float>(y, x), iy = gy.at<float>(y, x);
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
    motion =
        motion * Motion(1 + p, -q, step[2] - p * cx + q * cy, q, 1 + p, step[3] - q * cx - p * cy, 0, 0, 1);
    if (std::abs(step[0]) + std::abs(step[1]) + std::abs(step[2]) + std::abs(step[3]) < 0.02) break;
  }
  return motion;
}

constexpr int kIterations = 6, kPolishing = 2;

bool is_small(const cv::Mat& first, const cv::Mat& second) {
  constexpr int small_px = 300;
  return std::min({first.cols, first.rows, second.cols, second.rows}) <= small_px;
}

cv::Mat halved(const cv::Mat& image) {
  const cv::Mat even = image({0, 0, image.cols & ~1, image.rows & ~1});
  cv::Mat result;
  cv::resize(even, result, even.size() / 2, 0, 0, cv::INTER_AREA);
  return result;
}

const Motion kHalve(0.5, 0, -0.25, 0, 0.5, -0.25, 0, 0, 1);

}  // namespace

Motion refine_motion(const cv::Mat& first, const cv::Mat& second, const Motion& start, Freedom freedom) {
  if (is_small(first, second)) return descend(first, second, start, freedom, kIterations);
  // Most of the way at half size, for a quarter of the work.
  const Motion at_half =
      descend(halved(first), halved(second), kHalve * start * kHalve.inv(), freedom, kIterations);
  return descend(first, second, kHalve.inv() * at_half * kHalve, freedom, kPolishing);
}

std::optional<Motion> refine_if_alike(const cv::Mat& first, const cv::Mat& second, const Motion& start) {
  constexpr double hardly = 0.15;
  constexpr Freedom all = Freedom::kShiftScaleRotation;
  if (is_small(first, second)) return descend(first, second, start, all, kIterations);
  const cv::Mat half_first = halved(first), half_second = halved(second);
  const Motion at_half = descend(half_first, half_second, kHalve * start * kHalve.inv(), all, kIterations);
  if (compare_densely(half_first, half_second, at_half).mean < hardly) return std::nullopt;
  return descend(first, second, kHalve.inv() * at_half * kHalve, all, kPolishing);
}

}  // namespace awry::inspectors::forensics
