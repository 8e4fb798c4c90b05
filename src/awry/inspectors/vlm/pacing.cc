// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/vlm/pacing.h"

#include <algorithm>
#include <cmath>

namespace awry::inspectors::vlm {
namespace {

using namespace std::chrono_literals;
using Duration = Pacer::Duration;

constexpr double kShrink = 0.8;          // of concurrency, at a refusal
constexpr double kBelowAccepted = 0.97;  // of the rate just accepted
constexpr double kRateCut = 0.95;        // at least this, when refused again
constexpr double kDeepestRateCut = 0.5;  // at most this: measurements after a pause are too low
constexpr double kFirstProbe = 0.01;     // growth of the rate a second, doubled every clean second
constexpr double kFastestProbe = 0.25;
constexpr double kBurstSeconds = 0.02;  // timers are not exact: late departures may catch up this much
constexpr std::size_t kEnoughAccepted = 20;
constexpr std::size_t kFewestAccepted = 5;
constexpr int kWall = 3;  // so many refusals in a row are a closed door, not a crowd
constexpr int kRestAfterFailures = 8;
constexpr Duration kShortWait = 2s;
constexpr Duration kGrowthPause = 1s;

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
}

void Pacer::succeeded(TimePoint now, Duration took, const ServerHints& hints) {
  --in_flight_;
  refusals_in_row_ = failures_in_row_ = cuts_in_row_ = rests_in_row_ = 0;
  typical_latency_ = typical_latency_ == Duration::zero() ? took : (typical_latency_ * 7 + took) / 8;
  accepted_.push_back(now);
  while (accepted_.size() > kEnoughAccepted && accepted_.front() < now - 1s) accepted_.pop_front();
  grow(now);
  heed_quota(now, hints);
}

void Pacer::slowed_down(TimePoint now, const ServerHints& hints) {
  --in_flight_;
  ++refusals_in_row_;
  last_refusal_ = now;
  // What was in flight when we cut comes back refused too; it says nothing about the new pace.
  const Duration round = std::clamp<Duration>(typical_latency_ * 3 / 2, 200ms, 5s);
  const bool is_news = now - last_cut_ >= round;
  if (is_news) cut(now);

  const bool nothing_gets_through =
      accepted_.empty() || accepted_.back() < now - std::max<Duration>(round, 1s);
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
  growth_resumes_ = now + kGrowthPause;
  if (hints.retry_after) hold(now + *hints.retry_after);
  // A server that is down is asked now and then, not hammered with every question we have.
  if (failures_in_row_ >= kRestAfterFailures && now >= held_until_) {
    hold(now + std::min<Duration>(options_.first_backoff * (1 << std::min(rests_in_row_++, 6)), 30s));
  }
}

void Pacer::ended() {
  --in_flight_;
}

void Pacer::grow(TimePoint now) {
  if (now < growth_resumes_) return;
  if (was_full_) {
    concurrency_ = std::min(options_.max_concurrency, concurrency_ + (doubling_ ? 1.0 : 1.0 / concurrency_));
    was_full_ = false;
  }
  if (!rate_) return;
  const double elapsed = std::min(0.1, seconds(now - rate_grown_at_));
  rate_grown_at_ = now;
  const double clean_seconds = seconds(now - last_refusal_);
  if (!was_paced_ || clean_seconds < 1) return;
  was_paced_ = false;
  *rate_ *= 1 + elapsed * std::min(kFastestProbe, kFirstProbe * std::exp2(clean_seconds - 1));
}

void Pacer::cut(TimePoint now) {
  doubling_ = false;
  concurrency_ = std::max(1.0, concurrency_ * kShrink);
  ++cuts_in_row_;
  last_cut_ = now;
  const std::optional<double> accepted = accepted_rate(now);
  if (rate_) {
    const double wanted = std::min(*rate_ * kRateCut, accepted.value_or(*rate_) * kBelowAccepted);
    rate_ = std::max(wanted, *rate_ * kDeepestRateCut);
  } else if (accepted) {
    rate_ = *accepted * kBelowAccepted;
    tokens_ = 0;
    tokens_at_ = rate_grown_at_ = now;
  }
}

// Over the last second, or as far back as it takes to see enough.
std::optional<double> Pacer::accepted_rate(TimePoint now) const {
  if (accepted_.size() < kFewestAccepted) return std::nullopt;
  const double span = std::max(0.02, seconds(now - accepted_.front()));
  return static_cast<double>(accepted_.size()) / span;
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
