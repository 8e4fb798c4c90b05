// SPDX-License-Identifier: Apache-2.0
#include "awry/base/cancel.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace awry {
namespace {

TEST(SignalScope, TheFirstSignalOnlyAsksToStop) {
  CancelToken token;
  const SignalScope scope(token);
  EXPECT_FALSE(token.requested());
  ::raise(SIGINT);
  EXPECT_TRUE(token.requested());
  EXPECT_EQ(SignalScope::signal_received(), SIGINT);
}

TEST(SignalScope, TheSecondSignalEndsTheProcessWithItsCode) {
  const pid_t child = ::fork();
  if (child == 0) {
    CancelToken token;
    const SignalScope scope(token);
    ::raise(SIGTERM);
    ::raise(SIGTERM);
    ::_exit(0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 128 + SIGTERM);
}

}  // namespace
}  // namespace awry
