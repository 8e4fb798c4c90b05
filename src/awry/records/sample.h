// SPDX-License-Identifier: Apache-2.0
// One item of a dataset: images by reference, the words around them, and the truth where it is known.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "awry/records/finding.h"
#include "awry/records/unknown_fields.h"

namespace awry {

// Never pixels: whoever needs them asks imaging/.
struct ImageRef {
  std::string path;
  int width = 0, height = 0;  // 0 until somebody looked
  std::string sha256;         // of the file's bytes; empty until somebody looked
  bool operator==(const ImageRef&) const = default;
};

struct Passage {
  std::string part;  // "caption", "related_sentences"
  std::string text;
  bool operator==(const Passage&) const = default;
};

struct Sample {
  std::string id;
  std::vector<ImageRef> images;
  std::vector<Passage> passages;
  std::map<std::string, std::string> attributes;  // scenario, generator, class: what breakdowns group by
  bool has_truth = false;      // false: `truth` is empty because nobody knows, not because all is well
  std::vector<Finding> truth;  // empty with has_truth = authentic
  UnknownFields unknown;
  bool operator==(const Sample&) const = default;
};

}  // namespace awry
