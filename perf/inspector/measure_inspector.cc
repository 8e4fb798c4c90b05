// SPDX-License-Identifier: Apache-2.0
// measure_inspector [PANELS, 0 for no collection]: how fast the embedded detectors are, one JSON object a
// line, in seconds of one processor. Forging and painting are not counted.
#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <opencv2/core.hpp>
#include <vector>

#include "awry/forge/copy_move.h"
#include "awry/forge/duplicate.h"
#include "awry/forge/paint.h"
#include "awry/imaging/opencv.h"
#include "awry/inspectors/forensics/copy_move.h"
#include "awry/inspectors/forensics/pair_duplication.h"
#include "awry/inspectors/forensics/reuse_search.h"

namespace {

using namespace awry;
using namespace awry::inspectors::forensics;
using forge::PanelKind;
using forge::SeedPath;

constexpr std::array kKinds = {PanelKind::kMicrograph, PanelKind::kStainedMicrograph, PanelKind::kBlot,
                               PanelKind::kMedicalScan};
constexpr int kSide = 512;

double processor_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

SeedPath seed(std::string label, std::uint64_t number) {
  return SeedPath{.seed = 990'001, .labels = {"speed"}}.child(std::move(label)).child(number);
}

Result<imaging::Image> painted(std::uint64_t number, int side, std::string label) {
  AWRY_TRY_ASSIGN(forge::Painted panel, forge::paint_panel(kKinds[number % kKinds.size()], side, side,
                                                           seed(std::move(label), number).stream()));
  return std::move(panel.image);
}

// Half of the pairs are duplicates: authentic pairs are searched to the end, copies are found early.
Result<void> measure_pairs() {
  constexpr std::uint64_t pairs = 12;
  double seconds = 0;
  for (std::uint64_t i = 0; i < pairs; ++i) {
    AWRY_TRY_ASSIGN(imaging::Image first, painted(i, kSide, "first"));
    AWRY_TRY_ASSIGN(imaging::Image second, painted(i, kSide, "second"));
    if (i % 2 == 0) {
      const SeedPath own = seed("pair", i);
      AWRY_TRY_ASSIGN(auto pair,
                      duplicate_globally(first, forge::plan_global_duplication(own.stream()), own));
      first = std::move(pair.first), second = std::move(pair.second);
    }
    const double start = processor_seconds();
    find_pair_duplication(first, second);
    seconds += processor_seconds() - start;
  }
  fmt::print("{{\"name\":\"pairs\",\"count\":{},\"seconds\":{:.3f}}}\n", pairs, seconds);
  return {};
}

Result<void> measure_copy_moves() {
  constexpr std::uint64_t images = 12;
  double seconds = 0;
  for (std::uint64_t i = 0; i < images; ++i) {
    AWRY_TRY_ASSIGN(imaging::Image panel, painted(i, kSide, "single"));
    if (i % 2 == 0) {
      if (auto forged = forge::forge_copy_move(panel, {}, seed("copy", i))) panel = std::move(forged->image);
    }
    const double start = processor_seconds();
    find_copy_move(panel);
    seconds += processor_seconds() - start;
  }
  fmt::print("{{\"name\":\"copy_moves\",\"count\":{},\"seconds\":{:.3f}}}\n", images, seconds);
  return {};
}

// Panels cut side by side from large pictures, as fields of one slide are; every fiftieth comes back turned
// upside down.
Result<std::vector<imaging::Image>> collection(std::size_t count) {
  constexpr int side = 320, per_side = 4;
  constexpr std::size_t reused_every = 50;
  std::vector<imaging::Image> panels;
  for (std::uint64_t picture_number = 0; panels.size() < count; ++picture_number) {
    AWRY_TRY_ASSIGN(const imaging::Image picture, painted(picture_number % 2, side * per_side,
                                                          fmt::format("collection{}", picture_number)));
    const cv::Mat pixels = imaging::as_mat(picture);
    for (int i = 0; i < per_side * per_side && panels.size() < count; ++i) {
      const cv::Rect window(i % per_side * side, i / per_side * side, side, side);
      panels.push_back(imaging::from_mat(pixels(window).clone()));
      if (panels.size() % reused_every == 0) {
        cv::Mat turned;
        cv::rotate(imaging::as_mat(panels[panels.size() / 2]), turned, cv::ROTATE_180);
        panels.back() = imaging::from_mat(turned);
      }
    }
  }
  return panels;
}

Result<void> measure_collection(std::size_t most) {
  AWRY_TRY_ASSIGN(const std::vector<imaging::Image> panels, collection(most));
  for (std::size_t count = most / 8; count > 0 && count <= most; count *= 2) {
    const double start = processor_seconds();
    ReuseSearch search(count);
    for (std::size_t i = 0; i < count; ++i) search.add(i, panels[i]);
    const double added = processor_seconds();
    const auto candidates = search.candidates();
    const double proposed = processor_seconds();
    std::size_t confirmed = 0;
    for (const ReuseCandidate& pair : candidates)
      confirmed += !find_pair_duplication(panels[pair.first], panels[pair.second]).findings.empty();
    const double end = processor_seconds();
    fmt::print(
        "{{\"name\":\"collection\",\"panels\":{},\"seconds\":{:.2f},\"reading\":{:.2f},"
        "\"proposing\":{:.2f},\"confirming\":{:.2f},\"proposed\":{},\"confirmed\":{},\"reused\":{}}}\n",
        count, end - start, added - start, proposed - added, end - proposed, candidates.size(), confirmed,
        count / 50);
  }
  return {};
}

Result<void> measure(std::size_t panels) {
  AWRY_TRY(measure_pairs());
  AWRY_TRY(measure_copy_moves());
  return measure_collection(panels);
}

}  // namespace

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);  // a measurement that is stopped has printed what it knew
  cv::setNumThreads(1);
  const auto done = measure(argc > 1 ? static_cast<std::size_t>(std::atoi(argv[1])) : 2000);
  if (!done) fmt::print(stderr, "{}\n", done.error().message());
  return done ? 0 : 1;
}
