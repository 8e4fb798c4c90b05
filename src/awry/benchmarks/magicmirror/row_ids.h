// SPDX-License-Identifier: Apache-2.0
// Which row has which id, and on which line it stood.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "awry/base/result.h"
#include "awry/benchmarks/magicmirror/rows.h"

namespace awry::benchmarks::magicmirror {

class RowIds {
 public:
  // The row's index, counted from 0. Errors, with file and line: a row without an id, an id given before.
  Result<std::size_t> add(std::string_view id, const RowReader& rows, std::size_t line);

  // Marks the row of that id as answered and gives its index. Errors: no such id, answered before.
  Result<std::size_t> answer(std::string_view id, const RowReader& rows, std::size_t line);

  std::size_t size() const { return rows_.size(); }
  bool is_answered(std::size_t index) const { return rows_[index].answered_on != 0; }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  struct Entry {
    const std::string* id = nullptr;
    std::size_t line = 0;
    std::size_t answered_on = 0;  // line of the answer; 0: none yet
  };
  std::optional<std::size_t> find(std::string_view id);

  std::unordered_map<std::string, std::size_t, Hash, std::equal_to<>> index_;
  std::vector<Entry> rows_;
  std::size_t expected_ = 0;  // answers mostly come in the order of the rows: looked at before the table
};

}  // namespace awry::benchmarks::magicmirror
