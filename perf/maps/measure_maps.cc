// SPDX-License-Identifier: Apache-2.0
// measure_maps make FOLDER IMAGES SIDE   a synthetic class in the MVTec tree, with maps
// measure_maps score TRUTH MAPS          its scores and the time they took, as JSON
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <ctime>
#include <filesystem>

#include "awry/base/files.h"
#include "awry/base/random.h"
#include "awry/base/text.h"
#include "awry/benchmarks/tgad/map_scoring.h"
#include "awry/imaging/float_map.h"
#include "awry/imaging/mask.h"

namespace awry {
namespace {

namespace fs = std::filesystem;

// One image in three is good; the others have one to four elliptic defects.
imaging::Bitmap paint_mask(RandomStream& random, int side, bool good) {
  imaging::Bitmap mask(side, side);
  const int defects = good ? 0 : random.integer(1, 4);
  for (int i = 0; i < defects; ++i) {
    const double x = random.uniform(0, side), y = random.uniform(0, side);
    const double a = random.uniform(0.01, 0.08) * side, b = random.uniform(0.01, 0.08) * side;
    for (int v = std::max(0, static_cast<int>(y - b)); v < std::min<double>(side, y + b + 1); ++v) {
      for (int u = std::max(0, static_cast<int>(x - a)); u < std::min<double>(side, x + a + 1); ++u) {
        if (std::hypot((u - x) / a, (v - y) / b) <= 1) mask.at(u, v) = 1;
      }
    }
  }
  return mask;
}

// Slow waves plus noise that uses all bits of a float, and more of both on a defect.
imaging::FloatMap paint_map(RandomStream& random, const imaging::Bitmap& mask) {
  imaging::FloatMap map{.width = mask.width, .height = mask.height};
  map.values.reserve(mask.bits.size());
  const double phase = random.uniform(0, 6), level = random.uniform(0.1, 0.3);
  for (int y = 0; y < mask.height; ++y) {
    const double wave = 0.05 * std::sin(phase + 9.0 * y / mask.height);
    for (int x = 0; x < mask.width; ++x) {
      const double noise = random.uniform() * random.uniform();
      const double score = level + wave + 0.5 * noise + (mask.at(x, y) != 0 ? 0.2 * random.uniform() : 0.0);
      map.values.push_back(static_cast<float>(score));
    }
  }
  return map;
}

Result<void> make_class(const fs::path& folder, int images, int side) {
  const fs::path truth = folder / "truth" / "synthetic", maps = folder / "maps";
  for (const char* defect : {"good", "spot"}) {
    AWRY_TRY(make_folder(truth / "test" / defect));
    AWRY_TRY(make_folder(truth / "ground_truth" / defect));
    AWRY_TRY(make_folder(maps / defect));
  }
  for (int i = 0; i < images; ++i) {
    RandomStream random = RandomStream(2026).fork(static_cast<std::uint64_t>(i));
    const bool good = i % 3 == 2;
    const std::string defect = good ? "good" : "spot", id = fmt::format("{:03}", i);
    const imaging::Bitmap mask = paint_mask(random, side, good);
    AWRY_TRY(imaging::write_mask(truth / "test" / defect / (id + ".png"), imaging::Bitmap(side, side)));
    if (!good) AWRY_TRY(imaging::write_mask(truth / "ground_truth" / defect / (id + "_mask.png"), mask));
    AWRY_TRY(imaging::write_float_tiff(maps / defect / (id + ".tiff"), paint_map(random, mask)));
    // The reference gets the mask as plain bytes, so that it needs no PNG reader.
    if (!good) {
      AWRY_TRY(write_file(maps / defect / (id + ".mask"),
                          {reinterpret_cast<const char*>(mask.bits.data()), mask.bits.size()}));
    }
  }
  return {};
}

Result<void> score_class(const fs::path& truth, const fs::path& maps) {
  const auto start = std::chrono::steady_clock::now();
  const std::clock_t processor_start = std::clock();
  AWRY_TRY_ASSIGN(const Summary summary, benchmarks::tgad::score_map_folder(truth, maps));
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  const double processor = static_cast<double>(std::clock() - processor_start) / CLOCKS_PER_SEC;
  std::string values;
  for (const Metric& metric : summary.metrics) {
    if (metric.group.empty()) values += fmt::format(", \"{}\": {:.12f}", metric.key, metric.value);
  }
  fmt::print("{{\"seconds\": {:.4f}, \"wall_seconds\": {:.4f}{}}}\n", processor, taken.count(), values);
  return {};
}

Result<void> run(const std::vector<std::string>& arguments) {
  if (arguments.size() == 4 && arguments[0] == "make") {
    const auto images = parse_integer(arguments[2]), side = parse_integer(arguments[3]);
    if (images && side) return make_class(arguments[1], static_cast<int>(*images), static_cast<int>(*side));
  }
  if (arguments.size() == 3 && arguments[0] == "score") return score_class(arguments[1], arguments[2]);
  return fail({.kind = ErrorKind::kUsage,
               .what = "usage: measure_maps make FOLDER IMAGES SIDE | measure_maps score TRUTH MAPS"});
}

}  // namespace
}  // namespace awry

int main(int count, char** arguments) {
  const auto done = awry::run({arguments + 1, arguments + count});
  if (done) return 0;
  fmt::print(stderr, "{}\n", done.error().message());
  return 1;
}
