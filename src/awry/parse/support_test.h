// SPDX-License-Identifier: Apache-2.0
// For the tests in this folder.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <string_view>

#include "awry/parse/parsed.h"

namespace awry::parse {

inline std::string repeated(std::string_view piece, std::size_t bytes) {
  std::string text;
  while (text.size() < bytes) text += piece;
  return text;
}

inline double seconds(const auto& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
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
