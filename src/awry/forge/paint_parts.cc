// SPDX-License-Identifier: Apache-2.0
// Simple objects of several parts, each of which can be scratched, stained or chipped.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "awry/forge/anomaly_render.h"
#include "awry/forge/compose.h"

namespace awry::forge {
namespace {

constexpr std::string_view kObjects[] = {"bottle", "plug"};
constexpr DefectCategory kCategories[] = {{"scratch", 3, 1}, {"stain", 3, 1}, {"chip", 2, 1}};

// A part and the box in which its defects may lie, in units of a 600x600 picture.
struct Part {
  std::string_view name;
  cv::Rect2d body;
  cv::Scalar behind;  // what a chip lets through
};
const Part kBottleParts[] = {{"cap", {240, 60, 120, 90}, {46, 48, 54}},
                             {"body", {180, 240, 240, 120}, {46, 48, 54}},
                             {"label", {170, 380, 260, 130}, {60, 130, 150}}};
const Part kPlugParts[] = {{"pins", {232, 70, 42, 110}, {218, 214, 204}},
                           {"housing", {190, 200, 220, 170}, {218, 214, 204}},
                           {"cord", {272, 420, 56, 130}, {218, 214, 204}}};

std::span<const Part> parts_of(std::string_view object) {
  return object == "bottle" ? std::span<const Part>(kBottleParts) : std::span<const Part>(kPlugParts);
}

struct Look {
  cv::Point2d offset;
  double tint = 0;
};

void draw_bottle(Board& board, const Look& look) {
  const cv::Scalar glass(60 + look.tint, 130 + look.tint, 150 + look.tint);
  board.box(150, 220, 300, 330, 50, glass, {24, 60, 72}, 4);
  board.box(236, 140, 128, 110, 14, glass, {24, 60, 72}, 4);
  board.box(176, 250, 26, 270, 12, {130, 190, 204}, {130, 190, 204}, 0);
  board.box(228, 50, 144, 104, 10, {206, 56, 44}, {110, 24, 20}, 4);
  for (int i = 0; i < 9; ++i) board.line(242 + i * 15.0, 62, 242 + i * 15.0, 142, {164, 40, 32}, 4);
  board.box(160, 372, 280, 146, 4, {238, 234, 220}, {150, 146, 134}, 2);
  board.letters("SOLVENT", 300, 430, 30, {40, 60, 120});
  for (int i = 0; i < 3; ++i)
    board.line(190, 456 + i * 18.0, 410 - i * 40.0, 456 + i * 18.0, {120, 118, 112}, 4);
}

void draw_plug(Board& board, const Look& look) {
  const cv::Scalar shell(70 + look.tint, 72 + look.tint, 78 + look.tint);
  const cv::Point2d cord[] = {{300, 380}, {300 + look.offset.x, 450}, {300, 620}};
  board.cable(cord, {60, 60, 66}, 52);
  for (const double x : {232.0, 326.0}) {
    board.box(x, 60, 42, 150, 10, {196, 178, 110}, {110, 96, 50}, 3);
    board.box(x + 8, 66, 8, 130, 4, {232, 218, 160}, {232, 218, 160}, 0);
  }
  board.box(176, 186, 248, 200, 34, shell, {30, 30, 34}, 4);
  for (int i = 0; i < 5; ++i) board.line(206, 250 + i * 26.0, 394, 250 + i * 26.0, {50, 52, 56}, 7);
}

// A defect is drawn last, over its part.
void draw_defect(Board& board, std::string_view category, const Part& part, RandomStream random) {
  const cv::Point2d middle(part.body.x + part.body.width * random.uniform(0.3, 0.7),
                           part.body.y + part.body.height * random.uniform(0.3, 0.7));
  const double reach = std::min(part.body.width, part.body.height);
  if (category == "scratch") {
    const double angle = random.uniform(-0.9, 0.9);
    const cv::Point2d along(std::cos(angle) * reach * 0.42, std::sin(angle) * reach * 0.42);
    for (int i = 0; i < 3; ++i) {
      const double aside = (i - 1) * 5.0, shorter = random.uniform(0.6, 1.0);
      board.line(middle.x - along.x * shorter, middle.y - along.y * shorter + aside, middle.x + along.x,
                 middle.y + along.y + aside, {228, 228, 224}, random.uniform(1.5, 3));
    }
    return;
  }
  const bool stain = category == "stain";
  const double radius = reach * random.uniform(0.16, 0.26);
  const Outline outline = blob_outline(middle,
                                       {.radius_x = radius,
                                        .radius_y = radius * random.uniform(0.7, 1.2),
                                        .angle = random.uniform(0, 3),
                                        .irregularity = stain ? 0.2 : 0.35},
                                       random.fork("outline"));
  board.polygon(outline, stain ? cv::Scalar(96, 70, 38) : part.behind);
  if (stain) board.disc(middle.x - radius * 0.2, middle.y, radius * 0.5, {74, 52, 28});
}

struct Planned {
  std::string_view category;
  const Part* part;
  RandomStream random;
};

imaging::Image drawn(std::string_view object, int width, const Look& look, std::span<const Planned> defects) {
  const cv::Scalar ground = object == "bottle" ? cv::Scalar(46, 48, 54) : cv::Scalar(218, 214, 204);
  Board board(width, width, 600, ground, look.offset);
  object == "bottle" ? draw_bottle(board, look) : draw_plug(board, look);
  for (const Planned& defect : defects) draw_defect(board, defect.category, *defect.part, defect.random);
  return board.take();
}

}  // namespace

std::span<const std::string_view> parts_objects() {
  return kObjects;
}

std::span<const DefectCategory> parts_categories() {
  return kCategories;
}

Result<AnomalyPicture> paint_parts_object(std::string_view object, int width,
                                          std::span<const std::string> wanted, const SeedPath& seed) {
  const RandomStream random = seed.stream();
  RandomStream numbers = random.fork("look");
  const Look look{.offset = {numbers.normal(0, 2.5), numbers.normal(0, 2.5)}, .tint = numbers.normal(0, 4)};
  const std::span<const Part> parts = parts_of(object);
  if (std::ranges::find(kObjects, object) == std::end(kObjects) || wanted.size() > parts.size()) {
    return fail({.kind = ErrorKind::kUsage,
                 .what = "cannot paint the object",
                 .input = std::string(object),
                 .why = fmt::format("it is not known, or has no {} parts", wanted.size())});
  }
  const auto order = random.fork("parts").sample(parts.size(), wanted.size());
  const imaging::Image good = drawn(object, width, look, {});
  std::vector<Planned> defects;
  AnomalyPicture picture;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (std::ranges::find(kCategories, wanted[i], &DefectCategory::name) == std::end(kCategories)) {
      return fail({.kind = ErrorKind::kUsage,
                   .what = "cannot plant the defect",
                   .input = wanted[i],
                   .why = "parts can have a scratch, a stain or a chip"});
    }
    defects.push_back({wanted[i], &parts[order[i]], random.fork("defect").fork(i)});
    picture.defects.push_back({wanted[i], std::string(parts[order[i]].name),
                               changed_pixels(good, drawn(object, width, look, std::span(defects).last(1)))});
  }
  const imaging::Image flawed = drawn(object, width, look, defects);
  picture.combined = changed_pixels(good, flawed);
  picture.image = photographed(flawed, random.fork("camera"));
  picture.good = photographed(good, random.fork("camera"));
  return picture;
}

}  // namespace awry::forge
