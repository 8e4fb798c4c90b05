// SPDX-License-Identifier: Apache-2.0
// tune_seams SEAM_WEIGHTS_CC FOLDER...: trains the seam network on the panels of the folders (make_panels)
// and writes it as source. Deterministic.
#include <fmt/format.h>
#include <fmt/os.h>

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "awry/base/random.h"
#include "awry/imaging/opencv.h"
#include "awry/inspectors/forensics/seam_map.h"
#include "panels.h"
#include "seam_training.h"

namespace awry::tune {
namespace {

using namespace inspectors::forensics;

cv::Mat1f grey_of(const imaging::Image& image) {
  const imaging::Image rgb = imaging::to_rgb(image);
  cv::Mat grey;
  cv::cvtColor(imaging::as_mat(rgb), grey, cv::COLOR_RGB2GRAY);
  grey.convertTo(grey, CV_32F);
  return grey;
}

cv::Mat1b as_mask(const imaging::Bitmap& bitmap) {
  cv::Mat1b mask(bitmap.height, bitmap.width);
  std::ranges::transform(bitmap.bits, mask.begin(), [](auto bit) { return bit ? 255 : 0; });
  return mask;
}

struct Frames {
  SeamSubject subject;
  std::vector<SeamFrame> frames;
};

Frames frames_of(const cv::Mat1f& grey) {
  Frames result{.subject = seam_subject(grey), .frames = {}};
  for (int direction = 0; direction < kSeamDirections; ++direction)
    result.frames.push_back(seam_frame(result.subject, direction));
  return result;
}

void add(std::vector<SeamExample>& examples, const Frames& frames, cv::Point2d place, int direction,
         bool flipped, bool seam) {
  SeamExample example{.features = {}, .seam = seam};
  if (seam_features_at(frames.frames[static_cast<std::size_t>(direction)], place, flipped, example.features))
    examples.push_back(example);
}

// Points of the outline, looked at across it, the pasted side at positive distances.
void add_seams(std::vector<SeamExample>& examples, const Frames& frames, const cv::Mat1b& mask, int count,
               RandomStream random) {
  cv::Mat1f smooth, gx, gy;
  mask.convertTo(smooth, CV_32F);
  cv::GaussianBlur(smooth, smooth, {}, 4);
  cv::Sobel(smooth, gx, CV_32F, 1, 0);
  cv::Sobel(smooth, gy, CV_32F, 0, 1);
  std::vector<std::vector<cv::Point>> outlines;
  cv::findContours(mask, outlines, cv::RETR_EXTERNAL, cv::CHAIN_APPROX_NONE);
  if (outlines.empty()) return;
  for (int i = 0; i < count; ++i) {
    const cv::Point at = random.pick(random.pick(outlines));
    const double angle = std::atan2(-gx(at), gy(at)) + random.uniform(-0.05, 0.05);  // of the line
    const int direction = cvRound(angle / seam_angle(1));
    const bool flipped =
        (direction % (2 * kSeamDirections) + 2 * kSeamDirections) % (2 * kSeamDirections) >= kSeamDirections;
    const int folded = ((direction % kSeamDirections) + kSeamDirections) % kSeamDirections;
    add(examples, frames, at, folded, flipped, true);
  }
}

void add_others(std::vector<SeamExample>& examples, const Frames& frames, const cv::Mat1b& near_seam,
                int count, RandomStream random) {
  for (int i = 0; i < count; ++i) {
    const cv::Point at(random.integer(0, near_seam.cols - 1), random.integer(0, near_seam.rows - 1));
    if (!near_seam(at))
      add(examples, frames, at, random.integer(0, kSeamDirections - 1), random.chance(0.5), false);
  }
}

// Places the network takes for seams although they are none.
void add_mistakes(std::vector<SeamExample>& examples, const Frames& frames, const cv::Mat1b& near_seam,
                  const SeamNetwork& network, int count, RandomStream random) {
  std::vector<std::pair<float, SeamExample>> worst;
  for (int i = 0; i < 30 * count; ++i) {
    const cv::Point at(random.integer(0, near_seam.cols - 1), random.integer(0, near_seam.rows - 1));
    if (near_seam(at)) continue;
    std::vector<SeamExample> one;
    add(one, frames, at, random.integer(0, kSeamDirections - 1), random.chance(0.5), false);
    if (!one.empty()) worst.emplace_back(seam_log_odds(network, one.front().features), one.front());
  }
  std::ranges::stable_sort(worst, std::greater<>(), [](const auto& entry) { return entry.first; });
  for (int i = 0; i < std::min<int>(count, static_cast<int>(worst.size())); ++i)
    examples.push_back(worst[static_cast<std::size_t>(i)].second);
}

std::vector<SeamExample> examples_of(const std::vector<Panel>& panels, const SeamNetwork* earlier) {
  std::vector<SeamExample> examples;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const RandomStream random = RandomStream(2).fork("examples").fork(i);
    const cv::Mat1f grey = grey_of(panels[i].image);
    const Frames frames = frames_of(grey);
    cv::Mat1b near_seam(grey.size(), std::uint8_t{0});
    if (!panels[i].mask.bits.empty()) {
      const cv::Mat1b mask = as_mask(panels[i].mask);
      cv::morphologyEx(mask, near_seam, cv::MORPH_GRADIENT, cv::Mat::ones(21, 21, CV_8U));
      add_seams(examples, frames, mask, 100, random.fork("seams"));
    }
    add_others(examples, frames, near_seam, 100, random.fork("others"));
    if (earlier != nullptr) add_mistakes(examples, frames, near_seam, *earlier, 60, random.fork("mistakes"));
  }
  return examples;
}

void write_numbers(fmt::ostream& file, std::span<const float> numbers) {
  for (std::size_t i = 0; i < numbers.size(); ++i)
    file.print("{}{:.4g},", i % 12 == 0 ? "\n    " : " ", numbers[i]);
}

void write_source(const char* path, const SeamNetwork& network) {
  auto file = fmt::output_file(path);
  file.print(R"(// SPDX-License-Identifier: Apache-2.0
// Written by perf/quality/tune/tune_seams from painted and real tuning panels (its README names them): do not
// edit. Hidden units first, each with one weight per feature and its bias, then the output's weights and bias.
#include <cstddef>
#include <iterator>
#include <span>

#include "awry/inspectors/forensics/seam_network.h"

namespace awry::inspectors::forensics {{
namespace {{

// clang-format off
constexpr double kNumbers[] = {{)");
  for (std::size_t unit = 0; unit < kSeamUnits; ++unit) {
    write_numbers(file, network.weights[unit]);
    write_numbers(file, {&network.biases[unit], 1});
  }
  write_numbers(file, network.output_weights);
  write_numbers(file, {&network.output_bias, 1});
  file.print(R"(
}};
// clang-format on

SeamNetwork read_numbers() {{
  SeamNetwork network;
  const double* next = kNumbers;
  const auto read = [&](std::span<float> to) {{
    for (float& number : to) number = static_cast<float>(*next++);
  }};
  for (std::size_t unit = 0; unit < kSeamUnits; ++unit) {{
    read(network.weights[unit]);
    read({{&network.biases[unit], 1}});
  }}
  read(network.output_weights);
  read({{&network.output_bias, 1}});
  return network;
}}

}}  // namespace

const SeamNetwork& tuned_seam_network() {{
  static_assert(std::size(kNumbers) == kSeamUnits * (kSeamFeatures + 2) + 1);
  static const SeamNetwork network = read_numbers();
  return network;
}}

}}  // namespace awry::inspectors::forensics
)");
}

void print_error(const char* name, const SeamNetwork& network, const std::vector<SeamExample>& examples) {
  double loss = 0, seams = 0, found = 0, others = 0, mistaken = 0;
  for (const SeamExample& example : examples) {
    const double odds = seam_log_odds(network, example.features);
    loss += std::log1p(std::exp(example.seam ? -odds : odds));
    (example.seam ? seams : others) += 1;
    if (odds > 0) (example.seam ? found : mistaken) += 1;
  }
  fmt::print("{}: {} examples, loss {:.4f}, seams found {:.3f}, mistaken {:.3f}\n", name, examples.size(),
             loss / static_cast<double>(examples.size()), found / seams, mistaken / others);
}

Result<void> tune(const char* output, std::span<char*> folders) {
  std::vector<Panel> panels;
  for (const char* folder : folders) {
    AWRY_TRY_ASSIGN(std::vector<Panel> more, read_panels(folder));
    std::ranges::move(more, std::back_inserter(panels));
  }
  const auto first_examples = examples_of(panels, nullptr);
  const SeamNetwork first = train_seam_network(first_examples, {.epochs = 6});
  print_error("first round", first, first_examples);
  const auto examples = examples_of(panels, &first);
  const SeamNetwork second = train_seam_network(examples);
  print_error("second round", second, examples);
  write_source(output, second);
  return {};
}

}  // namespace
}  // namespace awry::tune

int main(int argc, char** argv) {
  cv::setNumThreads(1);
  if (argc < 3) {
    fmt::print(stderr, "usage: tune_seams SEAM_WEIGHTS_CC FOLDER...\n");
    return 2;
  }
  if (const auto done = awry::tune::tune(argv[1], std::span(argv + 2, argv + argc)); !done) {
    fmt::print(stderr, "{}\n", done.error().message());
    return 1;
  }
}
