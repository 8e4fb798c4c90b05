// SPDX-License-Identifier: Apache-2.0
// Run: what was asked of whom, with which settings: enough to repeat it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "awry/records/unknown_fields.h"

namespace awry {

enum class RunStatus { kRunning, kFinished, kInterrupted };

struct Run {
  std::string id;  // "20260301T123005Z-demo": also the name of its folder
  std::string name;
  std::string protocol;
  std::string model;
  std::string digest;  // hash of everything that decides the result: equal digests resume each other
  std::vector<std::string> command;
  std::map<std::string, std::string> settings;
  std::uint64_t seed = 0;
  std::string awry_version;
  RunStatus status = RunStatus::kRunning;
  std::string started, finished;  // UTC
  UnknownFields unknown;
  bool operator==(const Run&) const = default;
};

}  // namespace awry
