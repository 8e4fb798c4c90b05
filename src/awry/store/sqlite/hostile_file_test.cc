// SPDX-License-Identifier: Apache-2.0
// Files that are not stores, or no longer.
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "awry/base/random.h"
#include "awry/store/sqlite/schema.h"
#include "awry/store/store_testing.h"

namespace awry::store::sqlite {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class HostileFileTest : public testing::Test {
 protected:
  void expect_refused_and_untouched(const std::string& content) {
    ASSERT_OK(write_file(path_, content));
    const auto store = open_store(path_);
    ASSERT_FALSE(store);
    EXPECT_THAT(store.error().message(), HasSubstr(path_.string()));
    EXPECT_EQ(*read_file(path_), content);
    const auto entries = std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator());
    EXPECT_EQ(entries, 1) << "something was left beside it";
  }

  // A store with 40 replies, closed, as bytes.
  std::string good_store() {
    const fs::path path = folder_.path() / "good.db";
    {
      auto store = value_or_throw(open_store(path));
      value_or_throw(store->start_run({.id = "r", .status = RunStatus::kFinished}));
      value_or_throw(store->put_samples("r", std::vector<Sample>{{.id = "a"}, {.id = "b"}}));
      for (int i = 0; i < 40; ++i) value_or_throw(store->put_reply("r", reply_numbered(i)));
    }
    std::string bytes = value_or_throw(read_file(path));
    for (const auto& entry : fs::directory_iterator(folder_.path())) fs::remove(entry);
    return bytes;
  }

  TemporaryFolder folder_;
  fs::path path_ = folder_.path() / "store.db";
};

TEST_F(HostileFileTest, FilesOfOthersAreRefusedAndUntouched) {
  expect_refused_and_untouched("x");
  expect_refused_and_untouched("# My notes\n" + std::string(10'000, '.'));
  expect_refused_and_untouched(std::string(4096, '\0'));
  expect_refused_and_untouched(std::string("SQLite format 3\0", 16));
}

TEST_F(HostileFileTest, DatabaseOfAnotherProgramIsRefusedAndUntouched) {
  for (const char* mode : {"PRAGMA journal_mode=DELETE", "PRAGMA journal_mode=WAL"}) {
    const fs::path foreign = folder_.path() / "foreign.db";
    {
      Connection connection = value_or_throw(Connection::open(foreign, Access::kReadWrite));
      ASSERT_OK(connection.script(mode));
      ASSERT_OK(connection.script("CREATE TABLE bookmarks (url TEXT)"));
    }
    const std::string content = *read_file(foreign);
    fs::remove(foreign);
    expect_refused_and_untouched(content);
  }
}

TEST_F(HostileFileTest, EmptyFileBecomesAStore) {
  ASSERT_OK(write_file(path_, ""));
  ASSERT_OK(open_store(path_));
}

TEST_F(HostileFileTest, WhatIsNotAFileIsRefused) {
  EXPECT_FALSE(open_store(folder_.path()));
  EXPECT_FALSE(open_store(""));
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
  EXPECT_FALSE(open_store(path_));  // and does not wait for a writer
  fs::remove(path_);
  ASSERT_OK(write_file(path_, "in the way"));
  EXPECT_FALSE(open_store(path_ / "store.db"));
}

TEST_F(HostileFileTest, AnyFileNameWorks) {
  for (const char* name :
       {":memory:", "100%?mode=ro#x.db", "файл 图.db", "new/folders/store.db", "it's.db"}) {
    const fs::path path = folder_.path() / name;
    ASSERT_OK(value_or_throw(open_store(path))->start_run({.id = "r"}));
    EXPECT_TRUE(fs::is_regular_file(path)) << name;
    EXPECT_TRUE(value_or_throw(open_store(path))->find_run("r")->has_value()) << name;
  }
}

// Reads all there is. A reply is what was written or an error, never something else.
Result<void> read_everything(Store& store) {
  AWRY_TRY(store.find_runs({}));
  AWRY_TRY(store.samples_of("r"));
  AWRY_TRY(store.summary_of("r"));
  for (int i = 0; i < 40; ++i) {
    AWRY_TRY_ASSIGN(const auto found, store.find_reply(reply_numbered(i).key));
    if (found) {
      EXPECT_EQ(found->text, reply_numbered(i).text);
    }
  }
  AWRY_TRY(store.replies_of("r", [](const Reply& reply) -> Result<void> {
    EXPECT_TRUE(reply.text.starts_with("reply "));
    EXPECT_EQ(reply.model, "test");
    return {};
  }));
  return store.put_reply("r", reply_numbered(1000));
}

Result<void> open_and_read_everything(const fs::path& path) {
  AWRY_TRY_ASSIGN(const auto store, open_store(path));
  return read_everything(*store);
}

TEST_F(HostileFileTest, TruncatedStoreIsAClearError) {
  const std::string good = good_store();
  for (std::size_t size = 1; size < good.size(); size += 1 + good.size() / 60) {
    for (const auto& entry : fs::directory_iterator(folder_.path())) fs::remove(entry);
    ASSERT_OK(write_file(path_, good.substr(0, size)));
    const auto result = open_and_read_everything(path_);
    ASSERT_FALSE(result) << size << " of " << good.size();
    EXPECT_THAT(result.error().message(), HasSubstr(path_.string()));
    EXPECT_THAT(result.error().message(), HasSubstr("move it away"));
  }
}

TEST_F(HostileFileTest, FlippedBitsNeverCrashOrChangeAReply) {
  const std::string good = good_store();
  RandomStream random(7);
  int noticed = 0;
  constexpr int kTrials = 150;
  for (int trial = 0; trial < kTrials; ++trial) {
    for (const auto& entry : fs::directory_iterator(folder_.path())) fs::remove(entry);
    std::string bad = good;
    for (int flips = 1 << random.integer(0, 6); flips > 0; --flips) {
      bad[random.below(bad.size())] ^= static_cast<char>(1 << random.integer(0, 7));
    }
    ASSERT_OK(write_file(path_, bad));
    const auto result = open_and_read_everything(path_);
    if (result) continue;  // the bit fell into free space, or into something nobody reads
    ++noticed;
    EXPECT_THAT(result.error().message(), HasSubstr("store.db")) << result.error().message();
  }
  EXPECT_GT(noticed, kTrials / 3);
}

TEST_F(HostileFileTest, DamagedLogLosesNoMoreThanItself) {
  // A log full of noise beside a sound store, as after a bad disk: SQLite discards what does not verify.
  ASSERT_OK(write_file(path_, good_store()));
  RandomStream random(9);
  std::string noise;
  for (int i = 0; i < 20'000; ++i) noise += static_cast<char>(random.below(256));
  fs::path log = path_;
  log += "-wal";
  ASSERT_OK(write_file(log, noise));
  ASSERT_OK(open_and_read_everything(path_));
}

TEST_F(HostileFileTest, TablesThatAreNotOursAreAClearError) {
  ASSERT_OK(open_store(path_));
  ASSERT_OK(value_or_throw(Connection::open(path_, Access::kReadWrite)).script("DROP TABLE run_replies"));
  const auto store = open_store(path_);
  ASSERT_OK(store);
  ASSERT_OK((*store)->start_run({.id = "r"}));
  const auto put = (*store)->put_reply("r", reply_numbered(1));
  ASSERT_FALSE(put);
  EXPECT_THAT(put.error().message(), HasSubstr("damaged"));
}

// A limit on the size of files stands in for the end of the disk.
TEST_F(HostileFileTest, FullDiskIsAnErrorThatLosesNothing) {
  const auto store = open_store(path_);
  ASSERT_OK(store);
  ASSERT_OK((*store)->start_run({.id = "r"}));
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto old_handler = signal(SIGXFSZ, SIG_IGN);
  const rlimit small{.rlim_cur = 300'000, .rlim_max = before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  int stored = 0;
  Result<void> put;
  while (stored < 1000 && (put = (*store)->put_reply("r", reply_numbered(stored)))) ++stored;
  setrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, old_handler);

  ASSERT_FALSE(put);
  EXPECT_THAT(put.error().message(), HasSubstr(path_.string()));
  EXPECT_GT(stored, 0);
  EXPECT_EQ(all_replies(**store, "r").size(), static_cast<std::size_t>(stored));
  ASSERT_OK((*store)->put_reply("r", reply_numbered(stored)));
  EXPECT_EQ(all_replies(**store, "r").size(), static_cast<std::size_t>(stored) + 1);
}

}  // namespace
}  // namespace awry::store::sqlite
