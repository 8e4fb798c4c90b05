// SPDX-License-Identifier: Apache-2.0
#include "awry/base/base64.h"

#include <gtest/gtest.h>

#include <string>

#include "awry/base/random.h"

namespace awry {
namespace {

std::string encoded(std::string_view bytes) {
  std::string out;
  append_base64(out, bytes);
  return out;
}

// The examples of RFC 4648.
TEST(Base64, EncodesThePublishedExamples) {
  EXPECT_EQ(encoded(""), "");
  EXPECT_EQ(encoded("f"), "Zg==");
  EXPECT_EQ(encoded("fo"), "Zm8=");
  EXPECT_EQ(encoded("foo"), "Zm9v");
  EXPECT_EQ(encoded("foob"), "Zm9vYg==");
  EXPECT_EQ(encoded("fooba"), "Zm9vYmE=");
  EXPECT_EQ(encoded("foobar"), "Zm9vYmFy");
}

// Every sextet in every place of a long text, where many bytes are written at once.
TEST(Base64, LongTextsUseTheWholeAlphabet) {
  const std::string alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (std::size_t shift = 0; shift < 64; ++shift) {
    std::string digits;
    for (std::size_t i = 0; i < 256; ++i) digits += alphabet[(i * 5 + shift) % 64];
    const auto bytes = decode_base64(digits);
    ASSERT_TRUE(bytes);
    ASSERT_EQ(bytes->size(), 192u);
    EXPECT_EQ(encoded(*bytes), digits);
  }
}

TEST(Base64, DecodesWhatItEncodesAtEveryLength) {
  RandomStream random(5);
  for (std::size_t length = 0; length < 200; ++length) {
    std::string bytes(length, '\0');
    for (char& c : bytes) c = static_cast<char>(random.below(256));
    std::string out = "before";
    append_base64(out, bytes);
    ASSERT_EQ(out.size(), 6 + (length + 2) / 3 * 4);
    EXPECT_EQ(out.substr(0, 6), "before");
    EXPECT_EQ(decode_base64(out.substr(6)), bytes) << length;
  }
}

}  // namespace
}  // namespace awry
