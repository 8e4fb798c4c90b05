// SPDX-License-Identifier: Apache-2.0
// A metric signature says how a number came about, so that two equal signatures mean comparable numbers:
//   themis/id|task:smf-il|metric:accuracy|missing:wrong|v:0.1.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace awry::score {

inline constexpr std::string_view kMetricVersion = "0.1.0";

// Fields appear in the order they were first set; setting one again replaces its value in place.
class Signature {
 public:
  explicit Signature(std::string_view name) : name_(name) {}

  Signature& set(std::string_view key, std::string_view value);
  Signature& set(std::string_view key, double value);  // shortest text that reads back as the same number
  Signature& set(std::string_view key, int value);

  // A copy with one more field: for families of metrics that share most of their signature.
  Signature with(std::string_view key, std::string_view value) const;

  // `|`, `:` and line breaks inside names and values become `_`; the version comes last.
  std::string text() const;

 private:
  std::string name_;
  std::vector<std::pair<std::string, std::string>> fields_;
};

}  // namespace awry::score
