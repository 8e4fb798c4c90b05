// SPDX-License-Identifier: Apache-2.0
#include "awry/base/base64.h"

#include <array>
#include <cstdint>
#include <cstring>

#if defined(__x86_64__)
#include <tmmintrin.h>
#endif

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

#if defined(__x86_64__)
// Twelve bytes to sixteen digits at a time, as far as sixteen bytes can be read; returns how many were taken.
// Digits lie in five runs of the alphabet, so a digit is its sextet and the distance of its run.
__attribute__((target("ssse3"))) std::size_t encode_by_twelves(const unsigned char* in, std::size_t size,
                                                               char* to) {
  const __m128i triples = _mm_setr_epi8(1, 0, 2, 1, 4, 3, 5, 4, 7, 6, 8, 7, 10, 9, 11, 10);
  // For 0: a-z. 1 to 10: the digits 52 to 61. 11 and 12: + and /. 13: A-Z.
  const __m128i distances =
      _mm_setr_epi8('a' - 26, '0' - 52, '0' - 52, '0' - 52, '0' - 52, '0' - 52, '0' - 52, '0' - 52, '0' - 52,
                    '0' - 52, '0' - 52, '+' - 62, '/' - 63, 'A', 0, 0);
  std::size_t taken = 0;
  for (; taken + 16 <= size; taken += 12, to += 16) {
    __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(in + taken));
    bytes = _mm_shuffle_epi8(bytes, triples);
    // Multiplications shift each sextet into a byte of its own.
    const __m128i outer =
        _mm_mulhi_epu16(_mm_and_si128(bytes, _mm_set1_epi32(0x0fc0fc00)), _mm_set1_epi32(0x04000040));
    const __m128i inner =
        _mm_mullo_epi16(_mm_and_si128(bytes, _mm_set1_epi32(0x003f03f0)), _mm_set1_epi32(0x01000010));
    const __m128i sextets = _mm_or_si128(outer, inner);
    const __m128i beyond_letters = _mm_subs_epu8(sextets, _mm_set1_epi8(51));
    const __m128i is_upper = _mm_cmpgt_epi8(_mm_set1_epi8(26), sextets);
    const __m128i run = _mm_or_si128(beyond_letters, _mm_and_si128(is_upper, _mm_set1_epi8(13)));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm_add_epi8(sextets, _mm_shuffle_epi8(distances, run)));
  }
  return taken;
}

std::size_t encode_many(const unsigned char* in, std::size_t size, char* to) {
  static const bool can_shuffle = __builtin_cpu_supports("ssse3");
  return can_shuffle ? encode_by_twelves(in, size, to) : 0;
}
#else
std::size_t encode_many(const unsigned char*, std::size_t, char*) {
  return 0;
}
#endif

// All of `bytes` as digits, padded to whole groups of four.
void write_digits(std::string_view bytes, char* to) {
  const auto* in = reinterpret_cast<const unsigned char*>(bytes.data());
  const std::size_t taken = encode_many(in, bytes.size(), to);
  in += taken;
  to += taken / 3 * 4;
  const std::size_t whole = (bytes.size() - taken) / 3, left = (bytes.size() - taken) % 3;
  for (std::size_t i = 0; i < whole; ++i, in += 3, to += 4) {
    const unsigned three = unsigned{in[0]} << 16 | unsigned{in[1]} << 8 | in[2];
    std::memcpy(to, &kPairs[three >> 12], 2);
    std::memcpy(to + 2, &kPairs[three & 4095], 2);
  }
  if (left == 0) return;
  to[0] = kDigits[in[0] >> 2];
  to[1] = kDigits[(in[0] & 3) << 4 | (left == 2 ? in[1] >> 4 : 0)];
  to[2] = left == 2 ? kDigits[(in[1] & 15) << 2] : '=';
  to[3] = '=';
}

}  // namespace

void append_base64(std::string& out, std::string_view bytes) {
  const std::size_t start = out.size();
  const std::size_t end = start + (bytes.size() + 2) / 3 * 4;
  // Megabytes are not worth clearing before they are written.
  out.resize_and_overwrite(end, [&](char* text, std::size_t) {
    write_digits(bytes, text + start);
    return end;
  });
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
