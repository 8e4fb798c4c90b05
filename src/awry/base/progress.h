// SPDX-License-Identifier: Apache-2.0
// Progress on stderr: a live bar on a terminal, one plain line at intervals elsewhere, nothing with -q.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <mutex>
#include <string>
#include <string_view>

namespace awry {

enum class ProgressStyle { kSilent, kLines, kBar };

// kSilent when quiet; else kBar when stderr is a terminal that can move its cursor, kLines otherwise.
ProgressStyle progress_style_for_stderr(bool quiet);

struct ProgressOptions {
  ProgressStyle style = ProgressStyle::kSilent;
  std::chrono::milliseconds bar_interval{100};
  std::chrono::milliseconds line_interval{10'000};
  std::FILE* stream = stderr;
};

// Thread-safe. Prints a closing line when finished or destroyed.
class Progress {
 public:
  Progress(std::string label, std::size_t total, ProgressOptions options);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void add(std::size_t done = 1);
  void set_note(std::string note);  // "3 errors, $0.12": shown at the end of the line
  void finish();

  // "inspect  42/100  42%  12.3/s  4s left" — what a line says, separated for tests.
  static std::string describe(std::string_view label, std::size_t done, std::size_t total,
                              std::chrono::duration<double> elapsed, std::string_view note);

 private:
  void draw_locked(bool last);

  std::mutex mutex_;
  std::string label_, note_;
  std::size_t done_ = 0, total_;
  ProgressOptions options_;
  std::chrono::steady_clock::time_point start_, last_drawn_;
  bool finished_ = false;
};

// "4s", "3m20s", "2h05m"
std::string human_duration(std::chrono::duration<double> duration);

}  // namespace awry
