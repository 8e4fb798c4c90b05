// SPDX-License-Identifier: Apache-2.0
#include "awry/reading/lettering.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <tuple>

#include "awry/base/files.h"
#include "awry/base/text.h"
#include "awry/imaging/encode.h"
#include "awry/imaging/resize.h"
#include "awry/reading/limited_process.h"

namespace awry::reading {
namespace {

// level page block par line word left top width height conf text
constexpr std::size_t kColumns = 12;
constexpr int kLargestSide = 6000;

std::vector<Word> words_of_table(std::string_view table, double scale) {
  std::vector<Word> words;
  std::map<std::tuple<std::string, std::string, std::string>, int> lines;
  for (const std::string_view row : split_lines(table)) {
    const std::vector<std::string_view> cells = split(row, '\t');
    if (cells.size() != kColumns || cells[0] != "5" || trim(cells[11]).empty()) continue;
    const auto number = [&](std::size_t i) { return parse_double(cells[i]).value_or(0) / scale; };
    const auto line = lines.emplace(
        std::tuple(std::string(cells[2]), std::string(cells[3]), std::string(cells[4])), lines.size());
    words.push_back({.text = repair_utf8(trim(cells[11])),
                     .box = {number(6), number(7), number(8), number(9)},
                     .confidence = parse_double(cells[10]).value_or(0),
                     .line = line.first->second});
  }
  return words;
}

const char* segmentation_of(Layout layout) {
  switch (layout) {
    case Layout::kScattered:
      return "11";
    case Layout::kPage:
      return "3";
    case Layout::kLine:
      return "7";
  }
  std::abort();
}

}  // namespace

bool can_read_lettering() {
  return find_program("tesseract").has_value();
}

Result<std::vector<Word>> read_lettering(const imaging::Image& image, const LetteringOptions& options) {
  if (image.empty()) return std::vector<Word>{};
  const TemporaryFolder folder;
  const int long_edge = std::max(image.width, image.height);
  const int wanted = std::clamp(std::max(long_edge, options.min_long_edge), 1, kLargestSide);
  const imaging::Resized fitted =
      imaging::resize_long_edge(imaging::to_grey(image), wanted, imaging::Enlarge::kYes);
  AWRY_TRY(write_file(folder.path() / "picture.png", imaging::encode_png(fitted.image)));
  std::vector<std::string> arguments = {"picture.png", "stdout", "--psm", segmentation_of(options.layout),
                                        "-l",          "eng"};
  if (!options.alphabet.empty()) {
    arguments.insert(arguments.end(), {"-c", "tessedit_char_whitelist=" + options.alphabet});
  }
  arguments.push_back("tsv");
  AWRY_TRY_ASSIGN(const ProcessOutput output, run_limited({.program = "tesseract",
                                                           .arguments = std::move(arguments),
                                                           .folder = folder.path(),
                                                           .package = "tesseract-ocr tesseract-ocr-eng"}));
  if (output.exit_code != 0) {
    return fail({.kind = ErrorKind::kUnsupported,
                 .what = "cannot read the words in a picture",
                 .why = std::string(trim(output.err)),
                 .hint = "Check that tesseract-ocr-eng is installed."});
  }
  return words_of_table(output.out, fitted.image_from_original[0]);
}

}  // namespace awry::reading
