// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/vlm/server_hints.h"

#include <gtest/gtest.h>

namespace awry::inspectors::vlm {
namespace {

using namespace std::chrono_literals;

// Wed, 21 Oct 2015 07:28:00 GMT
const std::chrono::system_clock::time_point kNow{std::chrono::seconds(1'445'412'480)};

TEST(ParseWait, ReadsEverySpellingInUse) {
  EXPECT_EQ(parse_wait("20", kNow), 20s);
  EXPECT_EQ(parse_wait(" 0.25 ", kNow), 250ms);
  EXPECT_EQ(parse_wait("0", kNow), 0ms);
  EXPECT_EQ(parse_wait("120ms", kNow), 120ms);
  EXPECT_EQ(parse_wait("6m0s", kNow), 6min);
  EXPECT_EQ(parse_wait("1h2m3.5s", kNow), 1h + 2min + 3500ms);
  EXPECT_EQ(parse_wait("Wed, 21 Oct 2015 07:28:30 GMT", kNow), 30s);
  EXPECT_EQ(parse_wait("Wed, 21 Oct 2015 07:27:30 GMT", kNow), 0s);  // it is over
  EXPECT_EQ(parse_wait("1445412490", kNow), 10s);
  EXPECT_EQ(parse_wait("1445412490500", kNow), 10'500ms);
}

TEST(ParseWait, IgnoresNonsense) {
  for (const char* text : {"", "soon", "-5", "nan", "5 apples", "10x", "Wed, 99 Foo", "s", "1s2"}) {
    EXPECT_FALSE(parse_wait(text, kNow)) << text;
  }
  EXPECT_LE(*parse_wait("99999999", kNow), std::chrono::hours(24 * 7));
}

TEST(ServerHints, PreferMilliseconds) {
  const ServerHints hints = read_server_hints({{"Retry-After", "2"}, {"Retry-After-Ms", "1500"}}, kNow);
  EXPECT_EQ(hints.retry_after, 1500ms);
  EXPECT_EQ(read_server_hints({{"retry-after", "2"}}, kNow).retry_after, 2s);
  EXPECT_FALSE(read_server_hints({}, kNow).retry_after);
}

TEST(ServerHints, TakeRequestsOrTokensWhicheverEnds) {
  const Headers both = {{"x-ratelimit-remaining-requests", "59"},
                        {"x-ratelimit-reset-requests", "1s"},
                        {"x-ratelimit-remaining-tokens", "149000"},
                        {"x-ratelimit-reset-tokens", "6m0s"}};
  EXPECT_EQ(read_server_hints(both, kNow).remaining_requests, 59);
  EXPECT_EQ(read_server_hints(both, kNow).until_reset, 1s);

  Headers no_tokens = both;
  no_tokens[2].value = "0";
  EXPECT_EQ(read_server_hints(no_tokens, kNow).remaining_requests, 0);
  EXPECT_EQ(read_server_hints(no_tokens, kNow).until_reset, 6min);

  const ServerHints plain =
      read_server_hints({{"X-RateLimit-Remaining", "4"}, {"X-RateLimit-Reset", "1445412490500"}}, kNow);
  EXPECT_EQ(plain.remaining_requests, 4);
  EXPECT_EQ(plain.until_reset, 10'500ms);
}

}  // namespace
}  // namespace awry::inspectors::vlm
