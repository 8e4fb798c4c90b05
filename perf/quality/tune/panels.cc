// SPDX-License-Identifier: Apache-2.0
#include "panels.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <opencv2/imgproc.hpp>
#include <optional>

#include "awry/base/random.h"
#include "awry/forge/paint.h"
#include "awry/forge/similarity.h"
#include "awry/forge/splice.h"
#include "awry/forge/themis_item.h"
#include "awry/imaging/decode.h"
#include "awry/imaging/encode.h"
#include "awry/imaging/opencv.h"
#include "awry/imaging/resize.h"
#include "sources.h"

namespace awry::tune {
namespace {

namespace fs = std::filesystem;
using forge::PanelKind;
using forge::SeedPath;

constexpr std::array kPartNames = {"seams", "fusion", "test"};
// Charts, tables, diagrams and screenshots have no noise, and noise is what a seam is known by.
constexpr std::array kRecordedKinds = {PanelKind::kMicrograph, PanelKind::kStainedMicrograph,
                                       PanelKind::kBlot, PanelKind::kMedicalScan, PanelKind::kPhysicalObject};

SeedPath root_of(const SetPlan& plan) {
  return {.seed = quality::seed_of(plan.part == Part::kTest ? quality::Part::kTest : quality::Part::kTuning),
          .labels = {"splicing", kPartNames[static_cast<std::size_t>(plan.part)],
                     plan.variety == Variety::kRecipe ? "recipe" : "wide"}};
}

// What happens to a panel between the forger and the reader; authentic panels suffer it alike.
struct Handling {
  double scale = 1;
  double blur_px = 0;
  int jpeg_quality = 0;  // 0: none
};

Handling random_handling(RandomStream random) {
  switch (random.integer(0, 9)) {
    case 0:
      return {.scale = random.uniform(0.5, 0.9)};
    case 1:
      return {.blur_px = random.uniform(0.4, 1.0)};
    case 2:
    case 3:
      return {.jpeg_quality = random.integer(70, 95)};
    default:
      return {};
  }
}

Result<void> handle(imaging::Image& image, imaging::Bitmap& mask, const Handling& handling) {
  if (handling.scale != 1) {
    const cv::Size size(cvRound(image.width * handling.scale), cvRound(image.height * handling.scale));
    cv::Mat smaller;
    cv::resize(imaging::as_mat(image), smaller, size, 0, 0, cv::INTER_AREA);
    image = imaging::from_mat(smaller);
    if (!mask.bits.empty()) {
      const cv::Mat1b bits(mask.height, mask.width, mask.bits.data());
      cv::resize(bits, smaller, size, 0, 0, cv::INTER_NEAREST);
      mask = imaging::Bitmap(size.width, size.height);
      std::copy(smaller.begin<std::uint8_t>(), smaller.end<std::uint8_t>(), mask.bits.begin());
    }
  }
  if (handling.blur_px > 0)
    cv::GaussianBlur(imaging::as_mat(image), imaging::as_mat(image), {}, handling.blur_px);
  if (handling.jpeg_quality > 0) {
    AWRY_TRY_ASSIGN(const std::string bytes, imaging::encode_jpeg(image, handling.jpeg_quality));
    AWRY_TRY_ASSIGN(image, imaging::decode_image(bytes, "panel.jpg"));
    image = imaging::to_rgb(image);
  }
  return {};
}

class PanelWriter {
 public:
  PanelWriter(const SetPlan& plan, const fs::path& folder) : plan_(plan), folder_(folder) {}

  Result<void> write(std::string_view kind, imaging::Image image, imaging::Bitmap mask,
                     const SeedPath& seed) {
    if (plan_.variety == Variety::kWide)
      AWRY_TRY(handle(image, mask, random_handling(seed.child("handling").stream())));
    const bool spliced = !mask.bits.empty();
    const std::string name = fmt::format("{}-{}-{}", kind, ++count_, spliced ? "spliced" : "authentic");
    AWRY_TRY(imaging::write_image(folder_ / (name + ".png"), image));
    if (spliced) AWRY_TRY(imaging::write_mask(folder_ / (name + "-mask.png"), mask));
    return {};
  }

 private:
  const SetPlan& plan_;
  const fs::path& folder_;
  int count_ = 0;
};

forge::SpliceOptions wide_options(RandomStream random) {
  constexpr std::array widths = {0, 0, 1, 2, 3, 3, 4, 6};
  return {.min_area = random.chance(0.5) ? 0.015 : 0.05,
          .max_area = random.uniform(0.2, 0.6),
          .feather_px = random.pick(widths)};
}

Result<void> write_painted(const SetPlan& plan, PanelKind kind, const SeedPath& seed, PanelWriter& writer) {
  const std::string name = fmt::format("painted_{}", forge::name_of(kind));
  if (plan.variety == Variety::kRecipe) {
    for (const auto category : {forge::ThemisCategory::kAuthentic, forge::ThemisCategory::kSplicing}) {
      const SeedPath own = seed.child(forge::folder_of(category));
      auto item = forge::forge_themis_item({.category = category, .kind = kind, .seed = own});
      if (!item) continue;
      AWRY_TRY(writer.write(name, std::move(item->panels.front().image),
                            item->masks.empty() ? imaging::Bitmap() : std::move(item->masks.front().pixels),
                            own));
    }
    return {};
  }
  RandomStream random = seed.stream();
  const RandomStream style = random.fork("style");
  const int width = random.integer(256, 480), height = random.integer(256, 480);
  const double donor_scale = random.chance(0.5) ? 1 : random.uniform(0.7, 1.5);
  AWRY_TRY_ASSIGN(forge::Painted host, forge::paint_panel(kind, width, height, random.fork("host"), style));
  AWRY_TRY_ASSIGN(const forge::Painted donor,
                  forge::paint_panel(kind, cvRound(width * donor_scale), cvRound(height * donor_scale),
                                     random.fork("donor"), style));
  auto splice = forge::forge_splice({donor.image, donor.annotations}, {host.image, host.annotations},
                                    seed.child("splice"), wide_options(random.fork("options")));
  if (splice)
    AWRY_TRY(writer.write(name, std::move(splice->image), std::move(splice->mask), seed.child("spliced")));
  return writer.write(name, std::move(host.image), {}, seed.child("authentic"));
}

// Real images of this part, by kind. What is for tuning is shared between seams and fusion by series: files
// whose names begin alike.
Result<std::map<std::string, std::vector<imaging::Image>>> real_images(const SetPlan& plan) {
  constexpr std::size_t alike = 24;  // characters
  const bool test = plan.part == Part::kTest;
  AWRY_TRY_ASSIGN(auto sources, quality::real_sources(plan.real_images,
                                                      test ? quality::Part::kTest : quality::Part::kTuning));
  std::map<std::string, std::vector<imaging::Image>> images;
  std::string series;
  int count = 0;
  for (quality::Source& source : sources) {
    if (source.name.substr(0, alike) != series) series = source.name.substr(0, alike), ++count;
    if (!test && (count % 2 == 0) != (plan.part == Part::kFusion)) continue;
    images["real_" + source.name.substr(0, source.name.find('/'))].push_back(std::move(source.image));
  }
  return images;
}

// A panel as a paper would show it: a window of the recording, or all of it in a smaller size.
imaging::Image panel_of(const imaging::Image& image, RandomStream random) {
  constexpr int longest = 512, shortest = 256;
  if (random.chance(0.35) || std::min(image.width, image.height) <= shortest)
    return imaging::resize_long_edge(image, longest).image;
  const int width = std::min(image.width, random.integer(shortest, longest));
  const int height = std::min(image.height, random.integer(shortest, longest));
  const cv::Rect window(random.integer(0, image.width - width), random.integer(0, image.height - height),
                        width, height);
  return imaging::from_mat(imaging::as_mat(image)(window));
}

// Empty windows make no panel.
bool shows_something(const imaging::Image& image) {
  cv::Scalar mean, deviation;
  cv::meanStdDev(imaging::as_mat(image), mean, deviation);
  return cv::mean(deviation)[0] > 4;
}

Result<void> write_real(const SetPlan& plan, const std::string& kind,
                        const std::vector<imaging::Image>& images, std::size_t index, const SeedPath& seed,
                        PanelWriter& writer) {
  RandomStream random = seed.stream();
  const imaging::Image host = panel_of(images[index], random.fork("host"));
  if (!shows_something(host)) return {};
  AWRY_TRY(writer.write(kind, host, {}, seed.child("authentic")));
  // The most similar of a few panels of other recordings is the donor.
  const auto signature = forge::signature_of(host);
  std::vector<std::pair<double, imaging::Image>> donors;
  for (std::uint64_t i = 0; i < 6 && images.size() > 1; ++i) {
    const std::size_t other = (index + 1 + random.below(images.size() - 1)) % images.size();
    imaging::Image donor = panel_of(images[other], random.fork("donor").fork(i));
    const double score = forge::similarity(signature, forge::signature_of(donor)).total();
    donors.emplace_back(score, std::move(donor));
  }
  std::ranges::stable_sort(donors, std::greater<>(), [](const auto& donor) { return donor.first; });
  for (const auto& [score, donor] : donors) {
    const auto options = plan.variety == Variety::kWide ? wide_options(random.fork("options"))
                         : kind == "real_blot" || kind == "real_gel"
                             ? forge::SpliceOptions{.min_area = 0.015, .max_area = 0.25}
                             : forge::SpliceOptions{.max_area = 0.40};
    auto splice = forge::forge_splice({donor, {}}, {host, {}}, seed.child("splice"), options);
    if (splice)
      return writer.write(kind, std::move(splice->image), std::move(splice->mask), seed.child("spliced"));
  }
  return {};
}

}  // namespace

Result<void> make_panels(const SetPlan& plan, const fs::path& folder) {
  fs::create_directories(folder);
  PanelWriter writer(plan, folder);
  const SeedPath root = root_of(plan);
  for (const PanelKind kind : kRecordedKinds) {
    for (int i = 0; i < plan.painted_per_kind; ++i)
      AWRY_TRY(write_painted(plan, kind,
                             root.child(forge::name_of(kind)).child(static_cast<std::uint64_t>(i)), writer));
  }
  if (plan.real_images.empty()) return {};
  AWRY_TRY_ASSIGN(const auto sources, real_images(plan));
  for (const auto& [kind, images] : sources) {
    for (std::size_t i = 0; i < images.size(); ++i) {
      for (int repeat = 0; repeat < plan.real_per_image; ++repeat)
        AWRY_TRY(write_real(plan, kind, images, i,
                            root.child(kind).child(i).child(static_cast<std::uint64_t>(repeat)), writer));
    }
  }
  return {};
}

Result<std::vector<Panel>> read_panels(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
  std::ranges::sort(files);
  std::vector<Panel> panels;
  for (const fs::path& file : files) {
    const std::string name = file.stem().string();
    if (name.ends_with("-mask")) continue;
    Panel panel{.kind = name.substr(0, name.find('-')), .name = name};
    AWRY_TRY_ASSIGN(panel.image, imaging::read_image(file));
    if (name.ends_with("-spliced")) {
      AWRY_TRY_ASSIGN(panel.mask, imaging::read_bitmap(folder / (name + "-mask.png")));
    }
    panels.push_back(std::move(panel));
  }
  return panels;
}

}  // namespace awry::tune
