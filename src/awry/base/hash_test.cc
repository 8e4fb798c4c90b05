// SPDX-License-Identifier: Apache-2.0
#include "awry/base/hash.h"

#include <gtest/gtest.h>

#include <bit>

#include "awry/base/files.h"

namespace awry {
namespace {

// The examples of FIPS 180-2.
constexpr const char* kHashOfAbc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
constexpr const char* kHashOfNothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

TEST(Sha256, MatchesThePublishedExamples) {
  EXPECT_EQ(sha256_hex("abc"), kHashOfAbc);
  EXPECT_EQ(sha256_hex(""), kHashOfNothing);
}

TEST(Sha256, OfAFileIsThatOfItsBytes) {
  const TemporaryFolder folder;
  const std::string bytes(700'000, 'q');
  ASSERT_TRUE(write_file(folder.path() / "f", bytes));
  EXPECT_EQ(sha256_hex_of_file(folder.path() / "f"), sha256_hex(bytes));
  EXPECT_EQ(sha256_hex_of_file(folder.path() / "none").error().kind, ErrorKind::kNotFound);
  EXPECT_FALSE(sha256_hex_of_file(folder.path())) << "a folder has no bytes";
}

TEST(FieldHasher, TellsWhereOneFieldEnds) {
  EXPECT_NE(FieldHasher().add("ab").add("c").hex(), FieldHasher().add("a").add("bc").hex());
  EXPECT_NE(FieldHasher().add("").hex(), FieldHasher().hex());
  EXPECT_EQ(FieldHasher().add("a").add(7).hex(), FieldHasher().add("a").add(7).hex());
}

TEST(StableHash64, SpreadsShortTexts) {
  EXPECT_GT(std::popcount(stable_hash64("a") ^ stable_hash64("b")), 16);
}

}  // namespace
}  // namespace awry
