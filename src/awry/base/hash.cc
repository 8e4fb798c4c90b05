// SPDX-License-Identifier: Apache-2.0
#include "awry/base/hash.h"

#include <fcntl.h>
#include <openssl/evp.h>
#include <unistd.h>

#include <array>
#include <cassert>
#include <cerrno>
#include <cstring>
#include <vector>

namespace awry {
namespace {

std::string to_hex(const unsigned char* bytes, std::size_t size) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  text.reserve(size * 2);
  for (std::size_t i = 0; i < size; ++i) {
    text += kDigits[bytes[i] >> 4];
    text += kDigits[bytes[i] & 15];
  }
  return text;
}

class Sha256 {
 public:
  Sha256() : context_(EVP_MD_CTX_new(), &EVP_MD_CTX_free) {
    [[maybe_unused]] const int ok = EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr);
    assert(ok == 1 && "SHA-256 is always available");
  }
  void update(const void* bytes, std::size_t size) { EVP_DigestUpdate(context_.get(), bytes, size); }
  std::string hex() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned size = 0;
    EVP_DigestFinal_ex(context_.get(), digest.data(), &size);
    return to_hex(digest.data(), size);
  }

 private:
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_;
};

}  // namespace

std::string sha256_hex(std::string_view bytes) {
  Sha256 hash;
  hash.update(bytes.data(), bytes.size());
  return hash.hex();
}

Result<std::string> sha256_hex_of_file(const std::filesystem::path& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  Sha256 hash;
  std::vector<char> buffer(256U << 10);
  ssize_t got = fd < 0 ? -1 : 0;
  while (fd >= 0 && (got = ::read(fd, buffer.data(), buffer.size())) > 0) {
    hash.update(buffer.data(), static_cast<std::size_t>(got));
  }
  const int code = errno;
  if (fd >= 0) ::close(fd);
  if (got < 0) {
    return fail({.kind = code == ENOENT ? ErrorKind::kNotFound : ErrorKind::kIo,
                 .what = "cannot read",
                 .input = path.string(),
                 .why = code == ENOENT ? "there is no such file" : std::strerror(code)});
  }
  return hash.hex();
}

struct FieldHasher::State {
  Sha256 hash;
};

FieldHasher::FieldHasher() : state_(std::make_unique<State>()) {}
FieldHasher::~FieldHasher() = default;
FieldHasher::FieldHasher(FieldHasher&&) noexcept = default;
FieldHasher& FieldHasher::operator=(FieldHasher&&) noexcept = default;

FieldHasher& FieldHasher::add(std::string_view field) {
  add(field.size());
  state_->hash.update(field.data(), field.size());
  return *this;
}

FieldHasher& FieldHasher::add(std::uint64_t number) {
  std::array<unsigned char, 8> bytes{};
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<unsigned char>(number >> (8 * i));
  state_->hash.update(bytes.data(), bytes.size());
  return *this;
}

std::string FieldHasher::hex() {
  return state_->hash.hex();
}

std::uint64_t stable_hash64(std::string_view bytes) {
  // FNV-1a, then a finaliser so that short strings differ in every bit.
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  hash ^= hash >> 33;
  hash *= 0xff51afd7ed558ccdULL;
  hash ^= hash >> 33;
  hash *= 0xc4ceb9fe1a85ec53ULL;
  return hash ^ (hash >> 33);
}

}  // namespace awry
