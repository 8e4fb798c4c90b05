// SPDX-License-Identifier: Apache-2.0
// measure_forge FOLDER: the exhaustive pair search at growing sizes, and forging of 512x512 panels on two
// threads. Prints one JSON object a line, and leaves pictures with their pairs' scores in FOLDER, so that the
// reference can be compared on the same ones.
#include <fmt/format.h>

#include <atomic>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <thread>
#include <vector>

#include "awry/forge/copy_move.h"
#include "awry/forge/duplicate.h"
#include "awry/forge/paint.h"
#include "awry/forge/pair_search.h"
#include "awry/forge/splice.h"
#include "awry/imaging/encode.h"

namespace {

using namespace awry;
using namespace awry::forge;

// Of the processor, over all threads: what else the machine does counts as little as possible.
double processor_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

// Signatures of nobody's panels: the search does the same work whatever they show.
std::vector<PanelSignature> many_signatures(std::size_t count) {
  std::vector<PanelSignature> panels(count);
  for (std::size_t i = 0; i < count; ++i) {
    RandomStream random = RandomStream(1).fork(i);
    PanelSignature& panel = panels[i];
    panel.width = random.integer(200, 600), panel.height = random.integer(200, 600);
    panel.grey.resize(224 * 224);
    double sum = 0, squares = 0;
    for (std::size_t k = 0; k < panel.grey.size(); k += 8) {
      const std::uint64_t bits = random.next();
      for (std::size_t b = 0; b < 8; ++b) {
        const auto grey = static_cast<std::uint8_t>(bits >> (8 * b));
        panel.grey[k + b] = grey;
        ++panel.histogram[grey];
        sum += grey, squares += static_cast<double>(grey) * grey;
      }
    }
    panel.mean = sum / 50176 / 255;
    panel.variance = squares / 50176 / (255.0 * 255.0) - panel.mean * panel.mean;
  }
  return panels;
}

void measure_pairs(std::size_t count) {
  const auto panels = many_signatures(count);
  const double start = processor_seconds();
  const auto best = most_similar_pairs(panels, {.keep = 2000, .threads = 1});
  const double seconds = processor_seconds() - start;
  const double pairs = static_cast<double>(count) * static_cast<double>(count - 1) / 2;
  fmt::print(
      "{{\"name\": \"pairs\", \"panels\": {}, \"seconds\": {:.4f}, \"us_per_pair\": {:.5f}, \"kept\": {}}}\n",
      count, seconds, seconds / pairs * 1e6, best.size());
}

// The same pictures for the reference: it must find the same scores.
void leave_pictures(const std::filesystem::path& folder) {
  std::vector<PanelSignature> panels;
  for (int i = 0; i < 12; ++i) {
    const auto kind = kRichPanelKinds[static_cast<std::size_t>(i) % kRichPanelKinds.size()];
    const auto panel = paint_panel(kind, 300 + 10 * i, 320, RandomStream(static_cast<std::uint64_t>(i)));
    if (!panel) return;
    (void)imaging::write_image(folder / fmt::format("{:02}.png", i), panel->image);
    panels.push_back(signature_of(panel->image));
  }
  for (const SimilarPair& pair : most_similar_pairs(panels, {}))
    fmt::print("{{\"name\": \"score\", \"first\": {}, \"second\": {}, \"score\": {:.12f}}}\n", pair.first,
               pair.second, pair.score);
}

template <class Work>
void measure_items(const char* name, std::size_t count, Work work) {
  std::atomic<std::size_t> next = 0, made = 0;
  const double start = processor_seconds();
  const auto labour = [&] {
    for (std::size_t i = next++; i < count; i = next++) made += work(i) ? 1 : 0;
  };
  {
    std::jthread helper(labour);
    labour();
  }
  const double seconds = (processor_seconds() - start) / 2;  // two threads, each busy all the time
  fmt::print(
      "{{\"name\": \"{}\", \"tried\": {}, \"made\": {}, \"seconds\": {:.4f}, \"per_second\": {:.2f}}}\n",
      name, count, made.load(), seconds, static_cast<double>(made) / seconds);
}

}  // namespace

int main(int, char** arguments) {
  const std::filesystem::path folder = arguments[1];
  leave_pictures(folder);
  for (const std::size_t count : {1250, 2500, 5000}) measure_pairs(count);

  constexpr std::size_t kPanels = 12;
  std::vector<Painted> panels, pictures;
  for (std::size_t i = 0; i < kPanels; ++i) {
    const PanelKind kind = i % 2 == 0 ? PanelKind::kMicrograph : PanelKind::kStainedMicrograph;
    panels.push_back(*paint_panel(kind, 512, 512, RandomStream(i), RandomStream(i % 2)));
    if (i < 4) pictures.push_back(*paint_panel(kind, 896, 896, RandomStream(100 + i)));
  }
  const auto seed = [](std::size_t i) { return SeedPath{.seed = i}; };
  measure_items("duplicates", 200, [&](std::size_t i) {
    if (i % 2 == 0)
      return duplicate_globally(panels[i % kPanels].image, plan_global_duplication(RandomStream(i)), seed(i))
          .has_value();
    return duplicate_locally(pictures[i % 4].image, 512, 512, plan_local_duplication(RandomStream(i)),
                             seed(i))
        .has_value();
  });
  measure_items("splices", 100, [&](std::size_t i) {
    const Painted &donor = panels[i % kPanels], &host = panels[(i + 2) % kPanels];
    return forge_splice({donor.image, donor.annotations}, {host.image, host.annotations}, seed(i))
        .has_value();
  });
  measure_items("copy-moves", 100, [&](std::size_t i) {
    const Painted& panel = panels[i % kPanels];
    return forge_copy_move(panel.image, panel.annotations, seed(i)).has_value();
  });
}
