// SPDX-License-Identifier: Apache-2.0
// Where in an image something is. Coordinates are pixels of the decoded, upright image, origin top left.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace awry {

struct WholeImage {
  bool operator==(const WholeImage&) const = default;
};

struct Box {
  double x = 0, y = 0, width = 0, height = 0;
  bool operator==(const Box&) const = default;
};

// COCO run lengths: column-major, alternating, zeros first. imaging/mask.h converts to and from pixels.
struct Mask {
  int width = 0, height = 0;
  std::vector<std::uint32_t> runs;
  bool operator==(const Mask&) const = default;
};

// Cells of a grid laid over the image, numbered row by row from 1, sorted, without repeats.
struct BlockSet {
  int rows = 0, columns = 0;
  std::vector<int> blocks;
  bool operator==(const BlockSet&) const = default;
};

// Row-major 3x3: where a point of the first image lies in the second.
using Transform = std::array<double, 9>;

// Two images, or two places in one image, that share content.
struct Pair {
  int first_image = 0, second_image = 1;
  std::optional<Mask> in_first, in_second;     // the shared content in each
  std::optional<Transform> second_from_first;  // recovered or planted
  std::vector<std::string> operations;         // "rotation", "horizontal_flip", "brightness"
  bool operator==(const Pair&) const = default;
};

// A place in the words around the image rather than in its pixels.
struct TextSpan {
  std::string part;      // "caption", "related_sentences"
  std::string sentence;  // the words themselves
  bool operator==(const TextSpan&) const = default;
};

using Where = std::variant<WholeImage, Box, Mask, BlockSet, Pair, TextSpan>;

}  // namespace awry
