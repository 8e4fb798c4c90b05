// SPDX-License-Identifier: Apache-2.0
// A process is killed again and again while it writes; nothing it was told is safe may be missing.
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <set>
#include <thread>

#include "awry/base/random.h"
#include "awry/store/store_testing.h"

namespace awry::store {
namespace {

constexpr int kThreads = 4, kBatchSize = 3;
constexpr int kRounds = 80, kRoundsPerStore = 8, kNumbersPerRound = 100'000;

std::string run_of_round(int round) {
  return fmt::format("round-{}", round);
}

std::vector<Reply> batch_from(int first) {
  std::vector<Reply> batch;
  for (int i = 0; i < kBatchSize; ++i) batch.push_back(reply_numbered(first + i));
  return batch;
}

// Puts batches from several threads until killed; the number of each goes down the pipe once put returned.
[[noreturn]] void write_until_killed(const Backend& backend, const std::filesystem::path& folder, int round,
                                     int pipe_end) {
  auto store = backend.open(folder);
  if (!store || !(*store)->start_run({.id = run_of_round(round)})) _exit(1);
  std::vector<std::jthread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = t; i < kNumbersPerRound / kBatchSize; i += kThreads) {
        const int first = round * kNumbersPerRound + i * kBatchSize;
        if (!(*store)->put_replies(run_of_round(round), batch_from(first))) _exit(2);
        if (write(pipe_end, &first, sizeof first) != sizeof first) _exit(3);
      }
    });
  }
  threads.clear();
  _exit(4);
}

struct Killed {
  std::vector<int> acknowledged;
  bool by_us = false;
};

Killed run_and_kill(const Backend& backend, const std::filesystem::path& folder, int round,
                    std::chrono::microseconds delay, bool after_first_reply) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return {};
  const pid_t child = fork();
  if (child == 0) write_until_killed(backend, folder, round, ends[1]);
  close(ends[1]);
  Killed killed;
  int first = 0;
  if (after_first_reply && read(ends[0], &first, sizeof first) == sizeof first) {
    killed.acknowledged.push_back(first);
  }
  std::this_thread::sleep_for(delay);
  kill(child, SIGKILL);
  while (read(ends[0], &first, sizeof first) == sizeof first) killed.acknowledged.push_back(first);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  killed.by_us = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
  return killed;
}

class KillTest : public BackendTest {
 protected:
  // Everything of this round is there and whole, and the store is sound.
  void expect_nothing_lost(Store& store, int round, const std::vector<int>& acknowledged) {
    const auto run = store.find_run(run_of_round(round));
    ASSERT_OK(run);
    if (!*run) {
      EXPECT_TRUE(acknowledged.empty());
      return;
    }
    EXPECT_EQ((*run)->status, RunStatus::kInterrupted);
    std::set<std::string> stored;
    for (const Reply& reply : all_replies(store, run_of_round(round))) {
      const int number = std::stoi(reply.key.substr(reply.key.find('-') + 1));
      EXPECT_EQ(reply, reply_numbered(number));
      stored.insert(reply.key);
    }
    EXPECT_EQ(stored.size() % kBatchSize, 0u) << "a batch was stored in part";
    for (const int first : acknowledged) {
      for (const Reply& reply : batch_from(first)) EXPECT_TRUE(stored.contains(reply.key)) << reply.key;
    }
  }
};
AWRY_RUN_ON_ALL_BACKENDS(KillTest);

TEST_P(KillTest, NothingAcknowledgedIsLostAtWhateverMomentTheProcessDies) {
  RandomStream random(20260301);
  std::size_t acknowledged_in_total = 0;
  std::vector<std::pair<int, std::vector<int>>> of_this_store;
  std::filesystem::path folder;
  for (int round = 0; round < kRounds; ++round) {
    if (round % kRoundsPerStore == 0) {
      folder = folder_.path() / std::to_string(round);
      of_this_store.clear();
    }
    // Some die while creating or opening the store, most while writing.
    const bool after_first_reply = round % 3 != 0;
    const std::chrono::microseconds delay(random.integer(0, after_first_reply ? 60'000 : 15'000));
    const Killed killed = run_and_kill(GetParam(), folder, round, delay, after_first_reply);
    ASSERT_TRUE(killed.by_us) << "round " << round;
    acknowledged_in_total += killed.acknowledged.size();
    of_this_store.emplace_back(round, killed.acknowledged);

    const auto store = GetParam().open(folder);
    ASSERT_OK(store);
    expect_nothing_lost(**store, round, killed.acknowledged);
    EXPECT_EQ(*GetParam().check(folder), "ok") << "round " << round;
    if (round % kRoundsPerStore == kRoundsPerStore - 1) {
      for (const auto& [earlier, acknowledged] : of_this_store) {
        expect_nothing_lost(**store, earlier, acknowledged);
      }
    }
  }
  EXPECT_GT(acknowledged_in_total, static_cast<std::size_t>(kRounds));
  RecordProperty("acknowledged_batches", static_cast<int>(acknowledged_in_total));
}

}  // namespace
}  // namespace awry::store
