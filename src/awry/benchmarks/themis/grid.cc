// SPDX-License-Identifier: Apache-2.0
// Grids in THEMIS: the dataset gives the number of blocks, and rows and columns only in a sentence.
#include <fmt/format.h>

#include "awry/base/text.h"
#include "awry/benchmarks/themis/themis.h"

namespace awry::benchmarks::themis {
namespace {

constexpr int kMaxSide = 1000;  // more rows or columns than that is a misread number

// The number that ends right before `end`: "... a 12-row" with end at "-row" gives 12.
std::optional<int> number_before(std::string_view text, std::size_t end) {
  std::size_t begin = end;
  while (begin > 0 && text[begin - 1] >= '0' && text[begin - 1] <= '9') --begin;
  const auto number = parse_integer(text.substr(begin, end - begin));
  if (!number || *number < 1 || *number > kMaxSide) return std::nullopt;
  return static_cast<int>(*number);
}

}  // namespace

std::optional<imaging::BlockGrid> grid_in_words(std::string_view caption) {
  const std::size_t row = caption.find("-row"), column = caption.find("-column");
  if (row == std::string_view::npos || column == std::string_view::npos) return std::nullopt;
  const auto rows = number_before(caption, row), columns = number_before(caption, column);
  if (!rows || !columns) return std::nullopt;
  return imaging::BlockGrid{.rows = *rows, .columns = *columns};
}

imaging::BlockGrid grid_of(int num_blocks) {
  int rows = 1;
  for (int candidate = 2; candidate * candidate <= num_blocks; ++candidate) {
    if (num_blocks % candidate == 0) rows = candidate;
  }
  return {.rows = rows, .columns = num_blocks / rows};
}

std::string describe_grid(const imaging::BlockGrid& grid) {
  return fmt::format(
      "The image is cut into a {}-row by {}-column grid of equal blocks, numbered from 1 to {}, left to "
      "right "
      "and then top to bottom.",
      grid.rows, grid.columns, grid.rows * grid.columns);
}

std::string grid_text(const imaging::BlockGrid& grid) {
  return fmt::format("{}x{}", grid.rows, grid.columns);
}

std::optional<imaging::BlockGrid> grid_from_text(std::string_view text) {
  const std::size_t cross = text.find('x');
  if (cross == std::string_view::npos) return std::nullopt;
  const auto rows = parse_integer(text.substr(0, cross)), columns = parse_integer(text.substr(cross + 1));
  if (!rows || !columns || *rows < 1 || *columns < 1 || *rows > kMaxSide || *columns > kMaxSide) {
    return std::nullopt;
  }
  return imaging::BlockGrid{.rows = static_cast<int>(*rows), .columns = static_cast<int>(*columns)};
}

}  // namespace awry::benchmarks::themis
