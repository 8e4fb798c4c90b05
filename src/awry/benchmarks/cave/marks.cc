// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/cave/marks.h"

#include <fmt/format.h>

#include <map>

#include "awry/base/files.h"
#include "awry/base/hash.h"
#include "awry/benchmarks/cave/true_box.h"
#include "awry/imaging/decode.h"
#include "awry/imaging/draw.h"
#include "awry/imaging/encode.h"

namespace awry::benchmarks::cave {
namespace {

namespace fs = std::filesystem;

constexpr const char* kWhat = "cannot read marks";

// Changes whenever other pixels would be drawn for the same boxes.
constexpr std::string_view kDrawing = "marks-v1";

std::string name_of_copy(std::string_view bytes, const std::vector<Box>& boxes) {
  FieldHasher hasher;
  hasher.add(kDrawing).add(bytes);
  for (const Box& box : boxes) {
    hasher.add(fmt::format("{} {} {} {}", box.x, box.y, box.width, box.height));
  }
  return hasher.hex() + ".png";
}

Result<void> show_marked_copy(ImageRef& reference, const std::vector<Box>& boxes, const fs::path& folder) {
  AWRY_TRY_ASSIGN(const std::string bytes, read_file(reference.path));
  const fs::path copy = folder / name_of_copy(bytes, boxes);
  std::error_code error;
  if (!fs::exists(copy, error)) {
    AWRY_TRY_ASSIGN(imaging::Image image, imaging::decode_image(bytes, reference.path));
    imaging::draw_marks(image, boxes);
    AWRY_TRY(make_folder(folder));
    AWRY_TRY(write_file(copy, imaging::encode_png(image)));
  }
  reference.path = copy.string();
  reference.sha256.clear();
  return {};
}

Result<std::vector<Box>> read_boxes(JsonRow& row, const ImageRef& image, const Options& options) {
  AWRY_TRY_ASSIGN(const Json* list, row.find({"boxes", "marks"}));
  if (list == nullptr || !list->is_array()) return row.error("field 'boxes' is not a list");
  std::vector<Box> boxes;
  for (const Json& value : *list) {
    AWRY_TRY_ASSIGN(const Box box, read_box(row, value, image, options.boxes));
    boxes.push_back(box);
  }
  return boxes;
}

}  // namespace

Result<void> show_marks(Dataset& dataset, const Options& options) {
  AWRY_TRY_ASSIGN(const JsonRows read, read_json_rows(options.marks, "images", "boxes", kWhat));
  struct Place {
    Sample* sample = nullptr;
    bool listed = false;
  };
  std::map<std::string, Place, std::less<>> places;
  for (Sample& sample : dataset.samples) places[sample.id].sample = &sample;
  std::size_t marked = 0;
  for (std::size_t i = 0; i < read.rows.size(); ++i) {
    AWRY_TRY_ASSIGN(JsonRow row, JsonRow::open(read.rows[i], kWhat, options.marks, read.places[i]));
    AWRY_TRY_ASSIGN(const std::string id, row.name({"id", "image_id"}));
    const auto place = places.find(id);
    if (place == places.end()) {
      return row.error(fmt::format("no image has the id '{}'", id), "Ids are those of the annotations.");
    }
    if (place->second.listed) return row.error(fmt::format("the id '{}' is there twice", id));
    place->second.listed = true;
    ImageRef& image = place->second.sample->images.front();
    AWRY_TRY_ASSIGN(const std::vector<Box> boxes, read_boxes(row, image, options));
    AWRY_TRY(row.finish());
    if (boxes.empty()) continue;
    AWRY_TRY(show_marked_copy(image, boxes, options.marked));
    ++marked;
  }
  if (marked < dataset.samples.size()) {
    dataset.notes.push_back(
        fmt::format("set-of-marks: {} of {} images have no marks and are shown as they are",
                    dataset.samples.size() - marked, dataset.samples.size()));
  }
  return {};
}

}  // namespace awry::benchmarks::cave
