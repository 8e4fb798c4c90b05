// SPDX-License-Identifier: Apache-2.0
#include "awry/store/sqlite/run_locks.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace awry::store::sqlite {
namespace {

// "Open file description" locks: unlike the older kind they also work between two stores of one process,
// and closing an unrelated descriptor does not drop them.
struct flock byte_lock(std::int64_t run, short type) {
  struct flock lock = {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  lock.l_start = run;
  lock.l_len = 1;
  return lock;
}

tl::unexpected<Error> lock_failure(const std::filesystem::path& path) {
  return fail({.kind = ErrorKind::kIo,
               .what = "cannot lock",
               .input = path.string(),
               .why = std::generic_category().message(errno),
               .hint = "Check that the store's folder may be written and is on a local disk."});
}

}  // namespace

Result<RunLocks> RunLocks::open(const std::filesystem::path& store_path) {
  std::filesystem::path path = store_path;
  path += "-lock";
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor < 0) return lock_failure(path);
  return RunLocks(descriptor, std::move(path));
}

RunLocks::RunLocks(RunLocks&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), path_(std::move(other.path_)) {}

RunLocks::~RunLocks() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<bool> RunLocks::acquire(std::int64_t run) {
  struct flock lock = byte_lock(run, F_WRLCK);
  if (::fcntl(descriptor_, F_OFD_SETLK, &lock) == 0) return true;
  if (errno == EAGAIN || errno == EACCES) return false;
  return lock_failure(path_);
}

void RunLocks::release(std::int64_t run) {
  struct flock lock = byte_lock(run, F_UNLCK);
  (void)::fcntl(descriptor_, F_OFD_SETLK, &lock);  // giving back cannot fail; closing would do it anyway
}

Result<bool> RunLocks::held_elsewhere(std::int64_t run) const {
  struct flock lock = byte_lock(run, F_WRLCK);
  if (::fcntl(descriptor_, F_OFD_GETLK, &lock) != 0) return lock_failure(path_);
  return lock.l_type != F_UNLCK;
}

}  // namespace awry::store::sqlite
