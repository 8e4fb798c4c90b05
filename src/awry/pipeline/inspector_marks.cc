// SPDX-License-Identifier: Apache-2.0
#include "awry/pipeline/inspector_marks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "awry/base/files.h"
#include "awry/base/hash.h"
#include "awry/base/json.h"
#include "awry/imaging/mask.h"
#include "awry/inspectors/forensics/forensics.h"
#include "awry/pipeline/parallel.h"

namespace awry::pipeline {
namespace {

std::optional<Box> box_around(const Mask& mask) {
  const Result<imaging::Bitmap> bitmap = imaging::bitmap_from_mask(mask);
  if (!bitmap) return std::nullopt;
  int left = mask.width, top = mask.height, right = -1, bottom = -1;
  for (int y = 0; y < bitmap->height; ++y) {
    for (int x = 0; x < bitmap->width; ++x) {
      if (bitmap->at(x, y) == 0) continue;
      left = std::min(left, x), right = std::max(right, x);
      top = std::min(top, y), bottom = std::max(bottom, y);
    }
  }
  if (right < left) return std::nullopt;
  return Box{static_cast<double>(left), static_cast<double>(top), static_cast<double>(right - left + 1),
             static_cast<double>(bottom - top + 1)};
}

// Both places of copied content are marked: which of them is the copy is for the model to say.
std::vector<Box> boxes_of(const Finding& finding) {
  std::vector<Box> boxes;
  const auto add = [&](const std::optional<Mask>& mask) {
    if (!mask) return;
    if (const auto box = box_around(*mask)) boxes.push_back(*box);
  };
  if (const Box* box = std::get_if<Box>(&finding.where)) boxes.push_back(*box);
  if (const Mask* mask = std::get_if<Mask>(&finding.where)) add(*mask);
  if (const Pair* pair = std::get_if<Pair>(&finding.where)) {
    if (pair->first_image == 0) add(pair->in_first);
    if (pair->second_image == 0) add(pair->in_second);
  }
  return boxes;
}

Result<Json> marks_of(const Sample& sample, const inspectors::Inspector& inspector, int most) {
  const int first_image = 0;
  AWRY_TRY_ASSIGN(const inspectors::Inspection inspection, inspector.inspect(sample, {&first_image, 1}));
  Json boxes = Json::array();
  for (const Finding& finding : inspection.findings) {
    for (const Box& box : boxes_of(finding)) {
      if (boxes.size() >= static_cast<std::size_t>(most)) break;
      boxes.push_back({box.x, box.y, box.x + box.width, box.y + box.height});
    }
  }
  return Json{{"id", sample.id}, {"boxes", std::move(boxes)}};
}

}  // namespace

Result<std::filesystem::path> write_inspector_marks(std::span<const Sample> samples,
                                                    const MarksOptions& options) {
  if (options.inspector != "forensics") {
    return fail({.kind = ErrorKind::kUsage,
                 .what = "no inspector that finds regions is called",
                 .input = options.inspector,
                 .hint = "There is forensics."});
  }
  const std::unique_ptr<inspectors::Inspector> inspector = inspectors::forensics::make_forensic_inspector();
  std::vector<Result<Json>> marks(samples.size(), Json());
  const std::size_t done = for_each_index(
      samples.size(), {.threads = options.threads, .cancel = options.cancel},
      [&](std::size_t i) { marks[i] = marks_of(samples[i], *inspector, options.most_per_image); });
  if (done < samples.size())
    return fail({.kind = ErrorKind::kCancelled, .what = "stopped while marking images"});
  std::string lines;
  for (Result<Json>& one : marks) {
    if (!one) return fail(std::move(one).error());
    lines += dump_json(*one) + "\n";
  }
  const std::filesystem::path path =
      options.folder / fmt::format("{}-{}.jsonl", inspector->name(), sha256_hex(lines).substr(0, 16));
  AWRY_TRY(make_folder(options.folder));
  AWRY_TRY(write_file(path, lines));
  return path;
}

}  // namespace awry::pipeline
