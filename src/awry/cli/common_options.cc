// SPDX-License-Identifier: Apache-2.0
#include "awry/cli/common_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "awry/base/text.h"

namespace awry::cli {

void declare_talk(OptionSet& set, TalkOptions& talk) {
  const std::string group = "Talk and configuration";
  set.flag(talk.quiet, "quiet", {.letter = 'q', .help = "Say nothing but errors.", .group = group});
  set.flag(talk.verbose, "verbose", {.letter = 'v', .help = "Say more.", .group = group});
  set.choice<ColourChoice>(
      talk.colour, "colour",
      {{"auto", ColourChoice::kAuto}, {"always", ColourChoice::kAlways}, {"never", ColourChoice::kNever}},
      {.also = "color",
       .help = "Colours on the terminal; auto respects NO_COLOR and CLICOLOR_FORCE.",
       .group = group});
  set.value(talk.config, "config",
            {.letter = 'c',
             .placeholder = "FILE",
             .help = "Configuration to use instead of the nearest awry.toml.",
             .group = group,
             .in_files = false});
}

void declare_json(OptionSet& set, bool& json) {
  set.flag(json, "json", {.help = "Print JSON on stdout instead of text for people."});
}

void declare_output(OptionSet& set, std::filesystem::path& output, std::vector<std::string> endings) {
  set.value(output, "output",
            {.letter = 'o',
             .placeholder = "FILE",
             .help = fmt::format("Write the result to FILE; its ending chooses the format: {}.",
                                 join(endings, ", ")),
             .endings = endings});
}

void declare_seed(OptionSet& set, std::uint64_t& seed) {
  set.value(seed, "seed",
            {.placeholder = "N", .help = "Start of all randomness; the same seed gives the same result."});
}

void declare_jobs(OptionSet& set, int& jobs) {
  set.value(jobs, "jobs",
            {.letter = 'j',
             .placeholder = "N",
             .help = "How many samples to work on at once; 0 means all cores.",
             .default_text = jobs == 0 ? "all cores" : "",
             .minimum = 0,
             .maximum = 1024});
}

void declare_dry_run(OptionSet& set, bool& dry_run) {
  set.flag(dry_run, "dry-run", {.help = "Say what would be done, and do nothing."});
}

void declare_runs_folder(OptionSet& set, std::filesystem::path& runs) {
  set.value(runs, "runs", {.placeholder = "FOLDER", .help = "Where runs are kept."});
}

int job_count(int jobs) {
  return jobs > 0 ? jobs : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

std::pair<std::size_t, std::size_t> Limit::range_of(std::size_t total) const {
  switch (kind) {
    case Kind::kAll:
      return {0, total};
    case Kind::kCount:
      return {0, std::min(last, total)};
    case Kind::kShare: {
      const auto wanted = static_cast<std::size_t>(std::ceil(share * static_cast<double>(total) - 1e-9));
      return {0, std::min(std::max<std::size_t>(wanted, 1), total)};
    }
    case Kind::kRange:
      return {std::min(first - 1, total), std::min(last, total)};
  }
  return {0, total};
}

Result<void> parse_value(std::string_view text, Limit& limit) {
  const auto positive = [](std::string_view part) -> std::size_t {
    const auto number = parse_integer(part);
    return number && *number > 0 ? static_cast<std::size_t>(*number) : 0;
  };
  if (text == "all") {
    limit = {};
    return {};
  }
  if (const std::size_t count = positive(text); count > 0) {
    limit = {.kind = Limit::Kind::kCount, .last = count};
    return {};
  }
  if (const std::size_t dash = text.find('-'); dash != std::string_view::npos) {
    const std::size_t first = positive(text.substr(0, dash)), last = positive(text.substr(dash + 1));
    if (first > 0 && last >= first) {
      limit = {.kind = Limit::Kind::kRange, .first = first, .last = last};
      return {};
    }
  }
  const bool percent = text.ends_with('%');
  if (const auto number = parse_double(percent ? text.substr(0, text.size() - 1) : text)) {
    const double share = percent ? *number / 100 : *number;
    // "1.0" is a share too; "1" was a count.
    if (share > 0 && share <= 1) {
      limit = {.kind = Limit::Kind::kShare, .share = share};
      return {};
    }
  }
  return fail({.kind = ErrorKind::kUsage,
               .why = "a count (50), a share (0.1 or 10%), a range (20-40) or 'all' is wanted"});
}

std::string format_value(const Limit& limit) {
  switch (limit.kind) {
    case Limit::Kind::kAll:
      return "all";
    case Limit::Kind::kCount:
      return fmt::format("{}", limit.last);
    case Limit::Kind::kShare:
      return fmt::format("{}%", limit.share * 100);
    case Limit::Kind::kRange:
      return fmt::format("{}-{}", limit.first, limit.last);
  }
  return "";
}

void declare_limit(OptionSet& set, Limit& limit) {
  set.value(limit, "limit",
            {.letter = 'n',
             .placeholder = "N",
             .help = "Only the first N samples; also a share (10%) or a range (20-40)."});
}

}  // namespace awry::cli
