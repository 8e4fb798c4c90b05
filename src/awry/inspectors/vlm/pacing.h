// SPDX-License-Identifier: Apache-2.0
// How fast to ask one endpoint. Pure: the caller tells the time, so tests need no waiting.
//
// Two things are learnt. The *concurrency* doubles with every round of answers until the first refusal,
// then by one a round, and faster the longer all goes well; a refusal (429) shrinks it, a server error
// only pauses its growth. The *rate* is unknown until the first refusal: what the endpoint still accepted
// just then is a first guess. Between two refusals an endpoint that counts has accepted what it allows or
// less, whatever burst it tolerates: that share of the time is the *ceiling*. Requests leave evenly, a little
// below it; the rate comes back to the ceiling, stays there for some seconds, and leaves it ever faster while
// all is well. Concurrency alone cannot do this: where the limit is worth three requests in flight, two waste
// a third of it and four are refused. Refusals that come at every pace, now and then, say nothing about a
// limit: once a few cuts have been in vain, those are borne.
#pragma once

#include <chrono>
#include <deque>
#include <optional>

#include "awry/base/random.h"
#include "awry/inspectors/vlm/server_hints.h"

namespace awry::inspectors::vlm {

struct PacingOptions {
  double first_concurrency = 4;
  double max_concurrency = 256;
  int max_retries = 6;
  std::chrono::milliseconds first_backoff{500};
  std::chrono::milliseconds max_backoff{60'000};
};

class Pacer {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;
  using Duration = std::chrono::steady_clock::duration;

  explicit Pacer(const PacingOptions& options);

  // When the next request may leave; at or before `now` means at once. Nothing: not before one comes back.
  std::optional<TimePoint> next_departure(TimePoint now);
  void departed(TimePoint now);

  // How a request that departed came back: exactly one of these each.
  void succeeded(TimePoint now, Duration took, const ServerHints& hints);
  void slowed_down(TimePoint now, const ServerHints& hints);  // 429
  void stumbled(TimePoint now, const ServerHints& hints);     // 5xx, broken connection, time-out, garbage
  void ended();                                               // tells nothing: cancelled, wrong key

  int in_flight() const { return in_flight_; }
  double concurrency() const { return concurrency_; }
  std::optional<double> rate() const { return rate_; }  // requests a second
  int failures_in_row() const { return failures_in_row_; }

 private:
  void grow(TimePoint now);
  void cut(TimePoint now, bool is_limit);
  void cut_rate(TimePoint now);
  void forget_pace();
  void let_in(TimePoint now, TimePoint departed);
  void note_outcome(bool refused);
  void raise_rate(TimePoint now);
  void heed_quota(TimePoint now, const ServerHints& hints);
  void hold(TimePoint until);
  void refill(TimePoint now);
  std::optional<double> first_glance(TimePoint now) const;
  std::optional<double> accepted_rate(TimePoint now) const;
  long accepted_since(TimePoint since) const;
  bool is_crowded() const;
  Duration apart() const;
  void forget_old(TimePoint now);

  PacingOptions options_;
  int in_flight_ = 0;
  double concurrency_;
  bool doubling_ = true;    // until the first refusal
  bool was_full_ = false;   // concurrency, not a lack of questions, limits us
  double growth_owed_ = 0;  // answers that do not count as growth, after server errors
  TimePoint held_until_{};

  std::optional<double> rate_;
  double tokens_ = 1;
  std::optional<double> ceiling_;  // nothing: still searched for, from the first guess upwards
  double climbed_ = 0;             // seconds that the rate was used in full since the last cut
  double seconds_to_ceiling_ = 3;  // of these
  TimePoint tokens_at_{}, rate_grown_at_{}, last_refusal_{}, last_seen_refusal_{}, last_cut_{};
  TimePoint next_slot_{};
  bool was_paced_ = false;                           // the rate made us wait
  double accepted_lately_ = 0, refused_lately_ = 0;  // fading within a second
  TimePoint counted_at_{};
  std::deque<TimePoint> accepted_;              // departures that were answered
  TimePoint watched_from_{}, last_accepted_{};  // the pace is measured from here: the first departure or cut

  int refusals_in_row_ = 0, failures_in_row_ = 0, cuts_in_row_ = 0, rests_in_row_ = 0;
  double refused_share_ = 0;      // of the last outcomes, fading
  int let_in_since_refusal_ = 0;  // answered, or broken later
  int cuts_in_vain_ = 0;          // while there is no rate, without a spell free of refusals between them
  int cuts_too_soon_ = 0;         // of the rate: in a row, each before it was back at the ceiling
  double concurrency_before_ = 1;
  bool pace_is_no_reason_ = false;  // for refusals, as long as they are few
  Duration typical_latency_{0};
};

// How long one question waits before its next attempt: the endpoint's wish if it has one, else doubling
// back-off. `retry` counts from 1. Jitter keeps questions that failed together from returning together.
std::chrono::milliseconds retry_delay(int retry, const ServerHints& hints, const PacingOptions& options,
                                      RandomStream& random);

}  // namespace awry::inspectors::vlm
