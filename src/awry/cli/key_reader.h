// SPDX-License-Identifier: Apache-2.0
// One key at a time from the terminal, without waiting for Enter; from a pipe, one character at a time.
#pragma once

#include <memory>
#include <optional>

#include "awry/base/cancel.h"

namespace awry::cli {

class KeyReader {
 public:
  explicit KeyReader(const CancelToken& cancel);  // takes the terminal out of line mode
  ~KeyReader();
  KeyReader(const KeyReader&) = delete;
  KeyReader& operator=(const KeyReader&) = delete;

  bool is_terminal() const;
  // Nothing at the end of input, or once the user pressed Ctrl-C. Line breaks in a pipe are passed over:
  // there they end lines, on a terminal they are a key.
  std::optional<char> next();

 private:
  struct Terminal;
  const CancelToken& cancel_;
  std::unique_ptr<Terminal> terminal_;
};

}  // namespace awry::cli
