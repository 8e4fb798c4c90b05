// SPDX-License-Identifier: Apache-2.0
// Other people's programs on a short leash: how awry reads PDFs and the words in pictures.
//
// No shell, no input, an almost empty environment, a folder of its own; processor time, memory, file sizes
// and output are limited, and the whole process group is killed when its time is up. A file that makes the
// program loop, swell or crash costs an error and nothing more.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "awry/base/result.h"

namespace awry::reading {

struct ProcessLimits {
  std::chrono::milliseconds time{60'000};    // on the wall; processor time is limited to as much
  std::uint64_t memory_bytes = 2ULL << 30;   // of address space
  std::uint64_t file_bytes = 256ULL << 20;   // of each file it writes
  std::uint64_t output_bytes = 64ULL << 20;  // of stdout; what stderr says is cut off silently
};

struct LimitedProcess {
  std::string program;  // a name on PATH, or a path
  std::vector<std::string> arguments;
  std::filesystem::path folder;  // where it works, and its HOME and TMPDIR
  ProcessLimits limits;
  std::string package;  // the Debian package that brings the program: for the hint when it is missing
};

struct ProcessOutput {
  int exit_code = 0;
  std::string out, err;
};

// A program that cannot be found, is killed by a signal, or exceeds a limit is an error. One that ends by
// itself is none, whatever its exit code.
Result<ProcessOutput> run_limited(const LimitedProcess& process);

// The executable that PATH leads to.
std::optional<std::filesystem::path> find_program(std::string_view name);

}  // namespace awry::reading
