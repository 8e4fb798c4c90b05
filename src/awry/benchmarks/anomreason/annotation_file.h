// SPDX-License-Identifier: Apache-2.0
// The files that AnomReason was released in, for truth and predictions alike:
//   {"fake/cat.png": [{"Name": ..., "Observed Phenomenon": ..., "Reasoning": ..., "Severity Score": ...}]}
// with either spelling of the fields, `null` for no anomalies, or the text a model wrote in place of the
// list; the same as a list of one-key objects or of records with an image field; the same as JSON lines; and
// records for fine-tuning with "conversations".
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "awry/base/result.h"
#include "awry/records/finding.h"

namespace awry::benchmarks::anomreason {

struct Annotation {
  std::string key;                   // as the file names the image: "flux/1_fake/cat.png"
  std::string image;                 // its base name, which is what identifies it: "cat.png"
  std::vector<Finding> findings;     // unless there is a reply
  std::optional<std::string> reply;  // what a model wrote, to be read as any reply is
  std::string verdict;               // kReal, kGenerated, or "" when the file does not say
  std::string unreadable;            // why what the file holds for it is no list of anomalies
};

struct AnnotationFile {
  std::vector<Annotation> annotations;
  std::vector<std::string> notes;  // severities that could not be read, fields that are missing
};

// What people annotated must be right; what a model listed is taken as it comes: an anomaly without its texts
// or with a severity off the scale stays in the list, and a list that is none spoils its own image only.
enum class WrittenBy { kPeople, kModel };

// Two images of the same base name, a field there twice or of the wrong type, and a cut-off file are errors
// that name the image and the item.
Result<AnnotationFile> read_annotation_file(const std::filesystem::path& path,
                                            WrittenBy written_by = WrittenBy::kPeople);

// True for replies by id (replies_file.h), by their first line or entry; those are not read here.
Result<bool> is_replies_file(const std::filesystem::path& path);

// Base names of the images that a file lists in any of the forms above, or as plain strings.
Result<std::vector<std::string>> read_image_names(const std::filesystem::path& path);

// "a/b/cat.png" and "a\\b\\cat.png" -> "cat.png"
std::string_view base_name(std::string_view key);

// From the folders 1_fake and 0_real in a path, or "".
std::string_view source_in_path(std::string_view key);

// "yes", "AI-generated", "fake", 1 -> kGenerated; "no", "real photograph", 0 -> kReal; "" if it says neither.
std::string_view verdict_named(std::string_view words);

}  // namespace awry::benchmarks::anomreason
