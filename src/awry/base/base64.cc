// SPDX-License-Identifier: Apache-2.0
#include "awry/base/base64.h"

#include <array>
#include <cstdint>
#include <cstring>

namespace awry {
namespace {

constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// Two digits for every twelve bits: pictures of many megabytes are written with every question.
constexpr auto kPairs = [] {
  std::array<std::array<char, 2>, 4096> pairs{};
  for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i] = {kDigits[i >> 6], kDigits[i & 63]};
  return pairs;
}();

int sextet(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+' || c == '-') return 62;
  if (c == '/' || c == '_') return 63;
  return -1;
}

}  // namespace

void append_base64(std::string& out, std::string_view bytes) {
  const auto* in = reinterpret_cast<const unsigned char*>(bytes.data());
  const std::size_t whole = bytes.size() / 3, left = bytes.size() % 3, start = out.size();
  out.resize(start + (bytes.size() + 2) / 3 * 4, '=');
  char* to = out.data() + start;
  for (std::size_t i = 0; i < whole; ++i, in += 3, to += 4) {
    const unsigned three = unsigned{in[0]} << 16 | unsigned{in[1]} << 8 | in[2];
    std::memcpy(to, &kPairs[three >> 12], 2);
    std::memcpy(to + 2, &kPairs[three & 4095], 2);
  }
  if (left == 0) return;
  to[0] = kDigits[in[0] >> 2];
  to[1] = kDigits[(in[0] & 3) << 4 | (left == 2 ? in[1] >> 4 : 0)];
  if (left == 2) to[2] = kDigits[(in[1] & 15) << 2];
}

std::optional<std::string> decode_base64(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  std::uint32_t gathered = 0;
  int bits = 0;
  std::size_t letters = 0;
  bool padded = false;
  for (const char c : text) {
    if (c == '\n' || c == '\r') continue;
    if (c == '=') {
      padded = true;
      continue;
    }
    const int value = sextet(c);
    if (value < 0 || padded) return std::nullopt;
    ++letters;
    gathered = (gathered << 6) | static_cast<std::uint32_t>(value);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>((gathered >> bits) & 0xff);
  }
  if (letters % 4 == 1) return std::nullopt;
  return bytes;
}

}  // namespace awry
