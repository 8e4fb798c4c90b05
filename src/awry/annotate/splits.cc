// SPDX-License-Identifier: Apache-2.0
#include "awry/annotate/splits.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "awry/base/random.h"
#include "awry/base/text.h"

namespace awry::annotate {
namespace {

class Groups {
 public:
  explicit Groups(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0u); }

  std::size_t root(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  // False when they were together already.
  bool join(std::size_t a, std::size_t b) {
    a = root(a), b = root(b);
    if (a == b) return false;
    parent_[std::max(a, b)] = std::min(a, b);
    return true;
  }

 private:
  std::vector<std::size_t> parent_;
};

// The same words in the same order, whatever their case and punctuation.
std::string prompt_key(const std::string& prompt) {
  return join(word_tokens(casefold(prompt)), " ");
}

std::size_t part_at(double place, std::span<const SplitPart> parts) {
  double sum = 0;
  for (const SplitPart& part : parts) sum += part.share;
  double reached = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    reached += parts[i].share / sum;
    if (place < reached) return i;
  }
  return parts.size() - 1;
}

}  // namespace

Result<std::vector<SplitPart>> parse_parts(std::string_view text) {
  std::vector<SplitPart> parts;
  for (const std::string_view piece : split(text, ',')) {
    const std::size_t equals = piece.find('=');
    const auto share =
        equals == std::string_view::npos ? std::nullopt : parse_double(trim(piece.substr(equals + 1)));
    const std::string name(trim(piece.substr(0, equals)));
    const bool taken = std::ranges::find(parts, name, &SplitPart::name) != parts.end();
    if (!share || !(*share > 0) || name.empty() || taken) {
      return fail(
          {.kind = ErrorKind::kUsage,
           .what = "cannot read the parts of a split",
           .input = std::string(text),
           .why = taken ? fmt::format("'{}' is there twice", name) : "each should look like train=0.8"});
    }
    parts.push_back({name, *share});
  }
  return parts;
}

Split split_images(std::span<const SplitImage> images, std::span<const SplitPart> parts, std::uint64_t seed) {
  Split split{.placed = std::vector<Placed>(images.size())};
  Groups groups(images.size());
  std::map<std::string, std::size_t> by_prompt, by_bytes;
  for (std::size_t i = 0; i < images.size(); ++i) {
    if (!images[i].sha256.empty()) {
      const auto [same, fresh] = by_bytes.emplace(images[i].sha256, i);
      if (!fresh) split.near_duplicates += groups.join(i, same->second);
    }
    const std::string key = prompt_key(images[i].prompt);
    if (key.empty()) continue;
    const auto [same, fresh] = by_prompt.emplace(key, i);
    if (!fresh) split.same_prompt += groups.join(i, same->second);
  }
  for (std::size_t i = 0; i < images.size(); ++i) {
    if (!images[i].looks) continue;
    for (std::size_t j = i + 1; j < images.size(); ++j) {
      if (!images[j].looks || differing_signs(*images[i].looks, *images[j].looks) > kNearDuplicate) continue;
      split.near_duplicates += groups.join(i, j);
    }
  }

  std::map<std::size_t, std::string> smallest;  // hash of each group, by root
  for (std::size_t i = 0; i < images.size(); ++i) {
    // Without bytes there is only the name to go by.
    const std::string& own = images[i].sha256.empty() ? images[i].id : images[i].sha256;
    const auto [place, fresh] = smallest.emplace(groups.root(i), own);
    if (!fresh && own < place->second) place->second = own;
  }
  std::map<std::size_t, std::size_t> numbers;
  for (std::size_t i = 0; i < images.size(); ++i) {
    const std::size_t root = groups.root(i);
    RandomStream random = RandomStream(seed).fork("split").fork(smallest.at(root));
    split.placed[i] = {.part = part_at(random.uniform(), parts),
                       .group = numbers.emplace(root, numbers.size()).first->second};
  }
  split.groups = numbers.size();
  return split;
}

}  // namespace awry::annotate
