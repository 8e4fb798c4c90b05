// SPDX-License-Identifier: Apache-2.0
#include "awry/cli/released_annotations.h"

#include <fmt/format.h>

#include <utility>

#include "awry/annotate/image_metadata.h"
#include "awry/base/files.h"
#include "awry/base/json.h"
#include "awry/base/text.h"
#include "awry/benchmarks/anomreason/annotation_file.h"
#include "awry/parse/anomalies.h"

namespace awry::cli {
namespace {

namespace fs = std::filesystem;
using benchmarks::anomreason::Annotation;

// "flux.json" -> flux; but "flux/annotations.json", whose name says nothing, -> flux.
std::string generator_named_by(const fs::path& path) {
  const std::string stem = path.stem().string();
  return stem == "annotations" ? path.parent_path().filename().string() : stem;
}

agents::ImageAnnotation annotation_of(Annotation from, const fs::path& folder) {
  agents::ImageAnnotation annotation;
  annotation.sample = {.id = from.key, .images = {{.path = (folder / from.key).string()}}};
  std::vector<Finding> findings = std::move(from.findings);
  if (from.reply) {
    auto read = parse::read_anomalies(*from.reply);
    annotation.failed = !read;
    if (read) findings = std::move(read->value);
  }
  for (Finding& finding : findings) {
    finding.id = fmt::format("{}/{}", from.key, annotation.anomalies.size() + 1);
    annotation.anomalies.push_back({.finding = std::move(finding)});
  }
  return annotation;
}

}  // namespace

bool is_released_file(const fs::path& path) {
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored)) return false;
  const Result<std::string> text = read_file(path);
  if (!text) return false;
  const std::string_view first = trim(std::string_view(*text).substr(0, text->find('\n')));
  const Result<Json> line = parse_json(first, path.string());
  return !line || !line->is_object() || !line->contains("sample");
}

Result<ReleasedAnnotations> read_released_annotations(const fs::path& path, const fs::path& metadata) {
  AWRY_TRY_ASSIGN(benchmarks::anomreason::AnnotationFile file,
                  benchmarks::anomreason::read_annotation_file(path));
  std::error_code ignored;
  const fs::path place = fs::canonical(path, ignored);
  const std::string generator = generator_named_by(place);
  ReleasedAnnotations released;
  // Where the file's name does not name the generator, its folder does, and the folder above is the assessor.
  const fs::path folder = place.parent_path();
  released.assessor =
      (generator == place.stem().string() ? folder : folder.parent_path()).filename().string();
  for (const std::string& note : file.notes) released.notes.push_back(fmt::format("{}: {}", generator, note));
  std::vector<Sample> samples;
  for (Annotation& each : file.annotations) {
    released.annotations.push_back(annotation_of(std::move(each), folder));
    samples.push_back(released.annotations.back().sample);
  }
  AWRY_TRY(annotate::add_metadata(samples, metadata));
  std::size_t without_prompt = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    auto& attributes = samples[i].attributes;
    attributes.try_emplace(annotate::kGenerator, generator);
    if (attributes.try_emplace(annotate::kPrompt, fs::path(samples[i].id).filename().string()).second) {
      ++without_prompt;
    }
    released.annotations[i].sample = std::move(samples[i]);
  }
  if (without_prompt > 0) {
    released.notes.push_back(
        fmt::format("{}: the prompts of {} images are not known; images of the same name count as the same "
                    "prompt (metadata.jsonl or --metadata would say)",
                    generator, without_prompt));
  }
  return released;
}

}  // namespace awry::cli
