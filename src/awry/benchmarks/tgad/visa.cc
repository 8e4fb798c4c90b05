// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/tgad/visa.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "awry/base/files.h"
#include "awry/base/text.h"

namespace awry::benchmarks::tgad {
namespace {

namespace fs = std::filesystem;

enum Column { kObject, kSplit, kLabel, kImage, kMask, kColumns };
constexpr std::array<std::string_view, kColumns> kColumnNames = {"object", "split", "label", "image", "mask"};

class SplitTable {
 public:
  explicit SplitTable(fs::path path) : path_(std::move(path)) {}

  Result<void> read_header(std::string_view line) {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
    const auto names = split(line, ',');
    for (int column = 0; column < kColumns; ++column) {
      const auto found = std::ranges::find(names, kColumnNames[column], trim);
      if (found == names.end()) return refuse(1, fmt::format("it has no column {}", kColumnNames[column]));
      where_[column] = static_cast<std::size_t>(found - names.begin());
    }
    width_ = names.size();
    return {};
  }

  Result<std::array<std::string_view, kColumns>> read_row(std::string_view line, std::size_t number) const {
    const auto cells = split(line, ',');
    if (cells.size() != width_) {
      return refuse(number, fmt::format("it has {} cells instead of {}", cells.size(), width_));
    }
    std::array<std::string_view, kColumns> row;
    for (int column = 0; column < kColumns; ++column) row[column] = trim(cells[where_[column]]);
    return row;
  }

  tl::unexpected<Error> refuse(std::size_t line, std::string why) const {
    return fail({.what = "cannot read split table",
                 .input = path_.string(),
                 .why = fmt::format("line {}: {}", line, why)});
  }

 private:
  fs::path path_;
  std::array<std::size_t, kColumns> where_{};
  std::size_t width_ = 0;
};

}  // namespace

Result<std::vector<TestSet>> read_visa_split(const fs::path& root, std::string_view object) {
  SplitTable table(root / kVisaSplit);
  AWRY_TRY_ASSIGN(const std::string text, read_file(root / kVisaSplit));
  const auto lines = split_lines(text);
  AWRY_TRY(table.read_header(lines.empty() ? std::string_view() : lines.front()));
  std::map<std::string, TestSet, std::less<>> sets;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    if (trim(lines[i]).empty()) continue;
    AWRY_TRY_ASSIGN(const auto row, table.read_row(lines[i], i + 1));
    if (row[kSplit] != "test" || (!object.empty() && row[kObject] != object)) continue;
    const bool normal = row[kLabel] == "normal";
    if (!normal && row[kLabel] != "anomaly") {
      return table.refuse(i + 1, fmt::format("the label '{}' is neither normal nor anomaly", row[kLabel]));
    }
    if (row[kImage].empty()) return table.refuse(i + 1, "it names no image");
    if (!normal && row[kMask].empty()) return table.refuse(i + 1, "an anomaly without a mask");
    const fs::path image = row[kImage];
    TestSet& set = sets[std::string(row[kObject])];
    set.name = row[kObject];
    set.kind = TreeKind::kVisa;
    TestImage entry{.id = (image.parent_path().filename() / image.stem()).string(),
                    .defect = normal ? std::string(kGood) : "anomaly",
                    .image = root / image};
    if (!normal) {
      entry.masks.push_back(root / fs::path(row[kMask]));
      if (!fs::exists(entry.masks.front())) {
        return fail({.kind = ErrorKind::kNotFound,
                     .what = "cannot find the mask of test image",
                     .input = entry.image.string(),
                     .why = fmt::format("'{}' is not there", entry.masks.front().string())});
      }
    }
    set.images.push_back(std::move(entry));
  }
  std::vector<TestSet> found;
  for (auto& [name, set] : sets) found.push_back(std::move(set));
  return found;
}

}  // namespace awry::benchmarks::tgad
