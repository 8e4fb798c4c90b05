// SPDX-License-Identifier: Apache-2.0
// A small MVTec class folder with maps, made for a test. Only tests include it.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "awry/base/files.h"
#include "awry/imaging/float_map.h"
#include "awry/imaging/mask.h"
#include "awry/records/scoring.h"

namespace awry::benchmarks::tgad {

class SmallClass {
 public:
  explicit SmallClass(const std::string& name = "widget") : truth(folder_->path() / "truth" / name) {}

  // One row of pixels. An empty mask makes a good image.
  void add(const std::string& defect, const std::string& id, const std::vector<float>& scores,
           const std::vector<std::uint8_t>& mask = {}) {
    const int width = static_cast<int>(scores.size());
    write_bitmap(truth / "test" / defect / (id + ".png"), std::vector<std::uint8_t>(scores.size()));
    if (!mask.empty()) write_bitmap(truth / "ground_truth" / defect / (id + "_mask.png"), mask);
    write_map(maps / defect / (id + ".tiff"), {.width = width, .height = 1, .values = scores});
  }

  static void write_map(const std::filesystem::path& path, const imaging::FloatMap& map) {
    std::filesystem::create_directories(path.parent_path());
    ASSERT_TRUE(imaging::write_float_tiff(path, map));
  }

  static void write_bitmap(const std::filesystem::path& path, const std::vector<std::uint8_t>& row,
                           int height = 1) {
    imaging::Bitmap bitmap(static_cast<int>(row.size()) / height, height);
    bitmap.bits = row;
    write(path, imaging::encode_mask_png(bitmap));
  }

  static void write(const std::filesystem::path& path, std::string_view content) {
    std::filesystem::create_directories(path.parent_path());
    ASSERT_TRUE(write_file(path, content));
  }

 private:
  std::unique_ptr<TemporaryFolder> folder_ = std::make_unique<TemporaryFolder>();

 public:
  std::filesystem::path truth;
  std::filesystem::path maps = folder_->path() / "maps";
};

inline std::optional<double> value_of(const Summary& summary, std::string_view group, std::string_view key) {
  for (const Metric& metric : summary.metrics) {
    if (metric.group == group && metric.key == key) return metric.value;
  }
  return std::nullopt;
}

template <class T>
std::string message_of(const Result<T>& result) {
  return result ? "no error" : result.error().message();
}

}  // namespace awry::benchmarks::tgad
