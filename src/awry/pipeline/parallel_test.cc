// SPDX-License-Identifier: Apache-2.0
#include "awry/pipeline/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

namespace awry::pipeline {
namespace {

TEST(ForEachIndex, VisitsEveryIndexExactlyOnceWhateverTheThreadCount) {
  for (const int threads : {1, 2, 7}) {
    std::vector<std::atomic<int>> visits(1000);
    EXPECT_EQ(for_each_index(visits.size(), {.threads = threads}, [&](std::size_t i) { ++visits[i]; }),
              1000U);
    for (const auto& count : visits) EXPECT_EQ(count.load(), 1);
  }
}

TEST(ForEachIndex, NeverRunsMoreAtOnceThanAskedFor) {
  std::atomic<int> running{0}, most{0};
  for_each_index(200, {.threads = 3}, [&](std::size_t) {
    const int now = ++running;
    int seen = most.load();
    while (now > seen && !most.compare_exchange_weak(seen, now)) {
    }
    std::this_thread::yield();
    --running;
  });
  EXPECT_LE(most.load(), 3);
}

TEST(ForEachIndex, StartsNothingNewOnceCancelled) {
  CancelToken cancel;
  std::atomic<int> started{0};
  const std::size_t done = for_each_index(1000, {.threads = 2, .cancel = &cancel}, [&](std::size_t) {
    if (++started == 5) cancel.request();
  });
  EXPECT_EQ(done, static_cast<std::size_t>(started.load())) << "what was in flight finishes";
  EXPECT_LE(started.load(), 6);
}

TEST(ForEachIndex, HandsOnTheFirstException) {
  EXPECT_THROW(for_each_index(10, {.threads = 2},
                              [](std::size_t i) {
                                if (i == 3) throw std::runtime_error("three");
                              }),
               std::runtime_error);
}

TEST(ForEachIndex, DoesNothingForAnEmptyRange) {
  EXPECT_EQ(for_each_index(0, {.threads = 4}, [](std::size_t) { FAIL(); }), 0U);
}

}  // namespace
}  // namespace awry::pipeline
