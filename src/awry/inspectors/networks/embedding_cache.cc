// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/networks/embedding_cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "awry/base/files.h"
#include "awry/base/hash.h"

namespace awry::inspectors::networks {
namespace {

constexpr std::uint64_t kMagic = 0x31454D4259525741ULL;  // "AWRYBME1"

std::string_view bytes_of(std::span<const float> rows) {
  return {reinterpret_cast<const char*>(rows.data()), rows.size_bytes()};
}

bool read_all(int file, void* target, std::size_t size, std::uint64_t at) {
  auto* bytes = static_cast<char*>(target);
  while (size > 0) {
    const ssize_t count = ::pread(file, bytes, size, static_cast<off_t>(at));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes += count, at += static_cast<std::uint64_t>(count), size -= static_cast<std::size_t>(count);
  }
  return true;
}

bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(file, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

// Only one process at a time may append.
class WriteLock {
 public:
  explicit WriteLock(int file) : file_(file) { ::flock(file_, LOCK_EX); }
  ~WriteLock() { ::flock(file_, LOCK_UN); }
  WriteLock(const WriteLock&) = delete;
  WriteLock& operator=(const WriteLock&) = delete;

 private:
  int file_;
};

}  // namespace

struct EmbeddingCache::Header {
  std::uint64_t magic = kMagic;
  Key key{};
  std::uint64_t numbers = 0;
  std::uint64_t checksum = 0;
};

Result<std::unique_ptr<EmbeddingCache>> EmbeddingCache::open(const std::filesystem::path& folder,
                                                             const TextModel& model) {
  AWRY_TRY(make_folder(folder));
  const std::string file_name =
      fmt::format("{}-layer{}-{}.embeddings", model.hash().substr(0, 32), model.layer(),
                  model.precision() == Precision::kInt8 ? "int8" : "f32");
  auto cache = std::unique_ptr<EmbeddingCache>(
      new EmbeddingCache(folder / file_name, static_cast<std::size_t>(model.shape().hidden)));
  cache->file_ = ::open(cache->path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (cache->file_ < 0) {
    return fail({.kind = ErrorKind::kIo,
                 .what = "cannot open embedding cache",
                 .input = cache->path_.string(),
                 .why = std::strerror(errno)});
  }
  AWRY_TRY(cache->scan());
  return cache;
}

EmbeddingCache::~EmbeddingCache() {
  if (file_ >= 0) ::close(file_);
}

// Headers only: what they stand before is read when it is wanted. What does not continue as records do is
// the rest of a write that did not finish, and is cut off.
Result<void> EmbeddingCache::scan() {
  const WriteLock lock(file_);
  struct stat status = {};
  if (::fstat(file_, &status) != 0) {
    return fail({.kind = ErrorKind::kIo, .what = "cannot read", .input = path_.string()});
  }
  const auto size = static_cast<std::uint64_t>(status.st_size);
  std::uint64_t at = 0;
  while (size - at >= sizeof(Header)) {
    Header header;
    if (!read_all(file_, &header, sizeof header, at) || header.magic != kMagic) break;
    const std::uint64_t room = size - at - sizeof header;
    if (header.numbers % width_ != 0 || header.numbers > room / sizeof(float)) break;
    places_[header.key] = at;
    at += sizeof header + header.numbers * sizeof(float);
  }
  if (at < size && ::ftruncate(file_, static_cast<off_t>(at)) != 0) {
    return fail({.kind = ErrorKind::kIo,
                 .what = "cannot mend embedding cache",
                 .input = path_.string(),
                 .why = std::strerror(errno),
                 .hint = "Delete the file; it is made anew."});
  }
  return {};
}

EmbeddingCache::Key EmbeddingCache::key_of(std::span<const Token> text) {
  const std::string hex = sha256_hex({reinterpret_cast<const char*>(text.data()), text.size_bytes()});
  Key key{};
  for (std::size_t i = 0; i < key.size(); ++i)
    key[i] = std::strtoull(hex.substr(i * 16, 16).c_str(), nullptr, 16);
  return key;
}

std::optional<std::vector<float>> EmbeddingCache::find(std::span<const Token> text) const {
  const auto place = places_.find(key_of(text));
  if (place == places_.end()) return {};
  Header header;
  if (!read_all(file_, &header, sizeof header, place->second)) return {};
  if (header.numbers != text.size() * width_) return {};
  std::vector<float> rows(header.numbers);
  if (!read_all(file_, rows.data(), rows.size() * sizeof(float), place->second + sizeof header)) return {};
  if (stable_hash64(bytes_of(rows)) != header.checksum) return {};
  return rows;
}

Result<void> EmbeddingCache::add(std::span<const Token> text, std::span<const float> rows) {
  const Header header{.key = key_of(text), .numbers = rows.size(), .checksum = stable_hash64(bytes_of(rows))};
  std::string record(reinterpret_cast<const char*>(&header), sizeof header);
  record += bytes_of(rows);
  const WriteLock lock(file_);
  const off_t at = ::lseek(file_, 0, SEEK_END);
  if (at < 0 || !write_all(file_, record)) {
    return fail({.kind = ErrorKind::kIo,
                 .what = "cannot write embedding cache",
                 .input = path_.string(),
                 .why = std::strerror(errno),
                 .hint = "Make room on the disk, or leave out --embedding-cache."});
  }
  places_[header.key] = static_cast<std::uint64_t>(at);
  return {};
}

}  // namespace awry::inspectors::networks
