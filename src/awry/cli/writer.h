// SPDX-License-Identifier: Apache-2.0
// Where a command writes: stdout for data, stderr for talk, or a string in tests.
//
// A reader that goes away (`awry ... | head`) is not an error: the rest is dropped and the command's own
// exit code stands. Any other failure is remembered and told by finish(). SIGPIPE must be ignored.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

#include "awry/base/result.h"

namespace awry::cli {

enum class Tone { kPlain, kStrong, kDim, kGood, kWarning, kBad };

// `text` between the terminal's codes for `tone`, or as it is without colour.
std::string painted(Tone tone, std::string_view text, bool colour);

// One line that a terminal shows and never obeys: line breaks become spaces; escape sequences, marks that
// turn the direction of writing, and bytes that are not UTF-8 become U+FFFD.
std::string printable(std::string_view text);

class Writer {
 public:
  Writer(std::FILE* file, bool colour) : file_(file), colour_(colour) {}
  explicit Writer(std::string& text, bool colour = false) : text_(&text), colour_(colour) {}

  void write(std::string_view text);
  template <class... Args>
  void print(fmt::format_string<Args...> format, Args&&... args) {
    write(fmt::format(format, std::forward<Args>(args)...));
  }

  bool colour() const { return colour_; }
  void set_colour(bool colour) { colour_ = colour; }
  std::string paint(Tone tone, std::string_view text) const { return painted(tone, text, colour_); }

  void flush();
  Result<void> finish();  // flushes, and tells whether everything was written

 private:
  void note_failure();

  std::FILE* file_ = nullptr;
  std::string* text_ = nullptr;
  bool colour_ = false;
  int failure_ = 0;  // errno of the first failed write
};

}  // namespace awry::cli
