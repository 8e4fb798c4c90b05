// SPDX-License-Identifier: Apache-2.0
#include "awry/input/page_furniture.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

namespace awry::input {
namespace {

constexpr double kEdgeShare = 0.15;  // of the page, at its top and at its foot
constexpr double kSameHeight = 3;    // points
// Left and right pages differ, and so do chapters; titles of plots stand at the top of a few pages too.
constexpr int kLeastPages = 3;
constexpr double kLeastShare = 0.1;

using Words = std::pair<std::string, int>;  // without numbers, and how high on the page

bool at_the_edge(const TextLine& line, const PdfPage& page) {
  return line.box.y + line.box.height < kEdgeShare * page.height ||
         line.box.y > (1 - kEdgeShare) * page.height;
}

Words words_of(const TextLine& line) {
  std::string text;
  for (const char c : line.text) {
    if ((c < '0' || c > '9') && c != ' ') text += c;
  }
  return {std::move(text), static_cast<int>(std::lround(line.box.y / kSameHeight))};
}

}  // namespace

void set_furniture_aside(std::vector<PdfPage>& pages) {
  std::map<Words, int> seen;
  for (const PdfPage& page : pages) {
    std::map<Words, int> here;
    for (const TextBlock& block : page.blocks) {
      for (const TextLine& line : block.lines) {
        if (at_the_edge(line, page)) here[words_of(line)] = 1;
      }
    }
    for (const auto& [words, once] : here) seen[words] += once;
  }
  const int least = std::max(kLeastPages, static_cast<int>(kLeastShare * static_cast<double>(pages.size())));
  for (PdfPage& page : pages) {
    for (TextBlock& block : page.blocks) {
      std::erase_if(block.lines, [&](const TextLine& line) {
        if (!at_the_edge(line, page) || seen[words_of(line)] < least) return false;
        page.furniture.push_back(line.box);
        return true;
      });
    }
    std::erase_if(page.blocks, [](const TextBlock& block) { return block.lines.empty(); });
  }
}

}  // namespace awry::input
