// SPDX-License-Identifier: Apache-2.0
#include "mutations.h"

#include <string_view>

#include "awry/base/random.h"

namespace awry::fuzz {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kTokens[] = {
    "\""sv,      "'"sv,        "{"sv,      "}"sv,    "["sv,          "]"sv,       "{{"sv,       "("sv,
    "<"sv,       "</"sv,       ">"sv,      "**"sv,   "#"sv,          ":"sv,       ","sv,        "\\"sv,
    "\n"sv,      "\r\n"sv,     "\0"sv,     "\xff"sv, "\xe2\x80"sv,   "\u201c"sv,  "\u2013"sv,   "NaN"sv,
    "-inf"sv,    "1e999"sv,    "1e-999"sv, "-"sv,    "%"sv,          "/100"sv,    "```"sv,      "\\boxed{"sv,
    "<think>"sv, "</think>"sv, "none"sv,   " or "sv, "Reasoning:"sv, "\\ud800"sv, "[[[[[[[["sv, "null"sv};

void change(std::string& text, std::span<const std::string> seeds, RandomStream& random) {
  const std::size_t at = random.below(text.size() + 1);
  const std::size_t length = random.below(text.size() - at + 1);
  switch (random.below(6)) {
    case 0:
      text.resize(at);
      break;
    case 1:
      if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << random.below(8)));
      break;
    case 2:
      text.erase(at, length);
      break;
    case 3:
      text.insert(at, text.substr(at, length));
      break;
    case 4: {
      const std::string& other = random.pick(seeds);
      text = text.substr(0, at) + other.substr(random.below(other.size() + 1));
      break;
    }
    default:
      text.insert(at, kTokens[random.below(std::size(kTokens))]);
  }
}

}  // namespace

std::string mutation(std::span<const std::string> seeds, std::uint64_t index) {
  RandomStream random = RandomStream(1).fork(index);
  std::string text = random.pick(seeds);
  for (std::uint64_t changes = 1 + random.below(4); changes > 0; --changes) change(text, seeds, random);
  return text;
}

}  // namespace awry::fuzz
