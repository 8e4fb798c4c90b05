// SPDX-License-Identifier: Apache-2.0
// Annotation files -> Samples with truth.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "awry/benchmarks/anomreason/annotation_file.h"
#include "awry/benchmarks/anomreason/anomreason.h"
#include "awry/parse/anomalies.h"

namespace awry::benchmarks::anomreason {
namespace {

namespace fs = std::filesystem;

// A folder stands for the one file of annotations in it.
Result<fs::path> annotation_path(const fs::path& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return path;
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(path, error)) {
    if (entry.is_regular_file(error) && entry.path().extension() == ".json") files.push_back(entry.path());
  }
  if (files.size() == 1) return files.front();
  return fail({.kind = ErrorKind::kNotFound,
               .what = "cannot find AnomReason annotations",
               .input = path.string(),
               .why = fmt::format("the folder holds {} .json files", files.size()),
               .hint = "Name the file of annotations itself."});
}

// The key is a path on somebody's machine: used as far as it stays inside our folder, else its last part.
std::string image_path(const Annotation& annotation, const fs::path& root) {
  const fs::path key(annotation.key);
  const bool leaves = std::any_of(key.begin(), key.end(), [](const fs::path& part) { return part == ".."; });
  return (root / (key.is_absolute() || leaves ? fs::path(annotation.image) : key)).string();
}

Result<Sample> make_sample(Annotation annotation, const fs::path& root) {
  Sample sample{.id = annotation.image, .has_truth = true, .truth = std::move(annotation.findings)};
  sample.images.push_back({.path = image_path(annotation, root)});
  if (annotation.reply) {
    auto read = parse::read_anomalies(*annotation.reply);
    if (!read) {
      return fail({.what = "cannot read the anomalies of an image",
                   .input = annotation.key,
                   .why = read.error().message()});
    }
    sample.truth = std::move(read->value);
  }
  for (std::size_t i = 0; i < sample.truth.size(); ++i) {
    sample.truth[i].id = fmt::format("{}/truth/{}", sample.id, i + 1);
    sample.truth[i].by = {.kind = AuthorKind::kPerson, .name = "anomreason"};
  }
  const std::string_view folder = source_in_path(annotation.key);
  const std::string_view source = annotation.verdict.empty() ? folder : annotation.verdict;
  if (!folder.empty() && source != folder) {
    return fail({.what = "cannot tell where an image comes from",
                 .input = annotation.key,
                 .why = fmt::format("its folder says {}, its entry {}", folder, source)});
  }
  if (!source.empty()) sample.attributes[kSourceAttribute] = source;
  return sample;
}

Result<void> keep_subset(const std::string& file, Dataset& dataset) {
  AWRY_TRY_ASSIGN(const std::vector<std::string> names, read_image_names(file));
  std::unordered_set<std::string> wanted(names.begin(), names.end());
  if (wanted.size() != names.size()) {
    return fail({.what = "cannot use the subset",
                 .input = file,
                 .why = fmt::format("it lists {} images, of which only {} have different file names",
                                    names.size(), wanted.size())});
  }
  const std::size_t all = dataset.samples.size();
  std::erase_if(dataset.samples, [&](const Sample& sample) { return wanted.erase(sample.id) == 0; });
  if (dataset.samples.empty()) {
    return fail(
        {.what = "cannot use the subset",
         .input = file,
         .why = fmt::format("none of its {} images is among the {} annotated ones", names.size(), all),
         .hint = "Images are told apart by their file names."});
  }
  dataset.notes.push_back(
      fmt::format("{} of {} images kept, as the subset says", dataset.samples.size(), all));
  if (!wanted.empty()) {
    dataset.notes.push_back(fmt::format("{} images of the subset are not annotated, '{}' among them",
                                        wanted.size(), *std::min_element(wanted.begin(), wanted.end())));
  }
  return {};
}

}  // namespace

Result<Dataset> read_samples(const fs::path& path, const ProtocolOptions& protocol_options) {
  AWRY_TRY_ASSIGN(const Options options, read_options(protocol_options));
  AWRY_TRY_ASSIGN(const fs::path file, annotation_path(path));
  AWRY_TRY_ASSIGN(AnnotationFile read, read_annotation_file(file));
  const fs::path root = options.images.empty() ? file.parent_path() : fs::path(options.images);
  Dataset dataset{.notes = std::move(read.notes)};
  dataset.samples.reserve(read.annotations.size());
  for (Annotation& annotation : read.annotations) {
    AWRY_TRY_ASSIGN(Sample sample, make_sample(std::move(annotation), root));
    dataset.samples.push_back(std::move(sample));
  }
  if (!options.subset.empty()) AWRY_TRY(keep_subset(options.subset, dataset));
  return dataset;
}

}  // namespace awry::benchmarks::anomreason
