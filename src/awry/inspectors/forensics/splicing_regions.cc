// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/forensics/splicing_regions.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <opencv2/imgproc.hpp>
#include <queue>

namespace awry::inspectors::forensics {
namespace {

constexpr float kLeastOdds = -4, kMostOdds = 4;  // beyond, a single place would outvote its neighbours

// Every place belongs to the minimum it drains to; labels from 0.
struct Basins {
  cv::Mat1i labels;
  int count = 0;
};

Basins basins_of(const cv::Mat1f& map) {
  const int total = static_cast<int>(map.total()), columns = map.cols;
  std::vector<int> order(static_cast<std::size_t>(total));
  std::iota(order.begin(), order.end(), 0);
  const float* values = map[0];
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return values[a] < values[b]; });
  Basins basins{.labels = cv::Mat1i(map.size(), -1)};
  for (const int place : order) {
    const int x = place % columns, y = place / columns;
    int lowest = -1;
    float level = 0;
    for (int dy = -1; dy <= 1; ++dy) {
      for (int dx = -1; dx <= 1; ++dx) {
        const int nx = x + dx, ny = y + dy;
        if (nx < 0 || ny < 0 || nx >= columns || ny >= map.rows || basins.labels(ny, nx) < 0) continue;
        if (lowest < 0 || map(ny, nx) < level) lowest = basins.labels(ny, nx), level = map(ny, nx);
      }
    }
    basins.labels(y, x) = lowest >= 0 ? lowest : basins.count++;
  }
  return basins;
}

struct Border {
  double odds = 0, length = 0;
  double mean() const { return length > 0 ? odds / length : 0; }
  void add(const Border& other) { odds += other.odds, length += other.length; }
};

struct Part {
  double area = 0;
  double frame = 0;  // places along the edge of the image
  double inner = kLeastOdds;
  int first = -1, second = -1;  // parts it was merged from
  bool alive = true;
  std::map<int, Border> borders;  // with its neighbours
};

class MergeTree {
 public:
  MergeTree(const cv::Mat1f& map, const Basins& basins) : parts_(static_cast<std::size_t>(basins.count)) {
    const cv::Mat1i& labels = basins.labels;
    for (int y = 0; y < labels.rows; ++y) {
      for (int x = 0; x < labels.cols; ++x) {
        Part& part = at(labels(y, x));
        part.area += 1;
        part.frame += (x == 0) + (y == 0) + (x + 1 == labels.cols) + (y + 1 == labels.rows);
        if (x + 1 < labels.cols) meet(labels(y, x), labels(y, x + 1), std::max(map(y, x), map(y, x + 1)));
        if (y + 1 < labels.rows) meet(labels(y, x), labels(y + 1, x), std::max(map(y, x), map(y + 1, x)));
      }
    }
    for (int i = 0; i < basins.count; ++i) {
      for (const auto& [other, border] : at(i).borders) {
        if (i < other) queue_.push({border.mean(), i, other});
      }
    }
  }

  void merge_all() {
    while (!queue_.empty()) {
      const Meeting weakest = queue_.top();
      queue_.pop();
      if (at(weakest.first).alive && at(weakest.second).alive) merge(weakest);
    }
  }

  const std::vector<Part>& parts() const { return parts_; }

 private:
  struct Meeting {
    double mean;
    int first, second;
    bool operator<(const Meeting& other) const {  // weakest first, then oldest
      return std::tie(mean, first, second) > std::tie(other.mean, other.first, other.second);
    }
  };

  Part& at(int index) { return parts_[static_cast<std::size_t>(index)]; }

  void meet(int a, int b, float odds) {
    if (a == b) return;
    const Border one{.odds = odds, .length = 1};
    at(a).borders[b].add(one);
    at(b).borders[a].add(one);
  }

  void merge(const Meeting& meeting) {
    const int joined = static_cast<int>(parts_.size());
    Part part{.first = meeting.first, .second = meeting.second};
    for (const int old : {meeting.first, meeting.second}) {
      Part& from = at(old);
      part.area += from.area, part.frame += from.frame,
          part.inner = std::max({part.inner, from.inner, meeting.mean});
      for (const auto& [other, border] : from.borders) {
        if (other == meeting.first || other == meeting.second) continue;
        part.borders[other].add(border);
      }
      from.alive = false;
    }
    for (const auto& [other, border] : part.borders) {
      auto& theirs = at(other).borders;
      theirs.erase(meeting.first), theirs.erase(meeting.second);
      theirs[joined] = border;
      queue_.push({border.mean(), other, joined});
    }
    parts_.push_back(std::move(part));
    // What the two parts knew of their neighbours is still needed to judge them: borders stay in the tree.
  }

  std::vector<Part> parts_;
  std::priority_queue<Meeting> queue_;
};

Border whole_border(const Part& part) {
  Border border;
  for (const auto& [other, with_other] : part.borders) border.add(with_other);
  return border;
}

cv::Mat1b mask_of(const std::vector<Part>& parts, int index, const Basins& basins) {
  std::vector<std::uint8_t> chosen(static_cast<std::size_t>(basins.count));
  std::vector<int> open = {index};
  while (!open.empty()) {
    const int next = open.back();
    open.pop_back();
    const Part& part = parts[static_cast<std::size_t>(next)];
    if (part.first < 0)
      chosen[static_cast<std::size_t>(next)] = 255;
    else
      open.insert(open.end(), {part.first, part.second});
  }
  cv::Mat1b mask(basins.labels.size());
  std::transform(basins.labels.begin(), basins.labels.end(), mask.begin(),
                 [&](int label) { return chosen[static_cast<std::size_t>(label)]; });
  return mask;
}

double low_odds_along(const cv::Mat1b& mask, const cv::Mat1f& map) {
  constexpr double share = 0.1;
  cv::Mat1b edge;
  cv::morphologyEx(mask, edge, cv::MORPH_GRADIENT, cv::Mat::ones(3, 3, CV_8U));
  cv::Mat1f nearby;  // the ridge may lie a place beside the border
  cv::dilate(map, nearby, cv::Mat::ones(3, 3, CV_8U));
  std::vector<float> odds;
  for (int y = 1; y + 1 < edge.rows; ++y) {
    for (int x = 1; x + 1 < edge.cols; ++x) {
      if (edge(y, x)) odds.push_back(nearby(y, x));
    }
  }
  if (odds.empty()) return kLeastOdds;
  const auto at = odds.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(odds.size()));
  std::nth_element(odds.begin(), at, odds.end());
  return *at;
}

// Long seams convince more than short ones of the same strength.
double conviction(const Border& border) {
  constexpr double enough = 150;  // places
  return border.mean() * std::sqrt(std::min(1.0, border.length / enough));
}

bool nearly_same(const cv::Mat1b& a, const cv::Mat1b& b) {
  return cv::countNonZero(a & b) > 0.7 * cv::countNonZero(a | b);
}

}  // namespace

std::vector<BorderedRegion> surrounded_regions(const cv::Mat1f& seam_map, const RegionSearch& search) {
  constexpr double most_frame = 0.5;  // of the outline along the image's edge: else it is the surroundings
  cv::Mat1f map;
  cv::GaussianBlur(seam_map, map, {}, 1);
  map = cv::min(cv::max(map, kLeastOdds), kMostOdds);
  const Basins basins = basins_of(map);
  MergeTree tree(map, basins);
  tree.merge_all();

  const double total = static_cast<double>(map.total());
  std::vector<std::pair<double, int>> ranked;
  for (std::size_t i = 0; i < tree.parts().size(); ++i) {
    const Part& part = tree.parts()[i];
    const Border border = whole_border(part);
    if (part.area < search.min_area * total || part.area > search.max_area * total) continue;
    if (part.frame > most_frame * (part.frame + border.length)) continue;
    ranked.emplace_back(conviction(border), static_cast<int>(i));
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });

  std::vector<BorderedRegion> found;
  for (const auto& [score, index] : ranked) {
    if (static_cast<int>(found.size()) == search.max_found) break;
    const Part& part = tree.parts()[static_cast<std::size_t>(index)];
    cv::Mat1b mask = mask_of(tree.parts(), index, basins);
    if (std::any_of(found.begin(), found.end(),
                    [&](const auto& known) { return nearly_same(known.mask, mask); }))
      continue;
    const Border border = whole_border(part);
    found.push_back({.mask = mask,
                     .area = part.area / total,
                     .length = border.length,
                     .mean_odds = border.mean(),
                     .low_odds = low_odds_along(mask, map),
                     .inner_odds = part.inner});
  }
  return found;
}

}  // namespace awry::inspectors::forensics
