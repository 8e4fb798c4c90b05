// SPDX-License-Identifier: Apache-2.0
// SHA-1 as git uses it: to tell files apart, not to keep secrets.
#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstring>

#include "awry/inspectors/networks/fetch_model.h"

namespace awry::inspectors::networks {
namespace {

using State = std::array<std::uint32_t, 5>;

void mix_block(State& state, const char* block) {
  std::array<std::uint32_t, 80> words{};
  for (std::size_t i = 0; i < 16; ++i) {
    std::uint32_t word = 0;
    std::memcpy(&word, block + 4 * i, 4);
    words[i] = __builtin_bswap32(word);
  }
  for (std::size_t i = 16; i < 80; ++i) {
    words[i] = std::rotl(words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], 1);
  }
  auto [a, b, c, d, e] = state;
  for (std::size_t i = 0; i < 80; ++i) {
    const std::uint32_t chosen = i < 20   ? (b & c) | (~b & d)
                                 : i < 40 ? b ^ c ^ d
                                 : i < 60 ? (b & c) | (b & d) | (c & d)
                                          : b ^ c ^ d;
    constexpr std::uint32_t kRounds[] = {0x5A827999, 0x6ED9EBA1, 0x8F1BBCDC, 0xCA62C1D6};
    const std::uint32_t next = std::rotl(a, 5) + chosen + e + kRounds[i / 20] + words[i];
    e = d, d = c, c = std::rotl(b, 30), b = a, a = next;
  }
  state[0] += a, state[1] += b, state[2] += c, state[3] += d, state[4] += e;
}

}  // namespace

std::string git_blob_hash(std::string_view content) {
  std::string text = fmt::format("blob {}", content.size());
  text.push_back('\0');
  text += content;
  const std::uint64_t bits = __builtin_bswap64(text.size() * 8);
  text.push_back('\x80');
  while (text.size() % 64 != 56) text.push_back('\0');
  text.append(reinterpret_cast<const char*>(&bits), 8);
  State state = {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0};
  for (std::size_t at = 0; at < text.size(); at += 64) mix_block(state, text.data() + at);
  return fmt::format("{:08x}{:08x}{:08x}{:08x}{:08x}", state[0], state[1], state[2], state[3], state[4]);
}

}  // namespace awry::inspectors::networks
