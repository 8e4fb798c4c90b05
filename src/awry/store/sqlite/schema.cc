// SPDX-License-Identifier: Apache-2.0
#include "awry/store/sqlite/schema.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>

#include "awry/store/sqlite/identity.h"

namespace awry::store::sqlite {
namespace {

// `record` holds the whole record as JSON; the columns beside it are those that are searched.
constexpr std::string_view kFirstTables = R"sql(
CREATE TABLE runs (
  number  INTEGER PRIMARY KEY AUTOINCREMENT,  -- never reused: it names the run's lock (run_locks.h)
  id      TEXT NOT NULL UNIQUE,
  digest  TEXT NOT NULL,
  status  TEXT NOT NULL,
  started TEXT NOT NULL,
  record  TEXT NOT NULL
) STRICT;
CREATE INDEX runs_by_digest ON runs (digest);

CREATE TABLE samples (
  number INTEGER PRIMARY KEY,                 -- the order in which samples_of gives them
  run    INTEGER NOT NULL REFERENCES runs,
  id     TEXT NOT NULL,
  record TEXT NOT NULL,
  UNIQUE (run, id)
) STRICT;

CREATE TABLE replies (
  number         INTEGER PRIMARY KEY,
  key            TEXT NOT NULL,
  worth          INTEGER NOT NULL,            -- 2 answered, 1 a reply but no answer, 0 no reply
  checksum       INTEGER NOT NULL,            -- of record and text
  first_question TEXT NOT NULL,
  record         TEXT NOT NULL,               -- without key, text and question_id
  text           BLOB NOT NULL                -- exactly as received, which JSON could not promise
) STRICT;
CREATE INDEX replies_by_key ON replies (key, worth, number);

CREATE TABLE run_replies (
  run         INTEGER NOT NULL REFERENCES runs,
  question_id TEXT NOT NULL,
  reply       INTEGER NOT NULL REFERENCES replies,
  PRIMARY KEY (run, question_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE verdicts (
  number INTEGER PRIMARY KEY,
  run    INTEGER NOT NULL REFERENCES runs,
  id     TEXT NOT NULL,
  record TEXT NOT NULL,
  UNIQUE (run, id)
) STRICT;

CREATE TABLE summaries (
  run    INTEGER PRIMARY KEY REFERENCES runs,
  record TEXT NOT NULL
) STRICT;
)sql";

constexpr std::array kMigrations = {kFirstTables};

Result<std::int64_t> version_of(Connection& connection) {
  return connection.integer("PRAGMA user_version");
}

}  // namespace

std::span<const std::string_view> migrations() {
  return kMigrations;
}

Result<void> migrate(Connection& connection, std::span<const std::string_view> steps) {
  const auto newest = static_cast<std::int64_t>(steps.size());
  for (;;) {
    AWRY_TRY_ASSIGN(std::int64_t version, version_of(connection));
    if (version == newest) return {};
    if (version > newest || version < 0) {
      return fail({.kind = ErrorKind::kUnsupported,
                   .what = "cannot open store",
                   .input = connection.path().string(),
                   .why = fmt::format("it has format version {}, and this awry knows versions up to {}",
                                      version, newest),
                   .hint = fmt::format("Use an awry that knows store format version {}.", version)});
    }

    AWRY_TRY_ASSIGN(Transaction transaction, Transaction::begin(connection));
    AWRY_TRY_ASSIGN(version, version_of(connection));  // another process may have been faster
    if (version >= newest) continue;
    // With the first tables, so that even a half-created file never looks like a stranger's.
    AWRY_TRY(connection.script(fmt::format("PRAGMA application_id={}", kApplicationId)));
    AWRY_TRY(connection.script(steps[static_cast<std::size_t>(version)]));
    AWRY_TRY(connection.script(fmt::format("PRAGMA user_version={}", version + 1)));
    AWRY_TRY(transaction.commit());
  }
}

}  // namespace awry::store::sqlite
