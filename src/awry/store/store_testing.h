// SPDX-License-Identifier: Apache-2.0
// For tests: the backends every suite runs on, and records to put.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "awry/base/files.h"
#include "awry/store/sqlite/connection.h"
#include "awry/store/store.h"

namespace awry::store {

struct Backend {
  std::string name;
  Result<std::unique_ptr<Store>> (*open)(const std::filesystem::path& folder);  // the same one each time
  Result<std::string> (*check)(const std::filesystem::path& folder);            // "ok", or what is broken
};

inline Result<std::string> check_sqlite(const std::filesystem::path& folder) {
  AWRY_TRY_ASSIGN(auto connection, sqlite::Connection::open(folder / "store.db", sqlite::Access::kReadOnly));
  return connection.text("PRAGMA integrity_check");
}

inline std::vector<Backend> all_backends() {
  return {{.name = "Sqlite",
           .open = [](const std::filesystem::path& folder) { return open_store(folder / "store.db"); },
           .check = check_sqlite}};
}

class BackendTest : public testing::TestWithParam<Backend> {
 protected:
  std::unique_ptr<Store> open() {
    auto store = GetParam().open(folder_.path());
    if (!store) ADD_FAILURE() << store.error().message();
    return store ? std::move(*store) : nullptr;
  }
  TemporaryFolder folder_;
};

#define AWRY_RUN_ON_ALL_BACKENDS(Suite)                                                     \
  INSTANTIATE_TEST_SUITE_P(Backends, Suite, testing::ValuesIn(awry::store::all_backends()), \
                           [](const auto& backend) { return backend.param.name; })

#define ASSERT_OK(expression)                              \
  do {                                                     \
    auto&& ok_result = (expression);                       \
    ASSERT_TRUE(ok_result) << ok_result.error().message(); \
  } while (false)

// Different for every number, and of very different lengths, so that a mix-up or a cut would show.
inline std::string text_numbered(int number) {
  std::string text = fmt::format("reply {}:", number);
  const int words = number % 7 == 0 ? 3000 : number % 50;
  for (int i = 0; i < words; ++i) text += fmt::format(" {}", number * 31 + i);
  return text;
}

inline Reply reply_numbered(int number) {
  return {.key = fmt::format("key-{}", number),
          .question_id = fmt::format("question-{:06}", number),
          .text = text_numbered(number),
          .model = "test"};
}

inline Reply reply_with(std::string key, Outcome outcome, std::string text) {
  return {.key = std::move(key), .question_id = "q", .outcome = outcome, .text = std::move(text)};
}

inline std::vector<Reply> all_replies(Store& store, std::string_view run_id) {
  std::vector<Reply> replies;
  auto walked = store.replies_of(run_id, [&](Reply reply) -> Result<void> {
    replies.push_back(std::move(reply));
    return {};
  });
  if (!walked) ADD_FAILURE() << walked.error().message();
  return replies;
}

}  // namespace awry::store
