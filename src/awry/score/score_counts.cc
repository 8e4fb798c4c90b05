// SPDX-License-Identifier: Apache-2.0
#include "awry/score/score_counts.h"

#include <algorithm>
#include <array>

namespace awry::score {
namespace {

constexpr std::size_t kBuckets = 65'536;
constexpr std::size_t kHalves = 65'536;  // values that the trailing half of a key can take
constexpr std::size_t kFirstList = 64, kListGrowth = 4, kLongestList = 16'384;
constexpr std::size_t kShortestIndexed = 512;

template <class Counter>
void count_from_above(Counter* table) {
  for (std::size_t half = kHalves - 1; half-- > 0;) table[half] += table[half + 1];
}

template <class Counter>
NormalRank rank_in_table(const Counter* not_below, std::uint16_t half) {
  const Counter above = half + 1U == kHalves ? Counter{0} : not_below[half + 1];
  return {.above = above, .equal = not_below[half] - above};
}

}  // namespace

ScoreCounts::ScoreCounts(const ScoreCountsOptions& options)
    : options_(options), cursors_(kBuckets), buckets_(kBuckets), sizes_(kBuckets) {
  // Room for the largest bucket and its neighbour: every pass makes progress.
  options_.memory_limit = std::max(options_.memory_limit, std::size_t{1} << 20);
}

void ScoreCounts::add(std::span<const std::uint32_t> keys) {
  total_ += keys.size();
  for (const std::uint32_t key : keys) {
    Cursor& cursor = cursors_[key >> 16];
    if (cursor.next == cursor.end) make_room(key >> 16);
    *cursor.next++ = static_cast<std::uint16_t>(key);
  }
}

void ScoreCounts::make_room(std::uint32_t bucket) {
  const std::size_t capacity = cursors_[bucket].end - buckets_[bucket].list.get();
  if (!is_held(bucket)) {
    sizes_[bucket] += capacity;
    start_discarding(bucket);
    return;
  }
  if (capacity == 0) {
    resize_list(bucket, kFirstList);
  } else if (capacity < kLongestList) {
    resize_list(bucket, capacity * kListGrowth);
  } else {
    tally_list(bucket);
  }
  while (memory_used_ > options_.memory_limit && lowest_ < options_.highest_bucket) release(lowest_++);
  if (!is_held(bucket)) start_discarding(bucket);
}

// What is not held still arrives in a list, which is counted and emptied when full: adding need not ask.
void ScoreCounts::start_discarding(std::uint32_t bucket) {
  auto& list = buckets_[bucket].list;
  if (!list) list = std::make_unique_for_overwrite<std::uint16_t[]>(kFirstList);
  cursors_[bucket] = {list.get(), list.get() + kFirstList};
}

void ScoreCounts::resize_list(std::uint32_t bucket, std::size_t capacity) {
  const std::size_t filled = listed(bucket);
  auto list = std::make_unique_for_overwrite<std::uint16_t[]>(capacity);
  std::copy_n(buckets_[bucket].list.get(), filled, list.get());
  const std::size_t old_capacity = cursors_[bucket].end - buckets_[bucket].list.get();
  cursors_[bucket] = {list.get() + filled, list.get() + capacity};
  buckets_[bucket].list = std::move(list);
  account(buckets_[bucket], (capacity - old_capacity) * sizeof(std::uint16_t));
}

void ScoreCounts::account(Bucket& bucket, std::size_t bytes) {
  bucket.bytes += bytes;
  memory_used_ += bytes;
}

// Moves what is listed into the table, making or widening the table first where needed.
void ScoreCounts::tally_list(std::uint32_t number) {
  Bucket& bucket = buckets_[number];
  const std::span<const std::uint16_t> halves(bucket.list.get(), listed(number));
  const std::uint64_t size_after = sizes_[number] + halves.size();
  if (!bucket.wide_table && size_after > options_.narrow_limit) {
    bucket.wide_table = std::make_unique<std::uint64_t[]>(kHalves);
    account(bucket, kHalves * sizeof(std::uint64_t));
    if (bucket.table) {
      std::copy_n(bucket.table.get(), kHalves, bucket.wide_table.get());
      bucket.table.reset();
      bucket.bytes -= kHalves * sizeof(std::uint32_t);
      memory_used_ -= kHalves * sizeof(std::uint32_t);
    }
  } else if (!bucket.wide_table && !bucket.table) {
    bucket.table = std::make_unique<std::uint32_t[]>(kHalves);
    account(bucket, kHalves * sizeof(std::uint32_t));
  }
  if (bucket.wide_table) {
    for (const std::uint16_t half : halves) ++bucket.wide_table[half];
  } else {
    for (const std::uint16_t half : halves) ++bucket.table[half];
  }
  sizes_[number] = size_after;
  cursors_[number].next = bucket.list.get();
}

void ScoreCounts::release(std::uint32_t number) {
  Bucket& bucket = buckets_[number];
  sizes_[number] += listed(number);
  memory_used_ -= bucket.bytes;
  bucket = {};
  cursors_[number] = {};
}

void ScoreCounts::sort_list(std::uint32_t number) {
  Bucket& bucket = buckets_[number];
  const std::span<std::uint16_t> list(bucket.list.get(), listed(number));
  if (list.size() < kShortestIndexed) {
    std::ranges::sort(list);
    return;
  }
  // Counting sort by trailing, then by leading byte; the starts of the leading bytes are kept as an index.
  std::array<std::uint16_t, 257> trailing{}, leading{};
  for (const std::uint16_t half : list) {
    ++trailing[(half & 0xFF) + 1];
    ++leading[(half >> 8) + 1];
  }
  for (std::size_t byte = 1; byte < trailing.size(); ++byte) {
    trailing[byte] = static_cast<std::uint16_t>(trailing[byte] + trailing[byte - 1]);
    leading[byte] = static_cast<std::uint16_t>(leading[byte] + leading[byte - 1]);
  }
  bucket.list_index = std::make_unique<std::uint16_t[]>(leading.size());
  std::ranges::copy(leading, bucket.list_index.get());
  account(bucket, sizeof leading);

  std::vector<std::uint16_t> half_sorted(list.size());
  for (const std::uint16_t half : list) half_sorted[trailing[half & 0xFF]++] = half;
  for (const std::uint16_t half : half_sorted) list[leading[half >> 8]++] = half;
}

void ScoreCounts::finish() {
  for (std::uint32_t number = 0; number < kBuckets; ++number) {
    Bucket& bucket = buckets_[number];
    if (bucket.table || bucket.wide_table) {
      tally_list(number);
      if (bucket.table) count_from_above(bucket.table.get());
      if (bucket.wide_table) count_from_above(bucket.wide_table.get());
    } else if (is_held(number) && bucket.list) {
      sort_list(number);
      sizes_[number] += listed(number);
    } else {
      release(number);
    }
  }
  above_.assign(kBuckets, 0);
  for (std::size_t number = kBuckets - 1; number-- > 0;)
    above_[number] = above_[number + 1] + sizes_[number + 1];
}

NormalRank ScoreCounts::rank(std::uint32_t key) const {
  const std::uint32_t number = key >> 16;
  const auto half = static_cast<std::uint16_t>(key);
  const Bucket& bucket = buckets_[number];
  NormalRank rank;
  if (bucket.table) {
    rank = rank_in_table(bucket.table.get(), half);
  } else if (bucket.wide_table) {
    rank = rank_in_table(bucket.wide_table.get(), half);
  } else if (bucket.list) {
    const std::uint16_t* const list = bucket.list.get();
    const std::uint16_t* const list_end = cursors_[number].next;
    const auto* const index = bucket.list_index.get();
    const std::uint16_t* const begin = index ? list + index[half >> 8] : list;
    const std::uint16_t* const end = index ? list + index[(half >> 8) + 1] : list_end;
    const std::uint16_t* const first_equal = std::lower_bound(begin, end, half);
    const std::uint16_t* const first_above = std::upper_bound(first_equal, end, half);
    rank = {.above = static_cast<std::uint64_t>(list_end - first_above),
            .equal = static_cast<std::uint64_t>(first_above - first_equal)};
  }
  rank.above += above_[number];
  return rank;
}

}  // namespace awry::score
