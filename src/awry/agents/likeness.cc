// SPDX-License-Identifier: Apache-2.0
#include "awry/agents/likeness.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <vector>

#include "awry/agents/vocabulary.h"

namespace awry::agents {
namespace {

// One speaks only of the left of such a pair of words, and the other only of the right.
bool differ_in(std::span<const Opposites> pairs, const WordSet& a, const WordSet& b) {
  return std::ranges::any_of(pairs, [&](const Opposites& pair) {
    const bool a_left = has_any(a, pair.left), a_right = has_any(a, pair.right);
    const bool b_left = has_any(b, pair.left), b_right = has_any(b, pair.right);
    return (a_left && !a_right && b_right && !b_left) || (a_right && !a_left && b_left && !b_right);
  });
}

bool exclude_each_other(const WordSet& a, const WordSet& b) {
  if (differ_in(opposites(), a, b)) return true;
  const WordSet a_numbers = numbers_in(a), b_numbers = numbers_in(b);
  const auto shared = [&](const std::string& number) { return b_numbers.contains(number); };
  if (!a_numbers.empty() && !b_numbers.empty() && std::ranges::none_of(a_numbers, shared)) return true;
  return is_denied(a) != is_denied(b);
}

std::string_view phenomenon_of(const Claim& claim) {
  return claim.phenomenon.empty() ? claim.reasoning : claim.phenomenon;
}

}  // namespace

double shared_words(std::string_view a, std::string_view b) {
  std::vector<std::string> in_a = content_words(a), in_b = content_words(b);
  if (in_a.empty() || in_b.empty()) return 0;
  std::ranges::sort(in_a), std::ranges::sort(in_b);
  std::vector<std::string> both;
  std::ranges::set_intersection(in_a, in_b, std::back_inserter(both));
  return 2.0 * static_cast<double>(both.size()) / static_cast<double>(in_a.size() + in_b.size());
}

double likeness_of(const Claim& a, const Claim& b) {
  const double phenomenon = shared_words(phenomenon_of(a), phenomenon_of(b));
  if (a.name.empty() || b.name.empty()) return phenomenon;
  return 0.3 * shared_words(a.name, b.name) + 0.7 * phenomenon;
}

Relation relate_claims(const Claim& a, const Claim& b, double threshold) {
  const double alike = likeness_of(a, b);
  const double nearly = 0.75 * threshold;  // opposite words lower the share of claims about the same thing
  if (alike < nearly) return Relation::kDifferent;
  const WordSet in_a = word_set(std::string(a.name) + " " + std::string(phenomenon_of(a)));
  const WordSet in_b = word_set(std::string(b.name) + " " + std::string(phenomenon_of(b)));
  if (differ_in(sides(), in_a, in_b)) return Relation::kDifferent;
  if (exclude_each_other(in_a, in_b)) return Relation::kContradicting;
  return alike >= threshold ? Relation::kSame : Relation::kDifferent;
}

}  // namespace awry::agents
