// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/vlm/pacing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>

namespace awry::inspectors::vlm {
namespace {

using namespace std::chrono_literals;
using TimePoint = Pacer::TimePoint;
using Duration = Pacer::Duration;

constexpr TimePoint kStart{1h};

// Sends all that may leave at `now`; how many were sent.
int send_all(Pacer& pacer, TimePoint now, int at_most = 100'000) {
  int sent = 0;
  for (; sent < at_most; ++sent) {
    const auto when = pacer.next_departure(now);
    if (!when || *when > now) break;
    pacer.departed(now);
  }
  return sent;
}

// The same, with the little time that departures are kept apart.
int send_in_turn(Pacer& pacer, TimePoint& now, int at_most = 100'000) {
  int sent = 0;
  for (auto when = pacer.next_departure(now); when && sent < at_most; when = pacer.next_departure(now)) {
    now = std::max(now, *when);
    pacer.departed(now);
    ++sent;
  }
  return sent;
}

// One round: everything leaves, everything comes back 100 ms later.
int succeed_round(Pacer& pacer, TimePoint& now) {
  const int sent = send_in_turn(pacer, now);
  now += 100ms;
  for (int i = 0; i < sent; ++i) {
    pacer.succeeded(now, 100ms, {});
    pacer.next_departure(now);
  }
  return sent;
}

TEST(Pacer, DoublesEveryRoundUntilTheMaximum) {
  Pacer pacer({.first_concurrency = 4, .max_concurrency = 20});
  TimePoint now = kStart;
  EXPECT_EQ(send_all(pacer, now), 4);
  for (int i = 0; i < 4; ++i) {
    pacer.succeeded(now, 50ms, {});
    EXPECT_EQ(send_in_turn(pacer, now), 2);  // its own place, and one more
  }
  for (int i = 0; i < 100; ++i) pacer.succeeded(now, 50ms, {}), send_in_turn(pacer, now);
  EXPECT_EQ(pacer.in_flight(), 20);
}

TEST(Pacer, DoesNotGrowForQuestionsThatAreNotThere) {
  Pacer pacer({.first_concurrency = 4});
  TimePoint now = kStart;
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(send_in_turn(pacer, now, 2), 2);
    pacer.succeeded(now, 50ms, {});
    pacer.succeeded(now, 50ms, {});
  }
  EXPECT_EQ(pacer.concurrency(), 4);
}

TEST(Pacer, ShrinksOnceForRefusalsOfTheSameRound) {
  Pacer pacer({.first_concurrency = 100});
  TimePoint now = kStart;
  send_all(pacer, now);
  for (int i = 0; i < 50; ++i) pacer.succeeded(now + 90ms, 90ms, {});
  const double before = pacer.concurrency();
  for (int i = 0; i < 50; ++i) pacer.slowed_down(now + 100ms, {});
  EXPECT_LT(pacer.concurrency(), before);
  EXPECT_GE(pacer.concurrency(), before / 2);
  EXPECT_TRUE(pacer.rate().has_value());
}

// What comes back together does not leave together, twice as much, while nobody knows where the limit is.
TEST(Pacer, SpreadsDeparturesWhileItDoubles) {
  Pacer pacer({.first_concurrency = 40});
  TimePoint now = kStart;
  send_all(pacer, now);
  now += 20ms;
  for (int i = 0; i < 40; ++i) {
    pacer.succeeded(now, 20ms, {});
    pacer.next_departure(now);
  }
  const int at_once = send_all(pacer, now);
  EXPECT_GE(at_once, 1);
  EXPECT_LE(at_once, 40) << "no more than a millisecond's worth, at four times the pace of the answers";
  const double doubled = pacer.concurrency();
  send_in_turn(pacer, now);
  EXPECT_EQ(pacer.in_flight(), static_cast<int>(doubled));
  EXPECT_GE(now - kStart, 23ms);
  EXPECT_LE(now - kStart, 40ms) << "within the time of an answer";
}

TEST(Pacer, NeverShrinksBelowOne) {
  Pacer pacer({.first_concurrency = 2});
  TimePoint now = kStart;
  for (int i = 0; i < 100; ++i) {
    now += 1h;
    ASSERT_GE(send_all(pacer, now, 1), 1);
    pacer.slowed_down(now, {});
  }
  EXPECT_EQ(pacer.concurrency(), 1);
}

TEST(Pacer, ServerErrorsPauseGrowthAndDoNotShrink) {
  Pacer pacer({.first_concurrency = 8});
  TimePoint now = kStart;
  send_all(pacer, now);
  pacer.stumbled(now, {});
  const auto answer = [&] {
    send_all(pacer, now);
    pacer.succeeded(now, 10ms, {});
    return pacer.concurrency();
  };
  EXPECT_EQ(answer(), 8);
  EXPECT_EQ(answer(), 8);
  EXPECT_EQ(answer(), 9);
}

TEST(Pacer, GrowsWhereOneRequestInFiveBreaks) {
  Pacer pacer({.first_concurrency = 8, .max_concurrency = 64});
  TimePoint now = kStart;
  for (int i = 0; i < 2000; ++i) {
    send_all(pacer, now);
    now += 1ms;
    i % 5 == 0 ? pacer.stumbled(now, {}) : pacer.succeeded(now, 10ms, {});
  }
  EXPECT_EQ(pacer.concurrency(), 64);
}

TEST(Pacer, RestsWhenNothingButErrorsComeBack) {
  Pacer pacer({.first_concurrency = 8});
  TimePoint now = kStart;
  send_all(pacer, now);
  for (int i = 0; i < 8; ++i) pacer.stumbled(now, {});
  ASSERT_TRUE(pacer.next_departure(now).has_value());
  EXPECT_GE(*pacer.next_departure(now), now + 400ms);
}

TEST(Pacer, WaitsAsLongAsAClosedDoorAsks) {
  Pacer pacer({.first_concurrency = 8});
  TimePoint now = kStart;
  send_all(pacer, now, 1);
  pacer.slowed_down(now, {.retry_after = 700ms});
  EXPECT_EQ(*pacer.next_departure(now), now + 700ms);
}

TEST(Pacer, KeepsGoingWhenOnlyAFewAreRefusedForAMoment) {
  Pacer pacer({.first_concurrency = 64});
  TimePoint now = kStart;
  for (int i = 0; i < 5; ++i) succeed_round(pacer, now);
  send_all(pacer, now);
  pacer.slowed_down(now, {.retry_after = 1s});
  for (int i = 0; i < 60; ++i) pacer.succeeded(now + 10ms, 100ms, {});
  ASSERT_TRUE(pacer.next_departure(now + 20ms));
  EXPECT_LT(*pacer.next_departure(now + 20ms), now + 100ms);
}

TEST(Pacer, StopsBeforeAnAnnouncedQuotaIsUsedUp) {
  Pacer pacer({.first_concurrency = 8});
  TimePoint now = kStart;
  send_all(pacer, now);
  pacer.succeeded(now, 10ms, {.remaining_requests = 100, .until_reset = 5s});
  EXPECT_EQ(*pacer.next_departure(now), now);
  send_all(pacer, now);
  pacer.succeeded(now, 10ms, {.remaining_requests = 3, .until_reset = 5s});
  EXPECT_EQ(*pacer.next_departure(now), now + 5s);
}

// An endpoint with a hidden limit, simulated: a token bucket refuses at once, everything else takes
// `latency`. What is refused is asked again later, like any other question.
struct Simulation {
  double limit = 100, burst = 10;
  Duration latency = 50ms, length = 30s;
  double accepted_late = 0;  // requests a second in the second half
  double refused_share = 0;

  void run(const PacingOptions& options = {}) {
    Pacer pacer(options);
    std::multimap<TimePoint, std::function<void(TimePoint)>> events;
    double tokens = burst;
    TimePoint tokens_at = kStart, now = kStart;
    int sent = 0, refused = 0, late = 0;
    while (now < kStart + length) {
      std::optional<TimePoint> when;
      while ((when = pacer.next_departure(now)) && *when <= now) {
        pacer.departed(now);
        ++sent;
        tokens = std::min(burst, tokens + limit * std::chrono::duration<double>(now - tokens_at).count());
        tokens_at = now;
        if (tokens >= 1) {
          tokens -= 1;
          events.emplace(now + latency, [&, this](TimePoint at) {
            pacer.succeeded(at, latency, {});
            if (at > kStart + length / 2) ++late;
          });
        } else {
          events.emplace(now + 2ms, [&](TimePoint at) {
            pacer.slowed_down(at, {});
            ++refused;
          });
        }
      }
      // The engine's clock ticks in milliseconds.
      const std::optional<TimePoint> tick = when ? std::optional(std::max(*when, now + 1ms)) : std::nullopt;
      if (tick && (events.empty() || *tick <= events.begin()->first)) {
        now = *tick;
        continue;
      }
      ASSERT_FALSE(events.empty());
      const auto next = events.extract(events.begin());
      now = next.key();
      next.mapped()(now);
    }
    accepted_late = late / std::chrono::duration<double>(length / 2).count();
    refused_share = static_cast<double>(refused) / sent;
  }
};

TEST(Pacer, FindsAHiddenRateLimit) {
  struct Case {
    double limit, burst;
    Duration latency;
    Duration length = 30s;
  };
  const Case cases[] = {{500, 50, 50ms},   {500, 500, 50ms},   {60, 6, 50ms},   {60, 60, 50ms},
                        {1500, 100, 20ms}, {20, 5, 1s},        {100, 20, 1s},   {20, 10, 2s},
                        {7, 3, 50ms},      {7, 3, 50ms, 2min}, {5, 5, 50ms},    {5, 2.5, 50ms},
                        {10, 10, 300ms},   {20, 20, 50ms},     {200, 20, 50ms}, {200, 200, 1s},
                        {1000, 100, 50ms}, {1000, 1000, 50ms}, {12, 12, 20ms},  {30, 30, 20ms}};
  for (const Case& item : cases) {
    Simulation simulation{
        .limit = item.limit, .burst = item.burst, .latency = item.latency, .length = item.length};
    simulation.run();
    const auto name = ::testing::Message() << item.limit << "/s, burst " << item.burst << ", latency "
                                           << std::chrono::duration<double>(item.latency).count() << " s: ";
    EXPECT_GE(simulation.accepted_late, 0.9 * item.limit) << name;
    EXPECT_LT(simulation.refused_share, 0.05) << name;
  }
}

// An endpoint whose refusals have nothing to do with our pace: a share of all requests is refused, another
// share breaks, some answers take long. Returns the seconds that `questions` need, each asked until it is
// answered.
struct Moods {
  double refused = 0, broken = 0, slow = 0;
  std::uint64_t seed = 1;
};
double seconds_until_all_are_answered(const Moods& moods, int questions) {
  Pacer pacer({});
  RandomStream random(moods.seed);
  std::multimap<TimePoint, std::function<void(TimePoint)>> events;
  TimePoint now = kStart;
  int waiting = questions, answered = 0;
  while (answered < questions && now < kStart + 1h) {
    std::optional<TimePoint> when;
    while (waiting > 0 && (when = pacer.next_departure(now)) && *when <= now) {
      pacer.departed(now);
      --waiting;
      const double mood = random.uniform(0, 1);
      const auto ask_again = [&](TimePoint at) { events.emplace(at + 500ms, [&](TimePoint) { ++waiting; }); };
      if (mood < moods.refused) {
        events.emplace(now + 6ms, [&, ask_again](TimePoint at) { pacer.slowed_down(at, {}), ask_again(at); });
      } else if (mood < moods.refused + moods.broken) {
        events.emplace(now + 6ms, [&, ask_again](TimePoint at) { pacer.stumbled(at, {}), ask_again(at); });
      } else {
        const Duration latency = random.chance(moods.slow) ? 1100ms : 6ms;
        events.emplace(now + latency,
                       [&, latency](TimePoint at) { pacer.succeeded(at, latency, {}), ++answered; });
      }
    }
    if (waiting > 0 && when && (events.empty() || *when <= events.begin()->first)) {
      now = std::max(*when, now + 1ms);
      continue;
    }
    if (events.empty()) break;
    const auto next = events.extract(events.begin());
    now = next.key();
    next.mapped()(now);
  }
  return std::chrono::duration<double>(now - kStart).count();
}

TEST(Pacer, BearsRefusalsThatComeAtEveryPace) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    for (const Moods& moods : {Moods{.refused = 0.05, .broken = 0.25, .slow = 0.05, .seed = seed},
                               Moods{.refused = 0.1, .slow = 0.3, .seed = seed},
                               Moods{.refused = 0.03, .broken = 0.2, .slow = 0.05, .seed = seed}}) {
      // One at a time would take 2,000 questions at 60 ms and more for each, and as long again for
      // repetitions.
      EXPECT_LT(seconds_until_all_are_answered(moods, 2000), 120)
          << moods.refused << " refused, " << moods.broken << " broken, seed " << seed;
    }
  }
}

TEST(RetryDelay, DoublesWithJitterUpToItsMaximum) {
  const PacingOptions options{.first_backoff = 100ms, .max_backoff = 1s};
  RandomStream random(3);
  const int most[] = {100, 200, 400, 800, 1000, 1000};
  for (int retry = 1; retry <= 6; ++retry) {
    for (int i = 0; i < 50; ++i) {
      const auto delay = retry_delay(retry, {}, options, random);
      EXPECT_LE(delay.count(), most[retry - 1]);
      EXPECT_GE(delay.count(), most[retry - 1] / 2);
    }
  }
}

TEST(RetryDelay, IsNeverShorterThanTheEndpointAsks) {
  RandomStream random(3);
  for (int i = 0; i < 100; ++i) {
    const auto delay = retry_delay(1, {.retry_after = 20s}, {}, random);
    EXPECT_GE(delay, 20s);
    EXPECT_LE(delay, 23s);
  }
}

}  // namespace
}  // namespace awry::inspectors::vlm
