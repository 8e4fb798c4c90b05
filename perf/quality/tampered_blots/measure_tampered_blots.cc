// SPDX-License-Identifier: Apache-2.0
// measure_tampered_blots FOLDER: how the embedded detectors do on western blots edited by hand or by a
// service.
//
// FOLDER holds one folder per source of edits (gimp/, cleanup/, dall_e/) and mask/, whose files are named
// after the images. Images by GIMP name the tool by their ending. The search for stray colour was built after
// looking at these images: what it finds here is no test. Nothing else was tuned on them.
//   AUROC  of the pixels of one image, averaged over images: a map is given for every image
//   F1     of what is reported against the mask, averaged over images: 0 where nothing is reported
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "awry/imaging/decode.h"
#include "awry/imaging/mask.h"
#include "awry/inspectors/forensics/copy_move.h"
#include "awry/inspectors/forensics/inpainting.h"
#include "awry/inspectors/forensics/splicing.h"
#include "awry/inspectors/forensics/stray_colour.h"
#include "awry/score/roc.h"

namespace {

using namespace awry;
using namespace awry::inspectors::forensics;
namespace fs = std::filesystem;

struct Tally {
  int images = 0, reported = 0;
  double splice_auroc = 0, noise_auroc = 0, colour_auroc = 0, f1 = 0;
};

void mark(imaging::Bitmap& marked, const std::optional<Mask>& mask) {
  if (!mask) return;
  const auto bitmap = imaging::bitmap_from_mask(*mask);
  if (!bitmap || bitmap->bits.size() != marked.bits.size()) return;
  std::ranges::transform(marked.bits, bitmap->bits, marked.bits.begin(), std::bit_or());
}

void mark(imaging::Bitmap& marked, const Detection& detection) {
  for (const Finding& finding : detection.findings) {
    if (const auto* mask = std::get_if<Mask>(&finding.where)) mark(marked, *mask);
    if (const auto* pair = std::get_if<Pair>(&finding.where))
      mark(marked, pair->in_first), mark(marked, pair->in_second);
  }
}

double f1_of(const imaging::Bitmap& marked, const imaging::Bitmap& truth) {
  double both = 0, either = 0;
  for (std::size_t i = 0; i < truth.bits.size(); ++i) {
    both += 2 * (marked.bits[i] & truth.bits[i]);
    either += marked.bits[i] + truth.bits[i];
  }
  return either > 0 ? both / either : 1;
}

double auroc_of(const imaging::FloatMap& map, const imaging::Bitmap& truth) {
  const std::vector<double> scores(map.values.begin(), map.values.end());
  const auto result = score::auroc(scores, truth.bits);
  return result ? *result : 0.5;
}

// "gimp/cg" of gimp/..._gimp_cg.png; the folder's name otherwise.
std::string tool_of(const fs::path& image) {
  const std::string folder = image.parent_path().filename(), name = image.stem();
  const std::size_t gimp = name.rfind("_gimp_");
  return gimp == name.npos ? folder : folder + "/" + name.substr(gimp + 6);
}

Result<void> measure(const fs::path& file, const fs::path& mask_file, Tally& tally) {
  AWRY_TRY_ASSIGN(const imaging::Image image, imaging::read_image(file));
  AWRY_TRY_ASSIGN(const imaging::Bitmap truth, imaging::read_bitmap(mask_file));
  if (truth.width != image.width || truth.height != image.height) {
    return fail({.what = "cannot measure", .input = file.string(), .why = "its mask has another size"});
  }
  imaging::Bitmap marked(image.width, image.height);
  mark(marked, find_copy_move(image));
  mark(marked, find_splicing(image));
  mark(marked, find_smoothing(image));
  mark(marked, find_stray_colour(image));
  ++tally.images;
  tally.reported += std::ranges::any_of(marked.bits, [](auto bit) { return bit != 0; });
  tally.f1 += f1_of(marked, truth);
  tally.splice_auroc += auroc_of(splicing_map(image), truth);
  tally.noise_auroc += auroc_of(missing_noise_map(image), truth);
  tally.colour_auroc += auroc_of(colour_map(image), truth);
  return {};
}

Result<void> measure_all(const fs::path& folder) {
  std::map<std::string, Tally> tallies;
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().filename();
    if (name.ends_with(".png") && !name.starts_with("mask_")) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  for (const fs::path& file : files) {
    const std::string mask_name = "mask_" + file.filename().string();
    fs::path mask = folder / "mask" / mask_name;
    if (!fs::exists(mask)) mask = file.parent_path() / mask_name;
    AWRY_TRY(measure(file, mask, tallies[tool_of(file)]));
  }
  fmt::print("{:12} {:>6} {:>9} {:>12} {:>12} {:>13} {:>6}\n", "tool", "images", "reported", "splice AUROC",
             "noise AUROC", "colour AUROC", "F1");
  for (const auto& [tool, tally] : tallies) {
    const double n = tally.images;
    fmt::print("{:12} {:6} {:8.1f}% {:12.3f} {:12.3f} {:13.3f} {:6.3f}\n", tool, tally.images,
               100 * tally.reported / n, tally.splice_auroc / n, tally.noise_auroc / n,
               tally.colour_auroc / n, tally.f1 / n);
  }
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: measure_tampered_blots FOLDER\n");
    return 2;
  }
  if (const auto done = measure_all(argv[1]); !done) {
    fmt::print(stderr, "{}\n", done.error().message());
    return 1;
  }
}
