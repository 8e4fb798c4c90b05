// SPDX-License-Identifier: Apache-2.0
// awry_fuzz_replay TARGET PATH...
//
// Feeds a fuzz body every file of the corpus, fixed mutations of them, and each file repeated to a megabyte,
// which must not take long. A single file is only run as it is: for what libFuzzer found.
#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <string>
#include <vector>

#include "awry/base/files.h"
#include "mutations.h"
#include "targets.h"

namespace awry::fuzz {
namespace {

constexpr std::uint64_t kMutations = 3000;
constexpr std::size_t kFloodBytes = 1 << 20;
// Of processor time. Bodies read a text up to a dozen times, sanitizers slow that down tenfold, and
// quadratic work would take minutes.
constexpr double kMostFloodSeconds = 20;

std::string g_input;  // for the signal handler

// The input that broke a property would be lost with the process.
void keep_input(int signal) {
  if (std::FILE* file = std::fopen("fuzz_failure.bin", "wb")) {
    std::fwrite(g_input.data(), 1, g_input.size(), file);
    std::fclose(file);
    std::fputs("the input is in fuzz_failure.bin\n", stderr);
  }
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void run(const Target& target, std::string input) {
  g_input = std::move(input);
  target.run(g_input);
}

bool survives_flood(const Target& target, const std::string& seed) {
  std::string flood;
  while (!seed.empty() && flood.size() < kFloodBytes) flood += seed;
  const std::clock_t begin = std::clock();
  run(target, std::move(flood));
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  if (seconds <= kMostFloodSeconds) return true;
  fmt::print(stderr, "a megabyte of '{}' takes {:.1f} s\n", seed, seconds);
  return false;
}

std::vector<std::string> read_seeds(const std::vector<std::string>& paths) {
  std::vector<std::filesystem::path> files;
  for (const std::string& path : paths) {
    if (!std::filesystem::is_directory(path)) {
      files.emplace_back(path);
      continue;
    }
    for (const auto& entry : std::filesystem::directory_iterator(path)) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  std::vector<std::string> seeds;
  for (const auto& file : files) seeds.push_back(value_or_throw(read_file(file)));
  return seeds;
}

int replay(const std::vector<std::string>& arguments) {
  const Target* target = arguments.size() >= 2 ? target_named(arguments[0]) : nullptr;
  if (!target) {
    fmt::print(stderr, "usage: awry_fuzz_replay TARGET PATH...\n");
    return 2;
  }
  std::signal(SIGABRT, keep_input);
  std::signal(SIGSEGV, keep_input);
  const std::vector<std::string> seeds = read_seeds({arguments.begin() + 1, arguments.end()});
  if (seeds.empty()) {
    fmt::print(stderr, "the corpus is empty\n");
    return 1;
  }
  for (const std::string& seed : seeds) run(*target, seed);
  if (seeds.size() == 1) return 0;
  for (std::uint64_t i = 0; i < kMutations; ++i) run(*target, mutation(seeds, i));
  bool fast = true;
  for (const std::string& seed : seeds) fast &= survives_flood(*target, seed);
  fmt::print("{}: {} files, {} mutations, {} floods\n", target->name, seeds.size(), kMutations, seeds.size());
  return fast ? 0 : 1;
}

}  // namespace
}  // namespace awry::fuzz

int main(int argc, char** argv) {
  try {
    return awry::fuzz::replay({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
