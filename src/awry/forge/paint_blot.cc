// SPDX-License-Identifier: Apache-2.0
// Two pictures of separated molecules: a western blot as figures show it (one strip of membrane per
// antibody, dark bands on grey), and an agarose gel (bright bands and a ladder on black).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <opencv2/imgproc.hpp>
#include <span>
#include <vector>

#include "awry/forge/brushes.h"
#include "awry/forge/painters.h"

namespace awry::forge {
namespace {

struct Band {
  cv::Point2d centre;
  double half_width = 10, half_height = 3;
  double amount = 1;  // of protein or DNA; 1 is a strong band
  double smile = 0;   // how far the ends bend up, in pixels
  double smear = 0;   // length of the tail above, in pixels
};

// Adds a band to a plane of amounts: flat-topped across, bell-shaped down the lane, with frayed ends.
void add_band(Plane& amounts, const Band& band, RandomStream random) {
  const double tilt = random.normal(0, 0.25), lopsided = random.normal(0, 0.13);
  const double fray = random.uniform(1.8, 3.6), phase = random.uniform(0, 6.28);
  const int reach_x = cvRound(band.half_width * 1.35) + 2;
  const int reach_y = cvRound(band.half_height * 3.5 + band.smear + std::abs(band.smile)) + 2;
  const cv::Rect around =
      cv::Rect(cvRound(band.centre.x) - reach_x, cvRound(band.centre.y) - reach_y, 2 * reach_x, 2 * reach_y) &
      cv::Rect({0, 0}, amounts.size());
  for (int y = around.y; y < around.br().y; ++y) {
    for (int x = around.x; x < around.br().x; ++x) {
      const double across = (x - band.centre.x) / band.half_width;
      const double bent = band.centre.y - band.smile * across * across + tilt * across +
                          0.12 * band.half_height * std::sin(5 * across + phase);
      const double down = (y - bent) / band.half_height;
      const double side = 1 / (1 + std::pow(std::abs(across), 2 * fray) * 1.6);
      const double profile = std::exp(-0.9 * std::pow(std::abs(down), 2.3));
      const double tail =
          down < 0 && band.smear > 0 ? 0.22 * std::exp(down * band.half_height / band.smear * 2.5) : 0;
      amounts(y, x) += to_float(band.amount * side * (1 + lopsided * across) * std::max(profile, tail));
    }
  }
}

struct Antibody {
  std::string_view name;
  int kda;
  bool loading_control;
};
constexpr Antibody kAntibodies[] = {{"p-AKT", 60, false},  {"AKT", 60, false},   {"p-ERK", 44, false},
                                    {"p53", 53, false},    {"Bcl-2", 26, false}, {"Bax", 21, false},
                                    {"p65", 65, false},    {"LC3", 16, false},   {"E-cad", 120, false},
                                    {"Cyc D1", 36, false}, {"STAT3", 88, false}};
constexpr Antibody kLoadingControls[] = {{"GAPDH", 37, true}, {"b-Actin", 42, true}, {"Tubulin", 55, true}};

// What film or a camera makes of the amounts on a membrane: grey paper, saturating bands, dirt, noise.
Plane develop_strip(const Plane& amounts, double unit, RandomStream random) {
  const cv::Size size = amounts.size();
  const Plane stain = cloud_noise(size, 45 * unit, 3, random.fork("stain"));
  const Plane paper = cloud_noise(size, 2.4, 2, random.fork("paper"));
  const Plane streaks =
      fibre_noise(size, {.length_px = 60 * unit, .thickness_px = 5 * unit, .angle = 1.5708, .waviness_px = 2},
                  random.fork("streaks"));
  Plane spread = amounts.clone();
  blur(spread, 0.75 * unit);
  Plane glow = amounts.clone();
  blur(glow, 5 * unit);
  const double base = random.uniform(0.70, 0.84), darkness = random.uniform(1.9, 2.8);
  Plane strip(size);
  for (int y = 0; y < size.height; ++y) {
    for (int x = 0; x < size.width; ++x) {
      const double background = base + 0.022 * stain(y, x) + 0.012 * streaks(y, x) + 0.010 * paper(y, x);
      strip(y, x) = to_float(background * std::exp(-darkness * spread(y, x) - 0.16 * glow(y, x)) + 0.025);
    }
  }
  RandomStream dirt = random.fork("dirt");
  for (int i = dirt.integer(2, 7); i > 0; --i) {
    const double speck = unit * dirt.uniform(0.4, 1.3);
    fill(strip,
         blob_outline({dirt.uniform(0, size.width), dirt.uniform(0, size.height)},
                      {.radius_x = speck, .radius_y = speck * dirt.uniform(0.5, 1)}, dirt.fork(i)),
         dirt.chance(0.75) ? 0.15 : 0.95, dirt.uniform(0.3, 0.8));
  }
  blur(strip, 0.5);
  expose(strip, random.uniform(900, 2200), 8, random.fork("camera"));
  return strip;
}

// Its frame divides a strip from its surroundings: nothing is cut or pasted across it.
void keep_frame_clear(std::vector<Box>& annotations, const cv::Rect& strip) {
  const double x = strip.x, y = strip.y, width = strip.width, height = strip.height;
  annotations.insert(
      annotations.end(),
      {{x, y, width, 1}, {x, y + height - 1, width, 1}, {x, y, 1, height}, {x + width - 1, y, 1, height}});
}

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// Says of an antibody how treated lanes compare with untreated ones.
void describe_response(Painted& painted, std::string_view antibody, std::span<const double> amounts,
                       std::size_t first_treated) {
  const double ratio = mean(amounts.subspan(first_treated)) / mean(amounts.first(first_treated));
  const double told = std::round(ratio * 10) / 10;
  painted.facts.push_back({fmt::format("{}/treated over untreated", antibody), told, ""});
  painted.sentences.push_back(
      fmt::format("On average, the {} band was {:.1f} times as strong in treated as in untreated samples.",
                  antibody, told));
}

Painted paint_western_blot(int width, int height, RandomStream random, RandomStream style) {
  Painted painted{.image = imaging::Image(width, height, 3, 255)};
  const double unit = detail_scale({width, height});
  const double letter = std::clamp(width / 38.0, 5.0, 16.0);
  const bool labelled = width >= 160;
  const int rows = std::clamp(height / 75, 1, style.integer(3, 4));
  const int lanes = std::clamp(width / 34, 3, style.integer(5, 8));
  const TextStyle right{.height_px = letter, .anchor = Anchor::kRight};
  const TextStyle left{.height_px = letter * 0.85};
  const int label_left = labelled ? cvRound(letter * 7.4) : 4,
            label_right = labelled ? cvRound(letter * 4) : 4;
  const int top = labelled ? cvRound(letter * 2.4) : 4, gap = std::max(3, cvRound(height / 55.0));
  const cv::Rect blot(label_left, top, width - label_left - label_right, height - top - 5);
  const double pitch = static_cast<double>(blot.width) / lanes;
  const int strip_height = (blot.height - gap * (rows - 1)) / rows;

  const int first_treated = std::max(1, lanes / 2);
  const auto chosen = random.sample(std::size(kAntibodies), static_cast<std::size_t>(rows));
  std::string antibodies;
  for (int row = 0; row < rows; ++row) {
    RandomStream strip_random = random.fork("strip").fork(static_cast<std::uint64_t>(row));
    const Antibody antibody = row + 1 == rows && rows > 1
                                  ? strip_random.pick(std::span(kLoadingControls))
                                  : kAntibodies[chosen[static_cast<std::size_t>(row)]];
    const cv::Rect strip(blot.x, blot.y + row * (strip_height + gap), blot.width, strip_height);
    Plane amounts = Plane(strip.size(), 0.0F);
    const double response = antibody.loading_control ? 1.0 : std::exp(strip_random.normal(0, 0.9));
    const double drift = strip_random.normal(0, 0.03) * strip_height;
    const double where = strip_random.uniform(0.42, 0.58);
    const bool doublet = !antibody.loading_control && strip_random.chance(0.3);
    const double thickness = std::min(strip_height * 0.09, 6.5 * unit) * strip_random.uniform(0.85, 1.25);
    const double smile = strip_random.uniform(-0.4, 1.2) * thickness * 0.5;
    std::vector<double> lane_amounts;
    for (int lane = 0; lane < lanes; ++lane) {
      RandomStream cell = strip_random.fork("lane").fork(static_cast<std::uint64_t>(lane));
      const double progress =
          lane < first_treated ? 0.0 : (lane - first_treated + 1.0) / (lanes - first_treated);
      const double amount = (antibody.loading_control ? 1.15 : 0.62) * std::pow(response, progress) *
                            std::exp(cell.normal(0, antibody.loading_control ? 0.08 : 0.22));
      Band band{.centre = {(lane + 0.5) * pitch + cell.normal(0, 0.02) * pitch,
                           strip_height * where + drift * (lane / (lanes - 1.0) - 0.5) + cell.normal(0, 0.6)},
                .half_width = pitch * cell.uniform(0.36, 0.43),
                .half_height = thickness * (0.75 + 0.3 * std::min(amount, 1.8)),
                .amount = std::clamp(amount, 0.03, 1.8),
                .smile = smile,
                .smear = cell.chance(0.35) ? strip_height * cell.uniform(0.05, 0.16) : 0};
      add_band(amounts, band, cell.fork("band"));
      painted.facts.push_back({fmt::format("{}/lane {}", antibody.name, lane + 1), band.amount, ""});
      lane_amounts.push_back(band.amount);
      if (doublet) {
        band.centre.y += thickness * 2.9;
        band.amount *= cell.uniform(0.35, 0.7);
        band.half_height *= 0.8;
        add_band(amounts, band, cell.fork("second"));
      }
      if (cell.chance(0.3)) {  // an unspecific band
        band.centre.y = strip_height * cell.uniform(0.1, 0.9);
        band.amount = cell.uniform(0.03, 0.12);
        add_band(amounts, band, cell.fork("unspecific"));
      }
    }
    if (!antibody.loading_control)
      describe_response(painted, antibody.name, lane_amounts, static_cast<std::size_t>(first_treated));
    const Plane developed = develop_strip(amounts, unit, strip_random.fork("develop"));
    cv::Mat canvas = imaging::as_mat(painted.image);
    const imaging::Image patch = to_image(developed, developed, developed);
    imaging::as_mat(patch).copyTo(canvas(strip));
    cv::rectangle(canvas, strip, {40, 40, 40}, 1);
    keep_frame_clear(painted.annotations, strip);
    if (labelled) {
      painted.lettering.insert(painted.lettering.end(),
                               {std::string(antibody.name), fmt::format("{}", antibody.kda)});
      const double base_line = strip.y + strip_height / 2.0 + letter / 2;
      painted.annotations.push_back(
          draw_text(painted.image, antibody.name, {blot.x - letter * 0.6, base_line}, right));
      painted.annotations.push_back(draw_text(painted.image, fmt::format("-{}", antibody.kda),
                                              {blot.br().x + letter * 0.3, base_line}, left));
    }
    painted.facts.push_back(
        {fmt::format("{}/weight", antibody.name), static_cast<double>(antibody.kda), "kDa"});
    antibodies += fmt::format("{}{} ({} kDa)", row == 0 ? "" : ", ", antibody.name, antibody.kda);
  }
  if (labelled) {
    painted.lettering.emplace_back("Drug");
    const TextStyle centred{.height_px = letter * 0.9, .anchor = Anchor::kCentre};
    for (int lane = 0; lane < lanes; ++lane) {
      const double x = blot.x + (lane + 0.5) * pitch;
      painted.annotations.push_back(
          draw_text(painted.image, lane < first_treated ? "-" : "+", {x, top - letter * 0.7}, centred));
    }
    painted.annotations.push_back(
        draw_text(painted.image, "Drug", {blot.x - letter * 0.6, top - letter * 0.7}, right));
  }
  painted.caption = fmt::format("Western blot of {} in {} untreated (-) and {} treated (+) samples.",
                                antibodies, first_treated, lanes - first_treated);
  painted.facts.push_back({"lanes", static_cast<double>(lanes), ""});
  painted.facts.push_back({"untreated", static_cast<double>(first_treated), ""});
  painted.facts.push_back({"treated", static_cast<double>(lanes - first_treated), ""});
  return painted;
}

Painted paint_gel(int width, int height, RandomStream random, RandomStream style) {
  const cv::Size size(width, height);
  const double unit = detail_scale(size);
  const int lanes = std::clamp(width / 36, 3, style.integer(6, 10));
  const double pitch = width / (lanes + 0.4), top = height * 0.09, length = height * 0.86;
  constexpr int kLadder[] = {3000, 2000, 1500, 1000, 750, 500, 300, 150};
  // In agarose, distance falls with the logarithm of length.
  const auto position = [&](double base_pairs) {
    return top + length * (0.06 + 0.88 * std::log(3600 / base_pairs) / std::log(3600 / 120.0));
  };
  const int product = 50 * random.integer(4, 26);
  Plane amounts = Plane(size, 0.0F);
  int positive = 0;
  for (int lane = 0; lane < lanes; ++lane) {
    RandomStream cell = random.fork("lane").fork(static_cast<std::uint64_t>(lane));
    const double x = (lane + 0.7) * pitch;
    const auto band = [&](double base_pairs, double amount, RandomStream shape) {
      add_band(amounts,
               {.centre = {x + shape.normal(0, 0.3), position(base_pairs) + shape.normal(0, 0.4)},
                .half_width = pitch * 0.36,
                .half_height = unit * (1.4 + 1.3 * std::sqrt(amount)),
                .amount = amount,
                .smile = -unit * 0.8,
                .smear = unit * shape.uniform(3, 11)},
               shape);
    };
    add_band(amounts,
             {.centre = {x, top * 0.72},
              .half_width = pitch * 0.37,
              .half_height = unit * 1.1,
              .amount = cell.uniform(0.10, 0.22)},
             cell.fork("well"));
    if (lane == 0) {
      for (const int base_pairs : kLadder) {
        band(base_pairs, base_pairs == 1000 || base_pairs == 500 ? 0.75 : cell.uniform(0.28, 0.42),
             cell.fork(static_cast<std::uint64_t>(base_pairs)));
      }
      continue;
    }
    if (cell.chance(0.82)) {
      band(product, cell.uniform(0.3, 1.2), cell.fork("product"));
      ++positive;
    }
    if (cell.chance(0.4)) band(product * cell.uniform(1.5, 2.4), cell.uniform(0.05, 0.3), cell.fork("extra"));
    band(130, cell.uniform(0.05, 0.2), cell.fork("primers"));
  }
  Plane halo = amounts.clone();
  blur(amounts, 0.8 * unit);
  blur(halo, 9 * unit);
  const Plane haze = cloud_noise(size, 80 * unit, 3, random.fork("haze"));
  const Plane smears = fibre_noise(
      size, {.length_px = 70 * unit, .thickness_px = pitch / 3, .angle = 1.5708, .waviness_px = 2},
      random.fork("smears"));
  Plane gel(size);
  const double base = random.uniform(0.10, 0.17);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const double background = base + 0.015 * haze(y, x) + 0.010 * smears(y, x) - 0.04 * y / height;
      gel(y, x) = to_float(background + 1.05 * (1 - std::exp(-1.5 * amounts(y, x))) + 0.16 * halo(y, x));
    }
  }
  blur(gel, 0.5);
  expose(gel, random.uniform(350, 800), 4, random.fork("camera"));
  Painted painted{.image = to_image(gel, gel, gel)};
  painted.caption = fmt::format("Agarose gel of the {} bp PCR product in {} samples; left lane, DNA ladder.",
                                product, lanes - 1);
  painted.sentences = {fmt::format("The product was found in {} of {} samples.", positive, lanes - 1)};
  painted.facts = {{"product", static_cast<double>(product), "bp"},
                   {"samples", static_cast<double>(lanes - 1), ""},
                   {"positive", static_cast<double>(positive), ""}};
  return painted;
}

}  // namespace

Painted paint_blot(int width, int height, RandomStream random, RandomStream style) {
  return style.chance(0.65) ? paint_western_blot(width, height, random, style)
                            : paint_gel(width, height, random, style);
}

}  // namespace awry::forge
