// SPDX-License-Identifier: Apache-2.0
// Axial tomograms: a head (skull, folded cortex, ventricles) or a chest (ribs, spine, lungs with vessels,
// heart). Grey values stand for density within a display window; noise is correlated, as reconstruction
// makes it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <opencv2/imgproc.hpp>

#include "awry/forge/brushes.h"
#include "awry/forge/painters.h"

namespace awry::forge {
namespace {

void reconstruct(Plane& scan, double unit, RandomStream random) {
  blur(scan, 0.85 * unit);
  Plane noise(scan.size());
  RandomStream grain = random.fork("grain");
  for (float& value : noise) value = to_float(grain.normal());
  blur(noise, 0.7);
  cv::Scalar mean, deviation;
  cv::meanStdDev(noise, mean, deviation);
  const double strength = random.uniform(0.014, 0.026) / deviation[0];
  for (int y = 0; y < scan.rows; ++y) {
    for (int x = 0; x < scan.cols; ++x) {
      // Air clips to black in the display window, so it shows hardly any noise.
      const double visible = std::clamp(scan(y, x) * 6.0, 0.12, 1.0);
      scan(y, x) = to_float(std::max(0.0, scan(y, x) + strength * visible * noise(y, x)));
    }
  }
}

// Adds texture inside an outline: plane += amount * texture there.
void add_texture(Plane& plane, const Outline& outline, const Plane& texture, double amount) {
  const Stamp stamp = stamp_of(outline, plane.size());
  for (int y = 0; y < stamp.where.height; ++y) {
    for (int x = 0; x < stamp.where.width; ++x) {
      const int px = stamp.where.x + x, py = stamp.where.y + y;
      plane(py, px) += to_float(amount * stamp.coverage(y, x) / 255.0 * texture(py, px));
    }
  }
}

// A vessel that thins, wanders and forks until it is too thin to see or leaves the mask.
void grow_vessel(Plane& plane, const cv::Mat1b& inside, cv::Point2d from, double heading, double width,
                 RandomStream& random) {
  while (width > 0.35) {
    const double step = std::max(1.5, width * 1.6);
    const cv::Point2d to = from + cv::Point2d(std::cos(heading), std::sin(heading)) * step;
    const cv::Point probe(cvRound(to.x), cvRound(to.y));
    if (!cv::Rect({0, 0}, inside.size()).contains(probe) || inside(probe) == 0) return;
    const BlobStyle piece{.radius_x = step * 0.75, .radius_y = width, .angle = heading, .irregularity = 0.05};
    fill(plane, blob_outline((from + to) / 2, piece, random.fork("piece")),
         std::min(0.72, 0.22 + width * 0.14), std::min(1.0, 0.35 + width * 0.3));
    from = to;
    heading += random.normal(0, 0.16);
    width *= random.uniform(0.94, 0.985);
    if (random.chance(0.13)) {
      const double turn = random.chance(0.5) ? 1 : -1;
      grow_vessel(plane, inside, from, heading + turn * random.uniform(0.4, 0.9),
                  width * random.uniform(0.45, 0.75), random);
    }
  }
}

struct Frame {
  cv::Point2d centre;
  double across, down;  // half the body's width and height
  double unit;
  cv::Point2d at(double x, double y) const { return centre + cv::Point2d(x * across, y * down); }
};

Plane paint_chest(cv::Size size, const Frame& body, RandomStream random) {
  Plane scan(size, 0.0F);
  const double unit = body.unit;
  const RandomStream form = random.fork("form");
  const auto shell = [&](double scale) {
    return blob_outline(
        body.centre, {.radius_x = body.across * scale, .radius_y = body.down * scale, .irregularity = 0.045},
        form);
  };
  const Plane soft = cloud_noise(size, 14 * unit, 3, random.fork("soft"));
  const Plane muscle_grain = fibre_noise(
      size, {.length_px = 18 * unit, .thickness_px = 3 * unit, .angle = 0.3, .waviness_px = 9 * unit},
      random.fork("muscle"));
  fill(scan, shell(1.0), 0.52);    // skin
  fill(scan, shell(0.975), 0.24);  // fat
  add_texture(scan, shell(0.975), soft, 0.016);
  const double fat = random.uniform(0.83, 0.90);
  fill(scan, shell(fat), 0.50);  // muscle of the wall
  add_texture(scan, shell(fat), muscle_grain, 0.035);
  for (const double side : {-1.0, 1.0}) {  // fat between the muscles of back and chest
    for (int i = 0; i < 4; ++i) {
      RandomStream seam = random.fork("seam").fork(static_cast<std::uint64_t>(i + (side > 0 ? 10 : 0)));
      const double turn = seam.uniform(0.2, 1.3) * (i % 2 == 0 ? 1 : -1);
      fill(scan,
           blob_outline(body.at(side * 0.80 * std::cos(turn), 0.80 * std::sin(turn)),
                        {.radius_x = 16 * unit,
                         .radius_y = 1.6 * unit,
                         .angle = side * turn + 1.4,
                         .irregularity = 0.2},
                        seam.fork("shape")),
           0.27, 0.8);
    }
  }
  fill(scan, shell(0.74), 0.27);  // fat of the mediastinum
  add_texture(scan, shell(0.74), soft, 0.02);

  // Lungs and their vessels
  for (const double side : {-1.0, 1.0}) {
    RandomStream lung = random.fork(side < 0 ? "right lung" : "left lung");
    const Outline shape = blob_outline(body.at(side * 0.40, -0.02),
                                       {.radius_x = body.across * lung.uniform(0.30, 0.335),
                                        .radius_y = body.down * lung.uniform(0.62, 0.68),
                                        .angle = side * lung.uniform(0.08, 0.18),
                                        .irregularity = 0.10},
                                       lung.fork("shape"));
    fill(scan, shape, 0.045);
    add_texture(scan, shape, cloud_noise(size, 5 * unit, 2, lung.fork("parenchyma")), 0.013);
    cv::Mat1b inside = cv::Mat1b(size, 0);
    const Stamp stamp = stamp_of(shape, size);
    if (!stamp.where.empty()) inside(stamp.where).setTo(255, stamp.coverage > 128);
    RandomStream vessels = lung.fork("vessels");
    for (int i = 0; i < 10; ++i) {
      const double heading = (side > 0 ? 0 : std::numbers::pi) + vessels.normal(0, 0.95);
      grow_vessel(scan, inside, body.at(side * 0.19, vessels.uniform(-0.12, 0.18)), heading,
                  unit * vessels.uniform(1.2, 2.5), vessels);
    }
    for (int i = 0; i < 26; ++i) {  // vessels that cross the slice
      const cv::Point2d at = body.at(side * vessels.uniform(0.15, 0.66), vessels.uniform(-0.55, 0.55));
      const cv::Point probe(cvRound(at.x), cvRound(at.y));
      if (!cv::Rect({0, 0}, size).contains(probe) || inside(probe) == 0) continue;
      const double radius = unit * vessels.uniform(0.5, 1.5);
      fill(scan, blob_outline(at, {.radius_x = radius, .radius_y = radius}, vessels.fork(i)), 0.45, 0.9);
    }
  }

  // Heart, aorta, spine
  RandomStream organs = random.fork("organs");
  const Outline heart = blob_outline(body.at(organs.uniform(0.06, 0.12), -0.18),
                                     {.radius_x = body.across * organs.uniform(0.24, 0.29),
                                      .radius_y = body.down * organs.uniform(0.32, 0.38),
                                      .angle = -0.5,
                                      .irregularity = 0.08},
                                     organs.fork("heart"));
  fill(scan, heart, 0.54);
  add_texture(scan, heart, soft, 0.018);
  for (int i = 0; i < 3; ++i) {  // chambers with contrast medium
    fill(scan,
         blob_outline(body.at(0.0 + 0.11 * i, -0.26 + 0.11 * (i % 2)),
                      {.radius_x = body.across * 0.075,
                       .radius_y = body.down * 0.12,
                       .angle = organs.uniform(-0.6, 0.6),
                       .irregularity = 0.12},
                      organs.fork(i)),
         organs.uniform(0.64, 0.74), 0.9);
  }
  const double aorta = body.across * 0.062;
  fill(scan, blob_outline(body.at(0.11, 0.34), {.radius_x = aorta, .radius_y = aorta}, organs.fork("aorta")),
       0.72);

  const auto bone = [&](cv::Point2d at, BlobStyle style, RandomStream shape) {
    fill(scan, blob_outline(at, style, shape), 0.95);
    const double rim = 2.0 * unit;
    if (style.radius_x > rim * 1.5 && style.radius_y > rim * 1.5) {
      style.radius_x -= rim, style.radius_y -= rim;
      const Outline marrow = blob_outline(at, style, shape);
      fill(scan, marrow, 0.70);
      add_texture(scan, marrow, cloud_noise(size, 2.5 * unit, 2, random.fork("marrow")), 0.05);
    }
  };
  bone(body.at(0, 0.52),
       {.radius_x = body.across * 0.125, .radius_y = body.down * 0.135, .irregularity = 0.06},
       organs.fork("vertebra"));
  for (const double side : {-1.0, 1.0}) {
    bone(body.at(side * 0.15, 0.70),
         {.radius_x = body.across * 0.11,
          .radius_y = body.down * 0.045,
          .angle = side * 0.35,
          .irregularity = 0.12},
         organs.fork(side < 0 ? "left process" : "right process"));
  }
  bone(body.at(0, 0.80), {.radius_x = body.across * 0.03, .radius_y = body.down * 0.11, .irregularity = 0.1},
       organs.fork("spinous"));
  fill(scan,
       blob_outline(body.at(0, 0.69), {.radius_x = body.across * 0.055, .radius_y = body.down * 0.06},
                    organs.fork("canal")),
       0.46);
  bone(body.at(0, -0.74),
       {.radius_x = body.across * 0.10, .radius_y = body.down * 0.04, .irregularity = 0.08},
       organs.fork("sternum"));
  for (const double side : {-1.0, 1.0}) {  // ribs cut aslant
    for (int i = 0; i < 6; ++i) {
      RandomStream rib = random.fork("rib").fork(static_cast<std::uint64_t>(i + (side > 0 ? 10 : 0)));
      const double turn = -1.05 + 0.42 * i + rib.normal(0, 0.06);
      bone(body.at(side * 0.765 * std::cos(turn), 0.765 * std::sin(turn)),
           {.radius_x = unit * rib.uniform(8, 13),
            .radius_y = unit * rib.uniform(2.6, 3.6),
            .angle = std::atan2(std::cos(turn) * body.down, -side * std::sin(turn) * body.across),
            .irregularity = 0.08},
           rib.fork("shape"));
    }
  }
  return scan;
}

Plane paint_head(cv::Size size, const Frame& body, RandomStream random) {
  Plane scan(size, 0.0F);
  const double unit = body.unit;
  const RandomStream form = random.fork("form");
  const auto shell = [&](double inset_px) {
    return blob_outline(
        body.centre,
        {.radius_x = body.across - inset_px, .radius_y = body.down - inset_px, .irregularity = 0.03}, form);
  };
  const double scalp = 5.5 * unit, skull = random.uniform(6.5, 9) * unit;
  fill(scan, shell(0), 0.36);
  fill(scan, shell(scalp * 0.35), 0.20);
  fill(scan, shell(scalp), 0.97);                 // outer table
  fill(scan, shell(scalp + skull * 0.36), 0.80);  // spongy bone
  fill(scan, shell(scalp + skull * 0.68), 0.97);  // inner table
  const double inner = scalp + skull;
  fill(scan, shell(inner), 0.13);  // fluid around the brain
  const Outline brain = shell(inner + 1.3 * unit);

  // Folds: the cortex follows the zero lines of a smooth field, fluid fills the sulci near the surface.
  const Plane folds = cloud_noise(size, 17 * unit, 2, random.fork("folds"));
  const Plane grain = cloud_noise(size, 5 * unit, 3, random.fork("grain"));
  const Stamp stamp = stamp_of(brain, size);
  Plane depth;
  cv::Mat1b binary = cv::Mat1b(size, 0);
  if (!stamp.where.empty()) binary(stamp.where).setTo(255, stamp.coverage > 128);
  cv::distanceTransform(binary, depth, cv::DIST_L2, cv::DIST_MASK_PRECISE);
  const double cortex = 9.5 * unit;
  for (int y = 0; y < size.height; ++y) {
    for (int x = 0; x < size.width; ++x) {
      if (binary(y, x) == 0) continue;
      const double d = depth(y, x), ridge = std::abs(folds(y, x));
      const double reach = std::clamp(1.5 - d / (24 * unit), 0.0, 1.0);  // sulci do not reach the middle
      const double sulcus = std::clamp(1 - ridge / 0.24, 0.0, 1.0) * reach;
      const double grey_ribbon =
          std::max(std::clamp(1.3 - d / cortex, 0.0, 1.0), reach * std::clamp(1.35 - ridge / 0.5, 0.0, 1.0));
      const double tissue = 0.355 + 0.15 * grey_ribbon + 0.014 * grain(y, x);
      scan(y, x) = to_float(tissue * (1 - sulcus) + 0.15 * sulcus);
    }
  }
  // Falx and the cleft between the hemispheres
  for (const double y : {-0.52, 0.55}) {
    fill(scan,
         blob_outline(body.at(0, y),
                      {.radius_x = 1.7 * unit, .radius_y = body.down * 0.26, .irregularity = 0.2},
                      random.fork(y < 0 ? "front cleft" : "rear cleft")),
         0.16, 0.9);
    fill(scan,
         blob_outline(body.at(0, y),
                      {.radius_x = 0.6 * unit, .radius_y = body.down * 0.27, .irregularity = 0.1},
                      random.fork(y < 0 ? "front falx" : "rear falx")),
         0.58, 0.9);
  }
  RandomStream deep = random.fork("deep");
  const double wide = deep.uniform(0.8, 1.35);
  for (const double side : {-1.0, 1.0}) {
    const RandomStream ganglia = deep.fork(side < 0 ? "left" : "right");
    fill(scan,
         blob_outline(body.at(side * 0.27, 0.02),
                      {.radius_x = body.across * 0.085,
                       .radius_y = body.down * 0.15,
                       .angle = side * 0.35,
                       .irregularity = 0.12},
                      ganglia.fork("lentiform")),
         0.50, 0.75);
    fill(scan,
         blob_outline(body.at(side * 0.13, 0.15),
                      {.radius_x = body.across * 0.085,
                       .radius_y = body.down * 0.11,
                       .angle = side * 0.4,
                       .irregularity = 0.1},
                      ganglia.fork("thalamus")),
         0.49, 0.8);
    fill(scan,
         blob_outline(body.at(side * 0.105, -0.18),
                      {.radius_x = body.across * 0.058 * wide,
                       .radius_y = body.down * 0.17,
                       .angle = side * 0.30,
                       .irregularity = 0.15},
                      ganglia.fork("front horn")),
         0.14);
    fill(scan,
         blob_outline(body.at(side * 0.24, 0.37),
                      {.radius_x = body.across * 0.06 * wide,
                       .radius_y = body.down * 0.15,
                       .angle = -side * 0.45,
                       .irregularity = 0.18},
                      ganglia.fork("rear horn")),
         0.14);
    const double plexus = body.across * 0.022;
    fill(scan,
         blob_outline(body.at(side * 0.235, 0.36), {.radius_x = plexus, .radius_y = plexus * 1.6},
                      ganglia.fork("plexus")),
         deep.chance(0.6) ? 0.9 : 0.5, 0.9);
  }
  fill(scan,
       blob_outline(body.at(0, 0.12), {.radius_x = body.across * 0.018 * wide, .radius_y = body.down * 0.11},
                    deep.fork("third")),
       0.14);
  return scan;
}

}  // namespace

Painted paint_medical_scan(int width, int height, RandomStream random, RandomStream style) {
  const cv::Size size(width, height);
  const double unit = std::min(width, height) / 320.0;  // one body fills the panel, whatever its size
  const bool head = style.chance(0.5);
  Frame body{
      .centre = {width / 2.0 + random.normal(0, 3) * unit, height / 2.0 + random.normal(0, 3) * unit},
      .across = std::min(width, height) * (head ? random.uniform(0.36, 0.39) : random.uniform(0.44, 0.47)),
      .down = std::min(width, height) * (head ? random.uniform(0.43, 0.46) : random.uniform(0.33, 0.36)),
      .unit = unit};
  Plane scan =
      head ? paint_head(size, body, random.fork("head")) : paint_chest(size, body, random.fork("chest"));
  if (!head) {  // the table under the patient
    const double y = body.centre.y + body.down * 1.10;
    fill(scan,
         blob_outline({body.centre.x, y + 30 * unit},
                      {.radius_x = body.across * 1.05, .radius_y = 32 * unit, .irregularity = 0.0},
                      random.fork("table")),
         0.0);
    for (int x = 0; x < width; ++x) {
      const double sag = std::pow((x - body.centre.x) / body.across, 2) * -9 * unit;
      for (int edge = 0; edge < 2; ++edge) {
        const int row = cvRound(y + sag + edge * 7 * unit);
        if (row >= 0 && row < height && std::abs(x - body.centre.x) < body.across * 0.95)
          scan(row, x) = 0.35F;
      }
    }
  }
  reconstruct(scan, unit, random.fork("reconstruct"));
  Painted painted{.image = to_image(scan, scan, scan)};
  const double field_mm = head ? 240 : 380;
  painted.caption = head ? "Axial tomogram of the head at the level of the lateral ventricles."
                         : "Axial computed tomogram of the chest at the level of the heart.";
  if (std::min(width, height) >= 160) {
    painted.lettering.emplace_back("R");
    painted.annotations.push_back(draw_text(painted.image, "R", {10 * unit, height / 2.0},
                                            {.height_px = 10 * unit, .colour = {230, 230, 230}}));
  }
  painted.facts = {{"field_of_view", field_mm, "mm"},
                   {"pixel_size", field_mm / std::min(width, height), "mm"}};
  return painted;
}

}  // namespace awry::forge
