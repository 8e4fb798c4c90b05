// SPDX-License-Identifier: Apache-2.0
#include "awry/cli/key_reader.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace awry::cli {
namespace {

// Puts a pipe in the place of standard input for the life of a test.
class KeyReaderTest : public testing::Test {
 protected:
  void SetUp() override {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    before_ = dup(STDIN_FILENO);
    ASSERT_EQ(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
    close(ends[0]);
    typist_ = ends[1];
  }
  void TearDown() override {
    close(typist_);
    if (before_ < 0) {
      close(STDIN_FILENO);
    } else {
      dup2(before_, STDIN_FILENO);
      close(before_);
    }
  }

  CancelToken cancel_;
  int typist_ = -1;

 private:
  int before_ = -1;
};

TEST_F(KeyReaderTest, ReadsCharactersAndPassesOverTheEndsOfLines) {
  ASSERT_EQ(write(typist_, "a\nx", 3), 3);
  KeyReader keys(cancel_);
  EXPECT_FALSE(keys.is_terminal());
  EXPECT_EQ(keys.next(), 'a');
  EXPECT_EQ(keys.next(), 'x');
}

// The signal may come between two waits: nothing interrupts the next one, and nobody types.
TEST_F(KeyReaderTest, ACtrlCBeforeTheWaitEndsIt) {
  KeyReader keys(cancel_);
  cancel_.request();
  EXPECT_EQ(keys.next(), std::nullopt);
}

}  // namespace
}  // namespace awry::cli
