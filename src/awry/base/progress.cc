// SPDX-License-Identifier: Apache-2.0
#include "awry/base/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "awry/base/text.h"

namespace awry {
namespace {

constexpr int kBarColumns = 24;

int terminal_columns() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

std::string bar(std::size_t done, std::size_t total) {
  const double share =
      total == 0 ? 1.0 : std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
  const int filled = static_cast<int>(std::floor(share * kBarColumns));
  return "[" + std::string(static_cast<std::size_t>(filled), '#') +
         std::string(static_cast<std::size_t>(kBarColumns - filled), '.') + "] ";
}

}  // namespace

ProgressStyle progress_style_for_stderr(bool quiet) {
  if (quiet) return ProgressStyle::kSilent;
  const char* terminal = std::getenv("TERM");
  const bool dumb = terminal == nullptr || std::string_view(terminal) == "dumb";
  return ::isatty(STDERR_FILENO) != 0 && !dumb && std::getenv("CI") == nullptr ? ProgressStyle::kBar
                                                                               : ProgressStyle::kLines;
}

std::string human_duration(std::chrono::duration<double> duration) {
  const double clamped = std::clamp(duration.count(), 0.0, 3.6e7);
  const auto seconds = static_cast<long long>(std::llround(clamped));
  if (seconds < 60) return fmt::format("{}s", seconds);
  if (seconds < 3600) return fmt::format("{}m{:02}s", seconds / 60, seconds % 60);
  return fmt::format("{}h{:02}m", seconds / 3600, seconds % 3600 / 60);
}

std::string Progress::describe(std::string_view label, std::size_t done, std::size_t total,
                               std::chrono::duration<double> elapsed, std::string_view note) {
  std::string line = fmt::format("{}  {}/{}", label, done, total);
  if (total > 0) line += fmt::format("  {}%", done * 100 / total);
  if (done > 0 && elapsed.count() > 0) {
    const double rate = static_cast<double>(done) / elapsed.count();
    line += rate >= 1 ? fmt::format("  {:.1f}/s", rate) : fmt::format("  {:.1f}s each", 1 / rate);
    if (done < total) {
      const std::chrono::duration<double> left(static_cast<double>(total - done) / rate);
      line += fmt::format("  {} left", human_duration(left));
    } else {
      line += fmt::format("  in {}", human_duration(elapsed));
    }
  }
  if (!note.empty()) line += fmt::format("  {}", note);
  return line;
}

Progress::Progress(std::string label, std::size_t total, ProgressOptions options)
    : label_(std::move(label)),
      total_(total),
      options_(options),
      start_(std::chrono::steady_clock::now()),
      last_drawn_(start_) {
  if (options_.style == ProgressStyle::kBar) draw_locked(false);
}

Progress::~Progress() {
  finish();
}

void Progress::add(std::size_t done) {
  const std::lock_guard lock(mutex_);
  done_ += done;
  const auto interval =
      options_.style == ProgressStyle::kBar ? options_.bar_interval : options_.line_interval;
  if (std::chrono::steady_clock::now() - last_drawn_ >= interval) draw_locked(false);
}

void Progress::set_note(std::string note) {
  {
    const std::lock_guard lock(mutex_);
    if (finished_) return;
    note_ = std::move(note);
  }
  add(0);  // draws when it is time to: where one answer takes minutes, the note is all that moves
}

void Progress::finish() {
  const std::lock_guard lock(mutex_);
  if (std::exchange(finished_, true)) return;
  draw_locked(true);
}

void Progress::draw_locked(bool last) {
  if (options_.style == ProgressStyle::kSilent) return;
  last_drawn_ = std::chrono::steady_clock::now();
  const std::string text = describe(label_, done_, total_, last_drawn_ - start_, note_);
  if (options_.style == ProgressStyle::kLines) {
    fmt::print(options_.stream, "{}\n", text);
  } else {
    // Return, clear to the end of the line, draw: a shorter text leaves nothing of a longer one behind.
    // Where both have no room, the words say more than the bar.
    const int columns = terminal_columns() - 1;
    const bool has_room = static_cast<int>(text.size()) + kBarColumns + 3 <= columns;
    fmt::print(options_.stream, "\r\x1b[K{}", shorten(has_room ? bar(done_, total_) + text : text, columns));
    if (last) fmt::print(options_.stream, "\n");
  }
  std::fflush(options_.stream);
}

}  // namespace awry
