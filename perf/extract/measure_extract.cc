// SPDX-License-Identifier: Apache-2.0
// measure_extract SEED [FOLDER]: cuts composed figures and compares the cuts with the truth; one JSON object
// a composition. With FOLDER the figures that came out wrong are written there, cuts drawn on them.
// Thresholds are tuned on seed 20 and reported on seeds that nobody has looked at: see measure.py.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "awry/imaging/draw.h"
#include "awry/imaging/encode.h"
#include "awry/input/panel_cutting.h"
#include "awry/input/panel_letters.h"
#include "composed_figures.h"

namespace {

using namespace awry;

constexpr int kFigures = 16;
constexpr int kRead = 4;        // tesseract takes its time
constexpr double kSame = 0.75;  // intersection over union

double iou(const Box& a, const Box& b) {
  const double w = std::min(a.x + a.width, b.x + b.width) - std::max(a.x, b.x);
  const double h = std::min(a.y + a.height, b.y + b.height) - std::max(a.y, b.y);
  const double both = std::max(0.0, w) * std::max(0.0, h);
  return both / (a.width * a.height + b.width * b.height - both);
}

struct Tally {
  std::size_t truth = 0, found = 0, right = 0, whole = 0, letters = 0, letters_right = 0;
  double overlap = 0, seconds = 0;
};

bool compare(const perf::ComposedFigure& figure, const std::vector<input::Panel>& cut, bool read,
             Tally& tally) {
  std::size_t right = 0;
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    const auto best = std::ranges::max_element(
        cut, {}, [&](const input::Panel& panel) { return iou(panel.box, figure.panels[i]); });
    if (best == cut.end()) continue;
    const double overlap = iou(best->box, figure.panels[i]);
    tally.overlap += overlap;
    right += overlap >= kSame;
    if (read && !figure.letters.empty()) {
      ++tally.letters;
      const std::string letter(1, static_cast<char>(figure.letters[i] - 'A' + 'a'));
      tally.letters_right += overlap >= kSame && best->letter == letter;
    }
  }
  tally.truth += figure.panels.size();
  tally.found += cut.size();
  tally.right += right;
  const bool whole = right == figure.panels.size() && cut.size() == right;
  tally.whole += whole;
  return whole;
}

void show(const perf::ComposedFigure& figure, const std::vector<input::Panel>& cut,
          const std::filesystem::path& file) {
  imaging::Image image = figure.image;
  for (const input::Panel& panel : cut)
    imaging::draw_box(image, panel.box, {.thickness = 4, .label = panel.letter});
  value_or_throw(imaging::write_image(file, image));
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t seed = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 20;
  for (const perf::Composition composition : perf::kAllCompositions) {
    Tally tally;
    for (int i = 0; i < kFigures; ++i) {
      const RandomStream random =
          RandomStream(seed).fork(name_of(composition)).fork(static_cast<std::uint64_t>(i));
      const perf::ComposedFigure figure = perf::compose_figure(composition, random);
      const auto start = std::chrono::steady_clock::now();
      std::vector<input::Panel> cut = input::cut_panels(figure.image);
      tally.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      const bool read = i < kRead && !figure.letters.empty();
      if (read) {
        if (const auto words = input::words_for_naming(figure.image, cut))
          input::name_panels(figure.image, *words, cut);
      }
      if (!compare(figure, cut, read, tally) && argc > 2)
        show(figure, cut, std::filesystem::path(argv[2]) / fmt::format("{}-{}.jpg", name_of(composition), i));
    }
    fmt::print(
        "{{\"name\":\"{}\",\"figures\":{},\"panels\":{},\"found\":{},\"right\":{},\"whole\":{},\"overlap\":{:"
        ".4f},"
        "\"letters\":{},\"letters_right\":{},\"ms\":{:.1f}}}\n",
        name_of(composition), kFigures, tally.truth, tally.found, tally.right, tally.whole,
        tally.overlap / static_cast<double>(tally.truth), tally.letters, tally.letters_right,
        1000 * tally.seconds / kFigures);
    std::fflush(stdout);
  }
}
