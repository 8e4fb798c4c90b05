// SPDX-License-Identifier: Apache-2.0
// Pictures of a folder whose words are known: the figures that `awry extract` took out of papers
// (figure.json), the panels that `awry paint` painted (panels.jsonl), whatever metadata.jsonl describes in
// the layout of an image folder, and pictures with a file beside them: a.txt with the caption of a.png, or
// a.json with its caption and sentences.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "awry/base/result.h"

namespace awry::forge {

struct CaptionedFigure {
  std::filesystem::path file;
  std::string name;  // relative to the folder, with '/'
  std::string sha256;
  std::string caption;
  std::vector<std::string> sentences;
  // The words in the picture. Unknown until somebody reads it, except where the painter says.
  std::optional<std::vector<std::string>> lettering;
  std::vector<std::string> pictures;  // names of the pictures that show parts of it, or itself
};

// In the order of their names. Figures without words, and descriptions that cannot be understood, are left
// out: a folder may hold anything.
std::vector<CaptionedFigure> captioned_figures_in(const std::filesystem::path& folder);

}  // namespace awry::forge
