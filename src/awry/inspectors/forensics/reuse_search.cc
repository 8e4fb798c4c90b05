// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/forensics/reuse_search.h"

#include <algorithm>
#include <bit>
#include <set>
#include <span>
#include <tuple>

#include "awry/inspectors/forensics/consensus.h"
#include "awry/inspectors/forensics/descriptor_hash.h"
#include "awry/inspectors/forensics/keypoints.h"
#include "awry/inspectors/forensics/working_image.h"

namespace awry::inspectors::forensics {

struct ReuseSearch::Sketch {
  Keypoints keypoints;
  cv::Size size;
};

namespace {

// A place in the collection, plain or seen in the mirror.
struct Entry {
  std::uint32_t panel = 0, keypoint = 0;
};

struct Meeting {
  std::uint32_t first_panel, second_panel;
  std::uint32_t first_keypoint, second_keypoint;
  bool mirrored;
  auto operator<=>(const Meeting&) const = default;
};

bool are_alike(const Descriptor& a, const Descriptor& b) {
  constexpr double least_cosine = 0.9;
  int dot = 0;
  for (std::size_t i = 0; i < a.size(); ++i) dot += static_cast<int>(a[i]) * b[i];
  return dot >= least_cosine * kDescriptorNorm * kDescriptorNorm;
}

// All entries in order of their hashes: those that fall together stand together.
std::vector<std::pair<std::uint32_t, Entry>> sorted_by_hash(const std::vector<Keypoints>& panels,
                                                            const DescriptorHash& hash, int table) {
  std::vector<std::pair<std::uint32_t, Entry>> sorted;
  for (std::uint32_t p = 0; p < panels.size(); ++p) {
    for (std::uint32_t k = 0; k < panels[p].size(); ++k)
      sorted.push_back({hash(panels[p].descriptors[k], table), {p, k}});
  }
  std::ranges::sort(sorted, {},
                    [](const auto& e) { return std::tuple(e.first, e.second.panel, e.second.keypoint); });
  return sorted;
}

// What everybody has, corners of frames and letters above all, tells nothing about anybody.
constexpr std::ptrdiff_t kMaxCrowd = 64;

void meet(const std::vector<Keypoints>& plain, const std::vector<Keypoints>& other, bool mirrored,
          const DescriptorHash& hash, int table, std::vector<Meeting>& meetings) {
  const auto left = sorted_by_hash(plain, hash, table);
  const auto right = mirrored ? sorted_by_hash(other, hash, table) : left;
  auto r = right.begin();
  for (auto l = left.begin(); l != left.end();) {
    const auto l_end = std::find_if(l, left.end(), [&](const auto& e) { return e.first != l->first; });
    r = std::find_if(r, right.end(), [&](const auto& e) { return e.first >= l->first; });
    const auto r_end = std::find_if(r, right.end(), [&](const auto& e) { return e.first != l->first; });
    if (l_end - l <= kMaxCrowd && r_end - r <= kMaxCrowd) {
      for (auto a = l; a != l_end; ++a) {
        for (auto b = r; b != r_end; ++b) {
          if (a->second.panel >= b->second.panel) continue;
          if (!are_alike(plain[a->second.panel].descriptors[a->second.keypoint],
                         other[b->second.panel].descriptors[b->second.keypoint]))
            continue;
          meetings.push_back(
              {a->second.panel, b->second.panel, a->second.keypoint, b->second.keypoint, mirrored});
        }
      }
    }
    l = l_end, r = r_end;
  }
}

// About one stranger per keypoint and table.
int hash_bits(std::size_t keypoints) {
  return std::clamp(static_cast<int>(std::bit_width(keypoints)), 8, 28);
}

}  // namespace

ReuseSearch::ReuseSearch(std::size_t panels, const ReuseOptions& options)
    : options_(options), sketches_(panels) {}

ReuseSearch::~ReuseSearch() = default;

void ReuseSearch::add(std::size_t index, const imaging::Image& panel) {
  constexpr int max_pixels = 1'000'000, max_side = 320;
  const WorkingImage working = prepare(panel, max_pixels);
  Sketch& sketch = sketches_[index];
  sketch.size = working.grey.size();
  sketch.keypoints =
      find_keypoints(working.grey, {.max_count = options_.keypoints_per_panel, .max_side = max_side});
}

std::vector<ReuseCandidate> ReuseSearch::candidates() const {
  std::vector<Keypoints> plain, reflected;
  std::size_t total = 0;
  for (const Sketch& sketch : sketches_) {
    plain.push_back(sketch.keypoints);
    reflected.push_back(mirrored(sketch.keypoints, sketch.size.width));
    total += sketch.keypoints.size();
  }
  const DescriptorHash hash(hash_bits(total));
  std::vector<Meeting> meetings;
  for (int table = 0; table < DescriptorHash::kTables; ++table) {
    meet(plain, plain, false, hash, table, meetings);
    meet(plain, reflected, true, hash, table, meetings);
    std::ranges::sort(meetings);
    meetings.erase(std::ranges::unique(meetings).begin(), meetings.end());
  }
  std::ranges::sort(meetings, {}, [](const Meeting& m) {
    return std::tuple(m.first_panel, m.second_panel, m.mirrored, m.first_keypoint, m.second_keypoint);
  });

  constexpr std::ptrdiff_t least_meetings = 4;
  std::vector<ReuseCandidate> found;
  for (auto m = meetings.begin(); m != meetings.end();) {
    const auto end = std::find_if(m, meetings.end(), [&](const Meeting& other) {
      return std::tuple(other.first_panel, other.second_panel, other.mirrored) !=
             std::tuple(m->first_panel, m->second_panel, m->mirrored);
    });
    if (end - m >= least_meetings) {
      std::vector<Match> matches;
      for (auto one = m; one != end; ++one)
        matches.push_back({static_cast<int>(one->first_keypoint), static_cast<int>(one->second_keypoint)});
      const Keypoints& second = (m->mirrored ? reflected : plain)[m->second_panel];
      const auto motions =
          find_consensus(plain[m->first_panel], second, matches, sketches_[m->second_panel].size,
                         {.max_motions = 1, .max_log10_false_alarms = options_.max_log10_false_alarms});
      if (!motions.empty()) {
        found.push_back({m->first_panel, m->second_panel, static_cast<int>(motions.front().inliers.size()),
                         motions.front().log10_false_alarms});
      }
    }
    m = end;
  }
  std::ranges::sort(
      found, {}, [](const ReuseCandidate& c) { return std::tuple(c.log10_false_alarms, c.first, c.second); });
  std::vector<int> partners(sketches_.size(), 0);
  std::vector<ReuseCandidate> kept;
  std::set<std::pair<std::size_t, std::size_t>> seen;  // a pair may be found both plain and mirrored
  for (const ReuseCandidate& candidate : found) {
    if (!seen.insert({candidate.first, candidate.second}).second) continue;
    if (std::min(partners[candidate.first], partners[candidate.second]) >= options_.max_partners) continue;
    ++partners[candidate.first], ++partners[candidate.second];
    kept.push_back(candidate);
  }
  return kept;
}

}  // namespace awry::inspectors::forensics
