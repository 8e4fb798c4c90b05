// SPDX-License-Identifier: Apache-2.0
// For the tests in this folder.
#pragma once

#include <gtest/gtest.h>

#include <ctime>
#include <string>
#include <string_view>

#include "awry/parse/parsed.h"

namespace awry::parse {

inline std::string repeated(std::string_view piece, std::size_t bytes) {
  std::string text;
  while (text.size() < bytes) text += piece;
  return text;
}

// Of processor time: a busy machine must not fail a test.
inline double seconds(const auto& work) {
  const std::clock_t begin = std::clock();
  work();
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

// Why a Result failed; "read" when it did not.
std::string why(const auto& result) {
  return result ? std::string("read") : result.error().why;
}

inline bool mentions(const std::vector<std::string>& notes, std::string_view part) {
  for (const std::string& note : notes) {
    if (note.find(part) != std::string::npos) return true;
  }
  return false;
}

}  // namespace awry::parse
