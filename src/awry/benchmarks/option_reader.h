// SPDX-License-Identifier: Apache-2.0
// Turns ProtocolOptions into a protocol's own options struct, and refuses what nobody knows.
//
//   OptionReader read("themis", options);
//   parsed.repair = read.flag("repair", false);
//   AWRY_TRY(read.finish());
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "awry/base/result.h"
#include "awry/benchmarks/protocol.h"

namespace awry::benchmarks {

class OptionReader {
 public:
  OptionReader(std::string_view protocol, const ProtocolOptions& options)
      : protocol_(protocol), options_(options) {}

  bool flag(std::string_view name, bool otherwise);  // true|false|yes|no|1|0
  std::string text(std::string_view name, std::string_view otherwise);
  std::string choice(std::string_view name,
                     std::span<const std::string_view> allowed);  // the first is default
  long long count(std::string_view name, long long otherwise);    // 0 or more
  double number(std::string_view name, double otherwise);

  // The first wrong value, or the first name that was never asked for.
  Result<void> finish() const;

 private:
  std::optional<std::string_view> find(std::string_view name);
  void refuse(std::string_view name, std::string_view value, std::string wanted);

  std::string_view protocol_;
  const ProtocolOptions& options_;
  std::vector<std::string> known_;
  std::optional<Error> first_error_;
};

}  // namespace awry::benchmarks
