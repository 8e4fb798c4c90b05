// SPDX-License-Identifier: Apache-2.0
// Cells in culture under a fluorescence microscope: stained nuclei, a cytoskeleton, sometimes vesicles,
// seen through a point-spread function with haze from out of focus, uneven light and photon noise.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <opencv2/imgproc.hpp>

#include "awry/forge/brushes.h"
#include "awry/forge/painters.h"

namespace awry::forge {
namespace {

struct Palette {
  cv::Vec3d nuclei, skeleton, vesicles;
  std::string_view two, three;  // how the caption names the stains, without and with vesicles
};

const Palette kPalettes[] = {
    {{0.16, 0.30, 1.0},
     {0.12, 1.0, 0.25},
     {1.0, 0.15, 0.10},
     "nuclei (blue) and actin (green)",
     "nuclei (blue), actin (green) and lysosomes (red)"},
    {{0.16, 0.30, 1.0},
     {1.0, 0.16, 0.12},
     {0.25, 1.0, 0.25},
     "nuclei (blue) and tubulin (red)",
     "nuclei (blue), tubulin (red) and endosomes (green)"},
    {{0.20, 0.45, 1.0},
     {0.95, 0.20, 0.95},
     {1.0, 0.9, 0.2},
     "nuclei (blue) and vimentin (magenta)",
     "nuclei (blue), vimentin (magenta) and vesicles (yellow)"},
    {{0.10, 0.85, 1.0},
     {1.0, 0.55, 0.10},
     {1.0, 1.0, 1.0},
     "nuclei (cyan) and actin (orange)",
     "nuclei (cyan), actin (orange) and vesicles (white)"},
};

struct Scene {
  Plane nuclei, skeleton, vesicles;
  Plane cloud;  // shared texture of cytoplasm and chromatin
  double unit;
};

// Stress fibres: many thin, nearly parallel, slightly bent strands, kept inside the cell by its coverage.
Plane strands_in(const Stamp& stamp, cv::Point2d centre, double radius, double angle, RandomStream random) {
  cv::Mat1b drawn = cv::Mat1b(stamp.where.size(), 0);
  const int count = random.integer(22, 42);
  for (int i = 0; i < count; ++i) {
    const double turn = angle + random.normal(0, 0.22), bend = random.normal(0, 0.12) * radius;
    const double offset = random.uniform(-1, 1) * radius, reach = random.uniform(0.4, 1.3) * radius;
    const cv::Point2d along(std::cos(turn), std::sin(turn)), across(-along.y, along.x);
    const cv::Point2d corner(stamp.where.x, stamp.where.y);
    const cv::Point2d middle = centre - corner + across * offset + along * random.normal(0, 0.25 * radius);
    std::vector<cv::Point> line;
    for (int step = -4; step <= 4; ++step) {
      const double t = step / 4.0;
      const cv::Point2d point = middle + along * (t * reach) + across * (bend * (1 - t * t));
      line.emplace_back(cvRound(point.x * 16), cvRound(point.y * 16));
    }
    cv::polylines(drawn, line, false, random.integer(70, 255), 1, cv::LINE_AA, 4);
  }
  Plane strands;
  drawn.convertTo(strands, CV_32F, 1 / 255.0);
  return strands;
}

void paint_cell_body(Scene& scene, cv::Point2d centre, const Outline& outline, double radius, double angle,
                     RandomStream random) {
  Stamp stamp = stamp_of(outline, scene.skeleton.size());
  if (stamp.where.empty()) return;
  Plane inside;
  stamp.coverage.convertTo(inside, CV_32F, 1 / 255.0);
  Plane core = inside.clone();
  blur(core, radius * 0.10);
  const Plane rim(inside.mul(1.0 - core));
  const Plane strands = strands_in(stamp, centre, radius, angle, random.fork("strands"));
  const double brightness = std::exp(random.normal(-0.1, 0.28));
  const double strand_share = random.uniform(0.5, 1.0), rim_share = random.uniform(0.3, 0.9);
  for (int y = 0; y < stamp.where.height; ++y) {
    for (int x = 0; x < stamp.where.width; ++x) {
      const int px = stamp.where.x + x, py = stamp.where.y + y;
      const double distance = std::hypot(px - centre.x, py - centre.y) / radius;
      const double body = 0.34 * std::exp(-1.1 * distance * distance) + 0.10;
      const double texture = std::max(0.15, 1 + 0.38 * scene.cloud(py, px));
      const double light = core(y, x) * (body * texture + 0.42 * strand_share * strands(y, x)) +
                           rim_share * rim(y, x) * texture;
      // Cells in a monolayer press against one another and overlap only at their thin edges.
      float& target = scene.skeleton(py, px);
      target = std::max(target, to_float(brightness * inside(y, x) * light)) + 0.12F * std::min(target, 0.5F);
    }
  }
}

void paint_nucleus(Scene& scene, cv::Point2d centre, double radius, double angle, RandomStream random) {
  const BlobStyle style{.radius_x = radius * random.uniform(1.0, 1.35),
                        .radius_y = radius * random.uniform(0.75, 1.0),
                        .angle = angle + random.normal(0, 0.3),
                        .irregularity = random.uniform(0.03, 0.09)};
  const double brightness = std::exp(random.normal(-0.35, 0.22));
  const Stamp stamp = stamp_of(blob_outline(centre, style, random.fork("outline")), scene.nuclei.size());
  if (stamp.where.empty()) return;
  Plane patch = Plane(stamp.where.size(), 0.0F);
  for (int y = 0; y < patch.rows; ++y) {
    for (int x = 0; x < patch.cols; ++x) {
      const double texture = 1 + 0.24 * scene.cloud(stamp.where.y + y, stamp.where.x + x);
      patch(y, x) = to_float(stamp.coverage(y, x) / 255.0 * brightness * texture);
    }
  }
  for (int i = random.integer(1, 4); i > 0; --i) {  // nucleoli hold little DNA: dark holes
    const double turn = random.uniform(0, 2 * std::numbers::pi), away = random.uniform(0, 0.5) * radius;
    const cv::Point2d local = centre - cv::Point2d(stamp.where.x, stamp.where.y) +
                              cv::Point2d(std::cos(turn), std::sin(turn)) * away;
    const double size = radius * random.uniform(0.13, 0.24);
    fill(patch, blob_outline(local, {.radius_x = size, .radius_y = size}, random.fork(i)), 0.3 * brightness,
         0.75);
  }
  blur(patch, 0.05 * radius);
  scene.nuclei(stamp.where) = cv::max(scene.nuclei(stamp.where), patch);
  // The nucleus pushes the cytoskeleton aside.
  Plane dimmed = scene.skeleton(stamp.where);
  for (int y = 0; y < patch.rows; ++y) {
    for (int x = 0; x < patch.cols; ++x) dimmed(y, x) *= to_float(1 - 0.5 * stamp.coverage(y, x) / 255.0);
  }
}

// Chromosomes on the way apart: two bright bars.
void paint_division(Scene& scene, cv::Point2d centre, double radius, double angle, RandomStream random) {
  const cv::Point2d apart =
      cv::Point2d(std::cos(angle), std::sin(angle)) * (radius * random.uniform(0.35, 0.8));
  for (const double side : {-1.0, 1.0}) {
    fill(scene.nuclei,
         blob_outline(
             centre + apart * side,
             {.radius_x = radius * 0.22, .radius_y = radius * 0.75, .angle = angle, .irregularity = 0.2},
             random.fork(side > 0 ? 1 : 2)),
         1.25);
  }
}

void paint_vesicles(Scene& scene, cv::Point2d centre, double radius, RandomStream random) {
  for (int i = random.integer(6, 26); i > 0; --i) {
    const double turn = random.uniform(0, 2 * std::numbers::pi),
                 away = radius * std::abs(random.normal(0.42, 0.16));
    const double size = scene.unit * random.uniform(0.8, 1.9);
    fill(scene.vesicles,
         blob_outline(centre + cv::Point2d(std::cos(turn), std::sin(turn)) * away,
                      {.radius_x = size, .radius_y = size * random.uniform(0.7, 1.0)}, random.fork(i)),
         random.uniform(0.45, 1.2), 0.9);
  }
}

// Out-of-focus haze, background, uneven light, then the camera.
void photograph(Plane& channel, const Plane& light, double unit, double focus, RandomStream random) {
  Plane haze = channel.clone();
  blur(haze, 13 * unit);
  blur(channel, focus);
  channel = (0.9 * channel + 0.22 * haze + random.uniform(0.012, 0.03)).mul(light);
  expose(channel, random.uniform(180, 420), random.uniform(1.5, 3), random.fork("camera"));
}

Plane uneven_light(cv::Size size, RandomStream random) {
  Plane light(size);
  const double x0 = random.uniform(0.3, 0.7) * size.width, y0 = random.uniform(0.3, 0.7) * size.height;
  const double loss = random.uniform(0.18, 0.4);
  for (int y = 0; y < size.height; ++y) {
    for (int x = 0; x < size.width; ++x) {
      const double away = std::hypot((x - x0) / size.width, (y - y0) / size.height);
      light(y, x) = to_float(1 - loss * away * away * 2);
    }
  }
  return light;
}

}  // namespace

Painted paint_micrograph(int width, int height, RandomStream random, RandomStream style) {
  const cv::Size size(width, height);
  const double unit = detail_scale(size) * style.uniform(0.8, 1.25);
  Scene scene{.nuclei = Plane(size, 0.0F),
              .skeleton = Plane(size, 0.0F),
              .vesicles = Plane(size, 0.0F),
              .cloud = cloud_noise(size, 9 * unit, 4, random.fork("cloud")),
              .unit = unit};
  const double typical = 34 * unit;
  const double crowding = random.uniform(1.45, 2.1);
  const auto centres = scattered_points(size, typical * crowding, 400, typical * 0.7, random.fork("places"));
  const double common_angle = random.uniform(0, std::numbers::pi);
  const bool with_vesicles = style.chance(0.6);
  const Palette& palette = style.pick(std::span(kPalettes));
  int whole_cells = 0;
  for (std::size_t i = 0; i < centres.size(); ++i) {
    RandomStream cell = random.fork("cell").fork(i);
    const double radius = typical * cell.uniform(0.85, 1.3), angle = common_angle + cell.normal(0, 0.6);
    const double stretch = cell.uniform(1.0, 1.6);
    const BlobStyle body{.radius_x = radius * std::sqrt(stretch) * 1.05,
                         .radius_y = radius / std::sqrt(stretch) * 1.05,
                         .angle = angle,
                         .irregularity = cell.uniform(0.14, 0.34)};
    paint_cell_body(scene, centres[i], blob_outline(centres[i], body, cell.fork("body")), radius, angle,
                    cell.fork("fibres"));
    if (cell.chance(0.05)) {
      paint_division(scene, centres[i], radius * 0.40, angle, cell.fork("division"));
    } else {
      paint_nucleus(scene, centres[i], radius * cell.uniform(0.36, 0.46), angle, cell.fork("nucleus"));
    }
    if (with_vesicles) paint_vesicles(scene, centres[i], radius, cell.fork("vesicles"));
    whole_cells += cv::Rect2d(0, 0, width, height).contains(centres[i]) ? 1 : 0;
  }

  const Plane light = uneven_light(size, random.fork("light"));
  const double focus = unit * random.uniform(0.65, 1.0);
  photograph(scene.nuclei, light, unit, focus * 1.2, random.fork("nuclei"));
  photograph(scene.skeleton, light, unit, focus, random.fork("skeleton"));
  photograph(scene.vesicles, light, unit, focus, random.fork("vesicles"));
  Plane channels[3];
  for (int c = 0; c < 3; ++c) {
    channels[c] = 0.85 * palette.nuclei[c] * scene.nuclei + 1.05 * palette.skeleton[c] * scene.skeleton +
                  (with_vesicles ? 0.9 : 0.0) * palette.vesicles[c] * scene.vesicles;
  }

  Painted painted{.image = to_image(channels[0], channels[1], channels[2])};
  const double um_per_px = 0.38 / unit;
  const int bar_um = width * um_per_px > 110 ? 20 : 10;
  painted.annotations.push_back(draw_scale_bar(painted.image, cvRound(bar_um / um_per_px), {255, 255, 255}));
  painted.caption = fmt::format("Fluorescence micrograph of cultured cells stained for {}. Scale bar, {} um.",
                                with_vesicles ? palette.three : palette.two, bar_um);
  painted.sentences = {fmt::format("The field of view contained {} nuclei.", whole_cells)};
  painted.facts = {{"nuclei", static_cast<double>(whole_cells), ""},
                   {"scale_bar", static_cast<double>(bar_um), "um"},
                   {"pixel_size", um_per_px, "um"}};
  return painted;
}

}  // namespace awry::forge
