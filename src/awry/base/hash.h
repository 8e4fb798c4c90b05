// SPDX-License-Identifier: Apache-2.0
// Content hashing: what makes a cached reply belong to exactly these bytes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "awry/base/result.h"

namespace awry {

std::string sha256_hex(std::string_view bytes);
Result<std::string> sha256_hex_of_file(const std::filesystem::path& path);

// Hashes several fields so that ("ab","c") and ("a","bc") differ: each field is preceded by its length.
class FieldHasher {
 public:
  FieldHasher();
  ~FieldHasher();
  FieldHasher(FieldHasher&&) noexcept;
  FieldHasher& operator=(FieldHasher&&) noexcept;

  FieldHasher& add(std::string_view field);
  FieldHasher& add(std::uint64_t number);
  std::string hex();  // finishes; add nothing afterwards

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Fast, not cryptographic: for seeds and hash tables, stable across versions and machines.
std::uint64_t stable_hash64(std::string_view bytes);

}  // namespace awry
