// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/networks/zip_directory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>

namespace awry::inspectors::networks {
namespace {

constexpr std::uint32_t kEndMark = 0x06054b50, kWideEndMark = 0x06064b50, kWideEndPlaceMark = 0x07064b50;
constexpr std::uint32_t kEntryMark = 0x02014b50, kLocalMark = 0x04034b50;
constexpr std::uint64_t kEndBytes = 22, kEntryBytes = 46, kLocalBytes = 30;
constexpr std::uint32_t kElsewhere = 0xFFFFFFFF;  // the number is in the wide (zip64) part

class Bytes {
 public:
  explicit Bytes(std::span<const std::byte> file) : file_(file) {}

  template <class Number>
  std::optional<Number> at(std::uint64_t place) const {
    if (place > file_.size() || file_.size() - place < sizeof(Number)) return {};
    Number number;
    std::memcpy(&number, file_.data() + place, sizeof number);
    return number;
  }
  bool holds(std::uint64_t place, std::uint64_t size) const {
    return place <= file_.size() && size <= file_.size() - place;
  }
  std::string text(std::uint64_t place, std::uint64_t size) const {
    return {reinterpret_cast<const char*>(file_.data() + place), size};
  }
  std::uint64_t size() const { return file_.size(); }

 private:
  std::span<const std::byte> file_;
};

struct Directory {
  std::uint64_t place = 0, size = 0;
};

// The end record stands before a comment of unknown length.
std::optional<Directory> find_directory(const Bytes& bytes) {
  if (bytes.size() < kEndBytes) return {};
  const std::uint64_t earliest = bytes.size() - std::min<std::uint64_t>(bytes.size(), kEndBytes + 0xFFFF);
  for (std::uint64_t end = bytes.size() - kEndBytes + 1; end-- > earliest;) {
    if (bytes.at<std::uint32_t>(end) != kEndMark) continue;
    Directory found{*bytes.at<std::uint32_t>(end + 16), *bytes.at<std::uint32_t>(end + 12)};
    if (end >= 20 && bytes.at<std::uint32_t>(end - 20) == kWideEndPlaceMark) {
      const std::uint64_t wide = bytes.at<std::uint64_t>(end - 12).value_or(0);
      if (bytes.at<std::uint32_t>(wide) == kWideEndMark && bytes.holds(wide, 56)) {
        found = {*bytes.at<std::uint64_t>(wide + 48), *bytes.at<std::uint64_t>(wide + 40)};
      }
    }
    if (bytes.holds(found.place, found.size)) return found;
  }
  return {};
}

// The numbers that did not fit stand in extra field 1, in this order.
bool read_wide(const Bytes& bytes, std::uint64_t place, std::uint64_t end, std::uint64_t& full,
               std::uint64_t& stored, std::uint64_t& local) {
  while (place + 4 <= end) {
    const std::uint16_t kind = bytes.at<std::uint16_t>(place).value_or(0);
    const std::uint16_t size = bytes.at<std::uint16_t>(place + 2).value_or(0);
    if (kind == 1) {
      std::uint64_t at = place + 4;
      for (std::uint64_t* const number : {&full, &stored, &local}) {
        if (*number != kElsewhere) continue;
        const auto wide = bytes.at<std::uint64_t>(at);
        if (!wide || at + 8 > place + 4 + size) return false;
        *number = *wide;
        at += 8;
      }
      return true;
    }
    place += 4ULL + size;
  }
  return full != kElsewhere && stored != kElsewhere && local != kElsewhere;
}

}  // namespace

Result<ZipDirectory> read_zip_directory(std::span<const std::byte> file, std::string_view source) {
  const auto refuse = [&](std::string why) {
    return fail({.what = "cannot read weights",
                 .input = std::string(source),
                 .why = std::move(why),
                 .hint = "Download the file again."});
  };
  const Bytes bytes(file);
  const auto directory = find_directory(bytes);
  if (!directory) return refuse("the archive is cut off: its directory is missing");
  ZipDirectory entries;
  const std::uint64_t end = directory->place + directory->size;
  for (std::uint64_t at = directory->place; at < end;) {
    if (end - at < kEntryBytes || bytes.at<std::uint32_t>(at) != kEntryMark) {
      return refuse("the archive's directory is damaged");
    }
    const std::uint16_t method = *bytes.at<std::uint16_t>(at + 10);
    std::uint64_t stored = *bytes.at<std::uint32_t>(at + 20), full = *bytes.at<std::uint32_t>(at + 24);
    std::uint64_t local = *bytes.at<std::uint32_t>(at + 42);
    const std::uint64_t name_size = *bytes.at<std::uint16_t>(at + 28);
    const std::uint64_t extra_size = *bytes.at<std::uint16_t>(at + 30);
    const std::uint64_t next = at + kEntryBytes + name_size + extra_size + *bytes.at<std::uint16_t>(at + 32);
    if (next > end) return refuse("the archive's directory is damaged");
    const std::string name = bytes.text(at + kEntryBytes, name_size);
    const std::uint64_t extra = at + kEntryBytes + name_size;
    if (!read_wide(bytes, extra, extra + extra_size, full, stored, local)) {
      return refuse("the archive's directory is damaged");
    }
    if (method != 0 || stored != full) {
      return refuse(fmt::format("'{}' is compressed, which torch never does", name));
    }
    if (!bytes.holds(local, kLocalBytes) || bytes.at<std::uint32_t>(local) != kLocalMark) {
      return refuse(fmt::format("'{}' is not where the archive says", name));
    }
    const std::uint64_t begin =
        local + kLocalBytes + *bytes.at<std::uint16_t>(local + 26) + *bytes.at<std::uint16_t>(local + 28);
    if (!bytes.holds(begin, full)) return refuse(fmt::format("the archive is cut off inside '{}'", name));
    if (!entries.emplace(name, ZipEntry{begin, full}).second) {
      return refuse(fmt::format("'{}' is in the archive twice", name));
    }
    at = next;
  }
  return entries;
}

}  // namespace awry::inspectors::networks
