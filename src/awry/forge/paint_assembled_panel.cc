// SPDX-License-Identifier: Apache-2.0
// A panel of a charging station from above: two boards, power ports, charging (EV) ports, a current sensor,
// an input/output block, cables between them, labels, screws and caps.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>

#include "awry/forge/anomaly_render.h"
#include "awry/forge/compose.h"

namespace awry::forge {
namespace {

enum Side { kLeft = 0, kRight = 1 };
constexpr std::string_view kSideNames[] = {"left", "right"};

const cv::Scalar kBrown(122, 72, 40), kBlue(45, 95, 190), kGreen(60, 150, 70), kOrange(235, 130, 40),
    kWhite(232, 232, 228), kRed(200, 40, 36), kBlack(34, 34, 36), kYellow(236, 206, 70);

struct Scratch {
  int board = 0;
  double x = 0, y = 0, dx = 0, dy = 0;
};

// Everything about a panel that a defect can change.
struct PanelState {
  bool power_swapped[2] = {false, false};
  std::array<std::array<bool, 2>, 2> power_wire = {{{true, true}, {true, true}}};
  bool label[2] = {true, true};
  cv::Point2d label_moved[2] = {{0, 0}, {0, 0}};
  std::array<bool, 6> mounting_screw = {true, true, true, true, true, true};
  std::array<bool, 6> rubber_ring = {true, true, true, true, true, true};
  std::array<std::array<bool, 4>, 2> board_screw = {{{true, true, true, true}, {true, true, true, true}}};
  int sensor_wires = 2;
  bool sensor_plugged[2] = {true, true};
  std::vector<Scratch> scratches;
  std::array<std::optional<int>, 2> chip_gone;
  bool ev_large_swapped = false, ev_small_swapped = false;
  bool ev_wire[2][2] = {{true, true}, {true, true}};  // large, small
  bool io_swapped = false;
  bool red_cap[2] = {true, true};
};

// What differs from panel to panel without being wrong.
struct Tolerances {
  cv::Point2d offset;
  std::array<double, 12> sag;  // of cables
  int serial = 0;
};

void draw_screw(Board& board, double x, double y, bool present, bool ring) {
  board.disc(x, y, 11, {58, 58, 60});
  if (ring) board.ring(x, y, 17, 7, {20, 20, 22});
  if (!present) return;
  board.disc(x, y, 11, {176, 178, 182});
  board.disc(x - 1.5, y - 1.5, 8, {208, 210, 214});
  board.line(x - 6, y, x + 6, y, {90, 92, 96}, 2.5);
  board.line(x, y - 6, x, y + 6, {90, 92, 96}, 2.5);
}

void draw_board(Board& board, const PanelState& state, const Tolerances& tolerances, int side) {
  const double x = side == kLeft ? 130 : 1070, y = 250;
  board.box(x, y, 400, 380, 8, {28, 108, 62}, {14, 66, 36}, 3);
  for (int i = 0; i < 9; ++i) {
    const double row = y + 40 + i * 36;
    board.line(x + 24, row, x + 150 + (i * 37) % 90, row, {74, 148, 92}, 2.5);
    board.line(x + 150 + (i * 37) % 90, row, x + 190 + (i * 37) % 90, row + 24, {74, 148, 92}, 2.5);
    board.disc(x + 24, row, 5, {206, 180, 96});
  }
  for (int i = 0; i < 3; ++i) {  // relays
    board.box(x + 250, y + 24 + i * 74, 110, 58, 4, {226, 226, 220}, {120, 120, 118}, 2);
    board.letters(fmt::format("K{}", i + 1), x + 305, y + 60 + i * 74, 15, {90, 90, 92});
  }
  for (int i = 0; i < 4; ++i) {  // chips
    if (state.chip_gone[static_cast<std::size_t>(side)] == i) {
      board.box(x + 56 + (i % 2) * 84, y + 250 + (i / 2) * 62, 56, 40, 1, {40, 122, 76}, {206, 180, 96}, 2);
      continue;
    }
    board.box(x + 56 + (i % 2) * 84, y + 250 + (i / 2) * 62, 56, 40, 2, {32, 32, 34}, {16, 16, 18}, 2);
    for (int pin = 0; pin < 5; ++pin)
      board.line(x + 62 + (i % 2) * 84 + pin * 11, y + 290 + (i / 2) * 62, x + 62 + (i % 2) * 84 + pin * 11,
                 y + 297 + (i / 2) * 62, {200, 200, 202}, 3);
  }
  board.box(x + 60, y + 60, 150, 120, 6, {38, 38, 42}, {12, 12, 14}, 2);  // the black box
  if (state.label[side]) {
    const cv::Point2d moved = state.label_moved[side];
    board.box(x + 82 + moved.x, y + 92 + moved.y, 106, 54, 3, {240, 240, 236}, {150, 150, 148}, 1.5);
    board.letters(fmt::format("{:04}", tolerances.serial + side), x + 135 + moved.x, y + 128 + moved.y, 22,
                  {30, 30, 32});
  }
  const double corners[4][2] = {{22, 22}, {378, 22}, {22, 358}, {378, 358}};
  for (std::size_t i = 0; i < 4; ++i)
    draw_screw(board, x + corners[i][0], y + corners[i][1],
               state.board_screw[static_cast<std::size_t>(side)][i], false);
  for (const Scratch& scratch : state.scratches) {
    if (scratch.board != side) continue;
    board.line(x + scratch.x, y + scratch.y, x + scratch.x + scratch.dx, y + scratch.y + scratch.dy,
               {168, 190, 160}, 4);
    board.line(x + scratch.x + 7, y + scratch.y + 4, x + scratch.x + scratch.dx * 0.8,
               y + scratch.y + scratch.dy * 0.86, {120, 160, 122}, 2.5);
  }
}

void draw_power_port(Board& board, const PanelState& state, const Tolerances& tolerances, int side) {
  const double x = side == kLeft ? 250 : 1190, y = 150;
  board.box(x, y, 160, 64, 6, kOrange, {120, 60, 16}, 3);
  for (int i = 0; i < 2; ++i) {
    board.disc(x + 45 + i * 70, y + 34, 16, {70, 44, 26});
    if (!state.power_wire[static_cast<std::size_t>(side)][static_cast<std::size_t>(i)]) continue;
    const bool first = (i == 0) != state.power_swapped[side];
    const double sag = tolerances.sag[static_cast<std::size_t>(side * 2 + i)];
    const cv::Point2d way[] = {
        {x + 45 + i * 70, y + 34}, {x + 40 + i * 84 + sag, 90.0}, {x + 40 + i * 84, -10.0}};
    board.cable(way, first ? kBrown : kBlue, 19);
  }
}

void draw_ev_port(Board& board, const PanelState& state, const Tolerances& tolerances, int side) {
  const double x = side == kLeft ? 240 : 1180, y = 700;
  board.box(x, y, 190, 84, 10, {62, 64, 70}, {24, 24, 26}, 3);
  const bool large_is_green = (side == kLeft) != state.ev_large_swapped;
  const bool small_is_orange = (side == kLeft) != state.ev_small_swapped;
  board.disc(x + 52, y + 42, 25, {26, 26, 28});
  board.disc(x + 130, y + 42, 14, {26, 26, 28});
  const double sag = tolerances.sag[static_cast<std::size_t>(4 + side)];
  if (state.ev_wire[side][0]) {
    const cv::Point2d way[] = {{x + 52, y + 42}, {x + 40 + sag, y + 130}, {x + 52, 920}};
    board.cable(way, large_is_green ? kGreen : kBlue, 34);
  }
  if (state.ev_wire[side][1]) {
    const cv::Point2d way[] = {{x + 130, y + 42}, {x + 150 - sag, y + 120}, {x + 128, 920}};
    board.cable(way, small_is_orange ? kOrange : kWhite, 15);
  }
  board.disc(x + 236, y + 42, 30, {50, 52, 56});
  if (!state.red_cap[side]) return;
  board.disc(x + 236, y + 42, 30, {120, 18, 18});
  board.disc(x + 234, y + 40, 25, kRed);
  board.disc(x + 228, y + 34, 8, {236, 128, 120});
}

void draw_sensor(Board& board, const PanelState& state, const Tolerances& tolerances) {
  const double x = 960, y = 400;
  for (int i = 0; i < state.sensor_wires; ++i) {
    const double across = x - 12 + i * 24 - (state.sensor_wires - 2) * 6;
    const bool plugged = i >= 2 || state.sensor_plugged[i];
    const double sag = tolerances.sag[static_cast<std::size_t>(6 + std::min(i, 2))];
    const cv::Point2d joined[] = {{1080, 330 + i * 22.0},
                                  {across + 26, 330 + i * 10.0},
                                  {across, y},
                                  {across + sag, 520},
                                  {880, 610 + i * 18.0}};
    const cv::Point2d loose[] = {{across + 70, 300 + i * 24.0},
                                 {across + 30, 350},
                                 {across, y},
                                 {across + sag, 520},
                                 {880, 610 + i * 18.0}};
    board.cable(plugged ? std::span<const cv::Point2d>(joined) : loose, i % 2 == 0 ? kBrown : kBlue, 15);
  }
  board.ring(x, y, 42, 20, {44, 46, 52});
  board.box(x - 26, y + 50, 52, 26, 3, {44, 46, 52}, {20, 20, 22}, 2);
}

void draw_io_block(Board& board, const PanelState& state, const Tolerances& tolerances) {
  board.box(700, 560, 180, 110, 4, {64, 140, 84}, {24, 64, 34}, 3);
  for (int i = 0; i < 2; ++i) {
    board.box(716, 578 + i * 46, 148, 30, 2, {210, 212, 214}, {110, 112, 114}, 2);
    const int goes_to = state.io_swapped ? 1 - i : i;
    const double sag = tolerances.sag[static_cast<std::size_t>(9 + i)];
    const cv::Point2d way[] = {{720, 593 + i * 46.0},
                               {650, 590 + i * 46.0 + sag},
                               {590, 440 + goes_to * 90.0},
                               {530, 430 + goes_to * 90.0}};
    board.cable(way, kRed, 14);
  }
}

imaging::Image drawn(const PanelState& state, const Tolerances& tolerances, int width) {
  Board board(width, width * 9 / 16, 1600, {22, 22, 24}, tolerances.offset);
  board.box(50, 40, 1500, 820, 12, {172, 176, 182}, {110, 114, 120}, 4);
  for (int i = 0; i < 22; ++i) board.line(70 + i * 68.0, 44, 70 + i * 68.0, 856, {178, 182, 188}, 2);
  board.box(640, 90, 320, 110, 4, kYellow, {60, 50, 10}, 3);
  board.letters("DANGER 400 V", 800, 156, 24, kBlack);
  draw_board(board, state, tolerances, kLeft);
  draw_board(board, state, tolerances, kRight);
  for (const int side : {kLeft, kRight}) {
    draw_power_port(board, state, tolerances, side);
    draw_ev_port(board, state, tolerances, side);
  }
  draw_io_block(board, state, tolerances);
  draw_sensor(board, state, tolerances);
  const double places[6][2] = {{86, 76}, {1514, 76}, {86, 824}, {1514, 824}, {800, 76}, {800, 824}};
  for (std::size_t i = 0; i < 6; ++i)
    draw_screw(board, places[i][0], places[i][1], state.mounting_screw[i], state.rubber_ring[i]);
  return board.take();
}

// Changes the state and names the part; "" when the panel already has something that forbids it.
using Damage = std::function<std::string(PanelState&, RandomStream&)>;
std::string part(std::string_view name, int side) {
  return fmt::format("{}_{}", name, kSideNames[side]);
}

struct Category {
  DefectCategory told;
  Damage damage;
};

const std::vector<Category>& categories() {
  static const std::vector<Category> kCategories = {
      {{"A01_swapped_power_cables", 3, 2},
       [](PanelState& s, RandomStream& r) {
         const int side = r.integer(0, 1);
         const auto& wires = s.power_wire[static_cast<std::size_t>(side)];
         if (!wires[0] || !wires[1]) return std::string();
         s.power_swapped[side] = true;
         return part("power_port", side);
       }},
      {{"A02_missing_label", 2, 4},
       [](PanelState& s, RandomStream& r) {
         const int side = r.integer(0, 1);
         if (s.label_moved[side] != cv::Point2d(0, 0)) return std::string();
         s.label[side] = false;
         return part("board", side);
       }},
      {{"A03_missing_rubber_ring", 1, 5},
       [](PanelState& s, RandomStream& r) {
         const auto i = static_cast<std::size_t>(r.integer(0, 5));
         if (!s.mounting_screw[i]) return std::string();
         s.rubber_ring[i] = false;
         return std::string("mounting");
       }},
      {{"A04_missing_power_wire", 1, 2},
       [](PanelState& s, RandomStream& r) {
         const int side = r.integer(0, 1);
         if (s.power_swapped[side]) return std::string();
         s.power_wire[static_cast<std::size_t>(side)][static_cast<std::size_t>(r.integer(0, 1))] = false;
         return part("power_port", side);
       }},
      {{"A05_missing_screw", 5, 0},
       [](PanelState& s, RandomStream& r) {
         const int which = r.integer(0, 2);
         if (which == 2) {
           const auto i = static_cast<std::size_t>(r.integer(0, 5));
           if (!s.rubber_ring[i]) return std::string();
           s.mounting_screw[i] = false;
           return std::string("mounting");
         }
         s.board_screw[static_cast<std::size_t>(which)][static_cast<std::size_t>(r.integer(0, 3))] = false;
         return part("board", which);
       }},
      {{"A06_wrong_sensor_routing", 4, 1},
       [](PanelState& s, RandomStream& r) {
         if (!s.sensor_plugged[0] || !s.sensor_plugged[1]) return std::string();
         s.sensor_wires = r.chance(0.5) ? 1 : 3;
         return std::string("current_sensor");
       }},
      {{"A07_damaged_board", 4, 1},
       [](PanelState& s, RandomStream& r) {
         const int side = r.integer(0, 1);
         if (r.chance(0.3)) {
           s.chip_gone[static_cast<std::size_t>(side)] = r.integer(0, 3);
         } else {
           s.scratches.push_back(
               {side, r.uniform(30, 180), r.uniform(30, 200), r.uniform(60, 170), r.uniform(-20, 120)});
         }
         return part("board", side);
       }},
      {{"A08_swapped_large_ev_cables", 5, 2},
       [](PanelState& s, RandomStream&) {
         if (!s.ev_wire[0][0] || !s.ev_wire[1][0]) return std::string();
         s.ev_large_swapped = true;
         return std::string("ev_ports");
       }},
      {{"A09_swapped_small_ev_cables", 2, 3},
       [](PanelState& s, RandomStream&) {
         if (!s.ev_wire[0][1] || !s.ev_wire[1][1]) return std::string();
         s.ev_small_swapped = true;
         return std::string("ev_ports");
       }},
      {{"A10_swapped_io_cables", 4, 3},
       [](PanelState& s, RandomStream&) {
         s.io_swapped = true;
         return std::string("io_block");
       }},
      {{"A11_misplaced_label", 5, 0},
       [](PanelState& s, RandomStream& r) {
         const int side = r.integer(0, 1);
         if (!s.label[side]) return std::string();
         s.label_moved[side] = {r.uniform(-14, 14), r.uniform(104, 150)};
         return part("board", side);
       }},
      {{"A12_missing_red_cap", 3, 4},
       [](PanelState& s, RandomStream& r) {
         const int side = r.integer(0, 1);
         s.red_cap[side] = false;
         return part("ev_cap", side);
       }},
      {{"A13_missing_ev_wire", 0.5, 1},
       [](PanelState& s, RandomStream& r) {
         const int side = r.integer(0, 1), which = r.integer(0, 1);
         if (which == 0 ? s.ev_large_swapped : s.ev_small_swapped) return std::string();
         s.ev_wire[side][which] = false;
         return std::string("ev_ports");
       }},
      {{"A14_unplugged_sensor_wire", 1, 1}, [](PanelState& s, RandomStream& r) {
         if (s.sensor_wires != 2) return std::string();
         s.sensor_plugged[r.integer(0, 1)] = false;
         return std::string("current_sensor");
       }}};
  return kCategories;
}

Tolerances random_tolerances(RandomStream random) {
  Tolerances tolerances{.offset = {random.normal(0, 1.5), random.normal(0, 1.5)},
                        .serial = random.integer(100, 9000)};
  for (double& sag : tolerances.sag) sag = random.normal(0, 9);
  return tolerances;
}

}  // namespace

std::span<const DefectCategory> assembled_panel_categories() {
  static const std::vector<DefectCategory> kTold = [] {
    std::vector<DefectCategory> told;
    for (const Category& category : categories()) told.push_back(category.told);
    return told;
  }();
  return kTold;
}

Result<AnomalyPicture> paint_assembled_panel(int width, std::span<const std::string> wanted,
                                             const SeedPath& seed) {
  const RandomStream random = seed.stream();
  const Tolerances tolerances = random_tolerances(random.fork("tolerances"));
  const imaging::Image good = drawn({}, tolerances, width);
  PanelState state;
  AnomalyPicture picture;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const auto found =
        std::ranges::find(categories(), wanted[i], [](const Category& c) { return c.told.name; });
    if (found == categories().end()) {
      return fail({.kind = ErrorKind::kUsage,
                   .what = "cannot plant the defect",
                   .input = wanted[i],
                   .why = "it is none of the fourteen categories"});
    }
    const RandomStream own = random.fork("defect").fork(i);
    RandomStream together = own, alone = own;
    const std::string where = found->damage(state, together);
    PanelState only;
    if (where.empty() || found->damage(only, alone) != where) {
      return fail({.what = "cannot plant the defect",
                   .input = wanted[i],
                   .why = "another defect of this panel leaves no room for it"});
    }
    picture.defects.push_back({wanted[i], where, changed_pixels(good, drawn(only, tolerances, width))});
  }
  const imaging::Image flawed = drawn(state, tolerances, width);
  picture.combined = changed_pixels(good, flawed);
  picture.image = photographed(flawed, random.fork("camera"));
  picture.good = photographed(good, random.fork("camera"));
  return picture;
}

}  // namespace awry::forge
