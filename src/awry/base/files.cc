// SPDX-License-Identifier: Apache-2.0
#include "awry/base/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "awry/base/text.h"

namespace awry {
namespace {

namespace fs = std::filesystem;

class FileDescriptor {
 public:
  explicit FileDescriptor(int fd) : fd_(fd) {}
  ~FileDescriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

tl::unexpected<Error> system_failure(std::string what, const fs::path& path) {
  const int code = errno;
  Error error{.kind = code == ENOENT ? ErrorKind::kNotFound : ErrorKind::kIo,
              .what = std::move(what),
              .input = path.string(),
              .why = code == ENOENT ? "there is no such file" : std::strerror(code)};
  if (code == EACCES) error.hint = "Check the permissions.";
  if (code == ENOSPC) error.hint = "Free some disk space and run the same command again.";
  return fail(error);
}

Result<void> write_fully(int fd, std::string_view content, const fs::path& path) {
  while (!content.empty()) {
    const ssize_t written = ::write(fd, content.data(), content.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return system_failure("cannot write", path);
    }
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  if (::fsync(fd) != 0) return system_failure("cannot write", path);
  return {};
}

}  // namespace

Result<std::string> read_file(const fs::path& path, std::uint64_t limit_bytes) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status {};
  if (file.get() < 0 || ::fstat(file.get(), &status) != 0) return system_failure("cannot read", path);
  if (S_ISDIR(status.st_mode)) {
    return fail({.what = "cannot read", .input = path.string(), .why = "it is a folder, not a file"});
  }
  const auto too_large = [&] {
    return fail({.kind = ErrorKind::kLimit,
                 .what = "cannot read",
                 .input = path.string(),
                 .why = fmt::format("it is larger than the limit of {}", human_bytes(limit_bytes))});
  };
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (size > limit_bytes) return too_large();

  // Pipes and /proc files have no size, so reading goes on until the end rather than to the size. The slack
  // is for the read that finds the end, and for parsers that look a little beyond what they use.
  constexpr std::size_t kSlack = 128;
  std::string content;
  content.reserve(size + kSlack);
  for (;;) {
    if (content.capacity() - content.size() < kSlack / 2) content.reserve(2 * content.size() + (64U << 10));
    const std::size_t filled = content.size();
    ssize_t got = 0;
    content.resize_and_overwrite(content.capacity(), [&](char* to, std::size_t room) {
      got = ::read(file.get(), to + filled, room - filled);
      return filled + static_cast<std::size_t>(std::max<ssize_t>(got, 0));
    });
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return system_failure("cannot read", path);
    if (got == 0) return content;
    if (content.size() > limit_bytes) return too_large();
  }
}

Result<void> write_file(const fs::path& path, std::string_view content) {
  // In the same folder, because rename is atomic only within one file system.
  std::string temporary = path.string() + ".XXXXXX";
  const FileDescriptor file(::mkostemp(temporary.data(), O_CLOEXEC));
  if (file.get() < 0) return system_failure("cannot write", path);
  ::fchmod(file.get(), 0644);
  Result<void> written = write_fully(file.get(), content, path);
  if (written && ::rename(temporary.c_str(), path.c_str()) != 0)
    written = system_failure("cannot write", path);
  if (!written) {
    ::unlink(temporary.c_str());
    return written;
  }
  // The rename itself is durable only once the folder is.
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  const FileDescriptor directory(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.get() >= 0) ::fsync(directory.get());
  return {};
}

Result<void> make_folder(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (!fs::is_directory(path)) {
    return fail({.kind = ErrorKind::kIo,
                 .what = "cannot create folder",
                 .input = path.string(),
                 .why = fs::exists(path) ? "a file of that name is in the way" : error.message(),
                 .hint = "Choose another place."});
  }
  return {};
}

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (fs::temp_directory_path() / "awry-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) {
    throw CommandError({.kind = ErrorKind::kIo,
                        .what = "cannot create a temporary folder",
                        .input = pattern,
                        .why = std::strerror(errno),
                        .hint = "Set TMPDIR to a folder you may write to."});
  }
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace awry
