// SPDX-License-Identifier: Apache-2.0
// A tissue section stained with haematoxylin and eosin. The two stains are painted as optical densities and
// turned into colour by Beer and Lambert's law, which is what gives such sections their purples and pinks.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <opencv2/imgproc.hpp>

#include "awry/forge/brushes.h"
#include "awry/forge/painters.h"

namespace awry::forge {
namespace {

struct Section {
  Plane haematoxylin, eosin;
  cv::Mat1b taken;  // where no further nucleus may lie
  Plane grain;      // clumped chromatin
  double unit;
  int nuclei = 0;
};

void paint_nucleus(Section& section, cv::Point2d centre, const BlobStyle& style, double density,
                   RandomStream random) {
  const cv::Size size = section.haematoxylin.size();
  const Stamp stamp = stamp_of(blob_outline(centre, style, random.fork("outline")), size);
  if (stamp.where.empty()) return;
  Plane inside;
  stamp.coverage.convertTo(inside, CV_32F, 1 / 255.0);
  Plane core = inside.clone();
  blur(core, 0.28 * std::min(style.radius_x, style.radius_y));
  const double vesicular = random.uniform(0.15, 0.6);  // pale middle, dark membrane
  for (int y = 0; y < stamp.where.height; ++y) {
    for (int x = 0; x < stamp.where.width; ++x) {
      const int px = stamp.where.x + x, py = stamp.where.y + y;
      const double membrane = 1 - vesicular * std::clamp(core(y, x) * 1.6 - 0.7, 0.0, 1.0);
      const double clumps = std::max(0.35, 1 + 0.27 * section.grain(py, px));
      float& target = section.haematoxylin(py, px);
      target += to_float(inside(y, x) * (density * membrane * clumps - target));
      section.eosin(py, px) *= to_float(1 - 0.55 * inside(y, x));
      if (inside(y, x) > 0.3F) section.taken(py, px) = 255;
    }
  }
  if (random.chance(0.55)) {  // nucleolus
    const double away = 0.3 * std::min(style.radius_x, style.radius_y);
    const double spot = std::max(0.8, 0.2 * style.radius_y);
    fill(section.haematoxylin,
         blob_outline(centre + cv::Point2d(random.uniform(-away, away), random.uniform(-away, away)),
                      {.radius_x = spot, .radius_y = spot}, random.fork("nucleolus")),
         density * 1.25, 0.8);
  }
  if (cv::Rect2d(0, 0, size.width, size.height).contains(centre)) ++section.nuclei;
}

bool is_free(const Section& section, cv::Point2d at, double clearance) {
  for (const cv::Point2d step : {cv::Point2d(0, 0), {1, 0}, {-1, 0}, {0, 1}, {0, -1}}) {
    const cv::Point probe(cvRound(at.x + step.x * clearance), cvRound(at.y + step.y * clearance));
    if (!cv::Rect({0, 0}, section.taken.size()).contains(probe)) continue;
    if (section.taken(probe) != 0) return false;
  }
  return true;
}

// A duct or gland: an empty lumen, a ring of tall cells with nuclei near their base, a thin membrane.
void paint_gland(Section& section, cv::Point2d centre, double radius, RandomStream random) {
  const double unit = section.unit;
  const BlobStyle shape{.radius_x = radius * random.uniform(0.95, 1.5),
                        .radius_y = radius * random.uniform(0.75, 1.0),
                        .angle = random.uniform(0, std::numbers::pi),
                        .irregularity = random.uniform(0.08, 0.2)};
  const RandomStream form = random.fork("form");  // the same stream for every layer keeps them concentric
  const auto layer = [&](double shrink_px) {
    BlobStyle inner = shape;
    inner.radius_x = std::max(1.0, inner.radius_x - shrink_px);
    inner.radius_y = std::max(1.0, inner.radius_y - shrink_px);
    return blob_outline(centre, inner, form);
  };
  const double wall = unit * random.uniform(11, 15);
  fill(section.eosin, layer(-2.2 * unit), 0.62, 0.8);  // basement membrane
  fill(section.haematoxylin, layer(-1.0 * unit), 0.10, 0.9);
  fill(section.eosin, layer(0), random.uniform(0.30, 0.42), 0.9);  // epithelium
  fill(section.haematoxylin, layer(0.5 * unit), random.uniform(0.20, 0.30), 0.9);
  const Outline lumen = layer(wall);
  fill(section.haematoxylin, lumen, 0.015);
  fill(section.eosin, lumen, random.uniform(0.02, 0.12));
  const Stamp clear = stamp_of(layer(-1.5 * unit), section.taken.size());
  if (!clear.where.empty()) section.taken(clear.where).setTo(255, clear.coverage);

  for (int row = 0; row < 2; ++row) {
    const Outline path = layer(wall * (row == 0 ? 0.34 : 0.60));
    const double length = cv::arcLength(std::vector<cv::Point2f>(path.begin(), path.end()), true);
    const double spacing = unit * (row == 0 ? 5.0 : 9.0);
    const int count = std::max(6, static_cast<int>(length / spacing));
    for (int i = 0; i < count; ++i) {
      RandomStream cell = random.fork(static_cast<std::uint64_t>(row * 10'000 + i));
      if (cell.chance(0.12)) continue;
      const double position = (i + cell.normal(0, 0.18)) / count * static_cast<double>(path.size());
      const auto index =
          static_cast<std::size_t>(position + 2.0 * static_cast<double>(path.size())) % path.size();
      const cv::Point2d at = path[index] + cv::Point2d(cell.normal(0, 0.9), cell.normal(0, 0.9)) * unit;
      const cv::Point2d outward = at - centre;
      paint_nucleus(section, at,
                    {.radius_x = unit * cell.uniform(3.6, 5.0),
                     .radius_y = unit * cell.uniform(2.3, 3.1),
                     .angle = std::atan2(outward.y, outward.x) + cell.normal(0, 0.25),
                     .irregularity = 0.10},
                    cell.uniform(0.75, 1.15), cell.fork("nucleus"));
    }
  }
}

void paint_red_cells(Section& section, cv::Point2d centre, double radius, RandomStream random) {
  const Outline vessel = blob_outline(
      centre,
      {.radius_x = radius * 1.25, .radius_y = radius, .angle = random.uniform(0, 3), .irregularity = 0.14},
      random.fork("vessel"));
  fill(section.eosin, vessel, 0.05);
  fill(section.haematoxylin, vessel, 0.02);
  const Stamp clear = stamp_of(vessel, section.taken.size());
  if (!clear.where.empty()) section.taken(clear.where).setTo(255, clear.coverage);
  for (int i = 0; i < 40; ++i) {
    const double turn = random.uniform(0, 2 * std::numbers::pi),
                 away = radius * std::sqrt(random.uniform()) * 0.92;
    const double size = section.unit * random.uniform(2.3, 3.0);
    fill(section.eosin,
         blob_outline(centre + cv::Point2d(std::cos(turn), std::sin(turn)) * away,
                      {.radius_x = size, .radius_y = size * random.uniform(0.75, 1)}, random.fork(i)),
         random.uniform(0.6, 0.95), 0.85);
  }
}

// Connective tissue: wavy pink strands with pale clefts between them, and spindle cells along them.
void paint_stroma(Section& section, double angle, RandomStream random) {
  const cv::Size size = section.eosin.size();
  const double unit = section.unit;
  const Plane strands = fibre_noise(
      size, {.length_px = 55 * unit, .thickness_px = 3.2 * unit, .angle = angle, .waviness_px = 11 * unit},
      random.fork("strands"));
  const Plane fine = fibre_noise(
      size, {.length_px = 22 * unit, .thickness_px = 1.5 * unit, .angle = angle, .waviness_px = 11 * unit},
      random.fork("fine"));
  const Plane density = cloud_noise(size, 60 * unit, 3, random.fork("density"));
  const Plane dust = cloud_noise(size, 2.2, 2, random.fork("dust"));
  for (int y = 0; y < size.height; ++y) {
    for (int x = 0; x < size.width; ++x) {
      const double tissue = 0.40 + 0.09 * density(y, x) + 0.12 * strands(y, x) + 0.055 * fine(y, x);
      const double cleft = std::clamp((-strands(y, x) - 0.15 * density(y, x) - 1.35) * 1.6, 0.0, 1.0);
      section.eosin(y, x) = to_float(std::max(0.03, tissue * (1 - 0.9 * cleft) + 0.02 * dust(y, x)));
      section.haematoxylin(y, x) = to_float(std::max(0.0, 0.07 + 0.02 * density(y, x) + 0.012 * dust(y, x)));
    }
  }
}

void scatter_cells(Section& section, double angle, RandomStream random) {
  const double unit = section.unit;
  const cv::Size size = section.eosin.size();
  const double inflamed = random.uniform(0, 1);  // share of round, dark lymphocytes
  const Plane crowd = cloud_noise(size, 70 * unit, 2, random.fork("crowd"));
  const auto places = scattered_points(size, 6.0 * unit, 6000, 4, random.fork("places"));
  for (std::size_t i = 0; i < places.size(); ++i) {
    RandomStream cell = random.fork("cell").fork(i);
    const cv::Point at(std::clamp(cvRound(places[i].x), 0, size.width - 1),
                       std::clamp(cvRound(places[i].y), 0, size.height - 1));
    const bool crowded = crowd(at) > 0.9 - inflamed;
    if (!cell.chance(crowded ? 0.75 : 0.30) || !is_free(section, places[i], 3.6 * unit)) continue;
    const bool lymphocyte = crowded && cell.chance(0.7);
    const double length = lymphocyte ? cell.uniform(2.4, 3.1) : cell.uniform(3.4, 6.6);
    const double width = lymphocyte ? length * cell.uniform(0.85, 1) : cell.uniform(1.3, 2.6);
    paint_nucleus(section, places[i],
                  {.radius_x = unit * length,
                   .radius_y = unit * width,
                   .angle = angle + cell.normal(0, lymphocyte ? 1.5 : 0.45),
                   .irregularity = cell.uniform(0.05, 0.16)},
                  lymphocyte ? cell.uniform(1.0, 1.35) : cell.uniform(0.65, 1.1), cell.fork("nucleus"));
  }
}

imaging::Image develop(Section& section, RandomStream random, RandomStream style) {
  const double h_strength = style.uniform(0.95, 1.25), e_strength = style.uniform(0.85, 1.15);
  const cv::Vec3d h_colour(0.66, 0.71, 0.30), e_colour(0.09, 0.86, 0.36);
  blur(section.haematoxylin, section.unit * 0.55);
  blur(section.eosin, section.unit * 0.55);
  const cv::Size size = section.eosin.size();
  Plane channels[3];
  const double tilt_x = random.uniform(-0.05, 0.05), tilt_y = random.uniform(-0.05, 0.05);
  for (int c = 0; c < 3; ++c) {
    channels[c].create(size);
    for (int y = 0; y < size.height; ++y) {
      for (int x = 0; x < size.width; ++x) {
        const double density = h_strength * h_colour[c] * section.haematoxylin(y, x) * 1.55 +
                               e_strength * e_colour[c] * section.eosin(y, x);
        const double lamp = 0.955 + tilt_x * (x / static_cast<double>(size.width) - 0.5) +
                            tilt_y * (y / static_cast<double>(size.height) - 0.5);
        channels[c](y, x) = to_float(lamp * std::exp(-density));
      }
    }
    expose(channels[c], random.uniform(2500, 5000), 6,
           random.fork("camera").fork(static_cast<std::uint64_t>(c)));
  }
  return to_image(channels[0], channels[1], channels[2]);
}

}  // namespace

Painted paint_stained_micrograph(int width, int height, RandomStream random, RandomStream style) {
  const cv::Size size(width, height);
  const double unit = detail_scale(size) * style.uniform(0.9, 1.4);
  Section section{.haematoxylin = Plane(size, 0.0F),
                  .eosin = Plane(size, 0.0F),
                  .taken = cv::Mat1b(size, 0),
                  .grain = cloud_noise(size, 2.6 * unit, 2, random.fork("grain")),
                  .unit = unit};
  const double angle = random.uniform(0, std::numbers::pi);
  paint_stroma(section, angle, random.fork("stroma"));

  const double gland_radius = unit * random.uniform(24, 40);
  const auto glands = scattered_points(size, gland_radius * random.uniform(2.5, 3.3), 40, gland_radius * 0.6,
                                       random.fork("glands"));
  int painted_glands = 0;
  for (std::size_t i = 0; i < glands.size(); ++i) {
    RandomStream gland = random.fork("gland").fork(i);
    if (gland.chance(0.22)) {
      paint_red_cells(section, glands[i], gland_radius * gland.uniform(0.35, 0.6), gland.fork("vessel"));
    } else {
      paint_gland(section, glands[i], gland_radius * gland.uniform(0.75, 1.1), gland.fork("ring"));
      ++painted_glands;
    }
  }
  scatter_cells(section, angle, random.fork("cells"));

  Painted painted{.image = develop(section, random.fork("develop"), style.fork("stain"))};
  const double um_per_px = 0.85 / unit;
  const int bar_um = width * um_per_px > 220 ? 50 : 20;
  painted.annotations.push_back(draw_scale_bar(painted.image, cvRound(bar_um / um_per_px), {15, 15, 15}));
  painted.caption =
      fmt::format("Haematoxylin and eosin staining of a tissue section. Scale bar, {} um.", bar_um);
  painted.sentences = {
      fmt::format("The section showed {} nuclei and {} glandular profiles.", section.nuclei, painted_glands)};
  painted.facts = {{"nuclei", static_cast<double>(section.nuclei), ""},
                   {"glands", static_cast<double>(painted_glands), ""},
                   {"scale_bar", static_cast<double>(bar_um), "um"},
                   {"pixel_size", um_per_px, "um"}};
  return painted;
}

}  // namespace awry::forge
