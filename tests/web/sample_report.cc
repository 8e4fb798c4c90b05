// SPDX-License-Identifier: Apache-2.0
// Writes report.html, with the images it shows, into the folder given as its only argument: a small run
// with every kind of place, several outcomes, an image that is not there and text that tries to break out.
#include <cmath>
#include <cstdio>

#include "awry/base/files.h"
#include "awry/imaging/encode.h"
#include "awry/imaging/mask.h"
#include "awry/report/html.h"

namespace {

using namespace awry;

constexpr const char* kHostile =
    "</script><script>document.title='PWNED'</script><img src=x onerror=alert(1)>";
constexpr int kWidth = 480, kHeight = 320;

imaging::Image painted(int variant) {
  imaging::Image image(kWidth, kHeight, 3);
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      const double wave = std::sin(x * 0.03 + variant) * std::cos(y * 0.04 - variant);
      for (int c = 0; c < 3; ++c) {
        image.at(x, y)[c] =
            static_cast<std::uint8_t>(130 + 60 * wave + 15 * c * std::sin(y * 0.01 * variant));
      }
    }
  }
  return image;
}

Mask disc(double centre_x, double centre_y, double radius) {
  imaging::Bitmap bitmap(kWidth, kHeight);
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) bitmap.at(x, y) = std::hypot(x - centre_x, y - centre_y) < radius;
  }
  return imaging::mask_from_bitmap(bitmap);
}

Finding finding(std::string type, Where where) {
  return {.where = std::move(where),
          .type = std::move(type),
          .name = "left panel",
          .phenomenon = "The texture repeats with the same noise.",
          .reasoning = "Two exposures never share their noise, so one was copied from the other.",
          .probability = 0.93,
          .evidence = {{"keypoint_matches", "143 keypoints agree on one rotation", 143.0}},
          .by = {.name = "forensics/copy_move", .version = "1"}};
}

report::Item item(const std::string& id, Outcome outcome, std::vector<ImageRef> images) {
  report::Item made;
  made.sample = {.id = id,
                 .images = std::move(images),
                 .passages = {{"caption", "Western blot of treated and untreated cells."}},
                 .attributes = {{"scene", outcome == Outcome::kAnswered ? "micrograph" : "blot"}},
                 .has_truth = true};
  made.questions = {
      {.id = id + "/locate", .sample_id = id, .kind = "locate", .prompt = "Where was it altered?"}};
  made.replies = {{.question_id = id + "/locate",
                   .outcome = outcome,
                   .text = "{\"boxes\": [[60, 50, 200, 160]]}",
                   .model = "demo-vision-2",
                   .usage = {.input_tokens = 812, .output_tokens = 64},
                   .latency_ms = 940}};
  made.answers = {{.question_id = id + "/locate", .outcome = outcome}};
  return made;
}

report::ReportInput sample_input(const std::filesystem::path& folder) {
  std::vector<std::string> paths;
  for (int i = 0; i < 3; ++i) {
    paths.push_back((folder / ("image" + std::to_string(i) + ".png")).string());
    value_or_throw(imaging::write_image(paths.back(), painted(i)));
  }
  report::ReportInput input;
  input.run = {.id = "20260301T123005Z-demo",
               .name = "Demo: where was it altered?",
               .protocol = "themis",
               .model = "demo-vision-2",
               .command = {"awry", "run", "--protocol", "themis", "--name", "Demo: where?"},
               .settings = {{"temperature", "0"}, {"concurrency", "8"}},
               .seed = 7,
               .awry_version = "0.1.0",
               .status = RunStatus::kFinished,
               .started = "2026-03-01T12:30:05Z",
               .finished = "2026-03-01T12:41:19Z"};

  auto boxes = item("blot-001", Outcome::kAnswered, {{.path = paths[0]}});
  boxes.answers[0].findings = {finding("splicing", Box{60, 50, 140, 110}),
                               finding("splicing", Box{300, 180, 90, 70})};
  boxes.sample.truth = {finding("splicing", disc(140, 110, 60))};
  auto blocks = item("blot-002", Outcome::kAnswered, {{.path = paths[1]}});
  blocks.answers[0].findings = {finding("inpainting", BlockSet{4, 4, {6, 7}})};
  blocks.sample.truth = {finding("inpainting", BlockSet{4, 4, {7, 8, 11}})};
  auto pair = item("pair-003", Outcome::kAnswered, {{.path = paths[1]}, {.path = paths[2]}});
  const Pair shared{.in_first = disc(120, 160, 50),
                    .in_second = disc(330, 150, 50),
                    .second_from_first = {},
                    .operations = {"rotation"}};
  pair.answers[0].findings = {finding("reuse", shared)};
  pair.sample.truth = {finding("reuse", shared)};
  auto refused = item("authentic-004", Outcome::kRefused, {{.path = paths[2]}});
  refused.answers[0].complaint = "The model declined to judge a scientific figure.";
  auto missing = item("missing-005", Outcome::kUnreadable, {{.path = (folder / "absent.png").string()}});
  auto hostile = item(kHostile, Outcome::kUnparsable, {});
  hostile.replies[0].text = kHostile;
  hostile.sample.attributes["scene"] = kHostile;
  input.items = {boxes, blocks, pair, refused, missing, hostile};

  double value = 0.41;
  for (const char* key : {"accuracy", "iou"}) {
    for (const char* group : {"overall", "splicing", "inpainting", "image reuse across figures"}) {
      value += 0.05;
      input.summary.metrics.push_back({.key = key,
                                       .group = group,
                                       .label = *key == 'a' ? "Accuracy" : "IoU",
                                       .value = value,
                                       .interval = Interval{.low = value - 0.08, .high = value + 0.07},
                                       .missing = Interval{.low = value - 0.02, .high = value + 0.04},
                                       .count = 212,
                                       .signature = "themis|acc|denominator:paper|v:0.1.0"});
    }
  }
  input.summary.metrics.push_back({.key = "undefined", .group = kHostile, .value = std::nan("")});
  for (int i = 0; i < 200; ++i) {
    const double score = 0.5 + 0.45 * std::sin(i * 0.7) * std::cos(i * 0.13);
    input.summary.scores.push_back(
        {.sample_id = "other-" + std::to_string(i), .metric = "themis/iou", .value = score});
  }
  input.summary.scores.push_back({.sample_id = "blot-001", .metric = "themis/iou", .value = 0.62});
  input.summary.scores.push_back({.sample_id = "blot-002", .metric = "themis/iou", .value = 0.25});
  input.summary.notes = {"3 masks had another size than their image and were left out."};
  for (const auto& each : input.items) input.summary.outcomes.add(each.answers[0].outcome);
  return input;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return std::fputs("usage: awry_sample_report FOLDER\n", stderr), 2;
  try {
    const std::filesystem::path folder = argv[1];
    value_or_throw(
        write_file(folder / "report.html", value_or_throw(report::render_html(sample_input(folder)))));
  } catch (const std::exception& error) {
    return std::fprintf(stderr, "%s\n", error.what()), 1;
  }
}
