// SPDX-License-Identifier: Apache-2.0
// The released JSON, field by field, before anything is made of it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "awry/base/result.h"
#include "awry/records/unknown_fields.h"

namespace awry::benchmarks::themis {

struct ReleasedQuestion {
  std::string file;   // where it was read
  bool real = false;  // a case from a retracted paper rather than a made one

  std::string question_id, issue, scenario;
  std::vector<std::string> sub_issues, ground_truth, paper_ids;
  bool has_issue = false;
  bool says_has_issue = false;           // the field was there
  std::vector<std::string> image_paths;  // panel_paths, or figure_path

  // forgery and duplication
  std::vector<int> mask_indices;
  std::string mask_path, mask_caption;
  int num_blocks = 0;

  // text and image
  std::string figure_caption, figure_related_sentences, inconsistent_part;
  std::vector<std::string> tampered_sentences, golden_sentences;
  std::vector<std::string>
      sentence_parts;  // parallel to tampered_sentences: inconsistent_part unless repaired

  UnknownFields unknown;
};

// {"question": [...]}. Errors name the file, the question and the field: broken or cut-off JSON, fields of
// the wrong type, missing fields, ids given twice.
Result<std::vector<ReleasedQuestion>> read_question_file(const std::filesystem::path& path);

// Whether the file starts like one, so that other JSON lying in a dataset's folder can be passed over.
bool looks_like_question_file(const std::filesystem::path& path);

}  // namespace awry::benchmarks::themis
