// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/vlm/pacing.h"

#include <algorithm>
#include <cmath>

namespace awry::inspectors::vlm {
namespace {

using namespace std::chrono_literals;
using Duration = Pacer::Duration;

constexpr double kShrink = 0.8;  // of concurrency, at a refusal
constexpr double kBelowFirstGuess = 0.8;
constexpr double kBelowCeiling = 0.95;   // where the rate begins again after a cut
constexpr double kRateCut = 0.8;         // when nothing could be measured since the last one
constexpr double kDeepestRateCut = 0.5;  // at most this: measurements after a pause are too low
constexpr double kSecondsToCeiling = 3;  // and as long again to the same distance above it
constexpr double kLongestClimb = 12;     // likewise, where the ceiling was met again and again
constexpr double kSameCeiling = 0.05;
constexpr double kSearch = 1.6;         // growth of the rate a second while there is no ceiling
constexpr double kSpread = 4;           // departures without a rate: at most so many times as fast as answers
constexpr Duration kSlotsSaved = 1ms;   // likewise for late departures
constexpr double kSoon = 3;             // seconds: refused again, so the ceiling was too high
constexpr double kBurstSeconds = 0.02;  // timers are not exact: late departures may catch up this much
constexpr Duration kLongAnswer = 500ms;
constexpr long kFewestAccepted = 5;
constexpr Duration kFirstGlance = 1000ms;  // a burst may pass at once: it is spread over at least this
constexpr Duration kShortestLook = 150ms, kLongLook = 400ms, kLongestLook = 20s;
constexpr int kWall = 3;  // so many refusals in a row are a closed door, not a crowd
constexpr int kRestAfterFailures = 8;
constexpr int kCutsInVain = 6, kCutsTooSoon = 3;  // then refusals have a reason of their own
constexpr int kPeacefulAnswers = 18;              // between two refusals, and a second
constexpr double kMuchLess = 0.8, kMostlyUsed = 0.5;
constexpr double kOutcomesRemembered = 16, kFewRefused = 0.3, kManyRefused = 0.4;
constexpr double kCrowd = 0.2, kFewestRefused = 2.5;
constexpr Duration kShortWait = 2s;
// Each server error takes back the growth of so many answers. A pause by the clock would never end where
// errors are common, while refusals go on shrinking.
constexpr double kAnswersPerError = 2;

double seconds(Duration duration) {
  return std::chrono::duration<double>(duration).count();
}
Duration from_seconds(double value) {
  return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(value));
}

}  // namespace

Pacer::Pacer(const PacingOptions& options)
    : options_(options),
      concurrency_(std::clamp(options.first_concurrency, 1.0, std::max(1.0, options.max_concurrency))) {}

std::optional<Pacer::TimePoint> Pacer::next_departure(TimePoint now) {
  if (in_flight_ + 1 > concurrency_) {
    was_full_ = true;
    return std::nullopt;
  }
  TimePoint when = std::max(now, held_until_);
  if (!rate_ && next_slot_ > now) {
    when = std::max(when, next_slot_);
    // Rounds that take long are few: answers that come back together all count, also those that came while
    // the next question waited for its slot and not for room.
    was_full_ = was_full_ || (doubling_ && typical_latency_ > kLongAnswer);
  }
  if (rate_) {
    refill(now);
    if (tokens_ < 1) {
      was_paced_ = true;
      when = std::max(when, now + from_seconds((1 - tokens_) / *rate_));
    }
  }
  return when;
}

void Pacer::departed(TimePoint now) {
  refill(now);
  tokens_ -= 1;
  ++in_flight_;
  next_slot_ = std::max(next_slot_, now - kSlotsSaved) + apart();
  if (watched_from_ == TimePoint{}) watched_from_ = now;
}

// What comes back together would leave together, and a clump may be refused where the same number, spread
// over the time of an answer, is not. While the number still grows that is also how little is under way when
// the first refusal comes. Short gaps are not kept later on: timers are not that exact.
Pacer::Duration Pacer::apart() const {
  const Duration gap = typical_latency_ / std::lround(kSpread * concurrency_);
  const bool is_growing = doubling_ && concurrency_ < options_.max_concurrency;
  return is_growing || gap > 2ms ? gap : Duration::zero();
}

void Pacer::succeeded(TimePoint now, Duration took, const ServerHints& hints) {
  --in_flight_;
  refusals_in_row_ = failures_in_row_ = cuts_in_row_ = rests_in_row_ = 0;
  typical_latency_ = typical_latency_ == Duration::zero() ? took : (typical_latency_ * 7 + took) / 8;
  last_accepted_ = now;
  let_in(now, now - took);
  grow(now);
  heed_quota(now, hints);
}

void Pacer::slowed_down(TimePoint now, const ServerHints& hints) {
  --in_flight_;
  ++refusals_in_row_;
  // Now and then, at a concurrency that was fine for a while: a limit too, if not a crowd.
  const bool after_peace = !doubling_ && now - last_seen_refusal_ >= 1s &&
                           (cuts_in_vain_ < 2 || let_in_since_refusal_ >= kPeacefulAnswers);
  if (after_peace) cuts_in_vain_ = 0;
  last_seen_refusal_ = now;
  let_in_since_refusal_ = 0;
  forget_old(now);
  refused_lately_ += 1;
  note_outcome(true);
  if (pace_is_no_reason_ && !is_crowded() && refused_share_ < kManyRefused) return heed_quota(now, hints);
  pace_is_no_reason_ = false;
  last_refusal_ = now;
  // What was in flight when we cut comes back refused too; it says nothing about the new pace.
  const Duration round = std::clamp<Duration>(typical_latency_ * 3 / 2, 200ms, 5s);
  const bool is_news = now - last_cut_ >= round;
  const bool is_limit = is_crowded() || after_peace;
  if (is_news || (!rate_ && is_limit)) cut(now, is_limit);

  const bool nothing_gets_through =
      last_accepted_ == TimePoint{} || last_accepted_ < now - std::max<Duration>(round, 1s);
  const bool is_wall = refusals_in_row_ >= kWall || nothing_gets_through;
  if (hints.retry_after && (is_wall || *hints.retry_after >= kShortWait)) hold(now + *hints.retry_after);
  if (!hints.retry_after && is_wall && is_news) {
    hold(now + std::min<Duration>(options_.first_backoff * (1 << std::min(cuts_in_row_, 6)), 30s));
  }
  heed_quota(now, hints);
}

void Pacer::stumbled(TimePoint now, const ServerHints& hints) {
  --in_flight_;
  ++failures_in_row_;
  let_in(now, now - typical_latency_);
  growth_owed_ = std::min(growth_owed_ + kAnswersPerError, kAnswersPerError * concurrency_);
  if (hints.retry_after) hold(now + *hints.retry_after);
  // A server that is down is asked now and then, not hammered with every question we have.
  if (failures_in_row_ >= kRestAfterFailures && now >= held_until_) {
    hold(now + std::min<Duration>(options_.first_backoff * (1 << std::min(rests_in_row_++, 6)), 30s));
  }
}

void Pacer::ended() {
  --in_flight_;
}

// What broke later was not refused for our pace either.
void Pacer::let_in(TimePoint now, TimePoint departed) {
  forget_old(now);
  accepted_lately_ += 1;
  note_outcome(false);
  ++let_in_since_refusal_;
  accepted_.push_back(departed);
  while (!accepted_.empty() && accepted_.front() < now - typical_latency_ * 3 - kLongestLook)
    accepted_.pop_front();
}

void Pacer::note_outcome(bool refused) {
  refused_share_ += ((refused ? 1 : 0) - refused_share_) / kOutcomesRemembered;
}

void Pacer::grow(TimePoint now) {
  if (growth_owed_ > 0) {
    growth_owed_ -= 1;
    return;
  }
  // After a refusal, carefully at first and twice as boldly with every second that all goes well.
  const double boldness = std::exp2(std::min(seconds(now - last_refusal_) - 1, 10.0));
  if (was_full_) {
    // What the rate needs to have under way is not held back.
    const double needed = rate_ ? 1.5 * *rate_ * seconds(typical_latency_) : 0;
    double step = std::clamp(boldness / concurrency_, 1.0 / concurrency_, 1.0);
    if (concurrency_ < needed) step = 1;
    if (doubling_) step = typical_latency_ > kLongAnswer ? 2 : 1;  // rounds that take long are few
    concurrency_ = std::min(options_.max_concurrency, concurrency_ + step);
    was_full_ = false;
  }
  if (rate_) raise_rate(now);
}

// A cubic of the time since the last cut, flat where it passes the ceiling.
void Pacer::raise_rate(TimePoint now) {
  const double elapsed = std::min(std::max(0.1, 1 / *rate_), seconds(now - rate_grown_at_));
  rate_grown_at_ = now;
  if (!was_paced_ || now - last_refusal_ < 200ms) return;
  was_paced_ = false;
  climbed_ += elapsed;
  if (!ceiling_) {
    *rate_ *= std::pow(kSearch, elapsed);
    return;
  }
  const double from_ceiling = climbed_ / seconds_to_ceiling_ - 1;
  rate_ = std::max(*rate_, *ceiling_ * (1 + (1 - kBelowCeiling) * std::pow(from_ceiling, 3)));
}

void Pacer::cut(TimePoint now, bool is_limit) {
  doubling_ = false;
  if (cuts_too_soon_ == 0 && cuts_in_vain_ == 0) concurrency_before_ = concurrency_;
  concurrency_ = std::max(1.0, concurrency_ * kShrink);
  ++cuts_in_row_;
  last_cut_ = now;
  if (!rate_ && !is_crowded() && ++cuts_in_vain_ >= kCutsInVain) return forget_pace();
  if (rate_) {
    const bool too_soon = ceiling_ && climbed_ < seconds_to_ceiling_;
    cuts_too_soon_ = too_soon ? cuts_too_soon_ + 1 : 0;
    if (cuts_too_soon_ >= kCutsTooSoon && refused_share_ < kFewRefused) return forget_pace();
    cut_rate(now);
  } else if (const std::optional<double> guess = is_limit ? first_glance(now) : std::nullopt) {
    rate_ = *guess * (is_crowded() ? kBelowFirstGuess : 1.0);  // a crowd's guess counts some that come back
    tokens_ = 0;
    tokens_at_ = rate_grown_at_ = now;
  }
  if (rate_) watched_from_ = now;
}

// A limit lets us alone below it. Who refuses a few again and again while the rate is still on its way back
// does so for a reason of its own: slower would only be slower.
void Pacer::forget_pace() {
  pace_is_no_reason_ = true;
  cuts_too_soon_ = cuts_in_vain_ = 0;
  rate_.reset();
  ceiling_.reset();
  concurrency_ = std::max(concurrency_, concurrency_before_);
}

// What was accepted since the last cut is at most the limit; the rate at which we are refused is above it.
void Pacer::cut_rate(TimePoint now) {
  std::optional<double> accepted = accepted_rate(now);
  // Pauses and a lack of questions make that too little.
  if (accepted && *accepted < kMuchLess * *rate_ && climbed_ < kMostlyUsed * seconds(now - watched_from_)) {
    accepted.reset();
  }
  double ceiling = *rate_ * kRateCut;
  if (accepted && climbed_ < kSoon) ceiling = *accepted;
  if (accepted && climbed_ >= kSoon) {
    ceiling = ceiling_ && *rate_ < 1.25 * *accepted ? *accepted : std::sqrt(*accepted * *rate_);
  }
  ceiling = std::clamp(ceiling, *rate_ * kDeepestRateCut, *rate_);
  // A ceiling met once more is looked over less and less often: each look costs a refusal.
  const bool is_same = ceiling_ && std::abs(ceiling - *ceiling_) < kSameCeiling * *ceiling_;
  seconds_to_ceiling_ = is_same ? std::min(2 * seconds_to_ceiling_, kLongestClimb) : kSecondsToCeiling;
  if (accepted) ceiling_ = ceiling;
  rate_ = ceiling * kBelowCeiling;
  climbed_ = 0;
}

// A few refusals among many answers may have nothing to do with our pace. They set no rate, and they no
// longer lower it once that has been tried in vain. Refusals come back first, so what is still under way
// counts as accepted.
bool Pacer::is_crowded() const {
  return refused_lately_ > kFewestRefused &&
         refused_lately_ > kCrowd * (refused_lately_ + accepted_lately_ + in_flight_);
}

void Pacer::forget_old(TimePoint now) {
  const double kept = std::exp(-seconds(now - counted_at_));
  counted_at_ = now;
  accepted_lately_ *= kept;
  refused_lately_ *= kept;
}

long Pacer::accepted_since(TimePoint since) const {
  return std::ranges::count_if(accepted_, [&](TimePoint departure) { return departure >= since; });
}

// At the first refusal little has come back, so what is still under way counts as accepted.
std::optional<double> Pacer::first_glance(TimePoint now) const {
  const TimePoint from = std::max(watched_from_, now - std::max<Duration>(1s, typical_latency_ * 2));
  const long accepted = accepted_since(from) + in_flight_;
  if (accepted == 0) return std::nullopt;
  return static_cast<double>(accepted) / seconds(std::max<Duration>(kFirstGlance, now - from));
}

// Of what has left since the last cut, as far as answers can have come back by now.
std::optional<double> Pacer::accepted_rate(TimePoint now) const {
  const TimePoint until = now - typical_latency_;
  const TimePoint from = std::max(watched_from_, until - kLongestLook);
  const long accepted = accepted_since(from);
  if (until - from < (accepted < kFewestAccepted ? kLongLook : kShortestLook)) return std::nullopt;
  return static_cast<double>(accepted) / seconds(until - from);
}

void Pacer::heed_quota(TimePoint now, const ServerHints& hints) {
  if (!hints.remaining_requests || !hints.until_reset) return;
  // The answer is as old as its way back: what left meanwhile has used some of the rest already.
  if (*hints.remaining_requests <= in_flight_) hold(now + *hints.until_reset);
}

void Pacer::hold(TimePoint until) {
  held_until_ = std::max(held_until_, until);
}

void Pacer::refill(TimePoint now) {
  if (!rate_) {
    tokens_ = 1;
    tokens_at_ = now;
    return;
  }
  const double most = std::max(1.0, *rate_ * kBurstSeconds);
  tokens_ = std::min(most, tokens_ + *rate_ * std::max(0.0, seconds(now - tokens_at_)));
  tokens_at_ = std::max(now, tokens_at_);
}

std::chrono::milliseconds retry_delay(int retry, const ServerHints& hints, const PacingOptions& options,
                                      RandomStream& random) {
  using std::chrono::milliseconds;
  if (hints.retry_after) {
    const double wished = static_cast<double>(hints.retry_after->count());
    return *hints.retry_after + milliseconds(std::llround(random.uniform(0, 50 + wished / 10)));
  }
  const double doubled =
      static_cast<double>(options.first_backoff.count()) * std::exp2(std::min(retry - 1, 30));
  const double longest = std::min(doubled, static_cast<double>(options.max_backoff.count()));
  return milliseconds(std::llround(longest * random.uniform(0.5, 1)));
}

}  // namespace awry::inspectors::vlm
