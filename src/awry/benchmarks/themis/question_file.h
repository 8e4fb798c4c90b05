// SPDX-License-Identifier: Apache-2.0
// The released JSON, field by field, before anything is made of it.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "awry/base/result.h"
#include "awry/records/unknown_fields.h"

namespace awry::benchmarks::themis {

// Its texts are views of the QuestionFile it came from; only what a repair rewrites is its own.
struct ReleasedQuestion {
  std::string_view file;  // where it was read
  bool real = false;      // a case from a retracted paper rather than a made one

  std::string_view question_id, issue, scenario;
  std::vector<std::string_view> sub_issues, ground_truth, paper_ids;
  bool has_issue = false;
  bool says_has_issue = false;                // the field was there
  std::vector<std::string_view> image_paths;  // panel_paths, or figure_path

  // forgery and duplication
  std::vector<int> mask_indices;
  std::string_view mask_path, mask_caption;
  int num_blocks = 0;

  // text and image
  std::string figure_caption, figure_related_sentences;
  std::string_view inconsistent_part;
  std::vector<std::string_view> tampered_sentences, golden_sentences;
  std::vector<std::string_view>
      sentence_parts;  // parallel to tampered_sentences: inconsistent_part unless repaired

  UnknownFields unknown;
};

struct QuestionFile {
  std::shared_ptr<const void> memory;  // what the questions look into: keep it as long as them
  std::vector<ReleasedQuestion> questions;
};

// {"question": [...]}. Errors name the file, the question and the field: broken or cut-off JSON, fields of
// the wrong type, missing fields, ids given twice.
Result<QuestionFile> read_question_file(const std::filesystem::path& path);

// Whether the file starts like one, so that other JSON lying in a dataset's folder can be passed over.
bool looks_like_question_file(const std::filesystem::path& path);

}  // namespace awry::benchmarks::themis
