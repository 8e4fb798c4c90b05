// SPDX-License-Identifier: Apache-2.0
// Counts how many scores lie above any value: exactly, without sorting, in memory that does not grow with
// the number of scores.
//
// A float has 2^32 bit patterns, and real score maps use few of the 65,536 leading halves. Each leading
// half that occurs is a bucket; a bucket first lists the trailing halves it was given and, once that list
// is long, tallies them in a table of 65,536 counters. So a bucket never outgrows one list and one table,
// however many scores arrive, and nothing is ever rounded or binned together.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "awry/score/pro.h"

namespace awry::score {

// Finite scores as integers in the same order: a < b iff score_key(a) < score_key(b), and -0 equals 0.
constexpr std::uint32_t score_key(float score) {
  const auto bits = std::bit_cast<std::uint32_t>(score + 0.0f);  // the sum turns -0 into 0
  return bits ^ (static_cast<std::uint32_t>(static_cast<std::int32_t>(bits) >> 31) | 0x8000'0000U);
}
constexpr float score_of_key(std::uint32_t key) {
  return std::bit_cast<float>(key ^ ((key >> 31) == 0 ? 0xFFFF'FFFFU : 0x8000'0000U));
}

struct ScoreCountsOptions {
  // Past this many bytes, the details of the lowest buckets are given up; see lowest_held(). At least 1 MiB.
  std::size_t memory_limit = std::size_t{480} << 20;
  // Scores in buckets above this one are counted but not held: for a later pass over what was given up.
  std::uint32_t highest_bucket = 0xFFFF;
  // The most scores that 32-bit tables of a bucket may tally before they become 64-bit ones.
  std::uint64_t narrow_limit = std::numeric_limits<std::uint32_t>::max();
};

class ScoreCounts {
 public:
  explicit ScoreCounts(const ScoreCountsOptions& options = {});

  void add(std::span<const std::uint32_t> keys);

  // Call once, after the last add and before the first rank.
  void finish();

  std::uint64_t total() const { return total_; }
  std::size_t memory_used() const { return memory_used_; }  // without a fixed 13 MiB at most

  // Keys can be ranked if their bucket, key >> 16, is in [lowest_held(), highest_held()].
  std::uint32_t lowest_held() const { return lowest_; }
  std::uint32_t highest_held() const { return options_.highest_bucket; }
  bool holds(std::uint32_t key) const { return is_held(key >> 16); }

  NormalRank rank(std::uint32_t key) const;

 private:
  // Where the next listed half goes. Apart from the rest of the bucket, so that all of them fit the cache.
  struct Cursor {
    std::uint16_t* next = nullptr;
    std::uint16_t* end = nullptr;
  };
  struct Bucket {
    std::unique_ptr<std::uint16_t[]> list;  // after finish(): sorted
    std::unique_ptr<std::uint16_t[]>
        list_index;                          // after finish(): where each leading byte starts in a long one
    std::unique_ptr<std::uint32_t[]> table;  // at most one of the two tables;
    std::unique_ptr<std::uint64_t[]> wide_table;  // after finish(), entry i counts the halves >= i
    std::size_t bytes = 0;
  };

  bool is_held(std::uint32_t bucket) const { return bucket >= lowest_held() && bucket <= highest_held(); }
  void make_room(std::uint32_t bucket);
  void start_discarding(std::uint32_t bucket);
  void resize_list(std::uint32_t bucket, std::size_t capacity);
  void tally_list(std::uint32_t bucket);
  void sort_list(std::uint32_t bucket);
  void release(std::uint32_t bucket);
  void account(Bucket& bucket, std::size_t bytes);
  std::size_t listed(std::uint32_t bucket) const {
    return cursors_[bucket].next - buckets_[bucket].list.get();
  }

  ScoreCountsOptions options_;
  std::size_t memory_used_ = 0;
  std::uint32_t lowest_ = 0;
  std::uint64_t total_ = 0;
  std::vector<Cursor> cursors_;
  std::vector<Bucket> buckets_;
  std::vector<std::uint64_t> sizes_;  // scores per bucket, held or not, without those still listed
  std::vector<std::uint64_t> above_;  // scores in all higher buckets; filled by finish()
};

}  // namespace awry::score
