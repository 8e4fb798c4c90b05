// SPDX-License-Identifier: Apache-2.0
#include "awry/base/clock.h"

#include <array>
#include <cstdlib>
#include <ctime>

#include "awry/base/text.h"

namespace awry {
namespace {

std::string format_now(const char* format) {
  std::time_t now = std::time(nullptr);
  if (const char* fixed = std::getenv("SOURCE_DATE_EPOCH")) {
    if (const auto seconds = parse_integer(fixed)) now = static_cast<std::time_t>(*seconds);
  }
  std::tm utc{};
  ::gmtime_r(&now, &utc);
  std::array<char, 64> buffer{};
  const std::size_t size = std::strftime(buffer.data(), buffer.size(), format, &utc);
  return {buffer.data(), size};
}

}  // namespace

std::string utc_timestamp() {
  return format_now("%Y-%m-%dT%H:%M:%SZ");
}
std::string utc_folder_stamp() {
  return format_now("%Y%m%dT%H%M%SZ");
}

}  // namespace awry
