// SPDX-License-Identifier: Apache-2.0
// Lines of a file, in memory bounded by the longest of them.
#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "awry/base/result.h"

namespace awry::benchmarks::magicmirror {

class LineReader {
 public:
  // Bytes that may be read, though not used, behind the end of every line: vectorised parsers want that.
  static constexpr std::size_t kPadding = 64;
  static constexpr std::size_t kLongestLine = 64 << 20;

  static Result<LineReader> open(const std::filesystem::path& path);

  // Without its line break; nullopt at the end. Valid until the next call.
  Result<std::optional<std::string_view>> next();
  std::size_t line() const { return line_; }  // number of the last line, from 1
  const std::string& file() const { return file_; }

 private:
  struct Close {
    void operator()(std::FILE* stream) const { std::fclose(stream); }
  };
  LineReader(std::string file, std::FILE* stream);
  Result<void> refill();

  std::string file_;
  std::unique_ptr<std::FILE, Close> stream_;
  std::vector<char> buffer_;         // [0, end_) is text, followed by the padding
  std::size_t begin_ = 0, end_ = 0;  // what has not been handed out yet
  std::size_t searched_ = 0;         // bytes behind begin_ known to hold no line break
  std::size_t line_ = 0;
  bool at_end_of_file_ = false;
};

}  // namespace awry::benchmarks::magicmirror
