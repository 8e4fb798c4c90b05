// SPDX-License-Identifier: Apache-2.0
// Annotation files -> Samples with truth.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "awry/base/text.h"
#include "awry/benchmarks/cave/cave.h"
#include "awry/benchmarks/cave/json_rows.h"
#include "awry/benchmarks/cave/marks.h"
#include "awry/benchmarks/cave/true_box.h"
#include "awry/imaging/decode.h"

namespace awry::benchmarks::cave {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kWhat = "cannot read CAVE annotations";

Result<fs::path> annotation_file(const fs::path& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return path;
  static constexpr std::array kNames = {"annotations.json", "annotations.jsonl", "cave.json", "cave.jsonl",
                                        "metadata.jsonl"};
  for (const char* name : kNames) {
    if (fs::exists(path / name, error)) return path / name;
  }
  return fail({.kind = ErrorKind::kNotFound,
               .what = std::string(kWhat),
               .input = path.string(),
               .why = fmt::format("the folder has none of {}", fmt::join(kNames, ", ")),
               .hint = "Name the file itself; README.md of the protocol shows its form."});
}

Result<std::string> read_categories(JsonRow& row) {
  AWRY_TRY_ASSIGN(const Json* value, row.find({"category", "anomaly_category", "categories"}));
  if (value == nullptr || value->is_null()) return std::string();
  const Json list = value->is_array() ? *value : Json::array({*value});
  std::vector<std::string> keys;
  for (const Json& name : list) {
    const auto key = name.is_string() ? category_named(name.get<std::string>()) : std::nullopt;
    if (!key) {
      std::vector<std::string_view> known;
      for (const Category& category : kCategories) known.push_back(category.name);
      return row.error(fmt::format("category {} is unknown", dump_json(name)),
                       fmt::format("Known are {}.", fmt::join(known, ", ")));
    }
    if (std::find(keys.begin(), keys.end(), *key) == keys.end()) keys.emplace_back(*key);
  }
  return join(keys, "+");
}

// One rating, or one per rater with null where a rater gave none.
Result<void> read_people(JsonRow& row, std::string_view feature, std::vector<Evidence>& evidence) {
  const std::string long_name = fmt::format("anomaly_{}", feature);
  AWRY_TRY_ASSIGN(const Json* value, row.find({feature, long_name}));
  if (value == nullptr || value->is_null()) return {};
  const Json list = value->is_array() ? *value : Json::array({*value});
  for (std::size_t rater = 0; rater < list.size(); ++rater) {
    if (list[rater].is_null()) continue;
    if (!list[rater].is_number()) {
      return row.error(fmt::format("{}: {} is not a number", feature, dump_json(list[rater])));
    }
    const auto rating = list[rater].get<double>();
    if (!(rating >= 1 && rating <= 5)) {
      return row.error(fmt::format("{}: {} is outside 1 to 5", feature, rating));
    }
    evidence.push_back(
        {.kind = std::string(feature), .note = fmt::format("rater {}", rater + 1), .value = rating});
  }
  return {};
}

Result<Finding> read_anomaly(JsonRow row, const Sample& sample, std::size_t number, const Options& options) {
  Finding finding{.id = fmt::format("{}/truth/{}", sample.id, number),
                  .by = {.kind = AuthorKind::kPerson, .name = "cave"}};
  AWRY_TRY_ASSIGN(finding.phenomenon, row.text({"anomaly_description", "description"}));
  if (trim(finding.phenomenon).empty()) return row.error("field 'anomaly_description' is missing or empty");
  AWRY_TRY_ASSIGN(finding.reasoning, row.text({"anomaly_explanation", "explanation"}));
  AWRY_TRY_ASSIGN(finding.type, read_categories(row));
  AWRY_TRY_ASSIGN(const Json* box, row.find({"box", "bounding_box", "bbox"}));
  if (box != nullptr && !box->is_null()) {
    AWRY_TRY_ASSIGN(finding.where, read_box(row, *box, sample.images.front(), options.boxes));
  }
  AWRY_TRY_ASSIGN(std::string justification, row.text({"anomaly_justification", "justification"}));
  if (!justification.empty()) finding.evidence.push_back({.kind = kJustification, .note = justification});
  AWRY_TRY_ASSIGN(std::string correct, row.text({"correct_version", "correct_version_description"}));
  if (!correct.empty()) finding.evidence.push_back({.kind = kCorrectVersion, .note = correct});
  for (const std::string_view feature : kFeatures) AWRY_TRY(read_people(row, feature, finding.evidence));
  finding.unknown = row.rest();
  return finding;
}

// The file's own size where it can be read; the annotated one otherwise. They must not contradict.
Result<void> measure(const JsonRow& row, ImageRef& image, std::size_t& unseen) {
  const auto info = imaging::probe_image(image.path);
  if (!info) {
    ++unseen;
    return {};
  }
  if ((image.width > 0 && image.width != info->width) || (image.height > 0 && image.height != info->height)) {
    return row.error(fmt::format("the image '{}' is {} x {}, but annotated as {} x {}", image.path,
                                 info->width, info->height, image.width, image.height));
  }
  image.width = info->width, image.height = info->height;
  return {};
}

Result<Sample> read_sample(JsonRow row, const fs::path& root, const Options& options, std::size_t& unseen) {
  AWRY_TRY_ASSIGN(const std::string image, row.text({"image", "file_name", "image_path"}));
  const fs::path relative(image);
  if (image.empty()) return row.error("field 'image' is missing or empty");
  if (relative.is_absolute() ||
      std::any_of(relative.begin(), relative.end(), [](const fs::path& part) { return part == ".."; })) {
    return row.error(fmt::format("the image path '{}' leaves the folder of the dataset", image),
                     "Paths are relative to the annotations, or to the folder given as images=DIR.");
  }
  Sample sample;
  AWRY_TRY_ASSIGN(sample.id, row.name({"id", "image_id"}));
  if (sample.id.empty()) sample.id = relative.stem().string();
  ImageRef reference{.path = (root / relative).string()};
  AWRY_TRY_ASSIGN(reference.width, row.positive_integer({"width"}));
  AWRY_TRY_ASSIGN(reference.height, row.positive_integer({"height"}));
  AWRY_TRY(measure(row, reference, unseen));
  sample.images.push_back(std::move(reference));
  AWRY_TRY_ASSIGN(std::string description, row.text({"image_description"}));
  if (!description.empty()) sample.passages.push_back({"image_description", std::move(description)});

  AWRY_TRY_ASSIGN(const Json* anomalies, row.find({"anomalies"}));
  sample.has_truth = anomalies != nullptr;
  if (anomalies != nullptr && !anomalies->is_null()) {
    if (!anomalies->is_array()) return row.error("field 'anomalies' is not a list");
    for (const Json& anomaly : *anomalies) {
      const std::size_t number = sample.truth.size() + 1;
      AWRY_TRY_ASSIGN(JsonRow inner, row.inside(anomaly, fmt::format("anomaly {}", number)));
      AWRY_TRY_ASSIGN(Finding finding, read_anomaly(std::move(inner), sample, number, options));
      sample.truth.push_back(std::move(finding));
    }
  }
  sample.unknown = row.rest();
  return sample;
}

}  // namespace

Result<Dataset> read_samples(const fs::path& path, const ProtocolOptions& protocol_options) {
  AWRY_TRY_ASSIGN(const Options options, read_options(protocol_options));
  AWRY_TRY_ASSIGN(const fs::path file, annotation_file(path));
  AWRY_TRY_ASSIGN(const JsonRows read, read_json_rows(file, "images", "anomalies", kWhat));
  const fs::path root = options.images.empty() ? file.parent_path() : fs::path(options.images);

  Dataset dataset;
  std::unordered_set<std::string> ids;
  std::size_t unseen = 0, without_truth = 0;
  for (std::size_t i = 0; i < read.rows.size(); ++i) {
    AWRY_TRY_ASSIGN(JsonRow row,
                    JsonRow::open(read.rows[i], std::string(kWhat), file.string(), read.places[i]));
    AWRY_TRY_ASSIGN(Sample sample, read_sample(row, root, options, unseen));
    if (!ids.insert(sample.id).second)
      return row.error(fmt::format("another row has the id '{}'", sample.id));
    without_truth += !sample.has_truth;
    dataset.samples.push_back(std::move(sample));
  }
  if (unseen > 0) {
    dataset.notes.push_back(
        fmt::format("{} of {} images cannot be read from '{}': boxes are only understood where the "
                    "annotations give width "
                    "and height",
                    unseen, dataset.samples.size(), root.string()));
  }
  if (without_truth > 0) {
    dataset.notes.push_back(fmt::format("{} images have no 'anomalies': they are not scored", without_truth));
  }
  if (!options.marks.empty()) {
    AWRY_TRY(show_marks(dataset, options));
  } else if (options.prompt.find("som") != std::string::npos && options.images.empty()) {
    dataset.notes.push_back(
        "set-of-marks: the images have no marks; give boxes as marks=FILE or marked copies as images=DIR");
  }
  return dataset;
}

}  // namespace awry::benchmarks::cave
