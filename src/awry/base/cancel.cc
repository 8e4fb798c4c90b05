// SPDX-License-Identifier: Apache-2.0
#include "awry/base/cancel.h"

#include <unistd.h>

#include <cassert>
#include <csignal>
#include <cstring>

namespace awry {
namespace {

std::atomic<CancelToken*> active_token{nullptr};
volatile std::sig_atomic_t received = 0;

void say(const char* message) {
  // write() is all that is allowed inside a signal handler.
  [[maybe_unused]] const ssize_t ignored = ::write(STDERR_FILENO, message, std::strlen(message));
}

void on_signal(int signal) {
  if (received != 0) {
    say("\nawry: stopped at once; what was already stored is safe.\n");
    ::_exit(128 + signal);
  }
  received = signal;
  say("\nawry: stopping once the work in flight is saved; press Ctrl-C again to stop at once.\n");
  if (CancelToken* token = active_token.load()) token->request();
}

}  // namespace

SignalScope::SignalScope(CancelToken& token) {
  assert(active_token.load() == nullptr && "only one SignalScope at a time");
  received = 0;
  active_token.store(&token);
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
}

SignalScope::~SignalScope() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  active_token.store(nullptr);
}

int SignalScope::signal_received() {
  return received;
}

}  // namespace awry
