// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/magicmirror/row_ids.h"

#include <fmt/format.h>

#include "awry/base/text.h"

namespace awry::benchmarks::magicmirror {
namespace {

constexpr const char* kIdHint = "Rows are named by 'id', by their image, or in MagicBench by 'prompt_t2i'.";

std::string short_id(std::string_view id) {
  return shorten(id, 80);
}

}  // namespace

Result<std::size_t> RowIds::add(std::string_view id, const RowReader& rows, std::size_t line) {
  if (id.empty()) return rows.error("nothing names the row", kIdHint);
  const auto [found, is_new] = index_.try_emplace(std::string(id), rows_.size());
  if (!is_new) {
    return rows.error(
        fmt::format("the id '{}' is already that of line {}", short_id(id), rows_[found->second].line));
  }
  rows_.push_back({.id = &found->first, .line = line});
  return found->second;
}

std::optional<std::size_t> RowIds::find(std::string_view id) {
  if (expected_ < rows_.size() && *rows_[expected_].id == id) return expected_++;
  const auto found = index_.find(id);
  if (found == index_.end()) return std::nullopt;
  expected_ = found->second + 1;
  return found->second;
}

Result<std::size_t> RowIds::answer(std::string_view id, const RowReader& rows, std::size_t line) {
  if (id.empty()) return rows.error("nothing names the row", kIdHint);
  const auto index = find(id);
  if (!index) {
    return rows.error(fmt::format("no row of the dataset is called '{}'", short_id(id)),
                      "The answers must belong to the dataset that was named.");
  }
  std::size_t& answered_on = rows_[*index].answered_on;
  if (answered_on != 0) {
    return rows.error(fmt::format("'{}' was already answered on line {}", short_id(id), answered_on));
  }
  answered_on = line;
  return *index;
}

}  // namespace awry::benchmarks::magicmirror
