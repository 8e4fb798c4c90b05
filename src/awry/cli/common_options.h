// SPDX-License-Identifier: Apache-2.0
// Options that several commands share: the same name, letter and meaning everywhere.
//
// A command takes those it can honour, one line each, into fields of its own options struct. Every command
// has the talk options without asking.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "awry/cli/options.h"

namespace awry::cli {

enum class ColourChoice { kAuto, kAlways, kNever };

struct TalkOptions {
  bool quiet = false;
  bool verbose = false;
  ColourChoice colour = ColourChoice::kAuto;
  std::filesystem::path config;
};
void declare_talk(OptionSet& set, TalkOptions& talk);

void declare_json(OptionSet& set, bool& json);                      // --json
void declare_output(OptionSet& set, std::filesystem::path& output,  // -o; format by file ending
                    std::vector<std::string> endings = {".json", ".jsonl", ".csv", ".md", ".txt"});
void declare_seed(OptionSet& set, std::uint64_t& seed);                 // --seed
void declare_jobs(OptionSet& set, int& jobs);                           // -j; 0: all cores
void declare_dry_run(OptionSet& set, bool& dry_run);                    // --dry-run
void declare_runs_folder(OptionSet& set, std::filesystem::path& runs);  // --runs

int job_count(int jobs);  // what 0 means on this machine

// Which of many samples to take: all, the first N, a leading share, or a range counted from 1.
struct Limit {
  enum class Kind { kAll, kCount, kShare, kRange };
  Kind kind = Kind::kAll;
  std::size_t first = 1, last = 0;  // kCount uses `last`; kRange both, included
  double share = 1;

  // The half-open range of indices, from 0, out of `total`. A share takes at least one of a non-empty set.
  std::pair<std::size_t, std::size_t> range_of(std::size_t total) const;
  bool operator==(const Limit&) const = default;
};
Result<void> parse_value(std::string_view text, Limit& limit);  // 50, 0.1, 10%, 20-40
std::string format_value(const Limit& limit);
void declare_limit(OptionSet& set, Limit& limit);  // -n

}  // namespace awry::cli
