// SPDX-License-Identifier: Apache-2.0
#include "awry/cli/key_reader.h"

#include <poll.h>
#include <termios.h>
#include <unistd.h>

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

KeyReader::KeyReader(const CancelToken& cancel) : cancel_(cancel) {
  if (isatty(STDIN_FILENO) != 0) terminal_ = std::make_unique<Terminal>();
}
KeyReader::~KeyReader() = default;

bool KeyReader::is_terminal() const {
  return terminal_ != nullptr;
}

std::optional<char> KeyReader::next() {
  // A Ctrl-C that comes just before poll() does not end its wait, so the wait is cut into short pieces.
  constexpr int kLookUpEveryMs = 50;
  while (!cancel_.requested()) {
    pollfd input{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
    if (poll(&input, 1, kLookUpEveryMs) <= 0) continue;
    char key = 0;
    if (read(STDIN_FILENO, &key, 1) != 1) return std::nullopt;
    if (!terminal_ && (key == '\n' || key == '\r')) continue;
    return key;
  }
  return std::nullopt;
}

}  // namespace awry::cli
