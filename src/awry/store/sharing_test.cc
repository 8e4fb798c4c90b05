// SPDX-License-Identifier: Apache-2.0
// Many threads and several processes on one store.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "awry/store/store_testing.h"

namespace awry::store {
namespace {

class SharingTest : public BackendTest {};
AWRY_RUN_ON_ALL_BACKENDS(SharingTest);

// Every writer puts its own numbers, one reply at a time, and reads each one back.
bool put_and_find(Store& store, std::string_view run_id, int first, int count) {
  for (int number = first; number < first + count; ++number) {
    const Reply reply = reply_numbered(number);
    if (!store.put_reply(run_id, reply)) return false;
    const auto found = store.find_reply(reply.key);
    if (!found || *found != reply) return false;
  }
  return true;
}

TEST_P(SharingTest, ManyThreadsPutAndFind) {
  constexpr int kThreads = 16, kEach = 20;
  const auto store = open();
  ASSERT_OK(store->start_run({.id = "r"}));
  std::atomic<int> good = 0;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&, t] { good += put_and_find(*store, "r", t * kEach, kEach); });
    }
  }
  EXPECT_EQ(good, kThreads);
  EXPECT_EQ(all_replies(*store, "r").size(), static_cast<std::size_t>(kThreads * kEach));
}

TEST_P(SharingTest, OneThreadsErrorIsNotAnothers) {
  const auto store = open();
  ASSERT_OK(store->start_run({.id = "r"}));
  std::atomic<int> right = 0;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 16; ++t) {
      threads.emplace_back([&, t] {
        for (int i = 0; i < 10; ++i) {
          const bool valid = (t + i) % 2 == 0;
          right += store->put_reply(valid ? "r" : "nobody", reply_numbered(t * 10 + i)).has_value() == valid;
        }
      });
    }
  }
  EXPECT_EQ(right, 160);
  EXPECT_EQ(all_replies(*store, "r").size(), 80u);
}

// Runs `body` in `count` child processes at once; true when all of them returned true.
template <class Body>
bool in_processes(int count, const Body& body) {
  std::vector<pid_t> children;
  for (int child = 0; child < count; ++child) {
    const pid_t pid = fork();
    if (pid == 0) _exit(body(child) ? 0 : 1);
    children.push_back(pid);
  }
  bool good = true;
  for (const pid_t pid : children) {
    int status = 0;
    waitpid(pid, &status, 0);
    good = good && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }
  return good;
}

TEST_P(SharingTest, ProcessesWriteTheSameStoreAtOnce) {
  constexpr int kProcesses = 3, kThreads = 4, kEach = 15;
  // Nobody has created the store yet: they also race for that.
  ASSERT_TRUE(in_processes(kProcesses, [&](int process) {
    auto store = GetParam().open(folder_.path());
    const std::string run_id = fmt::format("run-{}", process);
    if (!store || !(*store)->start_run({.id = run_id})) return false;
    std::atomic<int> good = 0;
    {
      std::vector<std::jthread> threads;
      for (int t = 0; t < kThreads; ++t) {
        threads.emplace_back(
            [&, t] { good += put_and_find(**store, run_id, (process * kThreads + t) * kEach, kEach); });
      }
    }
    return good == kThreads &&
           (*store)->update_run({.id = run_id, .status = RunStatus::kFinished}).has_value();
  }));
  const auto store = open();
  for (int process = 0; process < kProcesses; ++process) {
    const std::string run_id = fmt::format("run-{}", process);
    EXPECT_EQ((*store->find_run(run_id))->status, RunStatus::kFinished);
    EXPECT_EQ(all_replies(*store, run_id).size(), static_cast<std::size_t>(kThreads * kEach));
  }
  EXPECT_EQ(*GetParam().check(folder_.path()), "ok");
}

TEST_P(SharingTest, OnlyOneOfManyProcessesStartsARun) {
  for (int round = 0; round < 5; ++round) {
    const std::string run_id = fmt::format("run-{}", round);
    ASSERT_TRUE(in_processes(4, [&](int) {
      auto store = GetParam().open(folder_.path());
      return store && ((*store)->start_run({.id = run_id}) || *(*store)->find_run(run_id));
    }));
    EXPECT_EQ((*open()->find_run(run_id))->status, RunStatus::kInterrupted);
  }
}

}  // namespace
}  // namespace awry::store
