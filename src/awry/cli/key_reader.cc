// SPDX-License-Identifier: Apache-2.0
#include "awry/cli/key_reader.h"

#include <termios.h>
#include <unistd.h>

#include <cerrno>

namespace awry::cli {

struct KeyReader::Terminal {
  termios before{};

  Terminal() {
    tcgetattr(STDIN_FILENO, &before);
    termios raw = before;
    raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    tcsetattr(STDIN_FILENO, TCSANOW, &raw);
  }
  ~Terminal() { tcsetattr(STDIN_FILENO, TCSANOW, &before); }
};

KeyReader::KeyReader() {
  if (isatty(STDIN_FILENO) != 0) terminal_ = std::make_unique<Terminal>();
}
KeyReader::~KeyReader() = default;

bool KeyReader::is_terminal() const {
  return terminal_ != nullptr;
}

std::optional<char> KeyReader::next() {
  for (;;) {
    char key = 0;
    if (read(STDIN_FILENO, &key, 1) != 1) return std::nullopt;  // also when a signal came: state is saved
    if (!terminal_ && (key == '\n' || key == '\r')) continue;
    return key;
  }
}

}  // namespace awry::cli
