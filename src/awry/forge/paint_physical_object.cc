// SPDX-License-Identifier: Apache-2.0
// Specimens in two rows beside a ruler, photographed from above: rounded bodies under one lamp, with their
// shadows, on cloth or paper.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <opencv2/imgproc.hpp>

#include "awry/forge/painters.h"
#include "awry/forge/sheet.h"

namespace awry::forge {
namespace {

struct Substance {
  std::string_view plural;
  cv::Vec3d colour, veins;  // 0..1; the second shows through in patches
  double roughness, gloss, elongation;
  double typical_mm;
};
const Substance kSubstances[] = {{"tumours", {0.78, 0.52, 0.46}, {0.52, 0.14, 0.14}, 0.30, 0.55, 1.15, 11},
                                 {"seeds", {0.60, 0.43, 0.24}, {0.36, 0.24, 0.12}, 0.18, 0.25, 1.55, 8},
                                 {"pebbles", {0.58, 0.57, 0.54}, {0.42, 0.40, 0.37}, 0.40, 0.05, 1.25, 14},
                                 {"tubers", {0.74, 0.60, 0.38}, {0.55, 0.40, 0.22}, 0.35, 0.12, 1.40, 26}};
const cv::Vec3d kCloths[] = {{0.20, 0.36, 0.58}, {0.16, 0.42, 0.34}, {0.86, 0.86, 0.84}, {0.12, 0.12, 0.13}};

struct Group {
  std::string_view name;
  std::vector<double> lengths_mm;
  double mean() const {
    const double sum = std::accumulate(lengths_mm.begin(), lengths_mm.end(), 0.0);
    return std::round(sum / static_cast<double>(lengths_mm.size()) * 10) / 10;
  }
};

struct Scene {
  Plane red, green, blue;
  void tint(int y, int x, const cv::Vec3d& colour, double opacity) {
    red(y, x) += to_float(opacity * (colour[0] - red(y, x)));
    green(y, x) += to_float(opacity * (colour[1] - green(y, x)));
    blue(y, x) += to_float(opacity * (colour[2] - blue(y, x)));
  }
};

Scene lay_cloth(cv::Size size, const cv::Vec3d& cloth, double unit, RandomStream random) {
  const Plane warp =
      fibre_noise(size, {.length_px = 40 * unit, .thickness_px = 1.6 * unit, .angle = 0, .waviness_px = 2},
                  random.fork("warp"));
  const Plane weft = fibre_noise(
      size, {.length_px = 40 * unit, .thickness_px = 1.6 * unit, .angle = 1.5708, .waviness_px = 2},
      random.fork("weft"));
  const Plane folds = cloud_noise(size, std::max(size.width, size.height) * 0.6, 2, random.fork("folds"));
  Scene scene{Plane(size, 0.0F), Plane(size, 0.0F), Plane(size, 0.0F)};
  for (int y = 0; y < size.height; ++y) {
    for (int x = 0; x < size.width; ++x) {
      const double light = 1 + 0.035 * (warp(y, x) + weft(y, x)) + 0.06 * folds(y, x);
      scene.tint(y, x, cloth * light, 1);
    }
  }
  return scene;
}

void cast_shadow(Scene& scene, const Outline& outline, double reach) {
  Outline moved = outline;
  for (cv::Point2d& point : moved) point += cv::Point2d(reach * 0.5, reach * 0.6);
  Plane shade(scene.red.size(), 0.0F);
  fill(shade, moved, 1);
  blur(shade, reach * 0.45);
  for (Plane* plane : {&scene.red, &scene.green, &scene.blue}) *plane = plane->mul(1 - 0.55 * shade);
}

// A body is as high as its distance from its rim lets a round thing be; the lamp stands upper left.
void place_body(Scene& scene, const Outline& outline, double radius, const Substance& substance,
                RandomStream random) {
  cast_shadow(scene, outline, radius * 0.5);
  const Stamp stamp = stamp_of(outline, scene.red.size());
  if (stamp.where.empty()) return;
  cv::Mat1b padded, inside;
  cv::copyMakeBorder(stamp.coverage, padded, 1, 1, 1, 1, cv::BORDER_CONSTANT, 0);
  cv::threshold(padded, inside, 127, 255, cv::THRESH_BINARY);
  Plane depth;
  cv::distanceTransform(inside, depth, cv::DIST_L2, cv::DIST_MASK_PRECISE);
  const Plane relief = cloud_noise(padded.size(), std::max(3.0, radius * 0.5), 4, random.fork("relief"));
  const Plane patches = cloud_noise(padded.size(), std::max(4.0, radius * 0.7), 3, random.fork("patches"));
  Plane height(padded.size());
  for (int y = 0; y < height.rows; ++y) {
    for (int x = 0; x < height.cols; ++x) {
      const double in = std::min(1.0, depth(y, x) / std::max(1.0, radius * 0.9));
      height(y, x) = to_float(
          radius * (std::sqrt(std::max(0.0, in * (2 - in))) + 0.05 * substance.roughness * relief(y, x)));
    }
  }
  blur(height, std::max(0.6, radius * 0.05));
  for (int y = 1; y + 1 < height.rows; ++y) {
    for (int x = 1; x + 1 < height.cols; ++x) {
      const double coverage = padded(y, x) / 255.0;
      if (coverage == 0) continue;
      const double slope_x = (height(y, x + 1) - height(y, x - 1)) / 2,
                   slope_y = (height(y + 1, x) - height(y - 1, x)) / 2;
      const double length = std::sqrt(slope_x * slope_x + slope_y * slope_y + 1);
      const double facing = std::max(0.0, (0.45 * slope_x + 0.55 * slope_y + 0.70) / length);
      const double shine = substance.gloss * std::pow(std::min(1.0, facing), 40);
      const double vein = std::clamp(0.35 + 0.4 * patches(y, x), 0.0, 1.0);
      const cv::Vec3d skin = substance.colour * (1 - vein) + substance.veins * vein;
      scene.tint(stamp.where.y + y - 1, stamp.where.x + x - 1,
                 skin * (0.28 + 0.80 * facing) + cv::Vec3d(shine, shine, shine), coverage);
    }
  }
}

void draw_ruler(Painted& painted, double pixels_per_mm, double unit) {
  const int height = painted.image.height, width = painted.image.width;
  const double depth = std::max(6.0, 26 * unit), letter = std::max(3.0, 7.5 * unit);
  cv::Mat canvas = imaging::as_mat(painted.image);
  const cv::Rect strip(0, cvRound(height - depth), width, cvRound(depth));
  canvas(strip & cv::Rect(0, 0, width, height)).setTo(cv::Scalar(236, 226, 190));
  // Fewer ticks where millimetres would run together.
  const int step = pixels_per_mm >= 3 ? 1 : 5;
  for (int mm = 0; mm * pixels_per_mm < width - 2; mm += step) {
    const double x = 2 + mm * pixels_per_mm;
    const double reach = depth * (mm % 10 == 0 ? 0.5 : mm % 5 == 0 ? 0.38 : 0.25);
    cv::line(canvas, {cvRound(x), strip.y}, {cvRound(x), cvRound(strip.y + reach)}, {30, 30, 30}, 1);
    if (mm % 10 != 0 || 10 * pixels_per_mm < letter * 2.4) continue;
    const std::string label = std::to_string(mm / 10);
    if (x + letter * 2 < width) {
      draw_text(painted.image, label, {x + letter * 0.3, height - depth * 0.12},
                {.height_px = letter, .colour = {30, 30, 30}});
      painted.lettering.push_back(label);
    }
  }
  painted.annotations.push_back(
      {0, static_cast<double>(strip.y), static_cast<double>(width), static_cast<double>(height - strip.y)});
}

void describe(Painted& painted, const Substance& substance, const Group (&groups)[2]) {
  const double first = groups[0].mean(), second = groups[1].mean();
  const int count = static_cast<int>(groups[0].lengths_mm.size());
  painted.caption =
      fmt::format("Photograph of {} of the {} (top) and {} (bottom) groups, {} in each; ruler in cm.",
                  substance.plural, groups[0].name, groups[1].name, count);
  painted.sentences = {
      fmt::format("The {} were on average {:.1f} mm long in the {} group, and {:.1f} mm in the {} group.",
                  substance.plural, first, groups[0].name, second, groups[1].name)};
  if (first != second) {
    painted.sentences.push_back(fmt::format("In the {} group the {} were {} than in the {} group.",
                                            groups[1].name, substance.plural,
                                            second < first ? "shorter" : "longer", groups[0].name));
  }
  painted.facts = {{"specimens_per_group", static_cast<double>(count), ""}};
  for (const Group& group : groups)
    painted.facts.push_back({fmt::format("{}/length", group.name), group.mean(), "mm"});
}

}  // namespace

Painted paint_physical_object(int width, int height, RandomStream random, RandomStream style) {
  const cv::Size size(width, height);
  const double unit = std::min(width, height) / 384.0;
  const Substance& substance = style.pick(std::span(kSubstances));
  const int count = style.integer(3, 5);
  Scene scene = lay_cloth(size, style.pick(std::span(kCloths)), std::max(0.5, unit), random.fork("cloth"));
  // Room for the longest specimen in each of `count` places and two rows above the ruler.
  const double cell_x = width / (count + 0.2), cell_y = (height - 30 * unit) / 2.05;
  const double pixels_per_mm = std::min(cell_x, cell_y) * 0.82 / (substance.typical_mm * 1.45);
  RandomStream numbers = random.fork("lengths");
  const double effect = numbers.uniform(0.55, 1.15);
  Group groups[2] = {{"control", {}}, {"treated", {}}};
  for (int row = 0; row < 2; ++row) {
    for (int i = 0; i < count; ++i) {
      const double length =
          substance.typical_mm * (row == 1 ? effect : 1) * std::clamp(numbers.normal(1, 0.12), 0.7, 1.3);
      groups[row].lengths_mm.push_back(std::round(length * 10) / 10);
      const double radius = groups[row].lengths_mm.back() * pixels_per_mm / 2;
      const cv::Point2d centre(cell_x * (i + 0.6) + numbers.uniform(-0.04, 0.04) * cell_x,
                               cell_y * (row + 0.54) + numbers.uniform(-0.04, 0.04) * cell_y);
      RandomStream own = random.fork("body").fork(static_cast<std::uint64_t>(row * count + i));
      const double slimness = substance.elongation * own.uniform(0.9, 1.1);
      const Outline outline = blob_outline(centre,
                                           {.radius_x = radius,
                                            .radius_y = radius / slimness,
                                            .angle = own.uniform(-0.6, 0.6),
                                            .irregularity = 0.09},
                                           own.fork("outline"));
      place_body(scene, outline, radius / slimness, substance, own);
    }
  }
  for (const auto& [plane, colour] :
       {std::pair(&scene.red, "red"), {&scene.green, "green"}, {&scene.blue, "blue"}}) {
    blur(*plane, 0.55);
    expose(*plane, 900, 6, random.fork("sensor").fork(colour));
  }
  Painted painted{.image = to_image(scene.red, scene.green, scene.blue)};
  draw_ruler(painted, pixels_per_mm, unit);
  describe(painted, substance, groups);
  painted.facts.push_back({"pixel_size", 1 / pixels_per_mm, "mm"});
  return painted;
}

}  // namespace awry::forge
