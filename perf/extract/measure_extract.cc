// SPDX-License-Identifier: Apache-2.0
// measure_extract [FOLDER]: cuts composed figures and compares the cuts with the truth; one JSON object a
// composition. With FOLDER the first figures of each kind are written there, cuts drawn on them.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>

#include "awry/imaging/draw.h"
#include "awry/imaging/encode.h"
#include "awry/input/panel_cutting.h"
#include "composed_figures.h"

namespace {

using namespace awry;

constexpr int kFigures = 16;
constexpr int kShown = 3;
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

void compare(const perf::ComposedFigure& figure, const std::vector<input::Panel>& cut, bool read,
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
  tally.whole += right == figure.panels.size() && cut.size() == right;
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
  for (const perf::Composition composition : perf::kAllCompositions) {
    Tally tally;
    for (int i = 0; i < kFigures; ++i) {
      const RandomStream random =
          RandomStream(20).fork(name_of(composition)).fork(static_cast<std::uint64_t>(i));
      const perf::ComposedFigure figure = perf::compose_figure(composition, random);
      const auto start = std::chrono::steady_clock::now();
      std::vector<input::Panel> cut = input::cut_panels(figure.image);
      tally.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      const bool read = i < kRead && !figure.letters.empty();
      if (read) {
        if (const auto words = reading::read_lettering(figure.image))
          input::name_panels(figure.image, *words, cut);
      }
      compare(figure, cut, read, tally);
      if (argc > 1 && i < kShown) {
        show(figure, cut, std::filesystem::path(argv[1]) / fmt::format("{}-{}.jpg", name_of(composition), i));
      }
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
