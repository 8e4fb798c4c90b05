// SPDX-License-Identifier: Apache-2.0
#include "awry/store/sqlite/identity.h"

#include <sqlite3.h>

#include <array>
#include <string_view>

#include "awry/store/sqlite/connection.h"

namespace awry::store::sqlite {
namespace {

constexpr std::size_t kHeaderBytes = 100;
constexpr std::string_view kMagic("SQLite format 3\0", 16);
constexpr std::size_t kApplicationIdOffset = 68;  // big-endian; sqlite.org/fileformat.html

Error not_a_store(const std::filesystem::path& path, std::string why) {
  return {
      .kind = ErrorKind::kUnsupported,
      .what = "cannot open store",
      .input = path.string(),
      .why = std::move(why),
      .hint = "Name another file. If this one was a store, it is damaged: restore a copy or move it away."};
}

}  // namespace

Result<void> check_identity(const std::filesystem::path& path) {
  std::error_code status_error;
  const auto status = std::filesystem::status(path, status_error);
  if (status.type() == std::filesystem::file_type::not_found) return {};
  if (status_error) {
    return fail({.kind = ErrorKind::kIo,
                 .what = "cannot open store",
                 .input = path.string(),
                 .why = status_error.message()});
  }
  if (!std::filesystem::is_regular_file(status)) return fail(not_a_store(path, "it is not a file"));

  // SQLite itself would also take a file of one byte for an empty one.
  if (std::filesystem::is_empty(path, status_error)) return {};

  // Read through SQLite's own handle: closing a second descriptor of our own would silently drop the
  // POSIX locks of every connection this process has to the file.
  AWRY_TRY_ASSIGN(Connection connection, Connection::open_untouched(path));
  sqlite3_file* file = nullptr;
  std::array<char, kHeaderBytes> header{};
  int code =
      sqlite3_file_control(connection.handle(), "main", SQLITE_FCNTL_FILE_POINTER, static_cast<void*>(&file));
  if (code == SQLITE_OK) code = file->pMethods->xRead(file, header.data(), kHeaderBytes, 0);
  if (code != SQLITE_OK && code != SQLITE_IOERR_SHORT_READ) return fail(connection.error(code));

  if (!std::string_view(header.data(), header.size()).starts_with(kMagic)) {
    return fail(not_a_store(path, "it is not an awry store"));
  }
  std::int64_t application = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    application = application << 8 | static_cast<unsigned char>(header[kApplicationIdOffset + i]);
  }
  if (application != kApplicationId) {
    return fail(not_a_store(path, "it is an SQLite database of another program"));
  }
  return {};
}

}  // namespace awry::store::sqlite
