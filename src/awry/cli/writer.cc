// SPDX-License-Identifier: Apache-2.0
#include "awry/cli/writer.h"

#include <cerrno>
#include <system_error>
#include <vector>

#include "awry/base/text.h"

namespace awry::cli {

namespace {

std::string_view code_of(Tone tone) {
  switch (tone) {
    case Tone::kPlain:
      return "";
    case Tone::kStrong:
      return "\x1b[1m";
    case Tone::kDim:
      return "\x1b[2m";
    case Tone::kGood:
      return "\x1b[32m";
    case Tone::kWarning:
      return "\x1b[33m";
    case Tone::kBad:
      return "\x1b[31m";
  }
  return "";
}

}  // namespace

std::string painted(Tone tone, std::string_view text, bool colour) {
  if (!colour || tone == Tone::kPlain || text.empty()) return std::string(text);
  return fmt::format("{}{}\x1b[0m", code_of(tone), text);
}

std::string printable(std::string_view text) {
  std::vector<char32_t> code_points = decode_utf8(text);
  for (char32_t& c : code_points) {
    const bool control = c < 0x20 || (c >= 0x7f && c < 0xa0);
    const bool turns_direction = (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
    if (c == '\n' || c == '\t' || c == '\r' || c == 0x2028 || c == 0x2029) {
      c = ' ';
    } else if (control || turns_direction) {
      c = 0xfffd;
    }
  }
  return encode_utf8(code_points);
}

void Writer::write(std::string_view text) {
  if (text_ != nullptr) {
    text_->append(text);
    return;
  }
  if (failure_ != 0) return;
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) note_failure();
}

void Writer::flush() {
  if (file_ != nullptr && failure_ == 0 && std::fflush(file_) != 0) note_failure();
}

Result<void> Writer::finish() {
  flush();
  if (failure_ == 0 || failure_ == EPIPE) return {};
  return fail({.kind = ErrorKind::kIo,
               .what = "cannot write the output",
               .why = std::generic_category().message(failure_)});
}

void Writer::note_failure() {
  failure_ = errno != 0 ? errno : EIO;
}

}  // namespace awry::cli
