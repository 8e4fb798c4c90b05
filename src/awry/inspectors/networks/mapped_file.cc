// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/networks/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace awry::inspectors::networks {
namespace {

tl::unexpected<Error> refuse(const std::filesystem::path& path, std::string why, ErrorKind kind) {
  return fail({.kind = kind, .what = "cannot read file", .input = path.string(), .why = std::move(why)});
}

struct Descriptor {
  int number = -1;
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
};

}  // namespace

Result<MappedFile> MappedFile::open(const std::filesystem::path& path) {
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (file.number < 0) {
    return refuse(path, std::strerror(errno), errno == ENOENT ? ErrorKind::kNotFound : ErrorKind::kIo);
  }
  struct stat status = {};
  if (::fstat(file.number, &status) != 0) return refuse(path, std::strerror(errno), ErrorKind::kIo);
  if (!S_ISREG(status.st_mode)) return refuse(path, "it is not a regular file", ErrorKind::kInvalid);
  MappedFile mapped;
  if (status.st_size == 0) return mapped;
  const auto size = static_cast<std::size_t>(status.st_size);
  void* const data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.number, 0);
  if (data == MAP_FAILED) return refuse(path, std::strerror(errno), ErrorKind::kIo);
  mapped.data_ = static_cast<const std::byte*>(data);
  mapped.size_ = size;
  return mapped;
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(const_cast<std::byte*>(data_), size_);
}

}  // namespace awry::inspectors::networks
