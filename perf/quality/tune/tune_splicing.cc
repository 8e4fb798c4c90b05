// SPDX-License-Identifier: Apache-2.0
// tune_splicing SPLICING_WEIGHTS_CC FOLDER...: fits the fusion of clues to the panels of the folders
// (make_panels, part "fusion"), prints which odds keep false alarms how low, and writes the fusion as source.
#include <fmt/format.h>
#include <fmt/os.h>

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "awry/imaging/opencv.h"
#include "awry/inspectors/forensics/seam_map.h"
#include "awry/inspectors/forensics/splicing_evidence.h"
#include "awry/inspectors/forensics/working_image.h"
#include "panels.h"

namespace awry::tune {
namespace {

using namespace inspectors::forensics;

struct Candidate {
  SplicingClues clues{};
  double iou = 0;  // with what was pasted
};
struct JudgedPanel {
  bool spliced = false;
  std::vector<Candidate> candidates;
};

JudgedPanel judge(const Panel& panel) {
  constexpr int max_pixels = 600'000;
  const WorkingImage working = prepare(panel.image, max_pixels);
  const SeamSubject subject = seam_subject(working.grey);
  const cv::Mat1f seams = seam_map(subject);
  JudgedPanel judged{.spliced = !panel.mask.bits.empty(), .candidates = {}};
  cv::Mat1b truth(seams.size(), std::uint8_t{0});
  if (judged.spliced) {
    const cv::Mat1b bits(panel.mask.height, panel.mask.width,
                         const_cast<std::uint8_t*>(panel.mask.bits.data()));
    cv::resize(bits, truth, seams.size(), 0, 0, cv::INTER_NEAREST);
    truth = truth > 0;
  }
  for (const BorderedRegion& region : surrounded_regions(seams)) {
    const double iou =
        cv::countNonZero(truth & region.mask) / std::max(1.0, 1.0 * cv::countNonZero(truth | region.mask));
    judged.candidates.push_back({splicing_clues(region, seams, subject), iou});
  }
  return judged;
}

struct Example {
  SplicingClues clues;
  double target = 0, weight = 1;
};

std::vector<Example> examples_of(const std::vector<JudgedPanel>& panels) {
  constexpr double right = 0.6, wrong = 0.15;  // IoU
  std::vector<Example> examples;
  double pasted = 0, others = 0;
  for (const JudgedPanel& panel : panels) {
    for (const Candidate& candidate : panel.candidates) {
      if (panel.spliced && candidate.iou > wrong && candidate.iou < right) continue;
      const bool is_pasted = panel.spliced && candidate.iou >= right;
      examples.push_back({candidate.clues, is_pasted ? 1.0 : 0.0});
      (is_pasted ? pasted : others) += 1;
    }
  }
  for (Example& example : examples) example.weight = example.target > 0 ? others / std::max(1.0, pasted) : 1;
  return examples;
}

// Plain gradient descent on standardised clues with a little decay: six weights need nothing better.
SplicingFusion fit(const std::vector<Example>& examples) {
  constexpr int steps = 4000;
  constexpr double rate = 0.3, decay = 1e-3;
  SplicingClues mean{}, deviation{};
  const double n = static_cast<double>(examples.size());
  for (std::size_t i = 0; i < mean.size(); ++i) {
    for (const Example& example : examples) mean[i] += example.clues[i] / n;
    for (const Example& example : examples) deviation[i] += std::pow(example.clues[i] - mean[i], 2) / n;
    deviation[i] = std::sqrt(deviation[i] + 1e-9);
  }
  double total = 0;
  for (const Example& example : examples) total += example.weight;
  SplicingFusion scaled;
  for (int step = 0; step < steps; ++step) {
    SplicingFusion gradient;
    for (const Example& example : examples) {
      double odds = scaled.bias;
      for (std::size_t i = 0; i < mean.size(); ++i)
        odds += scaled.weights[i] * (example.clues[i] - mean[i]) / deviation[i];
      const double error = example.weight * (1 / (1 + std::exp(-odds)) - example.target) / total;
      gradient.bias += error;
      for (std::size_t i = 0; i < mean.size(); ++i)
        gradient.weights[i] += error * (example.clues[i] - mean[i]) / deviation[i];
    }
    scaled.bias -= rate * gradient.bias;
    for (std::size_t i = 0; i < mean.size(); ++i)
      scaled.weights[i] -= rate * (gradient.weights[i] + decay * scaled.weights[i]);
  }
  SplicingFusion fusion{.weights = {}, .bias = scaled.bias};
  for (std::size_t i = 0; i < mean.size(); ++i) {
    fusion.weights[i] = scaled.weights[i] / deviation[i];
    fusion.bias -= fusion.weights[i] * mean[i];
  }
  return fusion;
}

void print_operating_points(const std::vector<JudgedPanel>& panels, const SplicingFusion& fusion) {
  std::vector<double> authentic, spliced;
  for (const JudgedPanel& panel : panels) {
    double most = -20;
    for (const Candidate& candidate : panel.candidates)
      most = std::max(most, splicing_log_odds(fusion, candidate.clues));
    (panel.spliced ? spliced : authentic).push_back(most);
  }
  std::ranges::sort(authentic, std::greater<>());
  for (const double rate : {0.005, 0.01, 0.02, 0.05, 0.1}) {
    const double odds = authentic[static_cast<std::size_t>(rate * static_cast<double>(authentic.size()))];
    const auto found = std::ranges::count_if(spliced, [&](double value) { return value > odds; });
    fmt::print("false alarms {:4.1f}%: odds {:.2f}, {:.1f}% of {} spliced panels found\n", 100 * rate, odds,
               100.0 * static_cast<double>(found) / static_cast<double>(spliced.size()), spliced.size());
  }
}

void write_source(const char* path, const SplicingFusion& fusion) {
  auto file = fmt::output_file(path);
  file.print(R"(// SPDX-License-Identifier: Apache-2.0
// Written by perf/quality/tune/tune_splicing, which fitted it to tuning panels that the seam network has not
// seen: do not edit.
#include "awry/inspectors/forensics/splicing_evidence.h"

namespace awry::inspectors::forensics {{

const SplicingFusion& tuned_splicing_fusion() {{
  static constexpr SplicingFusion fusion{{
      .weights = {{
)");
  for (std::size_t i = 0; i < fusion.weights.size(); ++i)
    file.print("          {:.4f},  // {}\n", fusion.weights[i], kSplicingClueNames[i].name);
  file.print(R"(      }},
      .bias = {:.4f},
  }};
  return fusion;
}}

}}  // namespace awry::inspectors::forensics
)",
             fusion.bias);
}

Result<void> tune(const char* output, std::span<char*> folders) {
  std::vector<JudgedPanel> panels;
  for (const char* folder : folders) {
    AWRY_TRY_ASSIGN(const std::vector<Panel> more, read_panels(folder));
    for (const Panel& panel : more) panels.push_back(judge(panel));
  }
  const SplicingFusion fusion = fit(examples_of(panels));
  print_operating_points(panels, fusion);
  write_source(output, fusion);
  return {};
}

}  // namespace
}  // namespace awry::tune

int main(int argc, char** argv) {
  cv::setNumThreads(1);
  if (argc < 3) {
    fmt::print(stderr, "usage: tune_splicing SPLICING_WEIGHTS_CC FOLDER...\n");
    return 2;
  }
  if (const auto done = awry::tune::tune(argv[1], std::span(argv + 2, argv + argc)); !done) {
    fmt::print(stderr, "{}\n", done.error().message());
    return 1;
  }
}
