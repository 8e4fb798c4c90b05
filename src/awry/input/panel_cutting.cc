// SPDX-License-Identifier: Apache-2.0
#include "awry/input/panel_cutting.h"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <optional>

#include "awry/imaging/opencv.h"
#include "awry/imaging/resize.h"
#include "awry/input/figure_ink.h"
#include "awry/input/solid_cutting.h"

namespace awry::input {
namespace {

constexpr int kWorkingEdge = 1800;
constexpr std::size_t kMostPieces = 600;

// Everything that is measured against the size of the figure.
struct Scale {
  double side;     // of a square as large as the figure
  double longest;  // edge
  double area;

  explicit Scale(const cv::Size& size)
      : side(std::sqrt(static_cast<double>(size.area()))),
        longest(std::max(size.width, size.height)),
        area(size.area()) {}
  int gap() const { return std::max(3, static_cast<int>(longest * 0.006)) | 1; }
};

bool is_body(const cv::Mat& ink, const cv::Rect& piece, const Scale& scale) {
  const int shorter = std::min(piece.width, piece.height);
  if (shorter >= 0.07 * scale.side && piece.area() >= 0.01 * scale.area) return true;
  // Strips of gels and blots are low, but unlike lines of text they are full.
  return shorter >= 0.03 * scale.side && piece.area() >= 0.006 * scale.area && density(ink, piece) >= 0.75;
}

bool mostly_inside(const cv::Rect& inner, const cv::Rect& outer, double share) {
  return (inner & outer).area() >= share * inner.area();
}

// Insets, legends in frames and the far arms of a drawing belong to what they lie in.
void merge_overlapping(std::vector<cv::Rect>& bodies) {
  for (bool merged = true; merged;) {
    merged = false;
    for (std::size_t i = 0; i < bodies.size() && !merged; ++i) {
      for (std::size_t j = 0; j < bodies.size() && !merged; ++j) {
        const bool smaller = bodies[j].area() <= bodies[i].area();
        if (i == j || !smaller || !mostly_inside(bodies[j], bodies[i], 0.3)) continue;
        bodies[i] |= bodies[j];
        bodies.erase(bodies.begin() + static_cast<std::ptrdiff_t>(j));
        merged = true;
      }
    }
  }
}

bool is_light_grey(const cv::Mat& rgb, const cv::Rect& box) {
  const cv::Scalar mean = cv::mean(rgb(box));
  const auto [least, most] = std::minmax({mean[0], mean[1], mean[2]});
  return least > 100 && most - least < 10;
}

// The strips of one blot: wide, low, as wide as one another, one close below the other.
bool are_strips_of_one(const cv::Mat& rgb, const cv::Rect& a, const cv::Rect& b, const Scale& scale) {
  const bool blot = is_light_grey(rgb, a) && is_light_grey(rgb, b);
  const double flatness = blot ? 1.8 : 3, highest = blot ? 0.4 : 0.13;
  const int higher = std::max(a.height, b.height);
  const bool strips =
      a.width >= flatness * a.height && b.width >= flatness * b.height && higher < highest * scale.side;
  // Marks beside a strip, "-53", often hang together with it.
  const int shared = std::min(a.br().x, b.br().x) - std::max(a.x, b.x);
  const bool aligned = shared >= 0.75 * std::max(a.width, b.width);
  const int gap = std::max(a.y, b.y) - std::min(a.br().y, b.br().y);
  return strips && aligned && gap < 0.6 * higher;
}

bool is_one_of_several_strips(const cv::Mat& rgb, const cv::Rect& box, std::span<const cv::Rect> all,
                              const Scale& scale) {
  return std::ranges::any_of(
      all, [&](const cv::Rect& other) { return other != box && are_strips_of_one(rgb, box, other, scale); });
}

// Nearest first, so that a title joins the plot whose axis label it stands beside.
void attach_labels(std::vector<cv::Rect>& panels, std::vector<cv::Rect> labels, const Scale& scale) {
  const std::vector<cv::Rect> bodies = panels;
  if (labels.size() > kMostPieces) {
    std::ranges::sort(labels, std::greater{}, [](const cv::Rect& r) { return r.area(); });
    labels.resize(kMostPieces);
  }
  while (!labels.empty()) {
    double nearest = 0.09 * scale.longest;
    std::optional<std::pair<std::size_t, std::size_t>> choice;
    for (std::size_t l = 0; l < labels.size(); ++l) {
      for (std::size_t p = 0; p < panels.size(); ++p) {
        // Titles and letters stand above and to the left of their panel more often than below and right.
        const bool before = labels[l].br().y <= bodies[p].y || labels[l].br().x <= bodies[p].x;
        const double distance = distance_between(labels[l], panels[p]) * (before ? 0.85 : 1);
        if (distance < nearest || (distance == 0 && !choice)) {
          nearest = distance;
          choice = {l, p};
        }
      }
    }
    if (!choice) return;
    const auto [l, p] = *choice;
    const cv::Rect grown = panels[p] | labels[l];
    bool free = true;
    for (std::size_t other = 0; other < bodies.size(); ++other) {
      free &= other == p || (grown & bodies[other]).area() <= 0.03 * bodies[other].area();
    }
    if (free) panels[p] = grown;
    labels.erase(labels.begin() + static_cast<std::ptrdiff_t>(l));
  }
}

void sort_in_reading_order(std::vector<cv::Rect>& panels) {
  std::ranges::sort(panels, {}, [](const cv::Rect& r) { return std::pair(r.y, r.x); });
  std::vector<cv::Rect> ordered;
  while (!panels.empty()) {
    // The row of the topmost panel: whatever overlaps it by half its own height.
    const cv::Rect top = panels.front();
    std::vector<cv::Rect> row, rest;
    for (const cv::Rect& panel : panels) {
      const int shared = std::min(top.br().y, panel.br().y) - std::max(top.y, panel.y);
      (2 * shared >= std::min(top.height, panel.height) && panel.y <= top.y + top.height / 2 ? row : rest)
          .push_back(panel);
    }
    std::ranges::sort(row, {}, [](const cv::Rect& r) { return r.x; });
    ordered.insert(ordered.end(), row.begin(), row.end());
    panels = std::move(rest);
  }
  panels = std::move(ordered);
}

struct LetterAt {
  char letter;
  Box box;
};

std::optional<char> lone_letter(std::string_view text) {
  constexpr std::string_view kAround = "()[].,:;'|";
  while (!text.empty() && kAround.find(text.front()) != std::string_view::npos) text.remove_prefix(1);
  while (!text.empty() && kAround.find(text.back()) != std::string_view::npos) text.remove_suffix(1);
  if (text.size() != 1) return std::nullopt;
  const char c = text[0];
  const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower >= 'a' && lower <= 'p' ? std::optional(lower) : std::nullopt;
}

// Near the top left corner of the panel, inside or just outside it.
double corner_distance(const Box& letter, const Box& panel) {
  const double x = letter.x + letter.width / 2, y = letter.y + letter.height / 2;
  return std::hypot(x - panel.x, y - panel.y);
}
bool stands_at_corner(const Box& letter, const Box& panel, double reach) {
  const double x = letter.x + letter.width / 2 - panel.x, y = letter.y + letter.height / 2 - panel.y;
  return x > -reach && y > -reach && x < std::max(reach, 0.3 * panel.width) &&
         y < std::max(reach, 0.3 * panel.height);
}

// The letters of an enumeration: each once, from a on, at most one missing. Others are units or initials.
std::vector<LetterAt> enumeration_of(std::span<const reading::Word> words) {
  std::vector<LetterAt> letters;
  for (const reading::Word& word : words) {
    const auto letter = lone_letter(word.text);
    if (!letter || word.confidence < 20) continue;
    const auto same = std::ranges::find(letters, *letter, &LetterAt::letter);
    if (same == letters.end()) letters.push_back({*letter, word.box});
  }
  std::ranges::sort(letters, {}, &LetterAt::letter);
  int missing = 0;
  char expected = 'a';
  std::vector<LetterAt> kept;
  for (const LetterAt& letter : letters) {
    missing += letter.letter - expected;
    if (missing > 1) break;
    kept.push_back(letter);
    expected = static_cast<char>(letter.letter + 1);
  }
  return kept.size() >= 2 ? kept : std::vector<LetterAt>{};
}

// Letters of neighbours stand in one row or in one column. Ticks and legends read as letters seldom do.
bool are_in_line(const Box& first, const Box& second, bool beside) {
  const double off = beside ? std::abs(second.y - first.y) : std::abs(second.x - first.x);
  return off <= std::max({first.height, second.height, 4.0});
}

// Just before the second letter, where the panel is emptiest; nullopt when something crosses every line, or
// when neither a gutter nor the place of the letters speaks for a cut: a plot is soon cut at its axis.
std::optional<std::pair<Box, Box>> cut_before(const cv::Mat& ink, const Box& panel, const Box& first,
                                              const Box& second) {
  const cv::Rect box = cv::Rect(static_cast<int>(panel.x), static_cast<int>(panel.y),
                                static_cast<int>(panel.width), static_cast<int>(panel.height)) &
                       cv::Rect(0, 0, ink.cols, ink.rows);
  const bool beside = std::abs(second.x - first.x) > std::abs(second.y - first.y);
  const int from = static_cast<int>(beside ? first.x + first.width + 0.1 * box.width
                                           : first.y + first.height + 0.1 * box.height);
  const int to = static_cast<int>(beside ? second.x : second.y);
  int best = -1;
  double least = 0.02;
  for (int at = std::min(to, (beside ? box.br().x : box.br().y) - 1);
       at > std::max(from, beside ? box.x : box.y); --at) {
    const cv::Rect line = beside ? cv::Rect(at, box.y, 1, box.height) : cv::Rect(box.x, at, box.width, 1);
    if (const double filled = density(ink, line); filled < least) {
      least = filled;
      best = at;
      if (filled == 0) break;
    }
  }
  const bool gutter = least == 0;
  if (best < 0 || (!gutter && !are_in_line(first, second, beside))) return std::nullopt;
  Box before = panel, after = panel;
  if (beside) {
    before.width = best - panel.x;
    after.x = best;
    after.width = panel.x + panel.width - best;
  } else {
    before.height = best - panel.y;
    after.y = best;
    after.height = panel.y + panel.height - best;
  }
  return std::pair(before, after);
}

void cut_between_letters(const cv::Mat& ink, std::span<const LetterAt> letters, std::vector<Panel>& panels) {
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const Box& box = panels[i].box;
    std::vector<const LetterAt*> inside;
    for (const LetterAt& letter : letters) {
      const double x = letter.box.x + letter.box.width / 2, y = letter.box.y + letter.box.height / 2;
      if (x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height)
        inside.push_back(&letter);
    }
    if (inside.size() < 2) continue;
    if (const auto halves = cut_before(ink, box, inside[0]->box, inside[1]->box)) {
      panels[i].box = halves->first;
      panels.insert(panels.begin() + static_cast<std::ptrdiff_t>(i) + 1, Panel{.box = halves->second});
    }
  }
}

// The lone letter at the corner of each panel that has one.
std::vector<std::optional<char>> letters_at_corners(std::span<const reading::Word> words,
                                                    std::span<const Panel> panels, double reach) {
  std::vector<std::optional<char>> letters;
  for (const Panel& panel : panels) {
    double nearest = HUGE_VAL;
    letters.emplace_back();
    for (const reading::Word& word : words) {
      const auto letter = lone_letter(word.text);
      const double distance = corner_distance(word.box, panel.box);
      if (!letter || distance >= nearest || !stands_at_corner(word.box, panel.box, reach)) continue;
      nearest = distance;
      letters.back() = letter;
    }
  }
  return letters;
}

// The lone letter in the lower part of each panel that has one: "(a)" printed below a picture.
bool stands_below(const Box& letter, const Box& panel) {
  const double x = letter.x + letter.width / 2 - panel.x, y = letter.y + letter.height / 2 - panel.y;
  return x > 0 && x < panel.width && y > 0.7 * panel.height && y < panel.height;
}
std::vector<std::optional<char>> letters_below(std::span<const reading::Word> words,
                                               std::span<const Panel> panels) {
  std::vector<std::optional<char>> letters;
  for (const Panel& panel : panels) {
    const auto word = std::ranges::find_if(words, [&](const reading::Word& w) {
      return w.text.starts_with('(') && lone_letter(w.text) && stands_below(w.box, panel.box);
    });
    letters.push_back(word == words.end() ? std::nullopt : lone_letter(word->text));
  }
  return letters;
}

// Where most of what was read is the letter that the place in the figure demands, the others were misread.
bool name_in_order(std::span<const std::optional<char>> read, std::span<Panel> panels) {
  int seen = 0, expected = 0;
  for (std::size_t i = 0; i < read.size(); ++i) {
    seen += read[i].has_value();
    expected += read[i] == static_cast<char>('a' + i);
  }
  if (panels.size() > 16 || expected < 2 || 3 * expected < 2 * seen ||
      3 * seen < static_cast<int>(panels.size()))
    return false;
  for (std::size_t i = 0; i < panels.size(); ++i) panels[i].letter = static_cast<char>('a' + i);
  return true;
}

}  // namespace

std::vector<Panel> cut_panels(const imaging::Image& figure) {
  if (figure.empty()) return {};
  const imaging::Resized small = imaging::resize_long_edge(figure, kWorkingEdge);
  const imaging::Image colour = imaging::to_rgb(small.image);
  const cv::Mat rgb = imaging::as_mat(colour);
  const cv::Mat ink = ink_of(small.image);
  const Scale scale(ink.size());
  std::vector<cv::Rect> bodies, labels;
  for (const cv::Rect& piece : pieces_of(ink, scale.gap())) {
    (is_body(ink, piece, scale) ? bodies : labels).push_back(piece);
  }
  merge_overlapping(bodies);
  std::ranges::sort(bodies, {}, [](const cv::Rect& r) { return std::pair(r.y, r.x); });
  std::vector<cv::Rect> panels, strips;
  for (const cv::Rect& body : bodies) {
    if (is_one_of_several_strips(rgb, body, bodies, scale)) {
      const auto blot = std::ranges::find_if(strips, [&](const cv::Rect& known) {
        const int shared = std::min(known.br().x, body.br().x) - std::max(known.x, body.x);
        return shared >= 0.7 * body.width && distance_between(known, body) < 0.6 * body.height;
      });
      blot == strips.end() ? void(strips.push_back(body)) : void(*blot |= body);
      continue;
    }
    const std::vector<cv::Rect> parts = cut_solid(rgb, ink, body);
    const bool one_blot = parts.size() > 1 && std::ranges::all_of(parts, [&](const cv::Rect& part) {
                            return is_one_of_several_strips(rgb, part, parts, scale);
                          });
    if (one_blot) {
      panels.push_back(body);
    } else {
      panels.insert(panels.end(), parts.begin(), parts.end());
    }
  }
  panels.insert(panels.end(), strips.begin(), strips.end());
  if (panels.empty()) return {Panel{.box = {0, 0, double(figure.width), double(figure.height)}}};
  attach_labels(panels, std::move(labels), scale);
  sort_in_reading_order(panels);

  const double factor = 1 / small.image_from_original[0];
  std::vector<Panel> named;
  for (const cv::Rect& panel : panels) {
    const double left = std::floor(panel.x * factor), top = std::floor(panel.y * factor);
    named.push_back(
        {.box = {left, top, std::min<double>(figure.width, std::ceil(panel.br().x * factor)) - left,
                 std::min<double>(figure.height, std::ceil(panel.br().y * factor)) - top}});
  }
  return named;
}

void name_panels(const imaging::Image& figure, std::span<const reading::Word> words,
                 std::vector<Panel>& panels) {
  const std::vector<LetterAt> letters = enumeration_of(words);
  const double reach = 0.06 * std::max(figure.width, figure.height);
  const auto below = letters_below(words, panels);
  const auto named_below =
      std::ranges::count_if(below, [](const auto& letter) { return letter.has_value(); });
  if (named_below >= 2 && 2 * named_below > static_cast<std::ptrdiff_t>(panels.size())) {
    for (std::size_t i = 0; i < panels.size(); ++i) {
      if (below[i]) panels[i].letter = *below[i];
    }
    return;
  }
  if (name_in_order(letters_at_corners(words, panels, reach), panels)) return;
  if (letters.empty() || panels.empty()) return;
  cut_between_letters(ink_of(figure), letters, panels);
  for (const LetterAt& letter : letters) {
    Panel* nearest = nullptr;
    for (Panel& panel : panels) {
      if (!panel.letter.empty() || !stands_at_corner(letter.box, panel.box, reach)) continue;
      if (nearest == nullptr ||
          corner_distance(letter.box, panel.box) < corner_distance(letter.box, nearest->box))
        nearest = &panel;
    }
    if (nearest != nullptr) nearest->letter = letter.letter;
  }
  std::string current;
  for (Panel& panel : panels) {
    if (panel.letter.empty()) {
      panel.letter = current;
    } else {
      current = panel.letter;
    }
  }
}

}  // namespace awry::input
