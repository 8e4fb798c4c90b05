// SPDX-License-Identifier: Apache-2.0
#include "awry/store/sqlite/schema.h"

#include <gmock/gmock.h>

#include "awry/store/store_testing.h"

namespace awry::store::sqlite {
namespace {

using testing::HasSubstr;

constexpr std::string_view kNotes = "CREATE TABLE notes (words TEXT); INSERT INTO notes VALUES ('kept')";
constexpr std::string_view kRename = "ALTER TABLE notes RENAME COLUMN words TO text";
constexpr std::string_view kBroken = "CREATE TABLE half (a); INSERT INTO nowhere VALUES (1)";

class SchemaTest : public testing::Test {
 protected:
  Connection connect() {
    return value_or_throw(Connection::open(folder_.path() / "store.db", Access::kReadWrite));
  }
  TemporaryFolder folder_;
};

TEST_F(SchemaTest, OlderFileGetsTheStepsItLacks) {
  const std::string_view old_steps[] = {kNotes}, new_steps[] = {kNotes, kRename};
  {
    Connection old = connect();
    ASSERT_OK(migrate(old, old_steps));
    EXPECT_EQ(*old.integer("PRAGMA user_version"), 1);
  }
  Connection connection = connect();
  ASSERT_OK(migrate(connection, new_steps));
  ASSERT_OK(migrate(connection, new_steps));
  EXPECT_EQ(*connection.integer("PRAGMA user_version"), 2);
  EXPECT_EQ(*connection.text("SELECT text FROM notes"), "kept");
}

TEST_F(SchemaTest, StepThatFailsLeavesTheFileAsItWas) {
  const std::string_view old_steps[] = {kNotes}, new_steps[] = {kNotes, kBroken};
  Connection connection = connect();
  ASSERT_OK(migrate(connection, old_steps));
  EXPECT_FALSE(migrate(connection, new_steps));
  EXPECT_FALSE(connection.in_transaction());
  EXPECT_EQ(*connection.integer("PRAGMA user_version"), 1);
  EXPECT_EQ(*connection.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'half'"), 0);
}

TEST_F(SchemaTest, NewerFileIsRefusedAndSaysWhichVersionItNeeds) {
  ASSERT_OK(open_store(folder_.path() / "store.db"));
  ASSERT_OK(connect().script("PRAGMA user_version=41"));
  const auto store = open_store(folder_.path() / "store.db");
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().kind, ErrorKind::kUnsupported);
  EXPECT_THAT(store.error().message(), HasSubstr("version 41"));
  EXPECT_THAT(store.error().message(), HasSubstr("store.db"));
  EXPECT_EQ(*connect().integer("PRAGMA user_version"), 41);
}

TEST_F(SchemaTest, EveryEarlierVersionOpens) {
  for (std::size_t version = 0; version <= migrations().size(); ++version) {
    const auto path = folder_.path() / fmt::format("{}.db", version);
    {
      Connection connection = value_or_throw(Connection::open(path, Access::kReadWrite));
      ASSERT_OK(migrate(connection, migrations().first(version)));
    }
    const auto store = open_store(path);
    ASSERT_OK(store);
    ASSERT_OK((*store)->start_run({.id = "r"}));
    ASSERT_OK((*store)->put_reply("r", reply_numbered(1)));
  }
}

// A killed process cannot show what a power cut would: that every commit waits for the disk.
TEST_F(SchemaTest, CommitsWaitForTheDisk) {
  ASSERT_OK(open_store(folder_.path() / "store.db"));
  Connection connection = connect();
  EXPECT_EQ(*connection.integer("PRAGMA synchronous"), 2);
  EXPECT_EQ(*connection.text("PRAGMA journal_mode"), "wal");
}

}  // namespace
}  // namespace awry::store::sqlite
