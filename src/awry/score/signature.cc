// SPDX-License-Identifier: Apache-2.0
#include "awry/score/signature.h"

#include <fmt/format.h>

#include <algorithm>

namespace awry::score {
namespace {

std::string without_separators(std::string_view text) {
  std::string clean(text);
  std::replace_if(
      clean.begin(), clean.end(), [](char c) { return c == '|' || c == ':' || c == '\n' || c == '\r'; }, '_');
  return clean;
}

}  // namespace

Signature& Signature::set(std::string_view key, std::string_view value) {
  const auto field =
      std::find_if(fields_.begin(), fields_.end(), [&](const auto& f) { return f.first == key; });
  if (field == fields_.end()) {
    fields_.emplace_back(key, value);
  } else {
    field->second = value;
  }
  return *this;
}

Signature& Signature::set(std::string_view key, double value) {
  return set(key, fmt::format("{}", value));
}

Signature& Signature::set(std::string_view key, int value) {
  return set(key, fmt::format("{}", value));
}

Signature Signature::with(std::string_view key, std::string_view value) const {
  Signature copy = *this;
  copy.set(key, value);
  return copy;
}

std::string Signature::text() const {
  std::string text = without_separators(name_);
  for (const auto& [key, value] : fields_) {
    text += fmt::format("|{}:{}", without_separators(key), without_separators(value));
  }
  return text + fmt::format("|v:{}", kMetricVersion);
}

}  // namespace awry::score
