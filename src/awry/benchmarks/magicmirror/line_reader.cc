// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/magicmirror/line_reader.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

namespace awry::benchmarks::magicmirror {
namespace {

constexpr std::size_t kBlock = 1 << 20;  // small enough to stay in the processor's cache

}  // namespace

Result<LineReader> LineReader::open(const std::filesystem::path& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  const auto cannot = [&](ErrorKind kind, std::string why) {
    return fail({.kind = kind, .what = "cannot read rows", .input = path.string(), .why = std::move(why)});
  };
  if (!std::filesystem::exists(status)) return cannot(ErrorKind::kNotFound, "there is no such file");
  if (std::filesystem::is_directory(status)) return cannot(ErrorKind::kInvalid, "it is a folder");
  std::FILE* stream = std::fopen(path.c_str(), "rb");
  if (stream == nullptr) return cannot(ErrorKind::kIo, std::strerror(errno));
  return LineReader(path.string(), stream);
}

LineReader::LineReader(std::string file, std::FILE* stream)
    : file_(std::move(file)), stream_(stream), buffer_(2 * kBlock + kPadding) {
  std::setvbuf(stream, nullptr, _IONBF, 0);  // the blocks are ours
}

// Moves the unfinished line to the front and reads another block behind it.
Result<void> LineReader::refill() {
  std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  if (end_ > kLongestLine) {
    return fail({.kind = ErrorKind::kLimit,
                 .what = "cannot read rows",
                 .input = file_,
                 .why = fmt::format("line {} is longer than {} MiB", line_ + 1, kLongestLine >> 20)});
  }
  if (buffer_.size() < end_ + kBlock + kPadding) buffer_.resize(2 * buffer_.size());
  const std::size_t read = std::fread(buffer_.data() + end_, 1, kBlock, stream_.get());
  if (read == 0 && std::ferror(stream_.get()) != 0) {
    return fail(
        {.kind = ErrorKind::kIo, .what = "cannot read rows", .input = file_, .why = std::strerror(errno)});
  }
  at_end_of_file_ = read == 0;
  end_ += read;
  return {};
}

Result<std::optional<std::string_view>> LineReader::next() {
  for (;;) {
    const char* from = buffer_.data() + begin_ + searched_;
    const auto* found = static_cast<const char*>(std::memchr(from, '\n', end_ - begin_ - searched_));
    if (found == nullptr && !at_end_of_file_) {
      searched_ = end_ - begin_;
      AWRY_TRY(refill());
      continue;
    }
    if (found == nullptr && begin_ == end_) return std::nullopt;
    const std::size_t stop = found == nullptr ? end_ : static_cast<std::size_t>(found - buffer_.data());
    std::string_view text(buffer_.data() + begin_, stop - begin_);
    begin_ = found == nullptr ? end_ : stop + 1;
    searched_ = 0;
    ++line_;
    if (text.ends_with('\r')) text.remove_suffix(1);
    return text;
  }
}

}  // namespace awry::benchmarks::magicmirror
