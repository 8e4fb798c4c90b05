// SPDX-License-Identifier: Apache-2.0
#include "awry/forge/duplicate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <opencv2/imgproc.hpp>

#include "awry/forge/compose.h"
#include "awry/imaging/opencv.h"
#include "awry/imaging/resize.h"

namespace awry::forge {
namespace {

constexpr double kVisibleChange = 2.5;  // mean grey levels

cv::Matx33d as_matrix(const Transform& t) {
  return {t[0], t[1], t[2], t[3], t[4], t[5], t[6], t[7], t[8]};
}

Transform as_transform(const cv::Matx33d& m) {
  return {m(0, 0), m(0, 1), m(0, 2), m(1, 0), m(1, 1), m(1, 2), m(2, 0), m(2, 1), m(2, 2)};
}

cv::Matx33d turn_matrix(Turn turn, double width, double height) {
  const bool mirror_x = turn == Turn::kHorizontalFlip || turn == Turn::kHalfTurn;
  const bool mirror_y = turn == Turn::kVerticalFlip || turn == Turn::kHalfTurn;
  return {mirror_x ? -1.0 : 1.0,
          0,
          mirror_x ? width : 0,
          0,
          mirror_y ? -1.0 : 1.0,
          mirror_y ? height : 0,
          0,
          0,
          1};
}

imaging::Image turned(const imaging::Image& image, Turn turn) {
  if (turn == Turn::kNone) return image;
  imaging::Image result(image.width, image.height, image.channels);
  cv::flip(imaging::as_mat(image), imaging::as_mat(result),
           turn == Turn::kHorizontalFlip ? 1
           : turn == Turn::kVerticalFlip ? 0
                                         : -1);
  return result;
}

// Turns are mirrorings of x and of y, done or undone.
Turn combined(const DuplicationPlan& plan) {
  const auto mirrors_x = [](Turn turn) { return turn == Turn::kHorizontalFlip || turn == Turn::kHalfTurn; };
  const auto mirrors_y = [](Turn turn) { return turn == Turn::kVerticalFlip || turn == Turn::kHalfTurn; };
  const bool x = mirrors_x(plan.turn) != mirrors_x(plan.second_turn);
  const bool y = mirrors_y(plan.turn) != mirrors_y(plan.second_turn);
  if (x) return y ? Turn::kHalfTurn : Turn::kHorizontalFlip;
  return y ? Turn::kVerticalFlip : Turn::kNone;
}

std::vector<Retouch> random_retouches(RandomStream random) {
  std::vector<Retouch> retouches;
  for (const std::size_t i :
       random.sample(kAllAdjustments.size(), static_cast<std::size_t>(random.integer(0, 2)))) {
    retouches.push_back({kAllAdjustments[i], random_amount(kAllAdjustments[i], random)});
  }
  return retouches;
}

imaging::Bitmap everything(int width, int height) {
  return imaging::Bitmap(width, height, 1);
}

// Performs the retouches on the second panel and writes down what was really done.
void retouch(DuplicatePair& pair, const DuplicationPlan& plan, RandomStream random) {
  std::vector<Adjustment> used;
  for (Retouch step : plan.retouches) {
    const imaging::Bitmap all = everything(pair.second.width, pair.second.height);
    imaging::Image after = adjusted(pair.second, step.adjustment, step.amount);
    if (mean_change(pair.second, after, all) < kVisibleChange) {
      step.adjustment = Adjustment::kBrightness;
      // Upwards on dark panels, downwards on bright ones: the other way everything would clip.
      const cv::Scalar mean = cv::mean(imaging::as_mat(pair.second));
      step.amount =
          std::abs(random_amount(step.adjustment, random)) * (mean[0] + mean[1] + mean[2] < 3 * 128 ? 1 : -1);
      after = adjusted(pair.second, step.adjustment, step.amount);
    }
    if (std::ranges::find(used, step.adjustment) != used.end()) continue;
    used.push_back(step.adjustment);
    pair.second = std::move(after);
    pair.operations.emplace_back(name_of(step.adjustment));
    pair.recipe.operations.push_back({std::string(name_of(step.adjustment)), {{"amount", step.amount}}});
  }
  if (!used.empty()) pair.letters += 'E';
}

// The letter says what the turns amount to; two that undo each other have none.
void record_turns(DuplicatePair& pair, const DuplicationPlan& plan) {
  for (const Turn turn : {plan.turn, plan.second_turn}) {
    if (turn == Turn::kNone) continue;
    pair.operations.emplace_back(name_of(turn));
    pair.recipe.operations.push_back({std::string(name_of(turn)), {}});
  }
  if (const Turn turn = combined(plan); turn != Turn::kNone)
    pair.letters += turn == Turn::kHalfTurn ? 'C' : 'D';
}

void record_truth(DuplicatePair& pair) {
  if (pair.letters.empty()) {
    pair.letters = "A";
    pair.operations = {"direct"};
    pair.recipe.operations.push_back({"direct", {}});
  }
  pair.duplication_ratio =
      static_cast<double>(area(pair.shared_in_first)) / static_cast<double>(pair.shared_in_first.bits.size());
  pair.truth = {.where = Pair{.first_image = 0,
                              .second_image = 1,
                              .in_first = imaging::mask_from_bitmap(pair.shared_in_first),
                              .in_second = imaging::mask_from_bitmap(pair.shared_in_second),
                              .second_from_first = pair.second_from_first,
                              .operations = pair.operations},
                .type = "duplication",
                .by = {.kind = AuthorKind::kForger, .name = "forge/duplicate", .version = "1"}};
}

Result<void> check_rgb(const imaging::Image& image) {
  if (image.channels == 3 && !image.empty()) return {};
  return fail({.what = "cannot duplicate the panel",
               .why = fmt::format("it has {} channels and {}x{} pixels, an RGB image is needed",
                                  image.channels, image.width, image.height)});
}

imaging::Image cropped(const imaging::Image& picture, const cv::Rect& window) {
  return imaging::from_mat(imaging::as_mat(picture)(window));
}

// Resampled once, by the transform that is recorded. OpenCV counts from pixel centres, hence the halves.
imaging::Image warped(const imaging::Image& picture, const cv::Matx33d& result_from_picture, cv::Size size) {
  const cv::Matx33d to_centres(1, 0, -0.5, 0, 1, -0.5, 0, 0, 1), from_centres(1, 0, 0.5, 0, 1, 0.5, 0, 0, 1);
  const cv::Matx33d centred = to_centres * result_from_picture * from_centres;
  imaging::Image result(size.width, size.height, picture.channels);
  cv::warpAffine(imaging::as_mat(picture), imaging::as_mat(result), centred.get_minor<2, 3>(0, 0), size,
                 cv::INTER_CUBIC, cv::BORDER_REFLECT_101);
  return result;
}

struct Windows {
  cv::Rect first, second;
};

// The second window lies to the right of, below, or right and below the first, as far as the picture allows.
Result<Windows> choose_windows(cv::Size picture, cv::Size panel, const DuplicationPlan& plan,
                               RandomStream random) {
  const cv::Size second(cvRound(panel.width / plan.scale), cvRound(panel.height / plan.scale));
  const double side_share = plan.crop == CropMode::kDiagonal ? std::sqrt(plan.shared) : plan.shared;
  int shift_x = plan.crop == CropMode::kVertical ? 0 : cvRound(panel.width * (1 - side_share));
  int shift_y = plan.crop == CropMode::kHorizontal ? 0 : cvRound(panel.height * (1 - side_share));
  shift_x = std::min(shift_x, picture.width - second.width);
  shift_y = std::min(shift_y, picture.height - second.height);
  if (shift_x < 0 || shift_y < 0 || panel.width > picture.width || panel.height > picture.height ||
      shift_x + shift_y == 0) {
    return fail({.what = "cannot cut two overlapping panels",
                 .why = fmt::format("the picture is {}x{}, the panels {}x{} and {}x{}", picture.width,
                                    picture.height, panel.width, panel.height, second.width, second.height),
                 .hint = "Use a larger picture or smaller panels."});
  }
  const int across = std::max(panel.width, shift_x + second.width);
  const int down = std::max(panel.height, shift_y + second.height);
  const cv::Point corner(random.integer(0, picture.width - across), random.integer(0, picture.height - down));
  return Windows{.first = {corner, panel}, .second = {corner + cv::Point(shift_x, shift_y), second}};
}

// A pixel belongs to the shared part when its centre, seen in the other panel, lies within that panel.
imaging::Bitmap pixels_that_map_inside(cv::Size from, const cv::Matx33d& to_from, cv::Size to) {
  constexpr double kRounding = 1e-9;
  imaging::Bitmap inside(from.width, from.height);
  for (int y = 0; y < from.height; ++y) {
    for (int x = 0; x < from.width; ++x) {
      const cv::Vec3d at = to_from * cv::Vec3d(x + 0.5, y + 0.5, 1);
      inside.at(x, y) = at[0] >= -kRounding && at[1] >= -kRounding && at[0] < to.width && at[1] < to.height;
    }
  }
  return inside;
}

}  // namespace

std::string_view name_of(Turn turn) {
  switch (turn) {
    case Turn::kNone:
      return "none";
    case Turn::kHorizontalFlip:
      return "horizontal_flip";
    case Turn::kVerticalFlip:
      return "vertical_flip";
    case Turn::kHalfTurn:
      return "rotation_180";
  }
  std::abort();
}

double random_scale(RandomStream& random) {
  return random.chance(0.5) ? random.uniform(0.8, 0.9) : random.uniform(1.12, 1.4);
}

DuplicationPlan plan_global_duplication(RandomStream random) {
  return {.turn = random.pick(kAllTurns), .retouches = random_retouches(random.fork("retouches"))};
}

DuplicationPlan plan_local_duplication(RandomStream random) {
  DuplicationPlan plan = plan_global_duplication(random.fork("second panel"));
  plan.crop = static_cast<CropMode>(random.integer(0, 2));
  plan.shared = random.uniform(0.42, 0.75);
  if (random.chance(0.18)) plan.scale = random_scale(random);
  return plan;
}

Result<DuplicatePair> duplicate_globally(const imaging::Image& panel, const DuplicationPlan& plan,
                                         const SeedPath& seed) {
  AWRY_TRY(check_rgb(panel));
  DuplicatePair pair{.first = panel, .second = turned(panel, combined(plan)), .recipe = {.seed = seed}};
  pair.shared_in_first = pair.shared_in_second = everything(panel.width, panel.height);
  pair.second_from_first = as_transform(turn_matrix(combined(plan), panel.width, panel.height));
  record_turns(pair, plan);
  retouch(pair, plan, seed.stream().fork("retouch"));
  record_truth(pair);
  return pair;
}

Result<DuplicatePair> duplicate_locally(const imaging::Image& picture, int width, int height,
                                        const DuplicationPlan& plan, const SeedPath& seed) {
  AWRY_TRY(check_rgb(picture));
  const cv::Size panel(width, height);
  AWRY_TRY_ASSIGN(const Windows windows, choose_windows({picture.width, picture.height}, panel, plan,
                                                        seed.stream().fork("windows")));
  const double scale_x = static_cast<double>(width) / windows.second.width;
  const double scale_y = static_cast<double>(height) / windows.second.height;
  const cv::Matx33d window_from_picture(1, 0, -windows.second.x, 0, 1, -windows.second.y, 0, 0, 1);
  const cv::Matx33d second_from_picture = turn_matrix(combined(plan), width, height) *
                                          cv::Matx33d(scale_x, 0, 0, 0, scale_y, 0, 0, 0, 1) *
                                          window_from_picture;
  const cv::Matx33d picture_from_first(1, 0, windows.first.x, 0, 1, windows.first.y, 0, 0, 1);
  const bool scaled = windows.second.size() != panel;

  DuplicatePair pair{.first = cropped(picture, windows.first), .recipe = {.seed = seed}};
  pair.second = scaled ? warped(picture, second_from_picture, panel)
                       : turned(cropped(picture, windows.second), combined(plan));
  const cv::Matx33d second_from_first = second_from_picture * picture_from_first;
  pair.second_from_first = as_transform(second_from_first);
  pair.shared_in_first = pixels_that_map_inside(panel, second_from_first, panel);
  pair.shared_in_second = pixels_that_map_inside(panel, second_from_first.inv(), panel);
  for (const auto& [name, window] :
       {std::pair("crop_first", windows.first), std::pair("crop_second", windows.second)}) {
    pair.recipe.operations.push_back({name,
                                      {{"x", static_cast<double>(window.x)},
                                       {"y", static_cast<double>(window.y)},
                                       {"width", static_cast<double>(window.width)},
                                       {"height", static_cast<double>(window.height)}}});
  }
  if (scaled) {
    pair.letters += 'B';
    pair.operations.emplace_back("scaling");
    pair.recipe.operations.push_back({"scaling", {{"factor_x", scale_x}, {"factor_y", scale_y}}});
  }
  record_turns(pair, plan);
  retouch(pair, plan, seed.stream().fork("retouch"));
  record_truth(pair);
  return pair;
}

DuplicatePair exchanged(DuplicatePair pair) {
  std::swap(pair.first, pair.second);
  std::swap(pair.shared_in_first, pair.shared_in_second);
  pair.second_from_first = as_transform(as_matrix(pair.second_from_first).inv());
  auto& where = std::get<Pair>(pair.truth.where);
  std::swap(where.in_first, where.in_second);
  where.second_from_first = pair.second_from_first;
  return pair;
}

std::string_view released_name_of(char letter) {
  switch (letter) {
    case 'A':
      return "direct";
    case 'B':
      return "scaling";
    case 'C':
      return "rotated";
    case 'D':
      return "flipped";
    case 'E':
      return "parameter-modified";
  }
  std::abort();
}

}  // namespace awry::forge
